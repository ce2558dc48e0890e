import { BlockList, isIP } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { IpInterface, IpNetwork } from "effect/net"
import {
  checkAddress,
  checkOrigin,
  checkUrl,
  localhostAddresses,
  readNetworks,
} from "../../src/values/OutboundAddress.ts"

const networks = (text: string) => Result.getOrThrow(readNetworks(text))
const none = networks("")
const loopback = networks("127.0.0.0/8, ::1/128")
const everything = networks("0.0.0.0/0 ::/0")
const compose = networks("127.0.0.0/8, 172.16.0.0/12")

const reason = (result: Result.Result<unknown, { readonly reason: string }>): string =>
  Result.isFailure(result) ? result.failure.reason : "accepted"

describe("readNetworks", () => {
  it("reads CIDRs and single addresses, separated by commas or spaces", () => {
    assert.deepStrictEqual(networks(" 127.0.0.0/8,::1/128  10.1.2.3 ").map(String), [
      "127.0.0.0/8",
      "::1/128",
      "10.1.2.3/32",
    ])
  })

  it("reads IPv4 networks in IPv6 notation as IPv4", () => {
    assert.deepStrictEqual(
      networks("::ffff:10.0.0.0/104, ::ffff:a01:203, ::ffff:0:0/96, 64:ff9b::7f00:0/104, ::/0").map(String),
      ["10.0.0.0/8", "10.1.2.3/32", "0.0.0.0/0", "127.0.0.0/8", "::/0"],
    )
    for (const host of ["10.1.2.3", "[::ffff:10.1.2.3]", "[64:ff9b::10.1.2.3]"])
      assert.strictEqual(reason(checkUrl(`http://${host}/`, networks("::ffff:10.0.0.0/104"))), "accepted")
  })

  it.each(["127.0.0.0/33", "::1/129", "10/8", "10.0.0.0/", "10.0.0.0/8/8", "localhost", "10.0.0.0/-1", "fe80::1%eth0"])(
    "names the part that is not a network: %s",
    (part) => {
      assert.deepStrictEqual(readNetworks(`127.0.0.0/8,${part}`), Result.fail(`${part} is not a network`))
    },
  )

  it.each([
    ["10.0.0.5/8", "10.0.0.0/8"],
    ["172.16.5.0/12", "172.16.0.0/12"],
    ["::ffff:10.0.0.5/104", "::ffff:10.0.0.0/104"],
    ["FD00::1/8", "fd00::/8"],
  ])("refuses bits after the prefix length and suggests the network: %s", (part, meant) => {
    const result = readNetworks(part)
    assert.include(Result.isFailure(result) ? result.failure : "", `did you mean ${meant}?`)
  })
})

