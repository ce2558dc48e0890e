/** What an invite does for each person. Invite.ts records the plan, InviteCheck.ts shows it before anything is sent. */
import type { Entry } from "../candidates/CandidateIdentity.ts"
import type { InterviewSet } from "../interview-sets/InterviewSet.ts"
import { placeText } from "../interview-sets/JobLocation.ts"
import type { OpenPeriod } from "../notices/Notice.ts"
import type { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { isAnswerable, type SubmissionFlow, type SubmissionStatus } from "../submissions/Submission.ts"
import { foldAddress, isEmailAddress } from "../values/EmailAddress.ts"
import { type ExternalReference, emptyReference, mergeReference } from "../values/ExternalReference.ts"
import type { ApplicationId, InvitationId, SubmissionId } from "../values/Ids.ts"
import { type Warning, warning } from "../values/Warning.ts"
import type { RefusalReason } from "./Invitation.ts"

export interface CurrentSubmission extends ExternalReference {
  readonly id: SubmissionId
  readonly flow: SubmissionFlow
  readonly status: SubmissionStatus
  readonly application_id: ApplicationId | null
}

/** An invitation of the person to the set. */
export interface SetInvitation {
  readonly id: InvitationId
  readonly submission_id: SubmissionId
  readonly email: string
  readonly status: InvitationStatus
  readonly failure_reason: RefusalReason | null
  readonly mail_queued: boolean
}

/** What a candidate has in a set. */
export interface CandidateStanding {
  /** The newest submission that is not withdrawn, expired or overdue. */
  readonly interview?: CurrentSubmission
  readonly cv?: CurrentSubmission
  readonly open?: SetInvitation
  /** The newest invitation that was refused before its email was sent. */
  readonly refused?: SetInvitation
}

export interface PlannedPerson {
  readonly entry: Entry
  /** No emails may be sent to the address. */
  readonly isSuppressed: boolean
  /** Empty: a new candidate. */
  readonly standing: CandidateStanding
}

export type InviteAction =
  | { readonly _tag: "Invited" }
  /** The invitation fails without an email. `before`: it was refused for the same address and reason, and is returned again. */
  | { readonly _tag: "Refused"; readonly reason: RefusalReason; readonly before: SetInvitation | undefined }
  /** Has an open invitation; `other`: the address, if it is another one. */
  | { readonly _tag: "InvitedBefore"; readonly invitation: SetInvitation; readonly other: string | undefined }
  /** The link is shown; no email is sent. */
  | { readonly _tag: "Linked" }
  | { readonly _tag: "CvEvaluated" }
  /** Has a submission without an invitation, or its CV only. */
  | { readonly _tag: "AddedBefore"; readonly isCv: boolean }
  | { readonly _tag: "Finished"; readonly status: SubmissionStatus }

export interface PersonPlan {
  readonly action: InviteAction
  /** Of a new submission. `cv`: only the CV is evaluated. */
  readonly flow: SubmissionFlow
  /** The submission that is kept; undefined: a new one. */
  readonly current: CurrentSubmission | undefined
}

/** What the person has after the invite. */
export interface InvitedPerson {
  readonly submission: CurrentSubmission
  readonly invitation: (SetInvitation & { readonly isNew: boolean }) | undefined
}

const refusalOf = ({ entry, isSuppressed }: PlannedPerson): RefusalReason | undefined => {
  if (!isEmailAddress(entry.fields.email ?? "")) return "invalid_email"
  return isSuppressed ? "unsubscribed" : undefined
}

const invitationAction = (person: PlannedPerson, current: CurrentSubmission | undefined): InviteAction => {
  const { open, refused } = person.standing
  const address = person.entry.fields.email ?? ""
  // the invitation of an overdue submission expires with it
  if (open !== undefined && open.submission_id === current?.id) {
    const isSame = foldAddress(open.email) === foldAddress(address)
    return { _tag: "InvitedBefore", invitation: open, other: isSame ? undefined : open.email }
  }
  const reason = refusalOf(person)
  if (reason !== undefined && refused?.email === address && refused.failure_reason === reason) {
    return { _tag: "Refused", reason, before: refused }
  }
  if (current !== undefined && !isAnswerable(current.status)) return { _tag: "Finished", status: current.status }
  return reason === undefined ? { _tag: "Invited" } : { _tag: "Refused", reason, before: undefined }
}

/** `send` false: no invitations. */
export const planPerson = (
  { set_type }: Pick<InterviewSet, "set_type">,
  person: PlannedPerson,
  send: boolean,
): PersonPlan => {
  const { cv, interview } = person.standing
  if (set_type !== 1 || person.entry.fields.email === null) {
    const current = interview ?? cv
    const action: InviteAction = current === undefined ? { _tag: "CvEvaluated" } : { _tag: "AddedBefore", isCv: true }
    return { action, flow: "cv", current }
  }
  // a candidate sent with only a CV gets an interview once an address is sent
  const plan = { flow: "interview", current: interview } as const
  if (send) return { ...plan, action: invitationAction(person, interview) }
  return { ...plan, action: interview === undefined ? { _tag: "Linked" } : { _tag: "AddedBefore", isCv: false } }
}

const invitationOf = (action: InviteAction, created: SetInvitation): InvitedPerson["invitation"] => {
  switch (action._tag) {
    case "InvitedBefore":
      return { ...action.invitation, isNew: false }
    case "Invited":
      return { ...created, isNew: true }
    case "Refused":
      return action.before === undefined
        ? { ...created, status: "failed", failure_reason: action.reason, mail_queued: false, isNew: true }
        : { ...action.before, isNew: false }
    default:
      return undefined
  }
}

/** Records the plan in values. The ids and the application are those of new records. */
export const planned = (
  { action, current, flow }: PersonPlan,
  { fields, reference }: Entry,
  application: ApplicationId | null,
  ids: { readonly submission: SubmissionId; readonly invitation: InvitationId },
): InvitedPerson => {
  const created: CurrentSubmission = {
    id: ids.submission,
    flow,
    status: flow === "cv" ? "cv_processing" : "need_interview",
    application_id: application,
    ...emptyReference,
  }
  const before = current ?? created
  return {
    submission: { ...before, ...mergeReference(before, reference) },
    invitation: invitationOf(action, {
      id: ids.invitation,
      submission_id: before.id,
      email: fields.email ?? "",
      status: "pending",
      failure_reason: null,
      mail_queued: true,
    }),
  }
}

/** Warnings about entries that are the same person as an earlier one. `indexOf`: as returned by `personsOf`. */
export const repeatWarnings = (indexOf: ReadonlyArray<number | undefined>): ReadonlyArray<Warning> => {
  const firsts = new Map<number, number>()
  return indexOf.flatMap((person, i) => {
    if (person === undefined) return []
    const first = firsts.get(person)
    if (first === undefined) firsts.set(person, i)
    const message = `is the same person as #/candidates/${first}: both have one result, with names, external_id, metadata and cv_link of the later entry where it has them, and the address of the earlier one`
    return first === undefined ? [] : [warning(`#/candidates/${i}`, "duplicate_person", message)]
  })
}

/** Of a notice to candidates whose days are not over. */
const periodText = ({ days, meanwhile, place, over_on }: OpenPeriod): string => {
  const where = place === null ? "everywhere" : placeText(place)
  const until = `has ${days} business days of notice for ${where}, which are over on ${over_on}`
  return meanwhile === "wait"
    ? `${until}: evaluations of these candidates wait until then`
    : `${until}: evaluations do not wait for it`
}

/** Warnings about days of notice that are not over; one for each notice. */
export const periodWarnings = (periods: ReadonlyArray<OpenPeriod>): ReadonlyArray<Warning> =>
  periods.map((period) => warning("#/com_interview_set_id", "notice_period", periodText(period)))
