/** Sessions: begun by who signed in, presented with every request, ended by hand or by time. */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { type Methods, methods } from "../platform/UseCases.ts"
import type { Member } from "./Member.ts"
import { type Lifetime, type SessionEntry, SessionRepository } from "./SessionRepository.ts"
import { SignInRefused } from "./SignIn.ts"

/** Two weeks without a visit, or a month in all. */
export const lifetime: Lifetime = { idle: Duration.days(14), longest: Duration.days(30) }

/** What is kept of a browser's name. */
const longestAgent = 500

/** A token is 32 random bytes, base64url. */
const form = /^[\w-]{43}$/

export interface Started {
  /** For the browser's cookie alone. */
  readonly token: Redacted.Redacted
  readonly member: Member
}

/** A session as its member sees it. */
export interface OwnSession extends Omit<SessionEntry, "token_hash"> {
  /** Names it and opens nothing: the token's SHA-256, base64url. */
  readonly id: string
  /** Whether it is the one that asks. */
  readonly isOwn: boolean
}

const idOf = (hash: Uint8Array): string => Buffer.from(hash).toString("base64url")

const hash = (token: string) =>
  Effect.flatMap(Digest.Digest, ({ digest }) =>
    Effect.orDie(Effect.map(digest(Digest.sha256, Buffer.from(token, "base64url")), (bytes) => new Uint8Array(bytes))),
  )

/** Begins a session, always under a new token: a token that somebody brings along is never taken. */
const start = Effect.fn("Sessions.start")(function* (
  { email }: { readonly email: string },
  userAgent: string | undefined,
) {
  const random = yield* SecureRandom.SecureRandom
  const repository = yield* SessionRepository
  const token = Buffer.from(yield* random.randomBytes(32)).toString("base64url")
  const agent = userAgent?.slice(0, longestAgent).toWellFormed() ?? null
  const session = { token: yield* hash(token), email, userAgent: agent }
  const member = yield* repository.start(session, lifetime)
  return member === undefined ? yield* new SignInRefused({ why: "unknown" }) : { token: Redacted.make(token), member }
})

/** Whose session it is; asked on every request, so that whatever ends one ends it at once, on every pod. */
const find = Effect.fn("Sessions.find")(function* (given: Redacted.Redacted) {
  const repository = yield* SessionRepository
  const token = Redacted.value(given)
  if (!form.test(token)) return undefined
  const key = yield* hash(token)
  const row = yield* repository.find(key, lifetime)
  if (row === undefined) return undefined
  const { unnoted, ...member } = row
  if (unnoted) yield* repository.touch(key)
  return member
})

const end = Effect.fn("Sessions.end")((token: Redacted.Redacted) =>
  Effect.flatMap(SessionRepository, (repository) => Effect.flatMap(hash(Redacted.value(token)), repository.end)),
)

/** The member's sessions, the one used last first; `token` is that of the browser that asks. */
const list = Effect.fn("Sessions.list")(function* ({ id, organizationId }: Member, token: Redacted.Redacted) {
  const repository = yield* SessionRepository
  const own = idOf(yield* hash(Redacted.value(token)))
  const rows = yield* repository.list(organizationId, id, lifetime)
  return rows.map(({ token_hash, ...row }) => ({
    ...row,
    id: idOf(token_hash),
    isOwn: idOf(token_hash) === own,
  }))
})

/** Ends one of the member's sessions by its id, or all but that of `token`; returns how many. */
const endOne = Effect.fn("Sessions.endOne")(({ id, organizationId }: Member, session: string) =>
  Effect.flatMap(SessionRepository, (repository) =>
    form.test(session)
      ? repository.endOf(organizationId, id, { only: Buffer.from(session, "base64url") })
      : Effect.succeed(0),
  ),
)

const endOthers = Effect.fn("Sessions.endOthers")(function* ({ id, organizationId }: Member, token: Redacted.Redacted) {
  const repository = yield* SessionRepository
  return yield* repository.endOf(organizationId, id, { allBut: yield* hash(Redacted.value(token)) })
})

/** Deletes some sessions that are over; returns how many. */
const forget = Effect.flatMap(SessionRepository, (repository) => repository.forget(lifetime))

const useCases = { start, find, end, list, endOne, endOthers, forget }

export class Sessions extends Context.Service<Sessions, Methods<typeof useCases>>()(
  "interview-invitations/accounts/Sessions",
) {
  static readonly layer = Layer.effect(
    Sessions,
    methods([Digest.Digest, SecureRandom.SecureRandom, SessionRepository], useCases),
  )
}
