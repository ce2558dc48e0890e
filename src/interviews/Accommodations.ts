/** What candidates need to take part, and the organization's answers. */
import { Context, Effect, Layer } from "effect"
import { logoOf } from "../accounts/Appearance.ts"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { renderAccommodationRequest } from "../accounts/members/MemberEmail.ts"
import { Notifications } from "../accounts/members/Notifications.ts"
import { may } from "../accounts/Permissions.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import { EmailLinks, linkSlot } from "../emails/EmailLinks.ts"
import { FollowUpRepository } from "../invitations/FollowUpRepository.ts"
import { InvitationRepository } from "../invitations/InvitationRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import { isAnswerable } from "../submissions/Submission.ts"
import { AccommodationId, EmailId, parseId, type SubmissionId } from "../values/Ids.ts"
import { Conflict, NotAllowed, NotFound } from "../values/Problem.ts"
import type { AccommodationAnswer, AccommodationNeed } from "./Accommodation.ts"
import { type OpenInterview, renderAccommodation } from "./AccommodationEmail.ts"
import {
  AccommodationRepository,
  type ListedAccommodation,
  type LockedAccommodation,
} from "./AccommodationRepository.ts"
import { InterviewRepository } from "./InterviewRepository.ts"
import { InterviewNotOpen, makeOpenInterview, stateOf } from "./InterviewView.ts"

export interface AskedAccommodation {
  readonly needs: ReadonlyArray<AccommodationNeed>
  readonly text: string
}

const begun = "the interview has begun with what was granted, so it cannot be taken back"

