/**
 * The invite operation (spec, Invite candidates; contract, Invite). All candidates in one transaction, each step one
 * statement for all of them, events and mails with it.
 */
import { Clock, Context, Duration, Effect, Layer, PartitionedSemaphore } from "effect"
import { Config } from "../Config.ts"
import { foldAddress, isEmailAddress } from "../domain/EmailAddress.ts"
import {
  AtsCandidateId,
  CandidateId,
  EmailId,
  InvitationId,
  type JobPostId,
  type OrganizationId,
  SubmissionId,
} from "../domain/Ids.ts"
import type { RefusalReason } from "../domain/Invitation.ts"
import type { InviteRequest, InviteResult } from "../domain/Invite.ts"
import { type Fault, Invalid, type NotFound } from "../domain/Problem.ts"
import { type CandidateRow, Candidates } from "../repository/Candidates.ts"
import { Database } from "../repository/Database.ts"
import { Emails } from "../repository/Emails.ts"
import type { InterviewSetRow } from "../repository/InterviewSets.ts"
import { Invitations, type LivingInvitation, type NewInvitation } from "../repository/Invitations.ts"
import { type LivingSubmission, Submissions } from "../repository/Submissions.ts"
import { Events } from "./Events.ts"
import { ids } from "./Ids.ts"
import { type Entry, personsOf, read, ruleFaults } from "./invite/Entries.ts"
import { type Outcome, resultOf } from "./invite/Results.ts"
import { makeFindTarget } from "./invite/Target.ts"
import { Links } from "./Links.ts"

/** A person of the request and the candidate that person is. */
interface Person {
  readonly entry: Entry
  readonly candidate: CandidateRow
}

/** A person whose interview can be answered or whose CV waits. */
interface Participant extends Person {
  readonly submission: LivingSubmission
}

/** A living invitation, or one made now that may have failed at once. */
type Invited = LivingInvitation & { readonly failure_reason?: RefusalReason | null }

export class Invite extends Context.Service<
  Invite,
  {
    /** What is wrong with a request that its schema does not say; takes any JSON. */
    readonly faults: (request: unknown) => ReadonlyArray<Fault>
    /** One result for each candidate of the request, in its order. */
    readonly invite: (
      organization: OrganizationId,
      request: InviteRequest,
    ) => Effect.Effect<ReadonlyArray<InviteResult>, Invalid | NotFound>
  }
