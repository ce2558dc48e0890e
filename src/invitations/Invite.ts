/** Invites candidates (docs/api.md): one transaction a request, one statement a step. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { candidateRef, eventCandidate } from "../candidates/Candidate.ts"
import { type Entry, entryOf, hasOnlyCv, personsOf } from "../candidates/CandidateIdentity.ts"
import { CandidateRepository, type ResolvedCandidate } from "../candidates/CandidateRepository.ts"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import type { InterviewSetRow } from "../interview-sets/InterviewSetRepository.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import * as KeyedSemaphore from "../platform/queue/KeyedSemaphore.ts"
import { isAnswerable } from "../submissions/Submission.ts"
import { type CurrentSubmission, SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import {
  type ExternalReference,
  emptyReference,
  isGiven,
  mergeReference,
  referenceOf,
} from "../values/ExternalReference.ts"
import {
  ApplicationId,
  CandidateId,
  CvId,
  EmailId,
  InterviewSetId,
  InvitationId,
  JobPostId,
  type OrganizationId,
  ProjectId,
  SubmissionId,
} from "../values/Ids.ts"
import { Conflict, type FieldError, Invalid, NotFound } from "../values/Problem.ts"
import { maxFieldErrors } from "../values/ValidationErrors.ts"
import { type Warning, warning } from "../values/Warning.ts"
import { Events } from "../webhooks/Events.ts"
import type { RefusalReason } from "./Invitation.ts"
import { InvitationRepository, type OpenInvitation } from "./InvitationRepository.ts"
import {
  InviteRepository,
  type NewApplication,
  type NewInvitation,
  type NewMail,
  type NewSubmission,
} from "./InviteRepository.ts"
import { CheckedInvite, type InviteRequest, inviteRuleErrors, missingCvErrors } from "./InviteRequest.ts"
import { type InviteResult, type Outcome, resultOf } from "./InviteResult.ts"

/** Two invites of an organization at a time: more would wait in the database, each with a connection. */
class InviteLimit extends Context.Service<InviteLimit, ReturnType<typeof KeyedSemaphore.make>>()(
  "interview-invitations/invitations/InviteLimit",
) {
  static readonly layer = Layer.sync(InviteLimit, () => KeyedSemaphore.make(2))
}

interface Target {
  /** The request's set, else the project's newest. */
  readonly set: InterviewSetRow | undefined
  readonly projectId: ProjectId | undefined
  readonly jobPostId: JobPostId | undefined
}

interface Person {
  readonly entry: Entry
  readonly candidate: ResolvedCandidate
}

interface Participant extends Person {
  readonly submission: CurrentSubmission
}

interface Participation {
  readonly participants: ReadonlyArray<Participant>
  readonly created: ReadonlyArray<NewSubmission>
  readonly applied: ReadonlyArray<{ readonly id: SubmissionId; readonly application_id: ApplicationId }>
  /** Earlier submissions whose reference the request changes. */
  readonly referenced: ReadonlyArray<ExternalReference & { readonly id: SubmissionId }>
}

type PlannedInvitation = OpenInvitation & { readonly failure_reason?: RefusalReason | null }

interface InvitationPlan {
  readonly byCandidate: ReadonlyMap<CandidateId, PlannedInvitation>
  readonly created: ReadonlyArray<
    NewInvitation & { readonly failure_reason: RefusalReason | null; readonly participant: Participant }
  >
  readonly mails: ReadonlyArray<NewMail>
}

const noParticipation: Participation = { participants: [], created: [], applied: [], referenced: [] }
const noInvitations: InvitationPlan = { byCandidate: new Map(), created: [], mails: [] }

/** False: only the CV is evaluated. */
export const isInterviewed = (set: Pick<InterviewSetRow, "set_type">, { fields }: Entry): boolean =>
  set.set_type === 1 && fields.email !== null

const storedCandidates = (people: ReadonlyArray<Person>): ReadonlyArray<CandidateId> =>
  people.flatMap(({ candidate }) => (candidate.isNew ? [] : [candidate.id]))

const refusalOf = ({ candidate, entry }: Person): RefusalReason | null => {
  if (!isEmailAddress(entry.fields.email ?? "")) return "invalid_email"
  return candidate.isSuppressed ? "unsubscribed" : null
}

