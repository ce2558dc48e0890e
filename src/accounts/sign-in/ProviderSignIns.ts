/**
 * Sign-in at a provider. The first one links the identity to the member with the verified address; later ones ignore
 * it.
 */
import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Database } from "../../platform/database/Database.ts"
import { AuditLog } from "../AuditLog.ts"
import { MemberRepository } from "../members/MemberRepository.ts"
import { memberAuthor } from "../Viewer.ts"
import { Sessions } from "./Sessions.ts"
import { type Answer, type Identity, SignIn, SignInRefused, SignInUnavailable } from "./SignIn.ts"
import { SignInAttemptRepository } from "./SignInAttemptRepository.ts"
import type { Caller } from "./SignInAttempts.ts"
import { period, TooManyAttempts } from "./TooManyAttempts.ts"

export const maxSignInTime = Duration.minutes(15)

const maxAttempts = 30

/** The content of the encrypted cookie. `until`: milliseconds since 1970. */
const State = Schema.fromJsonString(
  Schema.Struct({ kept: Schema.String, next: Schema.NullOr(Schema.String), until: Schema.Finite }),
)
const encryptionContext = "sign-in at a provider"

export interface StartedSignIn {
  readonly kept: Redacted.Redacted
  readonly next: string | undefined
}

const notConfigured = new SignInUnavailable({ reason: "no provider is set up" })

const withoutEmail: Readonly<Record<NonNullable<Identity["withoutEmail"]>, string>> = {
  missing:
    "the provider sent no email claim, neither in the ID token nor from userinfo: allow this client the scope email, add the claim to its tokens, and check that the account has an address there",
  invalid: "the email claim of the provider is no email address: check which attribute the provider sends as email",
  unverified:
    "the provider does not say that the address is verified (email_verified): verify it there, or set OIDC_EMAIL=trusted if the provider checks all addresses",
}

export class ProviderSignIns extends Context.Service<ProviderSignIns>()(
  "interview-invitations/accounts/sign-in/ProviderSignIns",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const memberRepository = yield* MemberRepository
      const { encrypt, open, sign } = yield* SecretBox
      const sessions = yield* Sessions
      const { provider } = yield* SignIn
      const signInAttemptRepository = yield* SignInAttemptRepository

      const begin = Effect.fn("ProviderSignIns.begin")(function* (callback: string, next: string | undefined) {
        if (provider === undefined) return yield* notConfigured
        const { kept, url } = yield* provider.begin(callback)
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(maxSignInTime)
        const state = Schema.encodeSync(State)({ kept: Redacted.value(kept), next: next ?? null, until })
        const encrypted = yield* encrypt(Buffer.from(state), encryptionContext)
        return { url, state: Redacted.make(Buffer.from(encrypted).toString("base64url")) }
      })

      /** Undefined: missing, expired or not from this service. */
      const recall = Effect.fn("ProviderSignIns.recall")(function* (encrypted: Redacted.Redacted | undefined) {
        if (encrypted === undefined) return undefined
        const text = yield* open(Buffer.from(Redacted.value(encrypted), "base64url"), encryptionContext)
        if (text === undefined) return undefined
        const state = Option.getOrUndefined(Schema.decodeUnknownOption(State)(Buffer.from(text).toString()))
        if (state === undefined || state.until <= (yield* Clock.currentTimeMillis)) return undefined
        return { kept: Redacted.make(state.kept), next: state.next ?? undefined } satisfies StartedSignIn
      })

      const link = Effect.fnUntraced(function* ({ email, issuer, subject }: Identity) {
        const linked =
          email === undefined ? undefined : yield* memberRepository.linkIdentity({ issuer, subject }, email)
        if (linked === undefined) return undefined
        const { member_id, organization_id } = linked
        const author = memberAuthor(organization_id, member_id)
        yield* auditLog.note(author, "member", "link_identity", member_id, { issuer })
        return linked
      }, transaction)

      const memberOf = Effect.fnUntraced(function* (identity: Identity) {
        const found =
          (yield* memberRepository.findIdentity(identity)) ??
          (yield* link(identity)) ??
          // a concurrent sign-in may have linked it
          (yield* memberRepository.findIdentity(identity))
        if (found !== undefined) return found
        if (identity.email === undefined) {
          yield* Effect.logWarning("sign-in refused", { reason: withoutEmail[identity.withoutEmail ?? "unverified"] })
        }
        return yield* new SignInRefused({ why: "unknown" })
      })

      const signIn = Effect.fn("ProviderSignIns.signIn")(function* (
        fields: Answer["fields"],
        started: StartedSignIn | undefined,
        { client, userAgent }: Omit<Caller, "device">,
      ) {
        if (provider === undefined) return yield* notConfigured
        if (started === undefined) return yield* new SignInRefused({ why: "stale" })
        const key = sign(Buffer.from(JSON.stringify(["sign-in", "provider", client])))
        const wait = yield* signInAttemptRepository.count([{ key, max: maxAttempts }], period)
        if (wait !== undefined) return yield* TooManyAttempts.of(wait)
        const identity = yield* provider.prove({ fields, kept: started.kept })
        const session = yield* sessions.start(yield* memberOf(identity), userAgent, "provider")
        yield* signInAttemptRepository.uncount([key])
        return session
      })

      return { begin, recall, signIn, provider: provider?.name }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
