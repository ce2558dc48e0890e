/**
 * Which addresses users may enter as webhook URLs and CV links.
 *
 * `checkUrl` checks a URL when it is saved; `checkOrigin` and `checkAddress` check each connection. They refuse ranges
 * that the IANA special-purpose registries (RFC 6890) do not mark as globally reachable, and 168.63.129.16, which
 * serves Azure's virtual machines.
 */
import { Data, Equal, Result } from "effect"
import { IpInterface, IpNetwork, NetAddress } from "effect/net"

/** `reason`: a sentence for people, without a full stop. */
export class UrlRefused extends Data.TaggedError("UrlRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** In UTF-16 code units. */
const maxUrlLength = 2048

/**
 * The IPv4 address in an IPv4-mapped (::ffff:0:0/96) or well-known NAT64 address (64:ff9b::/96); others unchanged. No
 * other embedding reaches a public receiver.
 */
const ipv4Inside = (address: NetAddress.IpAddress): NetAddress.IpAddress => {
  const canonical = NetAddress.toCanonical(address)
  return NetAddress.isIpv6Address(canonical) && IpNetwork.contains(nat64, canonical)
    ? NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(NetAddress.ipv6ToOctets(canonical).slice(12)))
    : canonical
}

const nat64 = IpNetwork.fromStringUnsafe("64:ff9b::/96")

const parseAddress = (text: string): NetAddress.IpAddress | undefined =>
  Result.getOrUndefined(Result.map(NetAddress.ipFromString(text), ipv4Inside))

/** IPv4 networks in IPv6 notation become IPv4. */
export type AllowedNetworks = ReadonlyArray<IpNetwork.IpNetwork>

const readNetwork = (text: string): Result.Result<IpNetwork.IpNetwork, string> =>
  Result.gen(function* () {
    const { address, prefixLength } = yield* Result.mapError(
      IpInterface.fromString(text),
      () => `${text} is not a network`,
    )
    const network = IpNetwork.fromAddressUnsafe(address, prefixLength)
    if (!Equal.equals(network.address, address))
      return yield* Result.fail(
        `${text} has bits set after its prefix length, did you mean ${IpNetwork.format(network)}?`,
      )
    const inside = ipv4Inside(address)
    return NetAddress.isIpv6Address(address) && NetAddress.isIpv4Address(inside) && prefixLength >= 96
      ? IpNetwork.makeUnsafe(inside, prefixLength - 96)
      : network
  })

/** CIDRs or addresses, separated by commas or spaces. The error names the first invalid part. */
export const readNetworks = (text: string): Result.Result<AllowedNetworks, string> =>
  Result.all(text.split(/[\s,]+/).flatMap((part) => (part === "" ? [] : [readNetwork(part)])))

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
).map(([cidr, kind]) => ({ network: IpNetwork.fromInterface(IpInterface.fromStringUnsafe(cidr)), kind }))

const publicIpv6 = IpNetwork.fromStringUnsafe("2000::/3")

/** undefined for public addresses. Only 2000::/3 is assigned as public IPv6 unicast. */
const kindOf = (address: NetAddress.IpAddress): string | undefined =>
  special.find(({ network }) => IpNetwork.contains(network, address))?.kind ??
  (NetAddress.isIpv6Address(address) && !IpNetwork.contains(publicIpv6, address) ? "not a public address" : undefined)

/**
 * Metadata services return credentials, so only a single address allows them, not a network around it, such as
 * 100.64.0.0/10.
 */
const isAllowed = (address: NetAddress.IpAddress, allowed: AllowedNetworks): boolean =>
  allowed.some(
    (network) =>
      IpNetwork.contains(network, address) &&
      (network.prefixLength === NetAddress.width(network.address) || kindOf(address) !== metadata),
  )

const refuse = (reason: string) => Result.fail(new UrlRefused({ reason }))

/** `public` includes allowed networks. */
export type Reach = "public" | "allowed"

/** Refuses addresses with a zone. */
export const checkAddress = (
  text: string,
  allowed: AllowedNetworks,
  reach: Reach,
): Result.Result<string, UrlRefused> => {
  const address = parseAddress(text)
  if (address === undefined) return refuse(`${text} is not an address`)
  if (isAllowed(address, allowed)) return Result.succeed(text)
  const kind = kindOf(address)
  if (kind !== undefined) return refuse(`${text} is ${kind}`)
  return reach === "public"
    ? Result.succeed(text)
    : refuse(`${text} is a public address, which needs https, port 443 or 1024 and above, and a public name`)
}

const hasSuffix = (name: string, suffix: string): boolean => name === suffix || name.endsWith(`.${suffix}`)

/** These names need no resolver (RFC 6761, 6.3). */
export const localhostAddresses = (name: string): ReadonlyArray<string> =>
  hasSuffix(name.replace(/\.+$/, "").toLowerCase(), "localhost") ? ["127.0.0.1", "::1"] : []

const metadataNames = [
  "metadata",
  "metadata.goog",
  "metadata.google.internal",
  "instance-data",
  "metadata.tencentyun.com",
]
/** RFC 6762 (.local), RFC 8375 (.home.arpa), ICANN 2024 (.internal), and a customary name. */
const privateSuffixes = ["local", "internal", "home.arpa", "localdomain"]

const isLoopback = ({ address }: IpNetwork.IpNetwork): boolean => kindOf(address) === "a loopback address"

const checkName = (name: string, scheme: string | undefined, allowed: AllowedNetworks) => {
  if (metadataNames.includes(name)) return refuse(`${name} is the name of a cloud provider's metadata service`)
  if (hasSuffix(name, "localhost")) return refuse(`${name} is a name of the service's own machine`)
  const isPrivate = privateSuffixes.some((suffix) => hasSuffix(name, suffix))
  if (scheme === undefined && !isPrivate) return Result.succeed<Reach>("public")
  if (!allowed.every(isLoopback)) return Result.succeed<Reach>("allowed")
  // does not blame the scheme: with https, the name would be refused next
  return refuse(isPrivate || scheme === undefined ? `${name} is a name of a private network` : scheme)
}

/** As in a WHATWG URL; IPv6 addresses with or without brackets. */
export interface Origin {
  readonly protocol: string
  readonly hostname: string
  readonly port: string
}

/** Checks without DNS; returns the addresses that the name may have. */
export const checkOrigin = (
  { hostname, port, protocol }: Origin,
  allowed: AllowedNetworks,
): Result.Result<Reach, UrlRefused> => {
  const noScheme = "The URL must start with https://"
  if (protocol !== "https:" && protocol !== "http:") return refuse(noScheme)
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
  const literal = parseAddress(host)
  const addresses = literal === undefined ? localhostAddresses(host).map(parseAddress) : [literal]
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
 * Checks without DNS; returns the normalized URL without its fragment. Requires https, port 443 or from 1024, no
 * credentials, and a public name or address in any spelling (URL normalizes it).
 *
 * Addresses in allowed networks, and `localhost` when loopback is allowed, may use http and any port. When networks
 * other than loopback are allowed, so may names except those of metadata services: `checkOrigin` returns `allowed`, and
 * the connection checks the resolved addresses.
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
