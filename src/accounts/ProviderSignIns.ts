/**
 * Signing in at a provider: what the browser keeps meanwhile, whose the identity is that comes back, and the session that
 * follows. Nobody becomes a member by it. An identity is a member's from their first sign-in on, for which the provider has
 * to vouch for the address that they were invited at; from then on the address no longer counts.
 */
import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { Database } from "../platform/database/Database.ts"
import { notes } from "./Audit.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { Sessions, type Started } from "./Sessions.ts"
import { type Answer, type Identity, SignIn, SignInRefused, SignInUnavailable } from "./SignIn.ts"
import { SignInAttemptRepository } from "./SignInAttemptRepository.ts"
import { type Caller, TooManyAttempts } from "./SignIns.ts"

/** How long somebody may stay at the provider. */
export const patience = Duration.minutes(15)

/** Attempts of one client that failed, in a quarter of an hour: each costs a request to the provider. */
const period = Duration.minutes(15)
const most = 30

/** What the browser keeps while it is elsewhere, sealed: `until` in milliseconds since 1970. */
const Away = Schema.fromJsonString(
  Schema.Struct({ kept: Schema.String, next: Schema.NullOr(Schema.String), until: Schema.Finite }),
)
const context = "sign-in at a provider"

/** What somebody who came back began with. */
export interface Errand {
  readonly kept: Redacted.Redacted
  /** Where they wanted to go: a path of this service. */
  readonly next: string | undefined
}

const none = new SignInUnavailable({ reason: "no provider is set up" })

export class ProviderSignIns extends Context.Service<
  ProviderSignIns,
  {
    /** What people call the provider; undefined: there is none. */
    readonly provider: string | undefined
    /** Where to send the browser, and what it keeps until it is back. */
    readonly begin: (
      callback: string,
      next: string | undefined,
    ) => Effect.Effect<{ readonly url: string; readonly sealed: Redacted.Redacted }, SignInUnavailable>
    /** What the browser kept; undefined: nothing of ours, or for too long. */
    readonly recall: (sealed: Redacted.Redacted | undefined) => Effect.Effect<Errand | undefined>
    /** `fields` is the query that the browser came back with. */
    readonly signIn: (
      fields: Answer["fields"],
      errand: Errand | undefined,
      caller: Omit<Caller, "device">,
    ) => Effect.Effect<Started, SignInRefused | SignInUnavailable | TooManyAttempts>
  }
>()("interview-invitations/accounts/ProviderSignIns") {
  static readonly layer = Layer.effect(
    ProviderSignIns,
    Effect.gen(function* () {
      const attempts = yield* SignInAttemptRepository
      const { transaction } = yield* Database
      const identities = yield* MemberRepository
      const note = notes(yield* AuditLogRepository, "member")
      const { provider } = yield* SignIn
      const sessions = yield* Sessions
      const vault = yield* SecretBox

      const link = Effect.fnUntraced(function* ({ email, issuer, subject }: Identity) {
        const linked = email === undefined ? undefined : yield* identities.linkIdentity({ issuer, subject }, email)
        if (linked === undefined) return undefined
        const { member_id, organization_id } = linked
        yield* note(organization_id, member_id, "link_identity", member_id, { issuer })
        return linked
      }, transaction)

      /** Asked once more at the end: of two first sign-ins at once, one links. */
      const whose = Effect.fnUntraced(function* (identity: Identity) {
        const found =
          (yield* identities.findIdentity(identity)) ??
          (yield* link(identity)) ??
          (yield* identities.findIdentity(identity))
        if (found !== undefined) return found
        if (identity.email === undefined) {
          yield* Effect.logInfo("somebody was not recognised: the provider does not say that their address is verified")
        }
        return yield* new SignInRefused({ why: "unknown" })
      })

      return ProviderSignIns.of({
        provider: provider?.name,
        begin: Effect.fn("ProviderSignIns.begin")(function* (callback, next) {
          if (provider === undefined) return yield* none
          const { kept, url } = yield* provider.begin(callback)
          const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
          const text = Schema.encodeSync(Away)({ kept: Redacted.value(kept), next: next ?? null, until })
          const sealed = yield* vault.encrypt(Buffer.from(text), context)
          return { url, sealed: Redacted.make(Buffer.from(sealed).toString("base64url")) }
        }),
        recall: Effect.fn("ProviderSignIns.recall")(function* (sealed) {
          if (sealed === undefined) return undefined
          const text = yield* vault.open(Buffer.from(Redacted.value(sealed), "base64url"), context)
          if (text === undefined) return undefined
          const away = Option.getOrUndefined(Schema.decodeUnknownOption(Away)(Buffer.from(text).toString()))
          if (away === undefined || away.until <= (yield* Clock.currentTimeMillis)) return undefined
          return { kept: Redacted.make(away.kept), next: away.next ?? undefined }
        }),
        signIn: Effect.fn("ProviderSignIns.signIn")(function* (fields, errand, { client, userAgent }) {
          if (provider === undefined) return yield* none
          // whoever began nothing here costs nothing
          if (errand === undefined) return yield* new SignInRefused({ why: "stale" })
          const key = vault.sign(Buffer.from(JSON.stringify(["sign-in", "provider", client])))
          const wait = yield* attempts.count([{ key, most }], period)
          if (wait !== undefined) return yield* new TooManyAttempts({ seconds: Math.max(1, Math.ceil(wait / 1000)) })
          const identity = yield* provider.prove({ fields, kept: errand.kept })
          const started = yield* sessions.start(yield* whose(identity), userAgent)
          yield* attempts.giveBack([key])
          return started
        }),
      })
    }),
  )
}
