/** What candidates need to take part, and the organization's answers. */
import { Context, Effect, Layer } from "effect"
import { logoOf } from "../accounts/Appearance.ts"
import { AuditLog } from "../accounts/AuditLog.ts"
import { isReviewer, type Member } from "../accounts/members/Member.ts"
import { renderAccommodationRequest } from "../accounts/members/MemberEmail.ts"
import { Notifications } from "../accounts/members/Notifications.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { FollowUpRepository } from "../invitations/FollowUpRepository.ts"
import { InvitationRepository } from "../invitations/InvitationRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import { AccommodationId, EmailId, parseId } from "../values/Ids.ts"
import { Conflict, NotAllowed, NotFound } from "../values/Problem.ts"
import type { AccommodationAnswer, AccommodationNeed } from "./Accommodation.ts"
import { renderAccommodation } from "./AccommodationEmail.ts"
import { AccommodationRepository, type LockedAccommodation } from "./AccommodationRepository.ts"
import { InterviewNotOpen, makeOpenInterview, stateOf } from "./InterviewView.ts"

export interface AskedAccommodation {
  readonly needs: ReadonlyArray<AccommodationNeed>
  readonly text: string
}

export class Accommodations extends Context.Service<Accommodations>()(
  "interview-invitations/interviews/Accommodations",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { time, transaction } = yield* Database
      const emailLinks = yield* EmailLinks
      const followUpRepository = yield* FollowUpRepository
      const ids = yield* Ids
      const invitationRepository = yield* InvitationRepository
      const { wake } = yield* QueueNotifier
      const notifications = yield* Notifications
      const openInterview = yield* makeOpenInterview
      const repository = yield* AccommodationRepository

      /** Of a candidate whose interview is open or running; tells members. Without effect while an earlier request waits for its answer. */
      const ask = Effect.fn("Accommodations.ask")(function* (token: string, { needs, text }: AskedAccommodation) {
        const row = yield* openInterview(token)
        const state = stateOf(row)
        if (state !== "open" && state !== "running") return yield* new InterviewNotOpen({ state })
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

      /** Those that wait for an answer, longest first. Reviewers may not see them: they may tell of the candidate's health. */
      const list = Effect.fn("Accommodations.list")(function* (member: Member) {
        if (isReviewer(member)) return yield* new NotAllowed({ record: "accommodation" })
        const rows = yield* repository.list(member.organizationId, readerOf(member))
        return rows.map((row) => ({ ...row, candidate: candidateRef(row.candidate) }))
      })

      const count = Effect.fn("Accommodations.count")(function* (member: Member) {
        return isReviewer(member) ? 0 : yield* repository.count(member.organizationId, readerOf(member))
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
        const content = renderAccommodation(view, given, logo)
        const mail = { id, submission_id, kind: "accommodation", recipient: view.email, ...content } as const
        yield* followUpRepository.queueLetters(organizationId, [mail], yield* time)
        yield* wake("email")
      })

      /** Conflict: answered meanwhile, or more time is not possible. The candidate gets an email. */
      const answer = Effect.fn("Accommodations.answer")(function* (
        member: Member,
        text: string,
        given: AccommodationAnswer,
      ) {
        if (isReviewer(member)) return yield* new NotAllowed({ record: "accommodation" })
        const { organizationId } = member
        const id = parseId(AccommodationId, text)
        const asked = id === undefined ? undefined : yield* repository.lock(organizationId, id, readerOf(member))
        if (asked === undefined) return yield* new NotFound({ record: "accommodation" })
        if (!asked.readable) return yield* new NotAllowed({ record: "accommodation" })
        if (asked.answered_at !== null) return yield* new Conflict({ reason: "a colleague has answered it meanwhile" })
        const { timeFactor } = given
        if (timeFactor !== null) {
          const timed =
            asked.invitation_id === null
              ? undefined
              : yield* invitationRepository.setTimeFactor(organizationId, asked.invitation_id, timeFactor)
          if (timed === undefined)
            return yield* new Conflict({
              reason:
                "more time is not possible: the interview has no time limit, has ended, or has this much time already",
            })
        }
        yield* repository.answer(organizationId, asked, given, member.id)
        const { granted } = given
        yield* auditLog.note(member, "submission", "answer_accommodation", asked.submission_id, {
          granted,
          ...(timeFactor === null ? {} : { time_factor: timeFactor }),
        })
        yield* tell(member, asked, given)
      }, transaction)

      return { ask, list, count, answer }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}

export type WaitingAccommodations = Effect.Success<ReturnType<Accommodations["Service"]["list"]>>
