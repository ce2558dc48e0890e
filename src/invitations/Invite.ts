/** Invites candidates (docs/api.md): one transaction a request, one statement a step. The rules are in InvitePlan.ts. */
import { Array as Arr, Clock, Context, Duration, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { candidateRef, eventCandidate } from "../candidates/Candidate.ts"
import { type Entry, entryOf, hasOnlyCv, personsOf } from "../candidates/CandidateIdentity.ts"
import { CandidateRepository, type ResolvedCandidate } from "../candidates/CandidateRepository.ts"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { NoticeGifts } from "../notices/NoticeGifts.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import * as KeyedSemaphore from "../platform/queue/KeyedSemaphore.ts"
import { SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import { emptyReference, isGiven, referenceOf } from "../values/ExternalReference.ts"
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
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"
import { maxFieldErrors } from "../values/ValidationErrors.ts"
import { Events } from "../webhooks/events/Events.ts"
import {
  type CandidateStanding,
  type InvitedPerson,
  type PersonPlan,
  periodWarnings,
  planned,
  planPerson,
  repeatWarnings,
} from "./InvitePlan.ts"
import { type CreatedRows, InviteRepository, type InviteTerms, type NewApplication } from "./InviteRepository.ts"
import {
  CheckedInvite,
  type InviteRequest,
  type InviteTarget,
  inviteRuleErrors,
  type TargetSet,
  targetErrors,
} from "./InviteRequest.ts"
import { resultOf } from "./InviteResult.ts"

/** Invites of an organization at a time: more would wait in the database, each with a connection. */
const maxAtOnce = 2

class InviteLimit extends Context.Service<InviteLimit, ReturnType<typeof KeyedSemaphore.make>>()(
  "interview-invitations/invitations/InviteLimit",
) {
  static readonly layer = Layer.sync(InviteLimit, () => KeyedSemaphore.make(maxAtOnce))
}

interface Participant extends PersonPlan, InvitedPerson {
  readonly entry: Entry
  readonly candidate: ResolvedCandidate
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
    const inviteRepository = yield* InviteRepository
    const noticeGifts = yield* NoticeGifts
    const submissionRepository = yield* SubmissionRepository

    /**
     * The first step of an invite in the caller's transaction: reads what the request names, and locks the organization's
     * candidates. Call it within `inTurn`.
     */
    const begin = Effect.fnUntraced(function* ({ organizationId }: Viewer, request: InviteRequest) {
      const { com_interview_set_id, com_job_post_id, com_project_id } = request
      const rows = yield* inviteRepository.begin(organizationId, {
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
      return { projectId, set, jobPost } satisfies InviteTarget
    })

    /** An entry that only its CV link identifies has the id of the stored candidate with this link, the others have new ids. */
    const incoming = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: InterviewSetId | undefined,
      persons: ReadonlyArray<Entry>,
    ) {
      const links = persons.flatMap((entry) => (hasOnlyCv(entry) && entry.cv_link !== null ? [entry.cv_link] : []))
      const byLink =
        set === undefined || links.length === 0
          ? new Map<string, CandidateId>()
          : yield* submissionRepository.candidatesByCvLink(organization, set, links)
      return yield* Effect.forEach(persons, (entry) =>
        Effect.map(ids.make(CandidateId), (id) => ({
          ...entry.fields,
          id: (hasOnlyCv(entry) ? byLink.get(entry.cv_link ?? "") : undefined) ?? id,
        })),
      )
    })

    /** What an invite would do with each person, in the same order. Changes nothing. */
    const plan = Effect.fn("Invite.plan")(function* (
      { organizationId }: Viewer,
      set: Pick<TargetSet, "id" | "set_type">,
      persons: ReadonlyArray<Entry>,
      send: boolean,
    ) {
      const rows = yield* incoming(organizationId, set.id, persons)
      const matches = yield* candidateRepository.match(organizationId, rows)
      const storedIds = matches.flatMap(({ id }) => id ?? [])
      const standings = yield* inviteRepository.standings(organizationId, set.id, storedIds)
      return Arr.zipWith(persons, matches, (entry, { id, isSuppressed, stored }) => {
        const standing = (id === undefined ? undefined : standings.get(id)) ?? {}
        return { stored, action: planPerson(set, { entry, isSuppressed, standing }, send).action }
      })
    })

    const apply = Effect.fnUntraced(function* (
      jobPostId: JobPostId | undefined,
      candidates: ReadonlyArray<ResolvedCandidate>,
    ) {
      const created: Array<NewApplication> = []
      const byCandidate = new Map<CandidateId, ApplicationId>()
      if (jobPostId === undefined) return { created, byCandidate }
      for (const candidate of candidates) {
        if (byCandidate.has(candidate.id)) continue
        const id = candidate.application_id ?? (yield* ids.make(ApplicationId))
        byCandidate.set(candidate.id, id)
        if (candidate.application_id === null) created.push({ id, candidate_id: candidate.id, job_post_id: jobPostId })
      }
      return { created, byCandidate }
    })

    const participant = Effect.fnUntraced(function* (
      set: Pick<TargetSet, "set_type">,
      entry: Entry,
      candidate: ResolvedCandidate,
      standing: CandidateStanding,
      application: ApplicationId | null,
      send: boolean,
    ) {
      const personPlan = planPerson(set, { ...candidate, entry, standing }, send)
      const newIds = { submission: yield* ids.make(SubmissionId), invitation: yield* ids.make(InvitationId) }
      const after = planned(personPlan, entry, application, newIds)
      return { entry, candidate, ...personPlan, ...after } satisfies Participant
    })

    const participate = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: TargetSet,
      people: ReadonlyArray<readonly [Entry, ResolvedCandidate]>,
      applications: ReadonlyMap<CandidateId, ApplicationId>,
      send: boolean,
    ) {
      const stored = people.flatMap(([, { id, isNew }]) => (isNew ? [] : [id]))
      yield* submissionRepository.lockCurrent(organization, set.id, stored)
      const standings = yield* inviteRepository.standings(organization, set.id, stored)
      return yield* Effect.forEach(people, ([entry, candidate]) => {
        const standing = standings.get(candidate.id) ?? {}
        return participant(set, entry, candidate, standing, applications.get(candidate.id) ?? null, send)
      })
    })

    const queueCvs = Effect.fnUntraced(function* (
      organization: OrganizationId,
      participants: ReadonlyArray<Participant>,
    ) {
      const withCv = participants.flatMap(({ entry, submission }) =>
        entry.cv_link === null ? [] : [{ submission_id: submission.id, link: entry.cv_link }],
      )
      const cvs = yield* Effect.forEach(withCv, (cv) => Effect.map(ids.make(CvId), (id) => ({ ...cv, id })))
      yield* submissionRepository.queueCvs(organization, cvs)
    })

    const publishRefusals = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: TargetSet,
      participants: ReadonlyArray<Participant>,
    ) {
      const refused = participants.flatMap(({ candidate, invitation, submission }) => {
        if (!invitation?.isNew || invitation.failure_reason === null) return []
        const subject = {
          interview_set_id: set.id,
          candidate_id: candidate.id,
          candidate_email: invitation.email,
          invitation_id: invitation.id,
          submission_id: submission.id,
          ...eventCandidate({ ...candidate, ...referenceOf(submission) }),
        }
        const status = "invitation_email_failed" as const
        const event_type = "invitation.status.update" as const
        return [
          { subject, event: { event_type, status, reason: invitation.failure_reason, interview_name: set.title } },
        ]
      })
      if (refused.length > 0) yield* events.publish(organization, refused)
    })

    const termsOf = ({ invitation_message }: InviteRequest) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        message: invitation_message ?? null,
        expiresAt: new Date(now + Duration.toMillis(invitationExpires)),
      }))

    const createdOf = Effect.fnUntraced(function* (
      people: ReadonlyArray<ResolvedCandidate>,
      participants: ReadonlyArray<Participant>,
    ) {
      const invitations = participants.flatMap(({ candidate, invitation }) =>
        invitation?.isNew ? [{ ...invitation, candidate_id: candidate.id }] : [],
      )
      return {
        candidates: people.filter(({ isNew }) => isNew),
        submissions: participants.flatMap(({ candidate, current, submission }) =>
          current === undefined ? [{ ...submission, candidate_id: candidate.id }] : [],
        ),
        invitations,
        emails: yield* Effect.forEach(
          invitations.filter((one) => one.mail_queued),
          (one) => Effect.map(ids.make(EmailId), (id) => ({ id, invitation_id: one.id, recipient: one.email })),
        ),
      } satisfies CreatedRows
    })

    const record = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: TargetSet | undefined,
      terms: InviteTerms,
      people: ReadonlyArray<ResolvedCandidate>,
      applications: Effect.Success<ReturnType<typeof apply>>,
      participants: ReadonlyArray<Participant>,
    ) {
      const kept = participants.filter(({ current }) => current !== undefined)
      yield* inviteRepository.record(organization, set?.id, terms, {
        ...(yield* createdOf(people, participants)),
        applications: applications.created,
        earlier_submissions: kept.flatMap(({ entry, submission }) => (isGiven(entry.reference) ? [submission] : [])),
      })
      if (set === undefined) return
      const applied = kept.flatMap(({ candidate, submission: { application_id, id } }) => {
        const application = applications.byCandidate.get(candidate.id)
        return application_id !== null || application === undefined ? [] : [{ id, application_id: application }]
      })
      yield* submissionRepository.setApplications(organization, applied)
      // an earlier submission must last as long as the new invitation
      const extended = kept.flatMap(({ invitation, submission }) => (invitation?.isNew ? [submission.id] : []))
      yield* submissionRepository.extend(organization, extended, terms.expiresAt)
      yield* queueCvs(organization, participants)
      yield* publishRefusals(organization, set, participants)
    })

    /** To candidates with a new submission or a new invitation; returns the periods that are not over. */
    const giveNotices = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: TargetSet,
      participants: ReadonlyArray<Participant>,
    ) {
      const submissions = participants.flatMap(({ current, invitation, submission }) =>
        current === undefined || invitation?.isNew ? [submission.id] : [],
      )
      return submissions.length === 0 ? [] : yield* noticeGifts.give(organization, set.id, submissions)
    })

    const outcomeOf = ({ action, candidate, invitation, submission }: Participant) => {
      const link =
        invitation === undefined
          ? ({ _tag: "Submission", id: submission.id } as const)
          : ({ _tag: "Invitation", id: invitation.id } as const)
      return {
        candidate: candidateRef({ ...candidate, ...referenceOf(submission) }),
        participation: {
          action,
          submission,
          invitation,
          interviewUrl: submission.flow === "cv" ? null : emailLinks.interview(link),
        },
      }
    }

    /** The second step: invites to the target of `begin`. */
    const complete = Effect.fnUntraced(function* (viewer: Viewer, target: InviteTarget, request: CheckedInvite) {
      const organization = viewer.organizationId
      const { jobPost, projectId, set } = target
      const errors = targetErrors(request, target)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const send = request.send_invite !== false
      const entries = request.candidates.map((entry) => entryOf(entry, outboundAllow))
      const { indexOf, persons } = personsOf(entries, set?.set_type === 2)
      const rows = yield* incoming(organization, set?.id, persons)
      const candidates = yield* candidateRepository.resolve(organization, jobPost?.id, rows)
      const people = Arr.zip(persons, candidates)
      const applications = yield* apply(jobPost?.id, candidates)
      const participants =
        set === undefined ? [] : yield* participate(organization, set, people, applications.byCandidate, send)
      yield* record(organization, set, yield* termsOf(request), candidates, applications, participants)
      const periods = set === undefined ? [] : yield* giveNotices(organization, set, participants)
      const invited = participants.filter(({ invitation }) => invitation?.isNew).length
      const isAny = invited > 0 || participants.some(({ current }) => current === undefined)
      if (viewer._tag !== "Operator" && set !== undefined && isAny) {
        const detail = { title: set.title, candidates: request.candidates.length, invited }
        yield* auditLog.note(viewer, "interview_set", "invite", set.id, detail)
      }
      const outcomes =
        set === undefined
          ? people.map(([entry, candidate]) =>
              // a candidate with only a CV and no submission is not recognized in a later invite
              hasOnlyCv(entry) ? undefined : { candidate: candidateRef({ ...candidate, ...emptyReference }) },
            )
          : participants.map(outcomeOf)
      const wanted = {
        sendInvite: send,
        lacksJobPost: projectId !== undefined && jobPost === undefined,
        lacksSet: set === undefined,
      }
      const results = entries.map((entry, i) => resultOf(entry, outcomes[indexOf[i] ?? -1], wanted))
      return { results, warnings: [...repeatWarnings(indexOf), ...periodWarnings(periods)] }
    })

    /**
     * Runs a transaction that invites in the organization's turn: one that waited for its turn inside would hold a connection
     * that the invites before it need.
     */
    const inTurn = yield* InviteLimit

    const perform = Effect.fnUntraced(function* (viewer: Viewer, request: CheckedInvite) {
      return yield* complete(viewer, yield* begin(viewer, request), request)
    }, transaction)

    /**
     * Both steps in one statement, for new candidates with addresses and a set for interviews. Undefined, and nothing is
     * stored: not all of that holds.
     */
    const performNew = Effect.fnUntraced(function* (viewer: Viewer, request: CheckedInvite) {
      const { candidates, com_interview_set_id, com_job_post_id, com_project_id } = request
      const isPlain = com_interview_set_id != null && com_job_post_id == null && com_project_id == null
      // the audit log has a member's invites
      if (!isPlain || viewer._tag === "Member") return undefined
      const entries = candidates.map((entry) => entryOf(entry, outboundAllow))
      if (entries.some(({ givenLink }) => givenLink !== null)) return undefined
      const { indexOf, persons } = personsOf(entries, false)
      const send = request.send_invite !== false
      const set = { id: InterviewSetId.make(com_interview_set_id), set_type: 1 } as const
      const participants = yield* Effect.forEach(persons, (entry) =>
        Effect.flatMap(ids.make(CandidateId), (id) => {
          const candidate = { ...entry.fields, id, isNew: true, isSuppressed: false, application_id: null }
          return participant(set, entry, candidate, {}, null, send)
        }),
      )
      const isRefused = ({ action }: Participant) => action._tag === "Refused"
      if (participants.length === 0 || participants.some(isRefused)) return undefined
      const people = participants.map(({ candidate }) => candidate)
      const created = yield* createdOf(people, participants)
      const terms = yield* termsOf(request)
      if (!(yield* inviteRepository.recordNew(viewer.organizationId, set.id, terms, created))) return undefined
      const outcomes = participants.map(outcomeOf)
      const wanted = { sendInvite: send, lacksJobPost: false, lacksSet: false }
      const results = entries.map((entry, i) => resultOf(entry, outcomes[indexOf[i] ?? -1], wanted))
      return { results, warnings: repeatWarnings(indexOf) }
    })

    /** With warnings about entries that are the same person. */
    const invite = Effect.fn("Invite.invite")(function* (viewer: Viewer, request: InviteRequest) {
      const errors = inviteRuleErrors(request, inviteMaxCandidates)
      if (errors.length > 0) return yield* new Invalid({ errors: errors.slice(0, maxFieldErrors) })
      const checked = CheckedInvite(request)
      return yield* inTurn(viewer.organizationId)(
        Effect.flatMap(performNew(viewer, checked), (done) =>
          done === undefined ? perform(viewer, checked) : Effect.succeed(done),
        ),
      )
    })

    const performToSet = Effect.fnUntraced(function* (viewer: Viewer, request: CheckedInvite) {
      const target = yield* begin(viewer, request)
      if (target.set?.is_archived) return yield* new Conflict({ reason: "the set is archived: unarchive it first" })
      return (yield* complete(viewer, target, request)).results
    }, transaction)

    /** Fails with Conflict when the set is archived. The caller checks that the viewer may read the set. */
    const inviteToSet = Effect.fn("Invite.inviteToSet")((viewer: Viewer, request: CheckedInvite) =>
      inTurn(viewer.organizationId)(performToSet(viewer, request)),
    )

    return { invite, inviteToSet, plan, inTurn, begin, complete }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide([InviteLimit.layer]))
}
