/** Sessions: begun by who signed in, presented with every request, ended by hand or by time. */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { Member } from "../domain/Member.ts"
import { SignInRefused } from "../port/SignIn.ts"
import { type Lifetime, type SessionEntry, SessionRepository } from "../repository/SessionRepository.ts"

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

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Begins a session, always under a new token: a token that somebody brings along is never taken. */
    readonly start: (
      person: { readonly email: string },
      userAgent: string | undefined,
    ) => Effect.Effect<Started, SignInRefused>
    /** Whose session it is; asked on every request, so that whatever ends one ends it at once, on every pod. */
    readonly find: (token: Redacted.Redacted) => Effect.Effect<Member | undefined>
    readonly end: (token: Redacted.Redacted) => Effect.Effect<void>
    /** The member's sessions, the one used last first; `token` is that of the browser that asks. */
    readonly list: (member: Member, token: Redacted.Redacted) => Effect.Effect<ReadonlyArray<OwnSession>>
    /** Ends one of the member's sessions by its id, or all but that of `token`; returns how many. */
    readonly endOne: (member: Member, id: string) => Effect.Effect<number>
    readonly endOthers: (member: Member, token: Redacted.Redacted) => Effect.Effect<number>
    /** Deletes some sessions that are over; returns how many. */
    readonly forget: Effect.Effect<number>
  }
>()("interview-invitations/service/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const { digest } = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const repository = yield* SessionRepository
      const hash = (token: string) =>
        Effect.orDie(
          Effect.map(digest(Digest.sha256, Buffer.from(token, "base64url")), (bytes) => new Uint8Array(bytes)),
        )
      return Sessions.of({
        start: Effect.fn("Sessions.start")(function* ({ email }, userAgent) {
          const token = Buffer.from(yield* random.randomBytes(32)).toString("base64url")
          const agent = userAgent?.slice(0, longestAgent).toWellFormed() ?? null
          const session = { token: yield* hash(token), email, userAgent: agent }
          const member = yield* repository.start(session, lifetime)
          return member === undefined
            ? yield* new SignInRefused({ why: "unknown" })
            : { token: Redacted.make(token), member }
        }),
        find: Effect.fn("Sessions.find")(function* (given) {
          const token = Redacted.value(given)
          if (!form.test(token)) return undefined
          const key = yield* hash(token)
          const row = yield* repository.find(key, lifetime)
          if (row === undefined) return undefined
          const { unnoted, ...member } = row
          if (unnoted) yield* repository.touch(key)
          return member
        }),
        end: Effect.fn("Sessions.end")((token) => Effect.flatMap(hash(Redacted.value(token)), repository.end)),
        list: Effect.fn("Sessions.list")(function* ({ id, organizationId }, token) {
          const own = idOf(yield* hash(Redacted.value(token)))
          const rows = yield* repository.list(organizationId, id, lifetime)
          return rows.map(({ token_hash, ...row }) => ({
            ...row,
            id: idOf(token_hash),
            isOwn: idOf(token_hash) === own,
          }))
        }),
        endOne: Effect.fn("Sessions.endOne")(({ id, organizationId }, session) =>
          form.test(session)
            ? repository.endOf(organizationId, id, { only: Buffer.from(session, "base64url") })
            : Effect.succeed(0),
        ),
        endOthers: Effect.fn("Sessions.endOthers")(function* ({ id, organizationId }, token) {
          return yield* repository.endOf(organizationId, id, { allBut: yield* hash(Redacted.value(token)) })
        }),
        forget: repository.forget(lifetime),
      })
    }),
  )
}
