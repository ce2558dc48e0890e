/** Manages invitations. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { type AuditDetail, AuditLog } from "../accounts/AuditLog.ts"
import { readerOf, type Viewer } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import { CandidateRepository } from "../candidates/CandidateRepository.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { EmailRepository, type InvitationMail } from "../emails/EmailRepository.ts"
import { SuppressionRepository } from "../emails/SuppressionRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { Ids } from "../platform/NewIds.ts"
import { type PageRequest, pageOf } from "../values/Cursor.ts"
import { addressMessage, cleanAddress, foldAddress, isEmailAddress } from "../values/EmailAddress.ts"
import { EmailId, InvitationId, type OrganizationId, parseId } from "../values/Ids.ts"
import { Conflict, invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import {
  type ExtendInvitation,
  type InvitationDetail,
  whyNotCancel,
  whyNotCorrect,
  whyNotExtend,
  whyNotResend,
} from "./Invitation.ts"
import { sentMessage } from "./InvitationEmailTemplate.ts"
import {
  type InvitationDetailRow,
  type InvitationFacts,
  type InvitationFilter,
  InvitationRepository,
} from "./InvitationRepository.ts"

export interface InvitationRecord {
  readonly detail: InvitationDetail
  readonly facts: InvitationFacts
}

/** Later deadlines are typing errors. */
const maxExtension = Duration.days(366)

const unknown = new NotFound({ record: "invitation" })

const detailOf = (
  links: EmailLinks["Service"],
  row: InvitationDetailRow,
  suppressed: ReadonlySet<string>,
): InvitationDetail => ({
  ...row,
  interview_url: links.interview({ _tag: "Invitation", id: row.id }),
  candidate: candidateRef(row.candidate),
  mails_stopped: suppressed.has(row.email),
})

