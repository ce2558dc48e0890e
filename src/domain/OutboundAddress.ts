/**
 * Which addresses this service may send requests to on somebody else's word: webhook URLs and CV links.
 *
 * A URL is checked when it is saved (`checkUrl`); its origin and the addresses that its name resolves to are checked at each
 * connection (`checkOrigin`, `checkAddress`). Everything that cannot be read is refused. The ranges are those that the
 * IANA special-purpose registries for IPv4 and IPv6 (RFC 6890) do not call globally reachable, and 168.63.129.16, where
 * Azure answers its virtual machines.
 */
import { Data, Effect, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** A URL or an address that requests are not sent to. `reason` is a sentence without a full stop, for people. */
export class UrlRefused extends Data.TaggedError("UrlRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** The longest URL accepted, in UTF-16 code units. */
const maxUrlLength = 2048

interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

const parseIpv4 = (text: string): bigint | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(part)
  }
  return value
}

const parseGroups = (text: string): ReadonlyArray<bigint> | undefined => {
  const groups: Array<bigint> = []
  for (const group of text === "" ? [] : text.split(":")) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
    groups.push(BigInt(`0x${group}`))
  }
  return groups
}

const parseIpv6 = (text: string): bigint | undefined => {
  const tail = text.slice(text.lastIndexOf(":") + 1)
  if (tail.includes(".")) {
    const embedded = parseIpv4(tail)
    if (embedded === undefined) return undefined
    const groups = `${(embedded >> 16n).toString(16)}:${(embedded & 0xffffn).toString(16)}`
    return parseIpv6(text.slice(0, text.length - tail.length) + groups)
  }
  const halves = text.split("::")
  const [before, after] = [parseGroups(halves[0] ?? ""), parseGroups(halves[1] ?? "")]
  if (halves.length > 2 || before === undefined || after === undefined) return undefined
  const missing = 8 - before.length - after.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  return [...before, ...Array<bigint>(missing).fill(0n), ...after].reduce((value, group) => (value << 16n) | group, 0n)
}

/** Reads the one spelling of IPv4 (four decimal numbers) and the spellings of IPv6 without a zone (RFC 4291, 2.2). */
const parseAddress = (text: string): Address | undefined => {
  const family = text.includes(":") ? 6 : 4
  const value = family === 6 ? parseIpv6(text) : parseIpv4(text)
  return value === undefined ? undefined : { family, value }
}

const Network = Schema.Struct({
  family: Schema.Literals([4, 6]),
  /** The address bits of the network, without those of the host. */
  prefix: Schema.BigInt,
  /** How many bits of an address belong to the host. */
  hostBits: Schema.BigInt,
  /** As it was written. */
  cidr: Schema.String,
})
type Network = typeof Network.Type

const parseNetwork = (cidr: string): Network | undefined => {
  const [base = "", length, ...rest] = cidr.split("/")
  const address = parseAddress(base)
  if (address === undefined || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined
  const width = address.family === 4 ? 32 : 128
  const bits = length === undefined ? width : Number(length)
  if (bits > width) return undefined
  const hostBits = BigInt(width - bits)
  return { family: address.family, prefix: address.value >> hostBits, hostBits, cidr }
}

const contains = (network: Network, address: Address): boolean =>
  network.family === address.family && address.value >> network.hostBits === network.prefix

/**
 * Networks that the operator allows besides the public ones, from text like `127.0.0.0/8, ::1/128`: CIDRs or single
 * addresses, separated by commas or spaces. The empty text is the empty list.
 */
export const AllowedNetworks = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(Network),
    SchemaTransformation.transformEffect<ReadonlyArray<Network>, string>({
      decode: (text, options) =>
        Effect.forEach(
          text.split(/[\s,]+/).filter((part) => part !== ""),
          (part) => {
            const network = parseNetwork(part)
            return network === undefined
              ? Effect.fail(
                  new SchemaIssue.InvalidValue(
                    { expected: `networks like 127.0.0.0/8 or ::1/128, separated by commas, got ${part}` },
                    part,
                    options,
                  ),
                )
              : Effect.succeed(network)
          },
        ),
      encode: (networks) => Effect.succeed(networks.map(({ cidr }) => cidr).join(",")),
    }),
  ),
)
export type AllowedNetworks = typeof AllowedNetworks.Type

const metadata = "the address of a cloud provider's metadata service"

