/** Whom an invite request sends a mail, and whom not and why. */
import { Effect } from "effect"
import type { InterviewSetRow } from "../interview-sets/InterviewSetRepository.ts"
import { ids } from "../platform/NewIds.ts"
import { isAnswerable } from "../submissions/Submission.ts"
import type { LivingSubmission } from "../submissions/SubmissionRepository.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import { type CandidateId, EmailId, InvitationId, type OrganizationId } from "../values/Ids.ts"
import type { ResolvedCandidate } from "./CandidateRepository.ts"
import type { RefusalReason } from "./Invitation.ts"
import { InvitationRepository, type LivingInvitation } from "./InvitationRepository.ts"
import type { Entry } from "./InviteEntries.ts"
import type { NewInvitation, NewMail } from "./InviteRepository.ts"

/** A person of the request and the candidate that person is. */
export interface Person {
  readonly entry: Entry
  readonly candidate: ResolvedCandidate
}

/** A person whose interview can be answered or whose CV waits. */
export interface Participant extends Person {
  readonly submission: LivingSubmission
}

/** A living invitation, or one made now that may have failed at once. */
export type Invited = LivingInvitation & { readonly failure_reason?: RefusalReason | null }

/** What is to be written, and everybody's invitation, the living ones too. */
export interface Addressed {
  readonly invited: ReadonlyMap<CandidateId, Invited>
  readonly mails: ReadonlyArray<NewMail>
  readonly written: ReadonlyArray<
    NewInvitation & { readonly failure_reason: RefusalReason | null; readonly candidate: ResolvedCandidate }
  >
}

/** Whom the database may know more of; of a new candidate it need not be asked. */
export const isKnown = ({ candidate }: Person): boolean => !candidate.isNew

/** Who has an address is asked to answer; a CV set asks nobody. */
export const answers = (set: InterviewSetRow, { email }: Entry): boolean => set.set_type === 1 && email !== null

/** Why no mail goes to somebody's address. */
const refusalOf = ({ candidate, entry }: Person): RefusalReason | null => {
  if (!isEmailAddress(entry.email ?? "")) return "invalid_email"
  return candidate.isSuppressed ? "unsubscribed" : null
}

/** An invitation for each who has no living one and something left to answer: with a mail, or with why there is none. */
export const makeAddress = Effect.gen(function* () {
  const invitations = yield* InvitationRepository
  const newId = yield* ids

  return Effect.fnUntraced(function* (
    organization: OrganizationId,
    set: InterviewSetRow,
    participants: ReadonlyArray<Participant>,
  ) {
    const able = participants.filter(({ entry }) => answers(set, entry))
    const candidateIds = able.filter(isKnown).map(({ candidate }) => candidate.id)
    const addresses = new Map(able.map(({ candidate, entry }) => [candidate.id, entry.email ?? ""]))
    const refusals = new Map(able.map((person) => [person.candidate.id, refusalOf(person)]))
    // what was refused before and would be again is reported again, without a second event
    const refused = (yield* invitations.refused(organization, set.id, candidateIds)).filter(
      (one) => one.email === addresses.get(one.candidate_id) && one.failure_reason === refusals.get(one.candidate_id),
    )
    const living = yield* invitations.living(organization, set.id, candidateIds)
    const known = new Map<CandidateId, Invited>([...refused, ...living].map((one) => [one.candidate_id, one]))
    const written = yield* Effect.forEach(
      able.filter(({ candidate, submission }) => !known.has(candidate.id) && isAnswerable(submission.status)),
      ({ candidate, entry, submission }) =>
        Effect.map(newId(InvitationId), (id) => {
          const email = entry.email ?? ""
          const failure_reason = refusals.get(candidate.id) ?? null
          const status = failure_reason === null ? ("pending" as const) : ("failed" as const)
          return {
            id,
            candidate_id: candidate.id,
            submission_id: submission.id,
            email,
            status,
            failure_reason,
            candidate,
          }
        }),
    )
    const mails = yield* Effect.forEach(
      written.filter(({ status }) => status === "pending"),
      ({ email, id }) =>
        Effect.map(newId(EmailId), (mailId) => ({
          id: mailId,
          invitation_id: id,
          recipient: email,
        })),
    )
    const invited = new Map<CandidateId, Invited>([...known, ...written.map((one) => [one.candidate_id, one] as const)])
    return { invited, mails, written }
  })
})
