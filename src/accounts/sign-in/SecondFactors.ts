/**
 * The second factor of members who sign in with a password: a code of an authenticator app, or a recovery code. Between
 * the two steps of a sign-in, an encrypted cookie holds its state.
 */
import { hash } from "node:crypto"
import { Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { isSameSecret } from "../../platform/crypto/SecretComparison.ts"
import { secondFactorContext } from "../../platform/crypto/SecretKeys.ts"
import { Database } from "../../platform/database/Database.ts"
import { MemberId, type OrganizationId } from "../../values/Ids.ts"
import { Conflict, invalid } from "../../values/Problem.ts"
import { AuditLog } from "../AuditLog.ts"
import type { Member } from "../members/Member.ts"
import { makeNotifySecondFactor } from "../members/MemberEmail.ts"
import { type MemberRow, OrganizationRepository } from "../OrganizationRepository.ts"
import { memberAuthor } from "../Viewer.ts"
import { recoveryCodes, recoveryHash, recoveryLength, recoveryText, secretLength, stepOf } from "./OneTimeCode.ts"
import { Passwords } from "./Passwords.ts"
import { SecondFactorRepository } from "./SecondFactorRepository.ts"
import { Sessions } from "./Sessions.ts"
import { SignInRefused } from "./SignIn.ts"
import { SignInAttemptRepository } from "./SignInAttemptRepository.ts"
import { period, TooManyAttempts } from "./TooManyAttempts.ts"

/** How long a code may follow the password. */
export const maxCodeTime = Duration.minutes(10)

/** How long the key of the set-up page can be confirmed. */
const maxSetUpTime = Duration.hours(1)

/** Wrong codes per period, counted in this order until one refuses. */
const maxAttempts = { client: 5, member: 20 }

const stateContext = "sign-in with a second factor"

const State = Schema.fromJsonString(
  Schema.Struct({
    member: MemberId,
    email: Schema.String,
    password: Schema.String,
    next: Schema.NullOr(Schema.String),
    until: Schema.Finite,
  }),
)

const Pending = Schema.fromJsonString(Schema.Struct({ secret: Schema.String, until: Schema.Finite }))

/** A new password ends sign-ins that began with the old one. */
const passwordMark = ({ password_hash }: Pick<MemberRow, "password_hash">): string =>
  hash("sha256", password_hash ?? "", "base64url")

const wrongCode = (field: string) =>
  invalid(`#/${field}`, "wrong_code", "is wrong or was used before. Each code works once: wait for the next one")

export interface SecondFactorStatus {
  readonly since: Date
  readonly codesLeft: number
}

type Owner = Pick<Member, "id" | "organizationId" | "email">

export class SecondFactors extends Context.Service<SecondFactors>()(
  "interview-invitations/accounts/sign-in/SecondFactors",
  {
    make: Effect.gen(function* () {
      const notify = yield* makeNotifySecondFactor
      const auditLog = yield* AuditLog
      const { time, transaction } = yield* Database
      const organizationRepository = yield* OrganizationRepository
      const passwords = yield* Passwords
      const random = yield* SecureRandom.SecureRandom
      const { encrypt, open, sign } = yield* SecretBox
      const repository = yield* SecondFactorRepository
      const sessions = yield* Sessions
      const signInAttemptRepository = yield* SignInAttemptRepository

      const sealed = (text: string, context: string) =>
        Effect.map(encrypt(Buffer.from(text), context), (bytes) => Buffer.from(bytes).toString("base64url"))

      const opened = Effect.fnUntraced(function* <A>(text: string, context: string, schema: Schema.Codec<A, string>) {
        const bytes = yield* open(Buffer.from(text, "base64url"), context)
        return bytes === undefined
          ? undefined
          : Option.getOrUndefined(Schema.decodeUnknownOption(schema)(Buffer.from(bytes).toString()))
      })

      const newCodes = Effect.map(Effect.replicateEffect(random.randomBytes(recoveryLength), recoveryCodes), (all) =>
        all.map(recoveryText),
      )
      const hashesOf = (codes: ReadonlyArray<string>) => codes.flatMap((code) => recoveryHash(code) ?? [])

      const limitsOf = (member: MemberId, client: string) =>
        (["client", "member"] as const).map((kind) => ({
          key: sign(
            Buffer.from(JSON.stringify(["second-factor", kind, member, ...(kind === "client" ? [client] : [])])),
          ),
          max: maxAttempts[kind],
        }))

      /** Counts before the comparison, so that concurrent attempts count; a success takes the attempt back, and those of the client. */
      const counted = Effect.fnUntraced(function* <A, E>(
        member: MemberId,
        client: string,
        attempt: Effect.Effect<A, E>,
      ) {
        const limits = limitsOf(member, client)
        const wait = yield* signInAttemptRepository.count(limits, period)
        if (wait !== undefined) return yield* TooManyAttempts.of(wait)
        const result = yield* attempt
        const [own, ...others] = limits
        if (own !== undefined) yield* signInAttemptRepository.reset(own.key)
        yield* signInAttemptRepository.uncount(others.map(({ key }) => key))
        return result
      })

      const secretOf = Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId) {
        const row = yield* repository.find(organization, member)
        return row === undefined ? undefined : yield* open(row.secret, secondFactorContext(member))
      })

      /** Uses the code up. */
      const isRight = Effect.fnUntraced(function* ({ email, id, organizationId }: Owner, typed: string) {
        const secret = yield* secretOf(organizationId, id)
        const step = secret === undefined ? undefined : stepOf(secret, typed, yield* time)
        if (step !== undefined) return yield* repository.useStep(organizationId, id, step)
        const code = recoveryHash(typed)
        if (code === undefined || !(yield* repository.useCode(organizationId, id, code))) return false
        const left = (yield* repository.find(organizationId, id))?.codes_left ?? 0
        yield* auditLog.note(memberAuthor(organizationId, id), "member", "use_recovery_code", id, { codes_left: left })
        yield* notify(organizationId, email, `replaced once by a recovery code, of which ${left} are left`)
        return true
      }, transaction)

      /** After a right password. `state`: the code is still needed. */
      const admit = Effect.fn("SecondFactors.admit")(function* (
        email: string,
        userAgent: string | undefined,
        next: string | undefined,
      ) {
        const member = yield* organizationRepository.findMember(email)
        if (member === undefined) return yield* new SignInRefused({ why: "unknown" })
        if ((yield* repository.find(member.organization_id, member.id)) === undefined) {
          return { started: yield* sessions.start(member, userAgent) }
        }
        const until = (yield* time).getTime() + Duration.toMillis(maxCodeTime)
        const state = {
          member: member.id,
          email: member.email,
          password: passwordMark(member),
          next: next ?? null,
          until,
        }
        return {
          started: undefined,
          state: Redacted.make(yield* sealed(Schema.encodeSync(State)(state), stateContext)),
        }
      })

      const recall = Effect.fnUntraced(function* (state: Redacted.Redacted | undefined) {
        const known = state === undefined ? undefined : yield* opened(Redacted.value(state), stateContext, State)
        if (known === undefined || known.until <= (yield* time).getTime()) return undefined
        const member = yield* organizationRepository.findMember(known.email)
        const isSame = member?.id === known.member && isSameSecret(passwordMark(member), known.password)
        return isSame ? { member, next: known.next ?? undefined } : undefined
      })

      /** Whether a sign-in waits for its code. */
      const isWaiting = (state: Redacted.Redacted | undefined) =>
        Effect.map(recall(state), (found) => found !== undefined)

      /** The second step of a sign-in. */
      const finish = Effect.fn("SecondFactors.finish")(function* (
        state: Redacted.Redacted | undefined,
        typed: string,
        { client, userAgent }: { readonly client: string; readonly userAgent: string | undefined },
      ) {
        const found = yield* recall(state)
        if (found === undefined) return yield* new SignInRefused({ why: "stale" })
        const { email, id, organization_id: organizationId } = found.member
        yield* counted(
          id,
          client,
          Effect.flatMap(isRight({ email, id, organizationId }, typed), (is) =>
            is ? Effect.void : Effect.fail(wrongCode("code")),
          ),
        )
        return { ...(yield* sessions.start({ email }, userAgent)), next: found.next }
      })

      /** With which `setUp` asks for it. */
      const hasPassword = Effect.fn("SecondFactors.hasPassword")(function* ({ email }: Owner) {
        const stored = yield* organizationRepository.findMember(email)
        return stored !== undefined && stored.password_hash !== null
      })

      const status = Effect.fn("SecondFactors.status")(function* ({ id, organizationId }: Owner) {
        const row = yield* repository.find(organizationId, id)
        return row === undefined
          ? undefined
          : ({ since: row.created_at, codesLeft: row.codes_left } satisfies SecondFactorStatus)
      })

      const pendingContext = (id: MemberId) => `second factor to confirm ${id}`

      /** A key to confirm with `setUp`; `pending` has it, encrypted. */
      const begin = Effect.fn("SecondFactors.begin")(function* ({ id }: Owner) {
        const secret = yield* random.randomBytes(secretLength)
        const until = (yield* time).getTime() + Duration.toMillis(maxSetUpTime)
        const text = Schema.encodeSync(Pending)({ secret: Buffer.from(secret).toString("base64"), until })
        return { secret: Redacted.make(secret), pending: yield* sealed(text, pendingContext(id)) }
      }, Effect.orDie)

      /** Undefined: expired, or another member's. */
      const recallPending = Effect.fnUntraced(function* ({ id }: Owner, pending: string) {
        const known = yield* opened(pending, pendingContext(id), Pending)
        if (known === undefined || known.until <= (yield* time).getTime()) return undefined
        return Redacted.make(new Uint8Array(Buffer.from(known.secret, "base64")))
      })

      const insert = Effect.fnUntraced(function* (
        member: Member,
        secret: Uint8Array,
        step: number,
        codes: ReadonlyArray<string>,
      ) {
        const { email, id, organizationId } = member
        const encrypted = yield* encrypt(secret, secondFactorContext(id))
        const isNew = yield* repository.insert(organizationId, id, { secret: encrypted, step, hashes: hashesOf(codes) })
        if (!isNew) return yield* new Conflict({ reason: "You have set up a second factor already." })
        yield* auditLog.note(member, "member", "set_second_factor", id)
        yield* notify(organizationId, email, "set up")
      }, transaction)

      /** `typed`: the password, or a code. */
      const requireProof = Effect.fnUntraced(function* (member: Member, typed: Redacted.Redacted, client: string) {
        const stored = (yield* organizationRepository.findMember(member.email))?.password_hash ?? null
        yield* counted(
          member.id,
          client,
          Effect.gen(function* () {
            if (yield* isRight(member, Redacted.value(typed))) return
            if (yield* passwords.matches(stored, typed)) return
            return yield* invalid("#/proof", "wrong_code", "is wrong or was used before")
          }),
        )
      })

      /** Before a new way to sign in. Members who sign in at the provider only have nothing to prove it with. */
      const reauthenticate = Effect.fn("SecondFactors.reauthenticate")(function* (
        member: Member,
        typed: Redacted.Redacted,
        client: string,
      ) {
        const stored = yield* organizationRepository.findMember(member.email)
        const factor = yield* repository.find(member.organizationId, member.id)
        if (stored?.password_hash === null && factor === undefined) return
        yield* requireProof(member, typed, client)
      }, passwords.admit)

      /** `proof`: the password, if the member has one. Returns the recovery codes, which are not stored, and a new session; the other ones end. */
      const setUp = Effect.fn("SecondFactors.setUp")(function* (
        member: Member,
        pending: string,
        typed: string,
        {
          client,
          proof,
          token,
          userAgent,
        }: {
          readonly client: string
          readonly proof: Redacted.Redacted
          readonly token: Redacted.Redacted
          readonly userAgent: string | undefined
        },
      ) {
        const secret = yield* recallPending(member, pending)
        if (secret === undefined) {
          return yield* invalid("#/code", "past", "came too late: scan the new key, and enter a code for it")
        }
        yield* reauthenticate(member, proof, client)
        const codes = yield* Effect.orDie(newCodes)
        yield* counted(
          member.id,
          client,
          Effect.gen(function* () {
            const step = stepOf(Redacted.value(secret), typed, yield* time)
            if (step === undefined) return yield* wrongCode("code")
            yield* insert(member, Redacted.value(secret), step, codes)
          }),
        )
        yield* sessions.endOthers(member, token)
        yield* sessions.end(token)
        return { codes, started: yield* sessions.start(member, userAgent) }
      })

      const dropFactor = Effect.fnUntraced(function* (member: Member) {
        if (!(yield* repository.remove(member.organizationId, member.id))) return
        yield* auditLog.note(member, "member", "remove_second_factor", member.id)
        yield* notify(member.organizationId, member.email, "removed on your account page")
      }, transaction)

      /** Ends all sessions, and starts a new one. */
      const remove = Effect.fn("SecondFactors.remove")(function* (
        member: Member,
        typed: Redacted.Redacted,
        { client, userAgent }: { readonly client: string; readonly userAgent: string | undefined },
      ) {
        yield* requireProof(member, typed, client)
        yield* dropFactor(member)
        return yield* sessions.start(member, userAgent)
      }, passwords.admit)

      const writeCodes = Effect.fnUntraced(function* (member: Member, codes: ReadonlyArray<string>) {
        yield* repository.replaceCodes(member.organizationId, member.id, hashesOf(codes))
        yield* auditLog.note(member, "member", "replace_recovery_codes", member.id)
        yield* notify(member.organizationId, member.email, "given new recovery codes, and the earlier ones ended")
      }, transaction)

      /** Ends the earlier codes. */
      const replaceCodes = Effect.fn("SecondFactors.replaceCodes")(function* (
        member: Member,
        typed: Redacted.Redacted,
        client: string,
      ) {
        yield* requireProof(member, typed, client)
        const codes = yield* Effect.orDie(newCodes)
        yield* writeCodes(member, codes)
        return codes
      }, passwords.admit)

      return {
        admit,
        isWaiting,
        finish,
        hasPassword,
        status,
        begin,
        recallPending,
        setUp,
        remove,
        replaceCodes,
        reauthenticate,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