const special = (
  [
    ["168.63.129.16", metadata],
    ["169.254.169.254", metadata],
    ["169.254.170.2", metadata],
    ["169.254.170.23", metadata],
    ["100.100.100.200", metadata],
    ["fd00:ec2::23", metadata],
    ["fd00:ec2::254", metadata],
    ["fd20:ce::254", metadata],
    ["0.0.0.0/8", "an unspecified address"],
    ["10.0.0.0/8", "a private address"],
    ["100.64.0.0/10", "an address inside a provider's network (carrier-grade NAT)"],
    ["127.0.0.0/8", "a loopback address"],
    ["169.254.0.0/16", "a link-local address"],
    ["172.16.0.0/12", "a private address"],
    ["192.0.0.0/24", "a reserved address"],
    ["192.0.2.0/24", "an address reserved for documentation"],
    ["192.88.99.0/24", "a reserved address"],
    ["192.168.0.0/16", "a private address"],
    ["198.18.0.0/15", "an address reserved for benchmarks"],
    ["198.51.100.0/24", "an address reserved for documentation"],
    ["203.0.113.0/24", "an address reserved for documentation"],
    ["224.0.0.0/4", "a multicast address"],
    ["240.0.0.0/4", "a reserved address"],
    ["::/128", "an unspecified address"],
    ["::1/128", "a loopback address"],
    ["fc00::/7", "a private address"],
    ["fe80::/10", "a link-local address"],
    ["fec0::/10", "a private address"],
    ["ff00::/8", "a multicast address"],
    ["2001::/32", "a tunnel address (Teredo)"],
    ["2001:2::/48", "an address reserved for benchmarks"],
    ["2001::/23", "a reserved address"],
    ["2001:db8::/32", "an address reserved for documentation"],
    ["2002::/16", "a tunnel address (6to4)"],
    ["3fff::/20", "an address reserved for documentation"],
  ] as const
).flatMap(([cidr, kind]) => {
  const network = parseNetwork(cidr)
  return network === undefined ? [] : [{ network, kind }]
})

// IPv4-mapped ::ffff:0:0/96 and the well-known NAT64 prefix 64:ff9b::/96 are two more spellings of an IPv4 address: the
// system connects to the address inside, so that one is judged. The other embeddings lead to no public receiver.
const ipv4Inside = (address: Address): Address => {
  const prefix = address.value >> 32n
  return address.family === 6 && (prefix === 0xffffn || prefix === 0x64_ff9b_0000_0000_0000_0000n)
    ? { family: 4, value: address.value & 0xffff_ffffn }
    : address
}

/** Only 2000::/3 is given out as public IPv6 unicast; what is outside of it and has no name here is refused too. */
const kindOf = (address: Address): string | undefined =>
  special.find(({ network }) => contains(network, address))?.kind ??
  (address.family === 6 && address.value >> 125n !== 1n ? "not a public address" : undefined)

/**
 * Whoever allows 100.64.0.0/10 or fc00::/7 thinks of the machines there, not of the credentials that a metadata service
 * hands out: such an address must be named by itself.
 */
const isAllowed = (address: Address, allowed: AllowedNetworks): boolean =>
  allowed.some((network) => contains(network, address) && (network.hostBits === 0n || kindOf(address) !== metadata))

const refuse = (reason: string) => Result.fail(new UrlRefused({ reason }))

/** Which addresses a host may have: public ones and those of allowed networks, or those of allowed networks alone. */
export type Reach = "public" | "allowed"

/**
 * Whether a connection may go to this address, in the text form that a resolver gives. An address with a zone, or one that
 * cannot be read, is refused.
 */
export const checkAddress = (
  text: string,
  allowed: AllowedNetworks,
  reach: Reach,
): Result.Result<string, UrlRefused> => {
  const parsed = parseAddress(text)
  if (parsed === undefined) return refuse(`${text} is not an address`)
  const address = ipv4Inside(parsed)
  if (isAllowed(address, allowed)) return Result.succeed(text)
  const kind = kindOf(address)
  if (kind !== undefined) return refuse(`${text} is ${kind}`)
  return reach === "public"
    ? Result.succeed(text)
    : refuse(`${text} is a public address, which needs https, port 443 or 1024 and above, and a public name`)
}

const hasSuffix = (name: string, suffix: string): boolean => name === suffix || name.endsWith(`.${suffix}`)

