/**
 * Name resolution for requests to places that somebody else named. A name is resolved once for each connection, every answer
 * is checked, and the connection goes to exactly those answers: a name server that answers differently the next time
 * (DNS rebinding) gains nothing, because there is no next time between check and use.
 *
 * Sockets never ask a lookup function about a literal address: `checkOrigin` judges those.
 */
import { Resolver } from "node:dns/promises"
import type { LookupFunction } from "node:net"
import { Data, Result } from "effect"
import { type AllowedNetworks, checkAddress, localhostAddresses, type Reach } from "../../values/OutboundAddress.ts"

/** A name that resolves to an address which requests must not go to. */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{
  readonly host: string
  readonly reason: string
}> {}

/** A name that does not resolve. `code` is that of node:dns, such as ENOTFOUND or ETIMEOUT. */
export class ResolveFailed extends Data.TaggedError("ResolveFailed")<{
  readonly host: string
  readonly code: string
}> {}

/** All addresses of a name, of both families, in the order in which to try them. Rejects when there is none. */
export type Resolve = (host: string) => Promise<ReadonlyArray<string>>

/** A name with hundreds of addresses must not make us knock at all of them. */
const mostAddresses = 8

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN"

/** How long the other family is waited for when one has answered with addresses (RFC 8305, 3); milliseconds. */
const resolutionDelay = 50

/**
 * What becomes of a question about one family. Once the other family has addresses it is answered within the delay; by
 * then, no answer is as good as an empty one: a name server that drops the questions about IPv6 must not cost seconds.
 */
const settled = (asked: Promise<ReadonlyArray<string>>, other: Promise<ReadonlyArray<string>>) =>
  new Promise<{ readonly addresses: ReadonlyArray<string>; readonly error?: unknown }>((done) => {
    const wait = (addresses: ReadonlyArray<string>) => {
      if (addresses.length > 0) setTimeout(done, resolutionDelay, { addresses: [] })
    }
    other.then(wait, () => {})
    asked.then(
      (addresses) => done({ addresses }),
      (error: unknown) => done({ addresses: [], error }),
    )
  })

/**
 * Asks the system's name servers, IPv4 first because containers often lack IPv6. It does not use getaddrinfo: that runs on
 * the thread pool, two lookups at a time, where two hostile name servers that never answer would hold up the requests to
 * everybody else. So the hosts file and search domains do not count. `resolver` is given only to stand in for DNS in a test.
 */
export const resolvePublic = (resolver = new Resolver({ timeout: 2_000, tries: 2 })): Resolve => {
  return async (host) => {
    const [v4, v6] = [resolver.resolve4(host), resolver.resolve6(host)]
    const families = await Promise.all([settled(v4, v6), settled(v6, v4)])
    const addresses = families.flatMap(({ addresses }) => addresses)
    if (addresses.length === 0) {
      const codes = families.flatMap(({ error }) => (error === undefined ? [] : [codeOf(error)]))
      // A server that failed says more than one which has no address of the other family.
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
    throw new AddressRefused({ host, reason: "that is the machine itself" })
  }
  const addresses = await resolve(host)
  if (addresses.length === 0) throw new ResolveFailed({ host, code: "ENODATA" })
  for (const address of addresses) {
    const checked = checkAddress(address, allowed, reach)
    if (Result.isFailure(checked)) throw new AddressRefused({ host, reason: checked.failure.reason })
  }
  return addresses.slice(0, mostAddresses)
}

/**
 * A `lookup` for sockets that answers only addresses that all passed the check. Errors: `AddressRefused` when any of them
 * did not, `ResolveFailed` when there is none.
 */
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
