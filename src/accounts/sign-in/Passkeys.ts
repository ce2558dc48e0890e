/**
 * Passkeys (WebAuthn Level 3): a member adds them on the account page and signs in with them, without a password and a code.
 * An encrypted cookie holds the challenge between the two steps.
 */
import { Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Config } from "../../config/Config.ts"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Database } from "../../platform/database/Database.ts"
import { lineErrors } from "../../values/Fields.ts"
import type { MemberId } from "../../values/Ids.ts"
import { Conflict, Invalid, invalid } from "../../values/Problem.ts"
import { AuditLog } from "../AuditLog.ts"
import type { Member } from "../members/Member.ts"
import { makeNotifySecondFactor } from "../members/MemberEmail.ts"
import { maxPasskeyTime, type Passkey, passkeyLimits } from "./Passkey.ts"
import { PasskeyRepository } from "./PasskeyRepository.ts"
import { SecondFactors } from "./SecondFactors.ts"
import { Sessions } from "./Sessions.ts"
import { SignInRefused } from "./SignIn.ts"

/** Shown by the browser. */
const serviceName = "Interview invitations"

/** Bytes (WebAuthn 13.4.3 asks for at least 16). */
const challengeLength = 32

const State = Schema.fromJsonString(Schema.Struct({ challenge: Schema.String, until: Schema.Finite }))

const Response = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.String,
    rawId: Schema.String,
    type: Schema.Literal("public-key"),
    response: Schema.Struct({
      clientDataJSON: Schema.String,
      attestationObject: Schema.optionalKey(Schema.String),
      authenticatorData: Schema.optionalKey(Schema.String),
      signature: Schema.optionalKey(Schema.String),
      userHandle: Schema.optionalKey(Schema.String),
      transports: Schema.optionalKey(Schema.Array(Schema.String)),
    }),
  }),
)

/** Values of AuthenticatorTransport; others are left out, as browsers do. */
const knownTransports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]

/** Ed25519, ES256 and RS256 (IANA, COSE Algorithms): all authenticators have one of them. */
const algorithms = [-8, -7, -257]

const signInContext = "sign-in with a passkey"
const newContext = (id: MemberId) => `new passkey of ${id}`

const handleOf = (id: MemberId): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(id.replaceAll("-", ""), "hex"))

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"))
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url")

// loads in 170 ms of CPU, which few processes need
const library = Effect.promise(() => import("@simplewebauthn/server"))

const refused = new SignInRefused({ why: "passkey" })
const notMade = invalid("#/passkey_answer", "invalid", "was not made, or came too late: try again")

