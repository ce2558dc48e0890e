/** Members share a submission by a link with people without an account, who give their name and address, read and review it. */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { may } from "../accounts/Permissions.ts"
import { SignInAttemptRepository } from "../accounts/sign-in/SignInAttemptRepository.ts"
import { TooManyAttempts } from "../accounts/sign-in/TooManyAttempts.ts"
import { operator } from "../accounts/Viewer.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { cleanAddress } from "../values/EmailAddress.ts"
import { GuestId, GuestLinkId, type RecordingId, type SubmissionId } from "../values/Ids.ts"
import { Conflict, Invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import { type GuestIdentity, type GuestLinkOptions, guestErrors, guestLimits } from "./GuestLink.ts"
import { type GuestLink, GuestLinkRepository } from "./GuestLinkRepository.ts"
import type { ReviewChange } from "./Review.ts"
import { Reviews } from "./Reviews.ts"

/** As the audit log names what a guest opened: file names are the candidate's personal data. */
export type SharedFile = "CV" | "answer"

const unknown = new NotFound({ record: "link" })

/** 32 bytes in base64url. */
const tokenFormat = /^[\w-]{43}$/

export class GuestLinks extends Context.Service<GuestLinks>()("interview-invitations/reviews/GuestLinks", {
  make: Effect.gen(function* () {
    const attempts = yield* SignInAttemptRepository
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const digests = yield* Digest.Digest
    const emailLinks = yield* EmailLinks
    const ids = yield* Ids
    const random = yield* SecureRandom.SecureRandom
    const repository = yield* GuestLinkRepository
    const reviews = yield* Reviews
    const { sign } = yield* SecretBox
    const submissions = yield* Submissions

    const hashOf = (token: Redacted.Redacted) =>
      Effect.orDie(
        Effect.map(
          digests.digest(Digest.sha256, Buffer.from(Redacted.value(token), "base64url")),
          (bytes) => new Uint8Array(bytes),
        ),
      )

    /**
     * The caller has checked that the member may see the submission. The same form again changes nothing, unless its link was
     * revoked or its options differ: then another link is made. Conflict: the submission has too many links that work, or the
     * candidate was erased.
     */
    const create = Effect.fn("GuestLinks.create")(function* (
      member: Member,
      submission: SubmissionId,
      id: GuestLinkId,
      { days, may_review, shows_scores }: GuestLinkOptions,
    ) {
      if (!may(member, "shareByLink")) return yield* new NotAllowed({ record: "submission" })
      const options = { days, may_review, shows_scores }
      const isSame = (one: GuestLink | undefined) =>
        one?.submission_id === submission &&
        one.organization_id === member.organizationId &&
        one.is_open &&
        one.days === days &&
        one.may_review === may_review &&
        one.shows_scores === shows_scores
      const stored = yield* repository.find(id)
      if (isSame(stored)) return
      const link = { id: stored === undefined ? id : yield* ids.make(GuestLinkId), ...options }
      if (!(yield* repository.create(member.organizationId, submission, member.id, link))) {
        // the same form, sent twice at once
        if (isSame(yield* repository.find(id))) return
        return yield* new Conflict({
          reason: `at most ${guestLimits.links} links of a candidate work at the same time, and none of an erased one`,
        })
      }
      yield* auditLog.note(member, "submission", "share", submission, options)
    }, transaction)

    /** As `create`. False: the link was revoked before. */
    const revoke = Effect.fn("GuestLinks.revoke")(function* (
      member: Member,
      submission: SubmissionId,
      id: GuestLinkId,
    ) {
      if (!may(member, "shareByLink")) return yield* new NotAllowed({ record: "submission" })
      if (!(yield* repository.revoke(member.organizationId, submission, id))) return false
      yield* auditLog.note(member, "submission", "revoke_link", submission)
      return true
    }, transaction)

    /** The links with their addresses. The caller has checked that the member may see the submission. */
    const ofSubmission = Effect.fn("GuestLinks.ofSubmission")(function* (member: Member, submission: SubmissionId) {
      const links = yield* repository.ofSubmission(member.organizationId, submission)
      return links.map((link) => ({ ...link, url: emailLinks.shared(link.id) }))
    })

    /** The link of a token; NotFound: not made by this service. */
    const find = Effect.fn("GuestLinks.find")(function* (token: string) {
      const id = emailLinks.openShared(token)
      return (id === undefined ? undefined : yield* repository.find(id)) ?? (yield* unknown)
    })

    const sessionHash = Effect.fnUntraced(function* (session: Redacted.Redacted | undefined) {
      return session !== undefined && tokenFormat.test(Redacted.value(session)) ? yield* hashOf(session) : undefined
    })

    /** Undefined: the session has not opened this link. */
    const guestOf = Effect.fnUntraced(function* (link: GuestLink, session: Redacted.Redacted | undefined) {
      const hash = yield* sessionHash(session)
      return hash && (yield* repository.findGuest(link.organization_id, link.id, hash))
    })

    const store = Effect.fnUntraced(function* (link: GuestLink, guest: GuestIdentity) {
      const token = Redacted.make(Buffer.from(yield* random.randomBytes(32)).toString("base64url"))
      const added = { ...guest, id: yield* ids.make(GuestId), session: yield* hashOf(token) }
      yield* repository.open(link.organization_id, link.id, added)
      yield* auditLog.note(operator(link.organization_id), "submission", "read_shared", link.submission_id, {
        guest: added.id,
      })
      return token
    }, transaction)

    /**
     * Notes who opens the link; returns the token of the guest's session. A browser that has opened it stays the same guest.
     * TooManyAttempts: `guestLimits.opens` browsers of the client's address have opened it within an hour.
     */
    const open = Effect.fn("GuestLinks.open")(function* (
      link: GuestLink,
      typed: GuestIdentity,
      { client, session }: { readonly client: string; readonly session: Redacted.Redacted | undefined },
    ) {
      if (session !== undefined && (yield* guestOf(link, session)) !== undefined) return session
      const guest = { name: typed.name.trim(), email: cleanAddress(typed.email) }
      const errors = guestErrors(guest)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const key = sign(Buffer.from(JSON.stringify(["guest-link", link.id, client])))
      const wait = yield* attempts.count([{ key, max: guestLimits.opens }], Duration.hours(1))
      if (wait !== undefined) return yield* TooManyAttempts.of(wait)
      return yield* store(link, guest)
    })

    /** What a guest sees. Undefined: the session has not opened this link. */
    const read = Effect.fn("GuestLinks.read")(function* (link: GuestLink, session: Redacted.Redacted | undefined) {
      const hash = yield* sessionHash(session)
      const guest = hash && (yield* repository.visit(link.organization_id, link.id, hash))
      if (guest === undefined) return undefined
      const viewer = operator(link.organization_id)
      if (guest.is_new_visit)
        yield* auditLog.note(viewer, "submission", "read_shared", link.submission_id, { guest: guest.id })
      const { detail, facts } = yield* submissions.read(viewer, link.submission_id)
      const own = link.may_review
        ? yield* reviews.ofGuest(link.organization_id, link.submission_id, guest.id)
        : undefined
      return { guest, facts, own, detail: link.shows_scores ? detail : { ...detail, evaluations: [] } }
    }, transaction)

    /** The guest of a session that asks for a file; notes it. Undefined: the session has not opened this link. */
    const readFile = Effect.fn("GuestLinks.readFile")(function* (
      link: GuestLink,
      session: Redacted.Redacted | undefined,
      file: SharedFile,
    ) {
      const guest = yield* guestOf(link, session)
      if (guest === undefined) return false
      yield* auditLog.note(operator(link.organization_id), "submission", "read_shared_file", link.submission_id, {
        guest: guest.id,
        file,
      })
      return true
    }, transaction)

    /** As `readFile`; a player asks for a recording in any number of ranges, of which the first one in an hour is noted. */
    const readRecording = Effect.fn("GuestLinks.readRecording")(function* (
      link: GuestLink,
      session: Redacted.Redacted | undefined,
      id: RecordingId,
      file: "recording" | "transcript",
    ) {
      const hash = yield* sessionHash(session)
      const guest = hash && (yield* repository.hear(link.organization_id, link.id, hash, `${file} ${id}`))
      if (guest === undefined) return false
      if (guest.is_new_visit)
        yield* auditLog.note(operator(link.organization_id), "submission", "read_shared_file", link.submission_id, {
          guest: guest.id,
          file,
        })
      return true
    }, transaction)

    /** As `Reviews.save`. NotFound: the session has not opened this link, or the link is for reading only. */
    const review = Effect.fn("GuestLinks.review")(function* (
      link: GuestLink,
      session: Redacted.Redacted | undefined,
      change: Omit<ReviewChange, "mentioned"> & { readonly changes: number },
    ) {
      const guest = yield* guestOf(link, session)
      if (guest === undefined || !link.may_review) return yield* unknown
      yield* reviews.saveOfGuest(link.organization_id, link.submission_id, guest, change)
    })

    return { create, revoke, ofSubmission, find, open, read, readFile, readRecording, review }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

export type SubmissionLinks = Effect.Success<ReturnType<GuestLinks["Service"]["ofSubmission"]>>
