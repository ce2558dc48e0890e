/**
 * The invite operation (spec, Invite candidates; contract, Invite). All candidates in one transaction, each step one
 * statement for all of them, events and mails with it.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { audit } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import type { InterviewSetRow } from "../interview-sets/InterviewSetRepository.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import * as KeyedSemaphore from "../platform/queue/KeyedSemaphore.ts"
import { SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import {
  ApplicationId,
  AtsCandidateId,
  CandidateId,
  CvId,
  type JobPostId,
  type OrganizationId,
  SubmissionId,
} from "../values/Ids.ts"
import { Conflict, type FieldError, Invalid, type NotAllowed, type NotFound } from "../values/Problem.ts"
import { Events } from "../webhooks/Events.ts"
import { CandidateRepository } from "./CandidateRepository.ts"
import { type Addressed, answers, isKnown, makeAddress, type Participant, type Person } from "./InviteAddresses.ts"
import { type Entry, personsOf, read, ruleErrors } from "./InviteEntries.ts"
import { InviteRepository, type NewApplication, type NewInvitation, type NewSubmission } from "./InviteRepository.ts"
import type { InviteRequest, InviteResult } from "./InviteRequest.ts"
import { type Outcome, resultOf } from "./InviteResults.ts"
import { makeFindTarget, type Target } from "./InviteTarget.ts"

/** Who takes part: in submissions that are there already or made now; `older` ones get their application. */
interface Participation {
  readonly participants: ReadonlyArray<Participant>
  readonly made: ReadonlyArray<NewSubmission>
  readonly older: ReadonlyArray<{ readonly id: SubmissionId; readonly application_id: ApplicationId }>
}

/** Of a request that leads to no interview set: candidates apply, and that is all. */
const nobody: Participation = { participants: [], made: [], older: [] }
const nothing: Addressed = { invited: new Map(), mails: [], written: [] }

export class Invite extends Context.Service<
  Invite,
  {
    /** What is wrong with a request that its schema does not say; takes any JSON. */
    readonly faults: (request: unknown) => ReadonlyArray<FieldError>
    /** Invites candidates; one result for each candidate of the request, in its order. */
    readonly invite: (
      viewer: Viewer,
      request: InviteRequest,
    ) => Effect.Effect<ReadonlyArray<InviteResult>, Invalid | NotFound>
    /** Invites candidates to a set that the viewer may see and that is not archived. */
    readonly inviteToSet: (
      viewer: Viewer,
      set: string,
      request: Omit<InviteRequest, "com_interview_set_id">,
    ) => Effect.Effect<ReadonlyArray<InviteResult>, Invalid | Conflict | NotFound | NotAllowed>
  }