describe("checkUrl", () => {
  it("returns the normalized URL, without surrounding spaces and fragment", () => {
    const checked = checkUrl("  HTTPS://Example.COM:443/a b#top ", none)
    assert.strictEqual(Result.isSuccess(checked) ? checked.success.href : "refused", "https://example.com/a%20b")
  })

  it.each([
    "https://example.com",
    "https://hooks.example.com/a/b?c=d#e",
    "https://example.com:443/",
    "https://example.com:1024/",
    "https://example.com:65535/",
    "https://EXAMPLE.com./",
    "https://localhost.example.com/",
    "https://mylocal/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[64:ff9b::808:808]/",
    `https://example.com/${"a".repeat(2048 - 20)}`,
  ])("accepts %s", (url) => {
    assert.strictEqual(reason(checkUrl(url, none)), "accepted")
  })

  it.each([
    ["", "valid URL"],
    ["example.com", "valid URL"],
    ["https://", "valid URL"],
    ["https://example.com:99999/", "valid URL"],
    ["https://[fe80::1%25eth0]/", "valid URL"],
    ["https://[fe80::1%eth0]/", "valid URL"],
    ["https://256.256.256.256/", "valid URL"],
    ["http://example.com/", "https://"],
    ["ftp://example.com/", "https://"],
    ["file:///etc/passwd", "https://"],
    ["javascript:alert(1)", "https://"],
    ["https://user@example.com/", "user name"],
    ["https://:secret@example.com/", "user name"],
    ["https://example.com:22/", "port"],
    ["https://example.com:80/", "port"],
    ["https://example.com:1023/", "port"],
    ["https://example.com:0/", "port"],
    ["http://10.0.0.1/", "10.0.0.1 is a private address"],
    ["https://10.0.0.1:80/", "10.0.0.1 is a private address"],
    ["http://localhost/", "localhost is a name of the service's own machine"],
    ["http://receiver.internal/", "receiver.internal is a name of a private network"],
    ["https://example.com/\u0000", "control characters"],
    ["https://exam\tple.com/", "control characters"],
    ["https://example.com/\n", "control characters"],
    [`https://example.com/${"é".repeat(400)}`, "2048"],
    [`https://example.com/${"a".repeat(2048 - 19)}`, "2048"],
  ])("refuses %s", (url, words) => {
    assert.include(reason(checkUrl(url, none)), words)
  })

  it.each([
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["127.1", "loopback"],
    ["2130706433", "loopback"],
    ["0x7f000001", "loopback"],
    ["0x7f.0.0.1", "loopback"],
    ["017700000001", "loopback"],
    ["0177.0.0.01", "loopback"],
    ["127.0.0.1.", "loopback"],
    ["１２７.0.0.1", "loopback"],
    ["127%2e0.0.1", "loopback"],
    ["127。0。0。1", "loopback"],
    ["[::1]", "loopback"],
    ["[0:0:0:0:0:0:0:1]", "loopback"],
    ["[::ffff:127.0.0.1]", "loopback"],
    ["[::ffff:7f00:1]", "loopback"],
    ["[64:ff9b::127.0.0.1]", "loopback"],
    ["0", "unspecified"],
    ["0.0.0.0", "unspecified"],
    ["[::]", "unspecified"],
    ["10.0.0.1", "private"],
    ["012.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["[::ffff:10.0.0.1]", "private"],
    ["[64:ff9b::a00:1]", "private"],
    ["[fc00::1]", "private"],
    ["[fdff::1]", "private"],
    ["[fec0::1]", "private"],
    ["169.254.1.1", "link-local"],
    ["[fe80::1]", "link-local"],
    ["100.64.0.1", "carrier-grade"],
    ["100.127.255.255", "carrier-grade"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["[ff02::1]", "multicast"],
    ["192.0.0.8", "reserved"],
    ["192.88.99.1", "reserved"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["[2001:1::1]", "reserved"],
    ["192.0.2.1", "documentation"],
    ["198.51.100.1", "documentation"],
    ["203.0.113.1", "documentation"],
    ["[2001:db8::1]", "documentation"],
    ["[3fff::1]", "documentation"],
    ["198.18.0.1", "benchmarks"],
    ["198.19.255.255", "benchmarks"],
    ["[2001:2::1]", "benchmarks"],
    ["169.254.169.254", "metadata"],
    ["0xa9fea9fe", "metadata"],
    ["[::ffff:a9fe:a9fe]", "metadata"],
    ["[64:ff9b::a9fe:a9fe]", "metadata"],
    ["169.254.170.2", "metadata"],
    ["169.254.170.23", "metadata"],
    ["100.100.100.200", "metadata"],
    ["168.63.129.16", "metadata"],
    ["[fd00:ec2::23]", "metadata"],
    ["[fd00:ec2::254]", "metadata"],
    ["[fd20:ce::254]", "metadata"],
    ["0x7f.1", "loopback"],
    ["0X7F.0.0.1", "loopback"],
    ["①②⑦.0.0.1", "loopback"],
    ["127\u00AD.0.0.1", "loopback"],
    ["１９２．１６８．１．１", "private"],
    ["3232235777", "private"],
    ["0xc0.168.257", "private"],
    ["0300.0xa8.1", "private"],
    ["[0:0:0:0:0:FFFF:A00:1]", "private"],
    ["[0000:0000:0000:0000:0000:ffff:192.168.001.1]", "valid URL"],
    ["[64:ff9b::c0a8:101]", "private"],
    ["[2002:808:808::1]", "6to4"],
    ["[2001:0:808:808::1]", "Teredo"],
    ["metadata.tencentyun.com", "metadata"],
    ["instance-data.ec2.internal", "private network"],
    ["api.default.svc.cluster.local", "private network"],
    ["[2002:7f00:1::]", "6to4"],
    ["[2001:0:7f00:1::]", "Teredo"],
    ["[::127.0.0.1]", "not a public address"],
    ["[::ffff:0:127.0.0.1]", "not a public address"],
    ["[64:ff9b:1::7f00:1]", "not a public address"],
    ["[100::1]", "not a public address"],
    ["[5f00::1]", "not a public address"],
    ["[4000::1]", "not a public address"],
    ["localhost", "own machine"],
    ["LOCALHOST", "own machine"],
    ["localhost.", "own machine"],
    ["app.localhost..", "own machine"],
    ["loc%61lhost", "own machine"],
    ["ⓛocalhost", "own machine"],
    ["printer.local", "private network"],
    ["local", "private network"],
    ["hooks.corp.internal.", "private network"],
    ["nas.home.arpa", "private network"],
    ["localhost.localdomain", "private network"],
    ["metadata", "metadata"],
    ["metadata.google.internal", "metadata"],
    ["Metadata.Google.Internal.", "metadata"],
    ["metadata.goog", "metadata"],
    ["instance-data", "metadata"],
  ])("refuses the host %s with a reason: %s", (host, words) => {
    assert.include(reason(checkUrl(`https://${host}/hook`, none)), words)
    assert.notStrictEqual(reason(checkUrl(`https://${host}:8443/hook`, none)), "accepted")
  })

  it.each([
    "http://127.0.0.1:9/",
    "https://127.0.0.1/",
    "http://2130706433:3000/",
    "http://[::1]:3000/",
    "http://[::ffff:127.0.0.1]:80/",
    "http://localhost:3000/",
    "http://receiver.localhost:3000/",
  ])("with loopback allowed, accepts %s", (url) => {
    assert.strictEqual(reason(checkUrl(url, loopback)), "accepted")
  })

  it.each([
    "http://10.0.0.1/",
    "http://8.8.8.8/",
    "http://example.com/",
    "https://example.com:22/",
    "http://user@127.0.0.1/",
    "ftp://127.0.0.1/",
    "https://[::2]/",
    "https://printer.local/",
    "https://169.254.169.254/",
  ])("with loopback allowed, still refuses %s", (url) => {
    assert.notStrictEqual(reason(checkUrl(url, loopback)), "accepted")
  })

  it.each([
    "http://receiver:9000/hook",
    "http://receiver/hook",
    "http://hooks.example.com:81/hook",
    "https://hooks.example.com:444/hook",
    "https://receiver.internal/hook",
    "http://api.default.svc.cluster.local./hook",
  ])("accepts %s when a network other than loopback is allowed, depending on its addresses", (url) => {
    assert.deepStrictEqual(checkOrigin(new URL(url), compose), Result.succeed("allowed"))
    assert.notStrictEqual(reason(checkUrl(url, none)), "accepted")
    assert.notStrictEqual(reason(checkUrl(url, loopback)), "accepted")
  })

  it.each(["https://hooks.example.com/", "https://receiver:9000/", "https://8.8.8.8/"])(
    "lets %s go to public addresses, whatever is allowed",
    (url) => {
      for (const allowed of [none, loopback, compose])
        assert.deepStrictEqual(checkOrigin(new URL(url), allowed), Result.succeed("public"))
    },
  )

  it.each([
    "http://8.8.8.8/",
    "https://10.0.0.1/",
    "https://8.8.8.8:444/",
    "http://[2606:4700::1111]/",
    "http://metadata.google.internal/",
    "https://metadata/",
    "http://instance-data/",
    "ftp://receiver/",
    "http://user@receiver/",
  ])("refuses %s although another network is allowed", (url) => {
    assert.notStrictEqual(reason(checkUrl(url, compose)), "accepted")
  })

  it("allows a metadata service only when its single address is allowed", () => {
    for (const address of ["169.254.169.254", "100.100.100.200", "[fd00:ec2::254]", "[::ffff:169.254.169.254]"]) {
      const url = `http://${address}/`
      assert.include(
        reason(checkUrl(url, networks("169.254.0.0/16 100.64.0.0/10 fc00::/7 0.0.0.0/0 ::/0"))),
        "metadata",
      )
      assert.include(reason(checkUrl(url.replace("http:", "https:"), everything)), "metadata")
    }
    assert.strictEqual(reason(checkUrl("http://169.254.169.254/", networks("169.254.169.254"))), "accepted")
  })

  it("refuses localhost when another network is allowed", () => {
    assert.notStrictEqual(reason(checkUrl("http://localhost/", networks("10.0.0.0/8"))), "accepted")
  })

  it("returns the addresses of localhost, and none for other names", () => {
    assert.deepStrictEqual(localhostAddresses("App.Localhost."), ["127.0.0.1", "::1"])
    assert.deepStrictEqual(localhostAddresses("notlocalhost"), [])
  })
})

describe("checkAddress", () => {
  it.each([
    "fe80::1%eth0",
    "::1%lo",
    "",
    "localhost",
    "0x7f000001",
    "127.1",
    "010.0.0.1",
    "1.2.3.4.",
    " 8.8.8.8",
    "[::1]",
  ])("refuses text that is not one plain address: %s", (text) => {
    assert.include(reason(checkAddress(text, everything, "public")), "is not an address")
  })

  it.each([
    "::",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "1:2:3:4::5:6:7:8",
    "1:2:3:4:5:6:7:8::",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:1.2.3.4",
    "1:2:3:4:5::1.2.3.4",
    "1:2:3:4:5:6::1.2.3.4",
    "1:2:3:4:5:6:7:1.2.3.4",
    "1.2.3.4::",
    "::1.2.3.4:5",
  ])("reads %s only if node:net does", (text) => {
    assert.strictEqual(Result.isSuccess(checkAddress(text, everything, "public")), isIP(text) !== 0)
  })

  const groups = Schema.Array(Schema.String.check(Schema.isPattern(/^[0-9a-fA-F]{1,5}$/))).check(Schema.isMaxLength(8))
  const middle = Schema.Literals(["::", ":", ":::", "::1::", ""])
  const end = Schema.Literals(["", "", ":1.2.3.4", "1.2.3.4", ":1.2.3.256", ":1.2.3", ":01.2.3.4", ":", "::1.2.3.4"])
  it.prop("reads exactly what node:net reads", [groups, middle, groups, end], ([head, colons, tail, last]) => {
    for (const text of [
      `${head.join(":")}${colons}${tail.join(":")}${last}`,
      head.join("."),
      `${head.join(":")}${last}`,
    ])
      assert.strictEqual(Result.isSuccess(checkAddress(text, everything, "public")), isIP(text) !== 0, text)
  })

  const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
  const v4 = Schema.Tuple([int(255), int(255), int(255), int(255)])
  const v6 = Schema.Tuple([int(0xffff), int(0xffff), int(0xffff), int(0xffff), int(0xffff), int(0xffff), int(0xffff)])
  const hex = (groups: ReadonlyArray<number>) => groups.map((group) => group.toString(16)).join(":")

  it.prop("agrees with node:net's BlockList on networks of IPv4", [v4, int(32), v4, int(32)], (values) => {
    const [base, bits, other, shared] = values
    // Addresses that share a random number of leading bits with the network; otherwise every sample would be outside.
    const number = (bytes: ReadonlyArray<number>) => bytes.reduce((value, byte) => value * 256 + byte, 0)
    const below = 2 ** (32 - shared)
    const value = Math.floor(number(base) / below) * below + (number(other) % below)
    const address = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".")
    const list = new BlockList()
    list.addSubnet(base.join("."), bits, "ipv4")
    const network = IpNetwork.fromInterface(IpInterface.fromStringUnsafe(`${base.join(".")}/${bits}`))
    const allowed = Result.isSuccess(checkUrl(`http://${address}/`, [network]))
    assert.strictEqual(allowed, list.check(address, "ipv4"), `${address} in ${base.join(".")}/${bits}`)
  })

  it.prop("agrees with node:net's BlockList on networks of IPv6", [v6, int(127), int(128)], ([groups, flip, bits]) => {
    const base = `fd00:${hex(groups)}`
    const all = [0xfd00, ...groups]
    const address = hex(all.map((group, i) => (i === flip >> 4 ? group ^ (1 << (15 - (flip & 15))) : group)))
    const list = new BlockList()
    list.addSubnet(base, Math.max(bits, 1), "ipv6")
    const network = IpNetwork.fromInterface(IpInterface.fromStringUnsafe(`${base}/${Math.max(bits, 1)}`))
    const allowed = Result.isSuccess(checkUrl(`http://[${address}]/`, [network]))
    assert.strictEqual(allowed, list.check(address, "ipv6"), `${address} in ${base}/${bits}`)
  })

  it("requires an allowed network when the origin may reach only those", () => {
    assert.strictEqual(reason(checkAddress("172.16.0.1", compose, "allowed")), "accepted")
    assert.strictEqual(reason(checkAddress("::ffff:172.16.0.1", compose, "allowed")), "accepted")
    assert.include(
      reason(checkAddress("8.8.8.8", compose, "allowed")),
      "8.8.8.8 is a public address, which needs https",
    )
    assert.include(reason(checkAddress("2606:4700::1", compose, "allowed")), "public address, which needs https")
    assert.strictEqual(reason(checkAddress("10.0.0.1", compose, "allowed")), "10.0.0.1 is a private address")
  })

  /** The notations of a number in inet_aton and browsers. */
  const base = Schema.Literals([8, 10, 16])
  const written = (value: number, radix: 8 | 10 | 16) =>
    `${{ 8: "0", 10: "", 16: "0x" }[radix]}${value.toString(radix)}`
  it.prop(
    "judges every spelling of an IPv4 address as the plain one",
    [v4, Schema.Literals([1, 2, 3, 4]), Schema.Tuple([base, base, base, base]), Schema.Boolean],
    ([bytes, parts, bases, wide]) => {
      const [a, b, c, d] = bytes
      const numbers = {
        1: [((a * 256 + b) * 256 + c) * 256 + d],
        2: [a, (b * 256 + c) * 256 + d],
        3: [a, b, c * 256 + d],
        4: [a, b, c, d],
      }[parts]
      const narrow = numbers.map((number, i) => written(number, bases[i] ?? 10)).join(".")
      const host = wide
        ? [...narrow].map((char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0)).join("")
        : narrow
      assert.strictEqual(
        reason(checkUrl(`https://${host}./`, none)),
        reason(checkUrl(`https://${bytes.join(".")}/`, none)),
      )
    },
  )

  it.prop("treats an IPv4 address and its mapped and NAT64 notations alike", [v4], ([bytes]) => {
    const plain = Result.isSuccess(checkAddress(bytes.join("."), none, "public"))
    assert.strictEqual(Result.isSuccess(checkAddress(`::ffff:${bytes.join(".")}`, none, "public")), plain)
    assert.strictEqual(Result.isSuccess(checkAddress(`64:ff9b::${bytes.join(".")}`, none, "public")), plain)
    assert.isFalse(Result.isSuccess(checkAddress(`::${bytes.join(".")}`, none, "public")))
  })
})