export class Accommodations extends Context.Service<Accommodations>()(
  "interview-invitations/interviews/Accommodations",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { time, transaction } = yield* Database
      const emailLinks = yield* EmailLinks
      const followUpRepository = yield* FollowUpRepository
      const ids = yield* Ids
      const interviewRepository = yield* InterviewRepository
      const invitationRepository = yield* InvitationRepository
      const { wake } = yield* QueueNotifier
      const notifications = yield* Notifications
      const openInterview = yield* makeOpenInterview
      const repository = yield* AccommodationRepository

      /** Of a candidate whose interview is open or running; tells members. Without effect while an earlier request waits for its answer. */
      const ask = Effect.fn("Accommodations.ask")(function* (token: string, { needs, text }: AskedAccommodation) {
        const row = yield* openInterview(token)
        const state = stateOf(row)
        const isOpen = state === "open" || state === "running"
        if (!isOpen || !(yield* interviewRepository.lockPerson(row.organization_id, row.submission_id)))
          return yield* new InterviewNotOpen({ state })
        const id = yield* ids.make(AccommodationId)
        const { interview_name: interview, organization_id, organization_name, submission_id } = row
        if (!(yield* repository.insert(organization_id, submission_id, { id, needs, text }))) return
        yield* notifications.notify(
          organization_id,
          "accommodation_request",
          yield* repository.recipients(organization_id, submission_id),
          { kind: "accommodations", submissions: [submission_id] },
          (unsubscribeUrl) =>
            renderAccommodationRequest({
              organization: organization_name,
              interview,
              url: emailLinks.absolute("/accommodations"),
              unsubscribeUrl,
            }),
        )
      }, transaction)

      /**
       * Requests that wait, longest first, and answered ones, newest first. Reviewers may not see them: they may tell of the
       * candidate's health.
       */
      const list = Effect.fn("Accommodations.list")(function* (member: Member) {
        if (!may(member, "answerCandidates")) return yield* new NotAllowed({ record: "accommodation" })
        const { organizationId } = member
        const named = (rows: ReadonlyArray<ListedAccommodation>) =>
          rows.map((row) => ({ ...row, candidate: candidateRef(row.candidate) }))
        return {
          waiting: named(yield* repository.list(organizationId, readerOf(member))),
          answered: named(yield* repository.answered(organizationId, readerOf(member))),
        }
      })

      const count = Effect.fn("Accommodations.count")(function* (member: Member) {
        return may(member, "answerCandidates") ? yield* repository.count(member.organizationId, readerOf(member)) : 0
      })

      /** Undefined: the interview can no longer be taken. */
      const openInterviewOf = Effect.fnUntraced(function* (submission: SubmissionId, email: EmailId) {
        const row = yield* interviewRepository.find({ _tag: "Submission", id: submission })
        const state = row === undefined ? undefined : stateOf(row)
        if (row === undefined || (state !== "open" && state !== "running")) return undefined
        const isRunning = state === "running"
        return {
          url: linkSlot(email, "interview"),
          isRunning,
          until: isRunning ? row.answer_until : row.expires_at,
        } satisfies OpenInterview
      })

      const tell = Effect.fnUntraced(function* (
        { organizationId }: Member,
        { submission_id }: LockedAccommodation,
        given: AccommodationAnswer,
      ) {
        const [view] = yield* followUpRepository.views(organizationId, [submission_id])
        if (view === undefined || view.email === null) return
        const own = view.appearance === null ? undefined : logoOf(view.appearance)
        const logo = own === undefined ? undefined : { ...own, href: emailLinks.absolute(own.href) }
        const id = yield* ids.make(EmailId)
        const content = renderAccommodation(view, given, logo, yield* openInterviewOf(submission_id, id))
        const mail = { id, submission_id, kind: "accommodation", recipient: view.email, ...content } as const
        yield* followUpRepository.queueLetters(organizationId, [mail], yield* time)
        yield* wake("email")
      })

      /** Gives the time that is granted; what was granted before is taken back only before the interview starts. */
      const giveTime = Effect.fnUntraced(function* (
        { organizationId }: Member,
        { answered_at, invitation_id, submission_factor, time_factor }: LockedAccommodation,
        wanted: number | null,
      ) {
        if (wanted === null && time_factor === null) return
        const isChange = answered_at !== null
        if (isChange && submission_factor === (wanted ?? 1)) return
        if (isChange && submission_factor > (wanted ?? 1)) {
          const removed =
            invitation_id === null
              ? undefined
              : yield* invitationRepository.removeExtraTime(organizationId, invitation_id)
          if (removed === undefined) return yield* new Conflict({ reason: begun })
        }
        if (wanted === null || wanted === 1) return
        const timed =
          invitation_id === null
            ? undefined
            : yield* invitationRepository.setTimeFactor(organizationId, invitation_id, wanted)
        if (timed === undefined)
          return yield* new Conflict({
            reason:
              "more time is not possible: the interview has no time limit, has ended, or has this much time already",
          })
      })

      /**
       * Also changes an earlier answer, which was given at `seen` (null: none yet). Conflict: answered meanwhile, more time is
       * not possible, or the interview has begun with what is taken back. The candidate gets an email.
       */
      const answer = Effect.fn("Accommodations.answer")(function* (
        member: Member,
        text: string,
        given: AccommodationAnswer,
        seen: string | null,
      ) {
        if (!may(member, "answerCandidates")) return yield* new NotAllowed({ record: "accommodation" })
        const { organizationId } = member
        const id = parseId(AccommodationId, text)
        const asked = id === undefined ? undefined : yield* repository.lock(organizationId, id, readerOf(member))
        if (asked === undefined) return yield* new NotFound({ record: "accommodation" })
        if (!asked.readable) return yield* new NotAllowed({ record: "accommodation" })
        if (asked.answered_at !== seen) return yield* new Conflict({ reason: "a colleague has answered it meanwhile" })
        const isChange = seen !== null
        if (isChange && !isAnswerable(asked.status)) return yield* new Conflict({ reason: "the interview has ended" })
        const { granted, timeFactor } = given
        const losesTyping = asked.granted?.includes("typing") === true && !granted.includes("typing")
        if (losesTyping && asked.status === "started") return yield* new Conflict({ reason: begun })
        yield* giveTime(member, asked, timeFactor)
        yield* repository.answer(organizationId, asked, given, member.id)
        yield* auditLog.note(member, "submission", "answer_accommodation", asked.submission_id, {
          granted,
          ...(timeFactor === null ? {} : { time_factor: timeFactor }),
          ...(isChange ? { changed: true } : {}),
        })
        yield* tell(member, asked, given)
      }, transaction)

      return { ask, list, count, answer }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}

export type AccommodationList = Effect.Success<ReturnType<Accommodations["Service"]["list"]>>