>()("interview-invitations/invitations/Invite") {
  static readonly layer = Layer.effect(
    Invite,
    Effect.gen(function* () {
      const { invitationExpires, inviteMaxCandidates, outboundAllow } = yield* Config
      const { transaction } = yield* Database
      const candidates = yield* CandidateRepository
      const events = yield* Events
      const address = yield* makeAddress
      const findTarget = yield* makeFindTarget
      const invites = yield* InviteRepository
      const links = yield* EmailLinks
      const newId = yield* ids
      const log = yield* AuditLogRepository
      const sets = yield* InterviewSets
      // Requests of one organization wait for each other in the database, each on a connection. Two may, so that one can
      // begin while the other writes; the rest waits here, where it holds none.
      const turn = KeyedSemaphore.make(2)
      const submissions = yield* SubmissionRepository

      /** Finds the candidates, or who is to be one; that of an entry with nothing but a CV link is known by that link. */
      const identify = Effect.fnUntraced(function* (
        organization: OrganizationId,
        { jobPostId, set }: Target,
        persons: ReadonlyArray<Entry>,
      ) {
        const linkOnly = ({ ats_candidate_id, email }: Entry) => ats_candidate_id === null && email === null
        const cvLinks = persons.flatMap((entry) => (linkOnly(entry) && entry.cv_link !== null ? [entry.cv_link] : []))
        const byLink =
          set === undefined || cvLinks.length === 0
            ? new Map<string, CandidateId>()
            : yield* submissions.candidatesByCvLink(organization, set.id, cvLinks)
        const entries = yield* Effect.forEach(persons, (entry) =>
          Effect.map(newId(CandidateId), (id) => ({
            id: (linkOnly(entry) ? byLink.get(entry.cv_link ?? "") : undefined) ?? id,
            ats_candidate_id: entry.ats_candidate_id === null ? null : AtsCandidateId.make(entry.ats_candidate_id),
            email: entry.email,
            name: entry.name,
            firstname: entry.firstname,
            lastname: entry.lastname,
          })),
        )
        const rows = yield* candidates.resolve(organization, jobPostId, entries)
        return persons.flatMap((entry, i): ReadonlyArray<Person> => {
          const candidate = rows[i]
          return candidate === undefined ? [] : [{ entry, candidate }]
        })
      })

      /** The application on the job post, one for each candidate and post; those that are new. */
      const apply = Effect.fnUntraced(function* (jobPostId: JobPostId | undefined, people: ReadonlyArray<Person>) {
        const made = new Map<CandidateId, NewApplication>()
        const ofCandidates = new Map<CandidateId, ApplicationId>()
        if (jobPostId === undefined) return { made, ofCandidates }
        for (const { candidate } of people) {
          if (ofCandidates.has(candidate.id)) continue
          const id = candidate.application_id ?? (yield* newId(ApplicationId))
          ofCandidates.set(candidate.id, id)
          if (candidate.application_id === null) {
            made.set(candidate.id, { id, candidate_id: candidate.id, job_post_id: jobPostId })
          }
        }
        return { made, ofCandidates }
      })

      /** The living submission of each person, or a new one. */
      const participate = Effect.fnUntraced(function* (
        organization: OrganizationId,
        set: InterviewSetRow,
        people: ReadonlyArray<Person>,
        applications: ReadonlyMap<CandidateId, ApplicationId>,
      ) {
        const rows = yield* submissions.living(
          organization,
          set.id,
          people.filter(isKnown).map(({ candidate }) => candidate.id),
        )
        // whoever was known by a CV alone and now has an address begins an interview beside it
        const living = new Map(rows.map((row) => [`${row.flow} ${row.candidate_id}`, row]))
        const kept = ({ candidate, entry }: Person) =>
          living.get(`interview ${candidate.id}`) ??
          (answers(set, entry) ? undefined : living.get(`cv ${candidate.id}`))
        const made = new Map(
          yield* Effect.forEach(
            people.filter((person) => kept(person) === undefined),
            ({ candidate, entry }) =>
              Effect.map(newId(SubmissionId), (id) => {
                const state = answers(set, entry)
                  ? ({ flow: "interview", status: "need_interview" } as const)
                  : ({ flow: "cv", status: "cv_processing" } as const)
                const application_id = applications.get(candidate.id) ?? null
                return [candidate.id, { id, candidate_id: candidate.id, application_id, ...state }] as const
              }),
          ),
        )
        const older = people.flatMap((person) => {
          const application_id = applications.get(person.candidate.id)
          const submission = kept(person)
          return submission?.application_id === null && application_id !== undefined
            ? [{ id: submission.id, application_id }]
            : []
        })
        const participants = people.flatMap((person): ReadonlyArray<Participant> => {
          const submission = made.get(person.candidate.id) ?? kept(person)
          return submission === undefined ? [] : [{ ...person, submission }]
        })
        return { participants, made: [...made.values()], older }
      })

      const queueCvs = Effect.fnUntraced(function* (
        organization: OrganizationId,
        participants: ReadonlyArray<Participant>,
      ) {
        const withCv = participants.flatMap(({ entry, submission }) =>
          entry.cv_link === null ? [] : [{ submission_id: submission.id, link: entry.cv_link }],
        )
        const cvs = yield* Effect.forEach(withCv, (cv) => Effect.map(newId(CvId), (id) => ({ ...cv, id })))
        yield* submissions.queueCvs(organization, cvs)
      })

      /** Writes it all, and reports whom no mail goes to. */
      const record = Effect.fnUntraced(function* (
        organization: OrganizationId,
        set: InterviewSetRow | undefined,
        common: { readonly message: string | null; readonly expiresAt: Date },
        people: ReadonlyArray<Person>,
        applications: ReadonlyArray<NewApplication>,
        { made, older, participants }: Participation,
        { mails, written }: Pick<Addressed, "mails" | "written">,
      ) {
        yield* invites.record(
          organization,
          { interviewSetId: set?.id, ...common },
          {
            candidates: people.flatMap(({ candidate }) => (candidate.isNew ? [candidate] : [])),
            applications,
            submissions: made,
            invitations: written.map(({ candidate: _, ...invitation }): NewInvitation => invitation),
            mails,
          },
        )
        if (set === undefined) return
        yield* submissions.attach(organization, older)
        // the mail says until when the interview can be started: a submission that is older must last as long
        const extended = written.flatMap(({ candidate, submission_id }) => (candidate.isNew ? [] : [submission_id]))
        yield* submissions.extend(organization, extended, common.expiresAt)
        yield* queueCvs(organization, participants)
        const refused = written.flatMap(({ candidate, email, failure_reason, id, submission_id }) => {
          if (failure_reason === null) return []
          const subject = {
            interview_set_id: set.id,
            candidate_id: candidate.id,
            candidate_email: email,
            invitation_id: id,
            submission_id,
            ats_candidate_id: candidate.ats_candidate_id,
          }
          const status = "invitation_email_failed" as const
          const event_type = "invitation.status.update" as const
          return [{ subject, event: { event_type, status, reason: failure_reason, interview_name: set.title } }]
        })
        if (refused.length > 0) yield* events.publish(organization, refused)
      })

      const perform = Effect.fnUntraced(function* (viewer: Viewer, request: InviteRequest) {
        const organization = viewer.organizationId
        const target = yield* findTarget(organization, request)
        const { jobPostId, projectId, set } = target
        const entries = request.candidates.map((entry) => read(entry, outboundAllow))
        const { indexOf, persons } = personsOf(entries, set?.set_type === 2)
        const people = yield* identify(organization, target, persons)
        const applications = yield* apply(jobPostId, people)
        const participation =
          set === undefined ? nobody : yield* participate(organization, set, people, applications.ofCandidates)
        const asked = request.send_invite === false ? [] : participation.participants
        const addressed = set === undefined ? nothing : yield* address(organization, set, asked)
        const expiresAt = new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(invitationExpires))
        const common = { message: request.invitation_message ?? null, expiresAt }
        yield* record(organization, set, common, people, [...applications.made.values()], participation, addressed)
        const count = participation.made.length + addressed.written.length
        if (viewer._tag === "Member" && set !== undefined && count > 0) {
          const detail = { title: set.title, candidates: request.candidates.length, invited: addressed.written.length }
          yield* Effect.provideService(
            audit(viewer, "interview_set", "invite", set.id, detail),
            AuditLogRepository,
            log,
          )
        }

        const outcomes = new Map<Entry, Outcome>()
        for (const { candidate, entry, submission } of participation.participants) {
          const invitation = set !== undefined && answers(set, entry) ? addressed.invited.get(candidate.id) : undefined
          const key =
            invitation === undefined
              ? ({ _tag: "Submission", id: submission.id } as const)
              : ({ _tag: "Invitation", id: invitation.id } as const)
          outcomes.set(entry, {
            submission,
            invitation,
            refusal: invitation?.failure_reason ?? undefined,
            interviewUrl: submission.flow === "cv" ? null : links.interview(key),
          })
        }
        const wanted = {
          sendInvite: request.send_invite !== false,
          lacksJobPost: projectId !== undefined && jobPostId === undefined,
          lacksSet: set === undefined,
        }
        return entries.map((entry, i) => {
          const person = persons[indexOf[i] ?? -1]
          return resultOf(entry, person === undefined ? undefined : outcomes.get(person), wanted)
        })
      }, transaction)

      const faults = (request: unknown) => ruleErrors(request, inviteMaxCandidates)

      const invite = Effect.fn("Invite.invite")(function* (viewer: Viewer, request: InviteRequest) {
        const errors = faults(request)
        if (errors.length > 0) return yield* new Invalid({ errors })
        return yield* turn(viewer.organizationId)(perform(viewer, request))
      })

      return Invite.of({
        faults,
        invite,
        inviteToSet: Effect.fn("Invite.inviteToSet")(function* (viewer, text, request) {
          const { set, standing } = yield* sets.read(viewer, text)
          if (standing.archived_at !== null) {
            return yield* new Conflict({ reason: "the set is archived: use it again first" })
          }
          return yield* invite(viewer, { ...request, com_interview_set_id: set.id })
        }),
      })
    }),
  ).pipe(Layer.provide(InterviewSets.layer))
}
