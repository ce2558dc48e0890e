/** Sessions of signed-in members. */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { OrganizationId } from "../../values/Ids.ts"
import type { Member } from "../members/Member.ts"
import { type Lifetime, type SessionEntry, SessionRepository, type SignInMethod } from "./SessionRepository.ts"
import { SignInRefused } from "./SignIn.ts"

export const lifetime: Lifetime = { idle: Duration.days(14), max: Duration.days(30) }

const maxAgent = 500

/** 32 bytes in base64url: a token or its SHA-256. */
const tokenFormat = /^[\w-]{43}$/

export interface Started {
  readonly token: Redacted.Redacted
  readonly member: Member
}

export interface OwnSession extends Omit<SessionEntry, "token_hash"> {
  readonly id: string
  readonly isOwn: boolean
}

export class Sessions extends Context.Service<Sessions>()("interview-invitations/accounts/sign-in/Sessions", {
  make: Effect.gen(function* () {
    const digests = yield* Digest.Digest
    const random = yield* SecureRandom.SecureRandom
    const repository = yield* SessionRepository

    const idOf = (hash: Uint8Array): string => Buffer.from(hash).toString("base64url")

    const hashOf = (token: string) =>
      Effect.orDie(
        Effect.map(digests.digest(Digest.sha256, Buffer.from(token, "base64url")), (bytes) => new Uint8Array(bytes)),
      )

    /** A new token, against session fixation. */
    const start = Effect.fn("Sessions.start")(function* (
      { email }: { readonly email: string },
      userAgent: string | undefined,
      method: SignInMethod = "password",
    ) {
      const token = Buffer.from(yield* random.randomBytes(32)).toString("base64url")
      const agent = userAgent?.slice(0, maxAgent).toWellFormed() ?? null
      const session = { token: yield* hashOf(token), email, method, userAgent: agent }
      const member = yield* repository.start(session, lifetime)
      return member === undefined
        ? yield* new SignInRefused({ why: "unknown" })
        : { token: Redacted.make(token), member }
    })

    /**
     * Uncached, so the end of a session takes effect at once on every pod. `asLive`: the member also in test mode, not the member's
     * copy in the test space.
     */
    const find = Effect.fn("Sessions.find")(function* (token: Redacted.Redacted, asLive = false) {
      if (!tokenFormat.test(Redacted.value(token))) return undefined
      const key = yield* hashOf(Redacted.value(token))
      const row = yield* repository.find(key, lifetime, asLive)
      if (row === undefined) return undefined
      const { needs_seen, needs_touch, ...member } = row
      if (needs_touch) yield* repository.touch(key)
      if (needs_seen) yield* repository.noteSeen(member.organizationId, member.id)
      return member
    })

    /** The member in the other mode. Undefined: the member is in one only. */
    const inOtherMode = Effect.fn("Sessions.inOtherMode")(({ id, organizationId }: Member) =>
      repository.inOtherMode(organizationId, id),
    )

    /** Into test mode, or with `space` undefined out of it. False: the member has no copy there. */
    const setTestSpace = Effect.fn("Sessions.setTestSpace")(function* (
      token: Redacted.Redacted,
      space: OrganizationId | undefined,
    ) {
      return yield* repository.setTestSpace(yield* hashOf(Redacted.value(token)), space)
    })

    const end = Effect.fn("Sessions.end")((token: Redacted.Redacted) =>
      Effect.flatMap(hashOf(Redacted.value(token)), repository.end),
    )

    const list = Effect.fn("Sessions.list")(function* ({ id, organizationId }: Member, token: Redacted.Redacted) {
      const own = idOf(yield* hashOf(Redacted.value(token)))
      const rows = yield* repository.list(organizationId, id, lifetime)
      return rows.map(({ token_hash, ...row }) => ({
        ...row,
        id: idOf(token_hash),
        isOwn: idOf(token_hash) === own,
      }))
    })

    const endOne = Effect.fn("Sessions.endOne")(({ id, organizationId }: Member, session: string) =>
      tokenFormat.test(session)
        ? repository.endOf(organizationId, id, { only: Buffer.from(session, "base64url") })
        : Effect.succeed(0),
    )

    const endOthers = Effect.fn("Sessions.endOthers")(function* (
      { id, organizationId }: Member,
      token: Redacted.Redacted,
    ) {
      return yield* repository.endOf(organizationId, id, { allBut: yield* hashOf(Redacted.value(token)) })
    })

    const forget = repository.forget(lifetime)

    return { start, find, inOtherMode, setTestSpace, end, list, endOne, endOthers, forget }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