export class Invitations extends Context.Service<Invitations>()("interview-invitations/invitations/Invitations", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const candidateRepository = yield* CandidateRepository
    const { transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const emailRepository = yield* EmailRepository
    const ids = yield* Ids
    const invitationRepository = yield* InvitationRepository
    const suppressionRepository = yield* SuppressionRepository

    const list = Effect.fn("Invitations.list")(function* (
      viewer: Viewer,
      filter: Omit<InvitationFilter, "reader">,
      page: PageRequest,
    ) {
      const { organizationId } = viewer
      const rows = yield* invitationRepository.list(organizationId, { ...filter, reader: readerOf(viewer) }, page)
      const addresses = rows.map(({ email }) => email)
      const suppressed = yield* suppressionRepository.among(organizationId, addresses)
      return pageOf("invitations", rows, page, ({ position: _, ...row }) => detailOf(emailLinks, row, suppressed))
    }, mayReadReplica)

    /** Ignores the access list. */
    const find = Effect.fn("Invitations.find")(function* ({ organizationId }: Viewer, id: InvitationId) {
      const row = yield* invitationRepository.detail(organizationId, id)
      if (row === undefined) return yield* unknown
      return detailOf(emailLinks, row, yield* suppressionRepository.among(organizationId, [row.email]))
    })

    const factsOf = Effect.fnUntraced(function* (viewer: Viewer, text: string) {
      const id = parseId(InvitationId, text)
      if (id === undefined) return yield* unknown
      const facts = yield* invitationRepository.facts(viewer.organizationId, id, readerOf(viewer))
      if (facts === undefined) return yield* unknown
      return facts.readable ? { id, facts } : yield* new NotAllowed({ record: "invitation" })
    })

    const idOf = Effect.fnUntraced(function* (viewer: Viewer, text: string) {
      if (readerOf(viewer) !== undefined) return (yield* factsOf(viewer, text)).id
      return parseId(InvitationId, text) ?? (yield* unknown)
    })

    const read = Effect.fn("Invitations.read")(function* (viewer: Viewer, text: string) {
      const { facts, id } = yield* factsOf(viewer, text)
      const detail = yield* find(viewer, id)
      if (facts.message === null) return { detail, facts } satisfies InvitationRecord
      const invitation = yield* invitationRepository.find(viewer.organizationId, id)
      const message = invitation === undefined ? facts.message : (sentMessage(invitation) ?? null)
      return { detail, facts: { ...facts, message } } satisfies InvitationRecord
    })

    const queue = Effect.fnUntraced(function* (
      organization: OrganizationId,
      id: InvitationId,
      kind: InvitationMail,
      recipient: string,
    ) {
      const mail = { id: yield* ids.make(EmailId), invitation_id: id, kind, recipient, content: null }
      yield* emailRepository.insert(organization, [mail])
    })

    /** "waiting": an email was queued already. "unwanted": `wanted` is false under the lock. */
    const sendAgain = Effect.fnUntraced(function* <R>(
      organization: OrganizationId,
      id: InvitationId,
      wanted: Effect.Effect<boolean, never, R>,
    ) {
      const hasLocked = yield* invitationRepository.lockInvites(organization, id)
      const invitation = yield* invitationRepository.lock(organization, id)
      if (invitation === undefined) return yield* unknown
      if (!(yield* wanted)) return "unwanted"
      const { email, mail_queued } = invitation
      const reason = whyNotResend(invitation)
      if (reason !== undefined) return yield* new Conflict({ reason })
      if ((yield* suppressionRepository.among(organization, [email])).has(email)) {
        return yield* new Conflict({ reason: "this address has unsubscribed: invite the candidate at another one" })
      }
      if (invitation.status === "failed") {
        if (!hasLocked) return yield* new Conflict({ reason: "the invitation's email has just failed: send it again" })
        yield* invitationRepository.reopen(organization, id)
      }
      if (mail_queued) return invitation.status === "failed" ? "queued" : "waiting"
      yield* queue(organization, id, "invitation", email)
      return "queued"
    }, transaction)

    const resend = Effect.fn("Invitations.resend")(function* (viewer: Viewer, text: string) {
      const id = yield* idOf(viewer, text)
      const result = yield* sendAgain(viewer.organizationId, id, Effect.succeed(true))
      const invitation = yield* find(viewer, id)
      if (result === "queued") yield* auditChange(viewer, "resend", id, { email: invitation.email })
      return invitation
    }, transaction)

    /**
     * Sends a failed invitation to another address: the candidate keeps the submission, the link and its deadline. `seen`: the
     * address that the form showed, or that the hiring system knows. Conflict: it was corrected since, or the new one is in use.
     * Does nothing when an invitation that has not failed has the address. The audit log names the member or the API key.
     */
    const correctAddress = Effect.fn("Invitations.correctAddress")(function* (
      viewer: Viewer,
      text: string,
      { email: typed, seen }: { readonly email: string; readonly seen?: string | undefined },
    ) {
      const { organizationId } = viewer
      const id = yield* idOf(viewer, text)
      const address = cleanAddress(typed)
      if (!isEmailAddress(address)) return yield* invalid("#/email", "invalid_email", addressMessage(typed))
      yield* invitationRepository.lockInvites(organizationId, id)
      const view = yield* invitationRepository.find(organizationId, id)
      if (view === undefined) return yield* unknown
      const { candidate_id, interview_set_id } = view
      const candidate = yield* candidateRepository.lock(organizationId, candidate_id)
      const standing = yield* invitationRepository.lock(organizationId, id)
      if (candidate === undefined || standing === undefined) return yield* unknown
      const isSame = foldAddress(address) === foldAddress(standing.email)
      if (isSame && standing.status !== "failed") return yield* find(viewer, id)
      if (seen !== undefined && foldAddress(seen) !== foldAddress(standing.email))
        return yield* new Conflict({ reason: "the address has been corrected meanwhile" })
      const reason = whyNotCorrect(standing)
      if (reason !== undefined) return yield* new Conflict({ reason })
      if (isSame) return yield* invalid("#/email", "duplicate", "must be another address than the one that failed")
      if ((yield* suppressionRepository.among(organizationId, [address])).has(address))
        return yield* new Conflict({ reason: "this address has unsubscribed from your organization's emails" })
      const others = yield* candidateRepository.others(organizationId, candidate_id, address)
      const candidates = others.map((one) => one.id)
      if (
        yield* invitationRepository.isInvited(organizationId, interview_set_id, {
          candidates,
          email: address,
          except: id,
        })
      )
        return yield* new Conflict({ reason: "this address is already invited to the interview set" })
      // the hiring system may have given the candidate another address since
      if (candidate.email_key === null || candidate.email_key === foldAddress(standing.email)) {
        if (candidate.ats_candidate_id === null && others.some((one) => one.ats_candidate_id === null))
          return yield* new Conflict({
            reason: "another candidate has this address: cancel this invitation, and invite that candidate",
          })
        yield* candidateRepository.setAddress(organizationId, candidate_id, address)
      }
      yield* emailRepository.cancel(id)
      yield* invitationRepository.correctAddress(organizationId, id, address)
      yield* queue(organizationId, id, "invitation", address)
      // also of an API key: the hiring system may not know the address that failed
      yield* auditLog.note(viewer, "invitation", "correct_address", id, {
        email: address,
        previous_email: standing.email,
      })
      return yield* find(viewer, id)
    }, transaction)

    /** Not by the service itself, for which the order of a hiring system is the entry. */
    const auditChange = (viewer: Viewer, action: string, id: InvitationId, detail: AuditDetail) =>
      viewer._tag === "Operator" ? Effect.void : auditLog.note(viewer, "invitation", action, id, detail)

    /** Resends invitations with a failed email since `since` and none sent afterwards. */
    const resendFailed = Effect.fn("Invitations.resendFailed")(function* ({ organizationId }: Viewer, since: Date) {
      const failed = yield* emailRepository.failedInvitations(organizationId, since)
      const results = yield* Effect.forEach(failed, (invitation_id) =>
        sendAgain(organizationId, invitation_id, emailRepository.isFailed(organizationId, since, invitation_id)).pipe(
          Effect.map((sent) => ({ queued: sent !== "unwanted", refused: [] })),
          Effect.catchTags({
            Conflict: ({ reason }) => Effect.succeed({ queued: false, refused: [{ invitation_id, reason }] }),
            NotFound: () =>
              Effect.succeed({
                queued: false,
                refused: [{ invitation_id, reason: "the invitation no longer exists" }],
              }),
          }),
        ),
      )
      return {
        queued: results.filter(({ queued }) => queued).length,
        refused: results.flatMap(({ refused }) => refused),
      }
    })

    const extend = Effect.fn("Invitations.extend")(function* (viewer: Viewer, text: string, request: ExtendInvitation) {
      const { organizationId } = viewer
      const id = yield* idOf(viewer, text)
      const deadline = request.expires_at ? new Date(request.expires_at) : undefined
      const factor = request.time_factor ?? undefined
      if (!deadline && !factor) return yield* invalid("#", "required", "must have expires_at, time_factor or both")
      const latest = new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(maxExtension))
      if (deadline !== undefined && deadline > latest) {
        yield* find(viewer, id)
        return yield* invalid("#/expires_at", "out_of_range", `must not be later than ${latest.toISOString()}`)
      }
      // only in the workspace: a hiring system that always sends 1 would remove what a recruiter gave
      const isReset = factor === 1 && viewer._tag === "Member"
      const timed = !factor
        ? undefined
        : yield* isReset
            ? invitationRepository.removeExtraTime(organizationId, id)
            : invitationRepository.setTimeFactor(organizationId, id, factor)
      const extended = deadline && (yield* invitationRepository.extend(organizationId, id, deadline))
      if ((deadline && !extended) || (factor && !timed))
        yield* explainRefusedExtension(organizationId, id, deadline, factor)
      const changed = extended || timed
      if (isReset && timed) yield* emailRepository.cancel(id, "invitation_time")
      const invitation = yield* find(viewer, id)
      // less time is not announced, and the page of a running interview shows its new end
      const isAnnounced = !extended && (isReset || timed?.started === true)
      const isMailed =
        changed && !isAnnounced && !invitation.mails_stopped && !(yield* emailRepository.hasUnwritten(id))
      if (isMailed) {
        yield* queue(organizationId, id, extended ? "invitation_extension" : "invitation_time", changed.email)
      }
      if (changed) {
        const { email, expires_at, time_factor } = invitation
        yield* auditChange(viewer, "extend", id, { email, expires_at, time_factor })
      }
      return isMailed ? { ...invitation, email_status: "queued" } : invitation
    }, transaction)

    /** Fails with the reason for no change, unless the invitation has the values already. */
    const explainRefusedExtension = Effect.fnUntraced(function* (
      organization: OrganizationId,
      id: InvitationId,
      deadline: Date | undefined,
      factor: number | undefined,
    ) {
      const standing = yield* invitationRepository.lock(organization, id)
      if (standing === undefined) return yield* unknown
      const reason = whyNotExtend(standing, deadline === undefined ? "time" : "deadline")
      if (reason !== undefined) return yield* new Conflict({ reason })
      if (deadline && deadline < standing.expires_at) {
        const message = `must be later than the current deadline, ${standing.expires_at.toISOString()}`
        return yield* invalid("#/expires_at", "out_of_range", message)
      }
      if (factor && factor > standing.time_factor && !standing.has_time_limit) {
        return yield* new Conflict({
          reason: "the interview has no time limit: candidates may take as long as they need, without a time_factor",
        })
      }
      // stored factors have two decimals
      if (factor && factor < standing.time_factor - 0.005) {
        if (standing.submission_status === "started") {
          return yield* new Conflict({ reason: "the candidate has started: extra time can no longer be removed" })
        }
        const message = `must not be less than the current factor, ${standing.time_factor}`
        return yield* invalid("#/time_factor", "out_of_range", message)
      }
      if (factor && factor > standing.time_factor && standing.submission_status === "started") {
        return yield* new Conflict({ reason: "the candidate's time is over: more can no longer be given" })
      }
    })

    /** Publishes no event. */
    const cancel = Effect.fn("Invitations.cancel")(function* (viewer: Viewer, text: string) {
      const id = yield* idOf(viewer, text)
      const isCancelled = yield* invitationRepository.cancel(viewer.organizationId, id)
      if (!isCancelled) {
        const standing = yield* invitationRepository.lock(viewer.organizationId, id)
        if (standing === undefined) return yield* unknown
        if (standing.status !== "cancelled") return yield* new Conflict({ reason: whyNotCancel(standing) })
      }
      if (isCancelled) yield* emailRepository.cancel(id)
      const invitation = yield* find(viewer, id)
      if (isCancelled) yield* auditChange(viewer, "cancel", id, { email: invitation.email })
      return invitation
    }, transaction)

    return { list, find, read, resend, resendFailed, correctAddress, extend, cancel }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