export class Passkeys extends Context.Service<Passkeys>()("interview-invitations/accounts/sign-in/Passkeys", {
  make: Effect.gen(function* () {
    const notify = yield* makeNotifySecondFactor
    const auditLog = yield* AuditLog
    const { appUrl } = yield* Config
    const { time, transaction } = yield* Database
    const random = yield* SecureRandom.SecureRandom
    const repository = yield* PasskeyRepository
    const { encrypt, open } = yield* SecretBox
    const secondFactors = yield* SecondFactors
    const sessions = yield* Sessions
    const origin = new URL(appUrl).origin
    const domain = new URL(appUrl).hostname

    const newState = Effect.fnUntraced(function* (context: string) {
      const challenge = yield* random.randomBytes(challengeLength)
      const until = (yield* time).getTime() + Duration.toMillis(maxPasskeyTime)
      const text = Schema.encodeSync(State)({ challenge: textOf(challenge), until })
      return {
        challenge: new Uint8Array(challenge),
        state: Redacted.make(textOf(yield* encrypt(Buffer.from(text), context))),
      }
    }, Effect.orDie)

    /** Undefined: none, expired, or of another step. */
    const challengeOf = Effect.fnUntraced(function* (state: Redacted.Redacted | undefined, context: string) {
      const bytes = state === undefined ? undefined : yield* open(bytesOf(Redacted.value(state)), context)
      const known =
        bytes === undefined
          ? undefined
          : Option.getOrUndefined(Schema.decodeUnknownOption(State)(Buffer.from(bytes).toString()))
      return known === undefined || known.until <= (yield* time).getTime() ? undefined : known.challenge
    })

    const list = Effect.fn("Passkeys.list")(function* ({ id, organizationId }: Member) {
      const rows = yield* repository.list(organizationId, id)
      return rows.map(
        ({ created_at, credential_id, last_used_at, name }): Passkey => ({
          id: textOf(credential_id),
          name,
          createdAt: created_at,
          lastUsedAt: last_used_at,
        }),
      )
    })

    /** What the browser needs to make a passkey, and the state to send back with it. */
    const begin = Effect.fn("Passkeys.begin")(function* (
      member: Member,
      /** The password, or a code. */
      proof: Redacted.Redacted,
      client: string,
    ) {
      yield* secondFactors.reauthenticate(member, proof, client)
      const { challenge, state } = yield* newState(newContext(member.id))
      const rows = yield* repository.list(member.organizationId, member.id)
      const { generateRegistrationOptions } = yield* library
      const options = yield* Effect.promise(() =>
        generateRegistrationOptions({
          rpName: serviceName,
          rpID: domain,
          userID: handleOf(member.id),
          userName: member.email,
          userDisplayName: member.name?.trim() || member.email,
          challenge,
          attestationType: "none",
          supportedAlgorithmIDs: algorithms,
          excludeCredentials: rows.map(({ credential_id, transports }) => ({
            id: textOf(credential_id),
            transports: [...transports],
          })),
          authenticatorSelection: { residentKey: "required", userVerification: "required" },
        }),
      )
      return { options, state }
    })

    const store = Effect.fnUntraced(function* (member: Member, passkey: Parameters<typeof repository.insert>[2]) {
      const { email, id, organizationId } = member
      if (!(yield* repository.insert(organizationId, id, passkey, passkeyLimits.count)))
        return yield* new Conflict({ reason: `you have ${passkeyLimits.count} passkeys, or this one, already` })
      yield* auditLog.note(member, "member", "add_passkey", id, { name: passkey.name })
      yield* notify(organizationId, email, "added", `passkey “${passkey.name}”`)
    }, transaction)

    /** `answer`: the browser's credential as JSON. Invalid: the name, or no right answer to the challenge. */
    const add = Effect.fn("Passkeys.add")(function* (
      member: Member,
      state: Redacted.Redacted | undefined,
      answer: string,
      typedName: string,
    ) {
      const name = typedName.trim()
      const errors = lineErrors("#/passkey_name", name, { isRequired: true, most: passkeyLimits.name })
      if (errors.length > 0) return yield* new Invalid({ errors })
      const challenge = yield* challengeOf(state, newContext(member.id))
      const sent = Option.getOrUndefined(Schema.decodeUnknownOption(Response)(answer))
      const { attestationObject, clientDataJSON, transports = [] } = sent?.response ?? {}
      if (
        challenge === undefined ||
        sent === undefined ||
        attestationObject === undefined ||
        clientDataJSON === undefined
      )
        return yield* notMade
      const { verifyRegistrationResponse } = yield* library
      const { registrationInfo } = yield* Effect.tryPromise({
        try: () =>
          verifyRegistrationResponse({
            response: {
              id: sent.id,
              rawId: sent.rawId,
              type: sent.type,
              response: { attestationObject, clientDataJSON },
              clientExtensionResults: {},
            },
            expectedChallenge: challenge,
            expectedOrigin: origin,
            expectedRPID: domain,
            supportedAlgorithmIDs: algorithms,
          }),
        catch: () => notMade,
      })
      if (registrationInfo === undefined) return yield* notMade
      const { counter, id, publicKey } = registrationInfo.credential
      yield* store(member, {
        credential_id: bytesOf(id),
        name,
        public_key: publicKey,
        counter,
        transports: knownTransports.filter((one) => transports.includes(one)),
      })
    })

    const drop = Effect.fnUntraced(function* (member: Member, id: string, token: Redacted.Redacted) {
      const { email, id: memberId, organizationId } = member
      const name = yield* repository.remove(organizationId, memberId, bytesOf(id))
      if (name === undefined) return
      yield* auditLog.note(member, "member", "remove_passkey", memberId, { name })
      yield* notify(organizationId, email, "removed", `passkey “${name}”`)
      yield* sessions.endOthers(member, token)
    }, transaction)

    /** Ends the member's other sessions. Does nothing when it was removed before. `proof` as in `begin`. */
    const remove = Effect.fn("Passkeys.remove")(function* (
      member: Member,
      id: string,
      {
        client,
        proof,
        token,
      }: {
        readonly client: string
        readonly proof: Redacted.Redacted
        readonly token: Redacted.Redacted
      },
    ) {
      yield* secondFactors.reauthenticate(member, proof, client)
      yield* drop(member, id, token)
    })

    /** What the browser needs to use a passkey, which also names the member, and the state to send back with it. */
    const beginSignIn = Effect.fn("Passkeys.beginSignIn")(function* () {
      const { challenge, state } = yield* newState(signInContext)
      const { generateAuthenticationOptions } = yield* library
      const options = yield* Effect.promise(() =>
        generateAuthenticationOptions({ rpID: domain, challenge, userVerification: "required" }),
      )
      return { options, state }
    })

    const signIn = Effect.fn("Passkeys.signIn")(function* (
      state: Redacted.Redacted | undefined,
      answer: string,
      userAgent: string | undefined,
    ) {
      const challenge = yield* challengeOf(state, signInContext)
      const sent = Option.getOrUndefined(Schema.decodeUnknownOption(Response)(answer))
      const { authenticatorData, clientDataJSON, signature, userHandle } = sent?.response ?? {}
      if (
        challenge === undefined ||
        sent === undefined ||
        authenticatorData === undefined ||
        clientDataJSON === undefined ||
        signature === undefined
      )
        return yield* refused
      const passkey = yield* repository.findOwned(bytesOf(sent.id))
      if (passkey === undefined) return yield* refused
      if (userHandle !== undefined && userHandle !== textOf(handleOf(passkey.member_id))) return yield* refused
      const { verifyAuthenticationResponse } = yield* library
      const { authenticationInfo, verified } = yield* Effect.tryPromise({
        try: () =>
          verifyAuthenticationResponse({
            response: {
              id: sent.id,
              rawId: sent.rawId,
              type: sent.type,
              response: { authenticatorData, clientDataJSON, signature },
              clientExtensionResults: {},
            },
            expectedChallenge: challenge,
            expectedOrigin: origin,
            expectedRPID: domain,
            credential: {
              id: textOf(passkey.credential_id),
              publicKey: new Uint8Array(passkey.public_key),
              counter: passkey.counter,
            },
          }),
        catch: () => refused,
      })
      if (!verified) return yield* refused
      const { credential_id, email, organization_id } = passkey
      // of concurrent sign-ins with one signature, one succeeds where the authenticator counts
      if (!(yield* repository.use(organization_id, credential_id, authenticationInfo.newCounter))) return yield* refused
      return yield* sessions.start({ email }, userAgent, "passkey")
    })

    return { list, begin, add, remove, beginSignIn, signIn }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