>()("interview-invitations/service/Invite") {
  static readonly layer = Layer.effect(
    Invite,
    Effect.gen(function* () {
      const { invitationExpires, inviteMaxCandidates, outboundAllow } = yield* Config
      const { transaction } = yield* Database
      const candidates = yield* Candidates
      const emails = yield* Emails
      const events = yield* Events
      const findTarget = yield* makeFindTarget
      const invitations = yield* Invitations
      const links = yield* Links
      const newId = yield* ids
      // Requests of one organization wait for each other in the database, each on a connection. A few may: the others
      // wait here, where they hold none, and take turns by organization.
      const turns = yield* PartitionedSemaphore.make<OrganizationId>({ permits: 3 })
      const submissions = yield* Submissions

      /** Finds or makes the candidates; the one of an entry that has nothing but a CV link is known by that link. */
      const identify = Effect.fn("Invite.identify")(function* (
        organization: OrganizationId,
        set: InterviewSetRow | undefined,
        persons: ReadonlyArray<Entry>,
      ) {
        const linkOnly = ({ ats_candidate_id, email }: Entry) => ats_candidate_id === null && email === null
        const links = persons.flatMap((entry) => (linkOnly(entry) && entry.cv_link !== null ? [entry.cv_link] : []))
        const byLink =
          set === undefined || links.length === 0
            ? new Map<string, CandidateId>()
            : yield* submissions.candidatesByCvLink(organization, set.id, links)
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
        const rows = yield* candidates.resolve(organization, entries)
        return persons.flatMap((entry, i): ReadonlyArray<Person> => {
          const candidate = rows[i]
          return candidate === undefined ? [] : [{ entry, candidate }]
        })
      })

      /** The application on the job post, one for each candidate and post. */
      const apply = Effect.fn("Invite.apply")(function* (
        organization: OrganizationId,
        jobPostId: JobPostId | undefined,
        people: ReadonlyArray<Person>,
      ) {
        if (jobPostId === undefined) return new Map<CandidateId, string>()
        const candidateIds = new Set(people.map(({ candidate }) => candidate.id))
        const applications = yield* Effect.forEach(candidateIds, (candidate_id) =>
          Effect.map(newId(SubmissionId), (id) => ({ id, candidate_id })),
        )
        return yield* submissions.apply(organization, jobPostId, applications)
      })

      /** The living submission of each person, or a new one. */
      const participate = Effect.fn("Invite.participate")(function* (
        organization: OrganizationId,
        set: InterviewSetRow,
        expiresAt: Date,
        people: ReadonlyArray<Person>,
        applications: ReadonlyMap<CandidateId, string>,
      ) {
        const rows = yield* submissions.living(
          organization,
          set.id,
          people.map(({ candidate }) => candidate.id),
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
        yield* submissions.insert(organization, { interviewSetId: set.id, expiresAt }, [...made.values()])
        const older = people.flatMap((person) => {
          const application_id = applications.get(person.candidate.id)
          const submission = kept(person)
          return submission?.application_id === null && application_id !== undefined
            ? [{ id: submission.id, application_id }]
            : []
        })
        if (older.length > 0) yield* submissions.attach(organization, older)
        return people.flatMap((person): ReadonlyArray<Participant> => {
          const submission = made.get(person.candidate.id) ?? kept(person)
          return submission === undefined ? [] : [{ ...person, submission }]
        })
      })

      /** Invites who has no living invitation and something left to answer; queues their mails, reports who can not be. */
      const send = Effect.fn("Invite.send")(function* (
        organization: OrganizationId,
        set: InterviewSetRow,
        common: { readonly message: string | null; readonly expiresAt: Date },
        participants: ReadonlyArray<Participant>,
      ) {
        const able = participants.filter(({ entry }) => answers(set, entry))
        const candidateIds = able.map(({ candidate }) => candidate.id)
        const addresses = new Map(able.map(({ candidate, entry }) => [candidate.id, entry.email ?? ""]))
        const suppressed = yield* invitations.suppressed(organization, [...addresses.values()])
        const refusalOf = (email: string): RefusalReason | null => {
          if (!isEmailAddress(email)) return "invalid_email"
          return suppressed.has(foldAddress(email)) ? "unsubscribed" : null
        }
        // what was refused before and would be again is reported again, without a second event
        const refused = (yield* invitations.refused(organization, set.id, candidateIds)).filter(
          (one) => one.email === addresses.get(one.candidate_id) && one.failure_reason === refusalOf(one.email),
        )
        const living = yield* invitations.living(organization, set.id, candidateIds)
        const known = new Map<CandidateId, Invited>([...refused, ...living].map((one) => [one.candidate_id, one]))
        const written = yield* Effect.forEach(
          able.filter(
            ({ candidate, submission }) =>
              !known.has(candidate.id) && ["need_interview", "initiated", "started"].includes(submission.status),
          ),
          ({ candidate, entry, submission }) =>
            Effect.map(newId(InvitationId), (id) => {
              const email = entry.email ?? ""
              const failure_reason = refusalOf(email)
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
        const rows = written.map(({ candidate: _, ...invitation }): NewInvitation => invitation)
        yield* invitations.insert(organization, { interviewSetId: set.id, ...common }, rows)
        const mails = yield* Effect.forEach(
          written.filter(({ status }) => status === "pending"),
          ({ email, id }) =>
            Effect.map(newId(EmailId), (mailId) => ({
              id: mailId,
              invitation_id: id,
              kind: "invitation" as const,
              recipient: email,
              content: null,
            })),
        )
        yield* emails.insert(organization, mails)
        yield* events.publish(
          organization,
          written.flatMap(({ candidate, email, failure_reason, id, submission_id }) => {
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
          }),
        )
        return new Map<CandidateId, Invited>([...known, ...written.map((one) => [one.candidate_id, one] as const)])
      })

      const queueCvs = Effect.fn("Invite.queueCvs")(function* (
        organization: OrganizationId,
        participants: ReadonlyArray<Participant>,
      ) {
        const withCv = participants.flatMap(({ entry, submission }) =>
          entry.cv_link === null ? [] : [{ submission_id: submission.id, link: entry.cv_link }],
        )
        const cvs = yield* Effect.forEach(withCv, (cv) => Effect.map(newId(SubmissionId), (id) => ({ ...cv, id })))
        yield* submissions.queueCvs(organization, cvs)
      })

      const perform = Effect.fn("Invite.perform")(function* (organization: OrganizationId, request: InviteRequest) {
        const { jobPostId, projectId, set } = yield* findTarget(organization, request)
        yield* candidates.lock(organization)
        const entries = request.candidates.map((entry) => read(entry, outboundAllow))
        const { indexOf, persons } = personsOf(entries, set?.set_type === 2)
        const people = yield* identify(organization, set, persons)
        const applications = yield* apply(organization, jobPostId, people)

        const outcomes = new Map<Entry, Outcome>()
        if (set !== undefined) {
          const expiresAt = new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(invitationExpires))
          const participants = yield* participate(organization, set, expiresAt, people, applications)
          const message = request.invitation_message ?? null
          const invited =
            request.send_invite === false
              ? new Map<CandidateId, Invited>()
              : yield* send(organization, set, { message, expiresAt }, participants)
          yield* queueCvs(organization, participants)
          for (const { candidate, entry, submission } of participants) {
            const invitation = answers(set, entry) ? invited.get(candidate.id) : undefined
            const key =
              invitation === undefined
                ? ({ _tag: "Submission", id: submission.id } as const)
                : ({ _tag: "Invitation", id: invitation.id } as const)
            const interviewUrl = submission.flow === "cv" ? null : yield* links.interview(key)
            outcomes.set(entry, {
              submission,
              invitation,
              refusal: invitation?.failure_reason ?? undefined,
              interviewUrl,
            })
          }
        }
        const asked = {
          sendInvite: request.send_invite !== false,
          lacksJobPost: projectId !== undefined && jobPostId === undefined,
          lacksSet: set === undefined,
        }
        return entries.map((entry, i) => {
          const person = persons[indexOf[i] ?? -1]
          return resultOf(entry, person === undefined ? undefined : outcomes.get(person), asked)
        })
      }, transaction)

      const faults = (request: unknown) => ruleFaults(request, inviteMaxCandidates)

      return Invite.of({
        faults,
        invite: Effect.fn("Invite.invite")(function* (organization, request) {
          const errors = faults(request)
          if (errors.length > 0) return yield* new Invalid({ errors })
          return yield* turns.withPermits(organization, 1)(perform(organization, request))
        }),
      })
    }),
  )
}

/** Who has an address is asked to answer; a CV set asks nobody. */
const answers = (set: InterviewSetRow, { email }: Entry): boolean => set.set_type === 1 && email !== null