/** The addresses that `localhost` and the names below it stand for, whatever a resolver says (RFC 6761, 6.3). */
export const localhostAddresses = (name: string): ReadonlyArray<string> =>
  hasSuffix(name.replace(/\.+$/, "").toLowerCase(), "localhost") ? ["127.0.0.1", "::1"] : []

const metadataNames = [
  "metadata",
  "metadata.goog",
  "metadata.google.internal",
  "instance-data",
  "metadata.tencentyun.com",
]
/** RFC 6762 (.local), RFC 8375 (.home.arpa), ICANN's 2024 reservation of .internal, and a customary name of this host. */
const privateSuffixes = ["local", "internal", "home.arpa", "localdomain"]

/** Loopback addresses have a name that needs no resolver; what other names stand for matters for other networks alone. */
const isLoopback = ({ family, hostBits, prefix }: Network): boolean =>
  kindOf({ family, value: prefix << hostBits }) === "a loopback address"

const checkName = (name: string, scheme: string | undefined, allowed: AllowedNetworks) => {
  if (metadataNames.includes(name)) return refuse(`${name} is the name of a cloud provider's metadata service`)
  if (hasSuffix(name, "localhost")) return refuse(`${name} is the name of the machine itself`)
  const isPrivate = privateSuffixes.some((suffix) => hasSuffix(name, suffix))
  if (scheme === undefined && !isPrivate) return Result.succeed<Reach>("public")
  if (!allowed.every(isLoopback)) return Result.succeed<Reach>("allowed")
  // the place before the scheme: who is told to write https would be refused once more
  return refuse(isPrivate || scheme === undefined ? `${name} is a name of a private network` : scheme)
}

/** What a connection is made to, in the parts of a WHATWG URL; an IPv6 address with or without brackets. */
export interface Origin {
  readonly protocol: string
  readonly hostname: string
  readonly port: string
}

/**
 * Whether connections may be made to this origin, as far as it can be said without asking DNS, and which addresses its name
 * may then have: `checkUrl` without what stands around the origin.
 */
export const checkOrigin = (
  { hostname, port, protocol }: Origin,
  allowed: AllowedNetworks,
): Result.Result<Reach, UrlRefused> => {
  const noScheme = "The URL must start with https://"
  if (protocol !== "https:" && protocol !== "http:") return refuse(noScheme)
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
  const literal = parseAddress(host)
  const addresses = literal === undefined ? localhostAddresses(host).map(parseAddress) : [ipv4Inside(literal)]
  if (addresses.some((address) => address !== undefined && isAllowed(address, allowed)))
    return Result.succeed("allowed")

  const badPort = port !== "" && Number(port) < 1024
  const scheme = protocol === "http:" ? noScheme : badPort ? "The port must be 443, or 1024 or higher" : undefined
  if (literal === undefined) return checkName(host.replace(/\.+$/, ""), scheme, allowed)
  return Result.flatMap(checkAddress(host, allowed, "public"), () =>
    scheme === undefined ? Result.succeed("public" as const) : refuse(scheme),
  )
}

/**
 * Whether requests may be sent to this URL, as far as it can be said without asking DNS: https, port 443 or 1024 and above,
 * no user name or password, at most 2,048 characters and no control character, no literal address and no name of a place that is not public, in
 * any spelling (the WHATWG URL parser turns decimal, octal, hexadecimal and full-width forms into one).
 *
 * Allowed networks lift this for what lies in them: a literal address inside of one may be used with http and any port, and
 * so may `localhost`, which counts as 127.0.0.1 and ::1. Where networks other than loopback are allowed, so may every
 * other name but those of metadata services; then all its addresses must lie in allowed networks, which shows when it is
 * connected to (`checkOrigin` says `allowed`).
 *
 * Answers the URL as it is requested: in the parser's one spelling, without the fragment, which is never sent.
 */
export const checkUrl = (text: string, allowed: AllowedNetworks): Result.Result<URL, UrlRefused> => {
  const tooLong = `The URL is longer than ${maxUrlLength} characters`
  if (text.length > maxUrlLength) return refuse(tooLong)
  if (/\p{Cc}/u.test(text)) return refuse("The URL must not contain control characters")
  const url = URL.parse(text)
  if (url === null) return refuse("This is not a valid URL")
  url.hash = ""
  if (url.href.length > maxUrlLength) return refuse(`${tooLong} when it is written in ASCII`)
  if (url.username !== "" || url.password !== "") return refuse("The URL must not contain a user name or a password")
  return Result.map(checkOrigin(url, allowed), () => url)
}