const outcomesOf = (
  links: EmailLinks["Service"],
  set: InterviewSetRow | undefined,
  people: ReadonlyArray<Person>,
  participants: ReadonlyArray<Participant>,
  { byCandidate, created }: InvitationPlan,
): ReadonlyMap<Entry, Partial<Outcome>> => {
  const isNew = new Set<string>(created.map(({ id }) => id))
  return new Map<Entry, Partial<Outcome>>([
    ...people.flatMap(({ candidate, entry }) =>
      // a candidate with only a CV and no submission is not recognized in a later invite
      hasOnlyCv(entry) ? [] : [[entry, { candidate: candidateRef({ ...candidate, ...emptyReference }) }] as const],
    ),
    ...participants.map(({ candidate, entry, submission }) => {
      const invitation = set !== undefined && isInterviewed(set, entry) ? byCandidate.get(candidate.id) : undefined
      const key =
        invitation === undefined
          ? ({ _tag: "Submission", id: submission.id } as const)
          : ({ _tag: "Invitation", id: invitation.id } as const)
      const outcome = {
        candidate: candidateRef({ ...candidate, ...referenceOf(submission) }),
        submission,
        invitation: invitation && { ...invitation, isNew: isNew.has(invitation.id) },
        refusal: invitation?.failure_reason ?? undefined,
        interviewUrl: submission.flow === "cv" ? null : links.interview(key),
      }
      return [entry, outcome] as const
    }),
  ])
}

/** Warnings about entries that are the same person as an earlier one. */
const duplicatesIn = (indexOf: ReadonlyArray<number | undefined>): ReadonlyArray<Warning> => {
  const firsts = new Map<number, number>()
  return indexOf.flatMap((person, i) => {
    if (person === undefined) return []
    const first = firsts.get(person)
    if (first === undefined) firsts.set(person, i)
    const message = `is the same person as #/candidates/${first}: both have one result, with names, external_id, metadata and cv_link of the later entry where it has them, and the address of the earlier one`
    return first === undefined ? [] : [warning(`#/candidates/${i}`, "duplicate_person", message)]
  })
}

/** Steps of a caller in the transaction of its invite. */
export interface InviteSteps {
  /** False: the invite is left out. */
  readonly before: Effect.Effect<boolean>
  readonly after: (results: ReadonlyArray<InviteResult>) => Effect.Effect<void, Invalid | Conflict>
}

