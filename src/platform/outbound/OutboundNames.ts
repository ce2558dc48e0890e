/**
 * Resolves names that users enter. A connection resolves its name once and uses only checked addresses, so DNS
 * rebinding has no effect. `checkOrigin` checks literal addresses, which have no lookup.
 */
import { Resolver } from "node:dns/promises"
import type { LookupFunction } from "node:net"
import { Data, Result } from "effect"
import { type AllowedNetworks, checkAddress, localhostAddresses, type Reach } from "../../values/OutboundAddress.ts"

export class AddressRefused extends Data.TaggedError("AddressRefused")<{
  readonly host: string
  readonly reason: string
}> {}

/** `code` is that of node:dns. */
export class ResolveFailed extends Data.TaggedError("ResolveFailed")<{
  readonly host: string
  readonly code: string
}> {}

/** In the order to try; rejects when there is none. */
export type Resolve = (host: string) => Promise<ReadonlyArray<string>>

const maxAddresses = 8

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN"

/** Milliseconds (RFC 8305, 3). */
const resolutionDelay = 50

/**
 * Ends at most `resolutionDelay` after the other family: a name server that drops IPv6 queries would cost seconds.
 */
const settled = (own: Promise<ReadonlyArray<string>>, other: Promise<ReadonlyArray<string>>) =>
  new Promise<{ readonly addresses: ReadonlyArray<string>; readonly error?: unknown }>((done) => {
    const wait = (addresses: ReadonlyArray<string>) => {
      if (addresses.length > 0) setTimeout(done, resolutionDelay, { addresses: [] })
    }
    other.then(wait, () => {})
    own.then(
      (addresses) => done({ addresses }),
      (error: unknown) => done({ addresses: [], error }),
    )
  })

/**
 * IPv4 comes first, because containers often lack IPv6. Not getaddrinfo, which runs two lookups at a time on the thread
 * pool: two silent name servers would block all requests. So the hosts file and search domains are ignored.
 */
export const resolvePublic = (resolver = new Resolver({ timeout: 2_000, tries: 2 })): Resolve => {
  return async (host) => {
    const [v4, v6] = [resolver.resolve4(host), resolver.resolve6(host)]
    const families = await Promise.all([settled(v4, v6), settled(v6, v4)])
    const addresses = families.flatMap((family) => family.addresses)
    if (addresses.length === 0) {
      const codes = families.flatMap(({ error }) => (error === undefined ? [] : [codeOf(error)]))
      // a failure says more than the other family's ENODATA
      throw new ResolveFailed({ host, code: codes.find((code) => code !== "ENODATA") ?? "ENODATA" })
    }
    return addresses
  }
}

const resolveChecked = async (
  host: string,
  allowed: AllowedNetworks,
  reach: Reach,
  resolve: Resolve,
): Promise<ReadonlyArray<string>> => {
  const local = localhostAddresses(host)
  if (local.length > 0) {
    const usable = local.filter((address) => Result.isSuccess(checkAddress(address, allowed, reach)))
    if (usable.length > 0) return usable
    throw new AddressRefused({ host, reason: "this is the service's own machine" })
  }
  const addresses = await resolve(host)
  if (addresses.length === 0) throw new ResolveFailed({ host, code: "ENODATA" })
  for (const address of addresses) {
    const checked = checkAddress(address, allowed, reach)
    if (Result.isFailure(checked)) throw new AddressRefused({ host, reason: checked.failure.reason })
  }
  return addresses.slice(0, maxAddresses)
}

export const guardedLookup =
  (allowed: AllowedNetworks, reach: Reach, resolve: Resolve): LookupFunction =>
  (host, options, callback) => {
    resolveChecked(host, allowed, reach, resolve).then(
      (addresses) => {
        const answers = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
        const [first] = answers
        if (options.all || first === undefined) return callback(null, answers)
        return callback(null, first.address, first.family)
      },
      (error: unknown) => {
        const failure =
          error instanceof AddressRefused || error instanceof ResolveFailed
            ? error
            : new ResolveFailed({ host, code: codeOf(error) })
        callback(failure, "")
      },
    )
  }