export class Invite extends Context.Service<Invite>()("interview-invitations/invitations/Invite", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const candidateRepository = yield* CandidateRepository
    const { invitationExpires, inviteMaxCandidates, outboundAllow } = yield* Config
    const { transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const events = yield* Events
    const ids = yield* Ids
    const interviewSets = yield* InterviewSets
    const invitationRepository = yield* InvitationRepository
    const inviteLimit = yield* InviteLimit
    const inviteRepository = yield* InviteRepository
    const submissions = yield* SubmissionRepository

    const wrongProject = (field: string, record: string): FieldError => ({
      pointer: `#/${field}`,
      code: "wrong_project",
      message: `is not a ${record} of the given project`,
    })

    const findTarget = Effect.fnUntraced(function* (organization: OrganizationId, request: InviteRequest) {
      const { com_interview_set_id, com_job_post_id, com_project_id } = request
      const rows = yield* inviteRepository.begin(organization, {
        project: com_project_id == null ? undefined : ProjectId.make(com_project_id),
        set: com_interview_set_id == null ? undefined : InterviewSetId.make(com_interview_set_id),
        jobPost: com_job_post_id == null ? undefined : JobPostId.make(com_job_post_id),
      })
      const projectId = rows.project_id ?? undefined
      const set = rows.set ?? undefined
      const jobPost = rows.job_post ?? undefined
      if (com_project_id != null && projectId === undefined) return yield* new NotFound({ record: "project" })
      if (com_interview_set_id != null && set === undefined) return yield* new NotFound({ record: "interview set" })
      if (com_job_post_id != null && jobPost === undefined) return yield* new NotFound({ record: "job post" })
      const isElsewhere = (record: { readonly project_id: ProjectId | null } | undefined) =>
        projectId !== undefined && record !== undefined && record.project_id !== projectId
      const errors = [
        ...(isElsewhere(set) ? [wrongProject("com_interview_set_id", "set")] : []),
        ...(isElsewhere(jobPost) ? [wrongProject("com_job_post_id", "job post")] : []),
        ...(set?.set_type === 2 ? missingCvErrors(request) : []),
      ]
      if (errors.length > 0) return yield* new Invalid({ errors })
      return { set, projectId, jobPostId: jobPost?.id } satisfies Target
    })

    const identify = Effect.fnUntraced(function* (
      organization: OrganizationId,
      { jobPostId, set }: Target,
      persons: ReadonlyArray<Entry>,
    ) {
      const cvLinks = persons.flatMap((entry) => (hasOnlyCv(entry) && entry.cv_link !== null ? [entry.cv_link] : []))
      const byLink =
        set === undefined || cvLinks.length === 0
          ? new Map<string, CandidateId>()
          : yield* submissions.candidatesByCvLink(organization, set.id, cvLinks)
      const entries = yield* Effect.forEach(persons, (entry) =>
        Effect.map(ids.make(CandidateId), (id) => ({
          ...entry.fields,
          // the stored candidate's id marks an entry found by CV link (CandidateIdentity.ts)
          id: (hasOnlyCv(entry) ? byLink.get(entry.cv_link ?? "") : undefined) ?? id,
        })),
      )
      const candidates = yield* candidateRepository.resolve(organization, jobPostId, entries)
      return persons.flatMap((entry, i): ReadonlyArray<Person> => {
        const candidate = candidates[i]
        return candidate === undefined ? [] : [{ entry, candidate }]
      })
    })

    const apply = Effect.fnUntraced(function* (jobPostId: JobPostId | undefined, people: ReadonlyArray<Person>) {
      const created: Array<NewApplication> = []
      const byCandidate = new Map<CandidateId, ApplicationId>()
      if (jobPostId === undefined) return { created, byCandidate }
      for (const { candidate } of people) {
        if (byCandidate.has(candidate.id)) continue
        const id = candidate.application_id ?? (yield* ids.make(ApplicationId))
        byCandidate.set(candidate.id, id)
        if (candidate.application_id === null) created.push({ id, candidate_id: candidate.id, job_post_id: jobPostId })
      }
      return { created, byCandidate }
    })

    const participate = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: InterviewSetRow,
      people: ReadonlyArray<Person>,
      applications: ReadonlyMap<CandidateId, ApplicationId>,
    ) {
      const rows = yield* submissions.findCurrent(organization, set.id, storedCandidates(people))
      const current = new Map(rows.map((row) => [`${row.flow} ${row.candidate_id}`, row]))
      // a candidate sent with only a CV gets an interview once an address is sent
      const currentOf = ({ candidate, entry }: Person) =>
        current.get(`interview ${candidate.id}`) ??
        (isInterviewed(set, entry) ? undefined : current.get(`cv ${candidate.id}`))
      const created = new Map(
        yield* Effect.forEach(
          people.filter((person) => currentOf(person) === undefined),
          ({ candidate, entry }) =>
            Effect.map(ids.make(SubmissionId), (id) => {
              const state = isInterviewed(set, entry)
                ? ({ flow: "interview", status: "need_interview" } as const)
                : ({ flow: "cv", status: "cv_processing" } as const)
              const application_id = applications.get(candidate.id) ?? null
              const reference = mergeReference(emptyReference, entry.reference)
              return [candidate.id, { id, candidate_id: candidate.id, application_id, ...reference, ...state }] as const
            }),
        ),
      )
      const applied = people.flatMap((person) => {
        const application_id = applications.get(person.candidate.id)
        const submission = currentOf(person)
        return submission?.application_id === null && application_id !== undefined
          ? [{ id: submission.id, application_id }]
          : []
      })
      const participants = people.flatMap((person): ReadonlyArray<Participant> => {
        const submission = created.get(person.candidate.id) ?? currentOf(person)
        return submission === undefined
          ? []
          : [{ ...person, submission: { ...submission, ...mergeReference(submission, person.entry.reference) } }]
      })
      const referenced = participants.flatMap(({ candidate, entry: { reference }, submission }) =>
        created.has(candidate.id) || !isGiven(reference) ? [] : [{ id: submission.id, ...referenceOf(submission) }],
      )
      return { participants, created: [...created.values()], applied, referenced } satisfies Participation
    })

    /**
     * Skips participants who have an open invitation or can no longer answer. An invitation refused before for the same
     * address and reason is returned again, without a second event.
     */
    const planInvitations = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: InterviewSetRow,
      participants: ReadonlyArray<Participant>,
    ) {
      const interviewed = participants.filter(({ entry }) => isInterviewed(set, entry))
      const stored = storedCandidates(interviewed)
      const addresses = new Map(interviewed.map(({ candidate, entry }) => [candidate.id, entry.fields.email ?? ""]))
      const refusals = new Map(interviewed.map((person) => [person.candidate.id, refusalOf(person)]))
      const refused = (yield* invitationRepository.findRefused(organization, set.id, stored)).filter(
        (one) => one.email === addresses.get(one.candidate_id) && one.failure_reason === refusals.get(one.candidate_id),
      )
      const open = yield* invitationRepository.findOpen(organization, set.id, stored)
      const known = new Map<CandidateId, PlannedInvitation>([...refused, ...open].map((one) => [one.candidate_id, one]))
      const created = yield* Effect.forEach(
        interviewed.filter(({ candidate, submission }) => !known.has(candidate.id) && isAnswerable(submission.status)),
        (participant) =>
          Effect.map(ids.make(InvitationId), (id) => {
            const { candidate, entry, submission } = participant
            const failure_reason = refusals.get(candidate.id) ?? null
            return {
              id,
              candidate_id: candidate.id,
              submission_id: submission.id,
              email: entry.fields.email ?? "",
              status: failure_reason === null ? ("pending" as const) : ("failed" as const),
              mail_queued: failure_reason === null,
              failure_reason,
              participant,
            }
          }),
      )
      const mails = yield* Effect.forEach(
        created.filter(({ status }) => status === "pending"),
        ({ email, id }) =>
          Effect.map(ids.make(EmailId), (mailId) => ({ id: mailId, invitation_id: id, recipient: email })),
      )
      const byCandidate = new Map([...known, ...created.map((one) => [one.candidate_id, one] as const)])
      return { byCandidate, created, mails } satisfies InvitationPlan
    })

    const queueCvs = Effect.fnUntraced(function* (
      organization: OrganizationId,
      participants: ReadonlyArray<Participant>,
    ) {
      const withCv = participants.flatMap(({ entry, submission }) =>
        entry.cv_link === null ? [] : [{ submission_id: submission.id, link: entry.cv_link }],
      )
      const cvs = yield* Effect.forEach(withCv, (cv) => Effect.map(ids.make(CvId), (id) => ({ ...cv, id })))
      yield* submissions.queueCvs(organization, cvs)
    })

    const publishRefusals = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: InterviewSetRow,
      created: InvitationPlan["created"],
    ) {
      const refused = created.flatMap(({ email, failure_reason, id, participant: { candidate, submission } }) => {
        if (failure_reason === null) return []
        const subject = {
          interview_set_id: set.id,
          candidate_id: candidate.id,
          candidate_email: email,
          invitation_id: id,
          submission_id: submission.id,
          ...eventCandidate({ ...candidate, ...referenceOf(submission) }),
        }
        const status = "invitation_email_failed" as const
        const event_type = "invitation.status.update" as const
        return [{ subject, event: { event_type, status, reason: failure_reason, interview_name: set.title } }]
      })
      if (refused.length > 0) yield* events.publish(organization, refused)
    })

    const record = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: InterviewSetRow | undefined,
      common: { readonly message: string | null; readonly expiresAt: Date },
      people: ReadonlyArray<Person>,
      applications: ReadonlyArray<NewApplication>,
      { applied, created, participants, referenced }: Participation,
      invitations: InvitationPlan,
    ) {
      yield* inviteRepository.record(
        organization,
        { interviewSetId: set?.id, ...common },
        {
          candidates: people.flatMap(({ candidate }) => (candidate.isNew ? [candidate] : [])),
          applications,
          submissions: created,
          invitations: invitations.created.map(({ participant: _, ...invitation }): NewInvitation => invitation),
          mails: invitations.mails,
        },
        referenced,
      )
      if (set === undefined) return
      yield* submissions.setApplications(organization, applied)
      // an earlier submission must last as long as the new invitation
      const extended = invitations.created.flatMap(({ participant: { candidate, submission } }) =>
        candidate.isNew ? [] : [submission.id],
      )
      yield* submissions.extend(organization, extended, common.expiresAt)
      yield* queueCvs(organization, participants)
      yield* publishRefusals(organization, set, invitations.created)
    })

    const perform = Effect.fnUntraced(function* (viewer: Viewer, request: CheckedInvite) {
      const organization = viewer.organizationId
      const target = yield* findTarget(organization, request)
      const { jobPostId, projectId, set } = target
      const entries = request.candidates.map((entry) => entryOf(entry, outboundAllow))
      const { indexOf, persons } = personsOf(entries, set?.set_type === 2)
      const people = yield* identify(organization, target, persons)
      const applications = yield* apply(jobPostId, people)
      const participation =
        set === undefined ? noParticipation : yield* participate(organization, set, people, applications.byCandidate)
      const toInvite = request.send_invite === false ? [] : participation.participants
      const invitations = set === undefined ? noInvitations : yield* planInvitations(organization, set, toInvite)
      const expiresAt = new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(invitationExpires))
      const common = { message: request.invitation_message ?? null, expiresAt }
      yield* record(organization, set, common, people, applications.created, participation, invitations)
      const count = participation.created.length + invitations.created.length
      if (viewer._tag === "Member" && set !== undefined && count > 0) {
        const detail = { title: set.title, candidates: request.candidates.length, invited: invitations.created.length }
        yield* auditLog.note(viewer, "interview_set", "invite", set.id, detail)
      }
      const outcomes = outcomesOf(emailLinks, set, people, participation.participants, invitations)
      const wanted = {
        sendInvite: request.send_invite !== false,
        lacksJobPost: projectId !== undefined && jobPostId === undefined,
        lacksSet: set === undefined,
      }
      const results = entries.map((entry, i) => {
        const person = persons[indexOf[i] ?? -1]
        return resultOf(entry, person === undefined ? undefined : outcomes.get(person), wanted)
      })
      return { results, warnings: duplicatesIn(indexOf) }
    }, transaction)

    const performInTurn = (viewer: Viewer, request: CheckedInvite) =>
      inviteLimit(viewer.organizationId)(perform(viewer, request))

    /** With warnings about entries that are the same person. */
    const inviteWithWarnings = Effect.fn("Invite.invite")(function* (viewer: Viewer, request: InviteRequest) {
      const errors = inviteRuleErrors(request, inviteMaxCandidates)
      if (errors.length > 0) return yield* new Invalid({ errors: errors.slice(0, maxFieldErrors) })
      return yield* performInTurn(viewer, CheckedInvite(request))
    })

    const invite = (viewer: Viewer, request: InviteRequest) =>
      Effect.map(inviteWithWarnings(viewer, request), ({ results }) => results)

    const requireUnarchived = Effect.fnUntraced(function* (viewer: Viewer, { com_interview_set_id }: CheckedInvite) {
      const { standing } = yield* interviewSets.read(viewer, com_interview_set_id ?? "")
      if (standing.archived_at !== null) {
        return yield* new Conflict({ reason: "the set is archived: unarchive it first" })
      }
    })

    /** Fails with Conflict when the set is archived. */
    const inviteToSet = Effect.fn("Invite.inviteToSet")(function* (viewer: Viewer, request: CheckedInvite) {
      yield* requireUnarchived(viewer, request)
      return (yield* performInTurn(viewer, request)).results
    })

    const performBetween = Effect.fnUntraced(function* (viewer: Viewer, request: CheckedInvite, steps: InviteSteps) {
      if (yield* steps.before) yield* steps.after((yield* perform(viewer, request)).results)
    }, transaction)

    /**
     * Invites in one transaction with the caller's steps. In the organization's turn, because a transaction that waits for
     * its turn would hold a connection that the invites before it need. The
     * caller checks that the set is not archived.
     */
    const inviteBetween = Effect.fn("Invite.inviteBetween")(function* (
      viewer: Viewer,
      request: CheckedInvite,
      steps: InviteSteps,
    ) {
      const inTurn = inviteLimit(viewer.organizationId)
      yield* inTurn(performBetween(viewer, request, steps))
    })

    return { invite, inviteWithWarnings, inviteToSet, inviteBetween }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([AuditLog.layer, Ids.layer, InterviewSets.layer, InviteLimit.layer]),
  )
}
