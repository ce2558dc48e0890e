/** An organization with at least one record of each kind that the workspace shows, and its members. */
import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { type AuditContent, emptyContent } from "../../src/counterfactual/CounterfactualAudit.ts"
import { VoluntaryQuestions } from "../../src/impact/VoluntaryQuestions.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { SetDrafts } from "../../src/interview-sets/SetDrafts.ts"
import { Accommodations } from "../../src/interviews/Accommodations.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { PersonReviewRequests } from "../../src/interviews/PersonReviewRequests.ts"
import { SelfIdentifications } from "../../src/interviews/SelfIdentifications.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { emptyInvite } from "../../src/invitations/InviteDraft.ts"
import { draftForm } from "../../src/invitations/InviteForms.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { MessageTemplates } from "../../src/invitations/MessageTemplates.ts"
import { Notices } from "../../src/notices/Notices.ts"
import { PersonReviews } from "../../src/person-reviews/PersonReviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { FormIdempotency } from "../../src/platform/http/FormIdempotency.ts"
import { LegalHolds } from "../../src/privacy/LegalHolds.ts"
import { Assignments } from "../../src/reviews/Assignments.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { HiringStages } from "../../src/reviews/HiringStages.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { Reviews } from "../../src/reviews/Reviews.ts"
import { SavedViews } from "../../src/reviews/SavedViews.ts"
import { StageMoves } from "../../src/reviews/StageMoves.ts"
import { Tags } from "../../src/reviews/Tags.ts"
import { searchOfList } from "../../src/submissions/SubmissionSearch.ts"
import { Trials } from "../../src/trial-evaluations/Trials.ts"
import {
  CounterfactualAuditId,
  FormId,
  HiringStageId,
  ImpactReportId,
  InterviewSetId,
  MessageTemplateId,
  QuestionId,
  SubmissionId,
} from "../../src/values/Ids.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { Rehearsals } from "../../src/webhooks/rehearsals/Rehearsals.ts"
import * as Api from "./Api.ts"
import * as Dossier from "./Dossier.ts"
import * as Members from "./Members.ts"
import * as Scenario from "./Scenario.ts"
import { rounds } from "./Webhooks.ts"

/** `say` returns the free texts of the records, given the name of the text and its maximum length. */
export const furnished = Effect.fnUntraced(function* (say: (what: string, most: number) => string) {
  const { sql } = yield* Database
  const organization = yield* (yield* Organizations).create(say("organization", 200))
  const owner = yield* Members.signedIn(organization)
  const stranger = yield* Members.signedIn(organization, "recruiter")
  const named = yield* Members.signedIn(organization, "admin")
  /** Asked to review the submission. */
  const asked = yield* Members.signedIn(organization, "reviewer")
  yield* sql`update member set name = ${say("member", 200)} where organization_id = ${organization}::int`

  const projects = yield* Projects
  const project = yield* projects.create(operator(organization), say("project", 250))
  const post = yield* projects.createJobPost(operator(organization), project, say("job post", 250))
  const option = () => ({ title: say("option", 500), content: say("option's text", 500) })
  const location = { country: "US", region: "NY", city: say("city", 100) }
  const set = yield* (yield* InterviewSets).create(operator(organization), {
    title: say("set", 1024),
    position: say("role", 1024),
    description: say("description", 9000),
    number_of_retakes: 1,
    project_id: project,
    job_locations: [location],
    iai_questions: (["text", "checkbox", "radio", "file"] as const).map((question_type) => ({
      title: say("question", 5000),
      content: say("question's text", 5000),
      hint: say("hint", 2000),
      details: say("details", 9000),
      question_mode: "interview" as const,
      question_type,
      options: question_type === "checkbox" || question_type === "radio" ? [option(), option()] : [],
    })),
    iai_requirements: [
      { title: say("requirement", 5000), content: say("requirement's text", 5000), hint: say("its hint", 2000) },
    ],
    com_accesses: [{ email: "reader@example.com", fullname: say("reader", 500) }],
  })

  const notice = yield* (yield* Notices).publish(Members.viewer(organization, owner), {
    set: set.id,
    country: "US",
    region: "NY",
    city: location.city,
    words: say("words of a notice", 5000),
    contact: say("contact of a notice", 200),
    alternative: say("other way", 2000),
    days: "0",
    meanwhile: "warn",
    posted_on: "",
  })

  const { id: endpoint } = yield* (yield* Endpoints).create(operator(organization), {
    name: say("endpoint", 200),
    url: `https://receiver.example/hook?${say("address", 200)}`,
    description: say("endpoint's description", 2000),
  })
  const { id: channel } = yield* (yield* Endpoints).create(
    operator(organization),
    { name: say("channel", 200), url: "https://chat.example/services/hook", events: ["submission.decision.update"] },
    undefined,
    "slack",
  )
  const { connection } = yield* (yield* HiringSystemConnections).create(operator(organization), {
    system: "ashby",
    name: say("connection", 100),
    credentials: { api_key: "a key of Ashby" },
  })
  const { id: key } = yield* Api.keyOf(organization, {
    name: say("key", 250),
    description: say("key's description", 2000),
  })
  const loggedRequest = randomUUID()
  yield* sql`
    insert into api_request (id, organization_id, api_key_id, request_id, method, operation, path, query, status, problem, errors,
      duration_ms, has_idempotency_key, is_replayed, client, created_at)
    values (${loggedRequest}::uuid, ${organization}::int, ${key}::uuid, ${say("request id", 100)}, 'POST', 'inviteCandidates',
      '/company/integration/interview/candidate/invite/v1', '{"email":null}', 422, 'validation_failed',
      '[{"pointer":"#/candidates","code":"required"}]', 4, true, false, 'curl/8.5.0', now())`

  const ask = (email: string) =>
    Effect.map(
      Scenario.invite(
        operator(organization),
        InviteRequest.make({
          com_interview_set_id: set.id,
          candidates: [{ email, name: say("candidate", 200), cv_link: "https://cv.example/cv.pdf" }],
          // unknown placeholders in double braces are refused
          invitation_message: say("message", 2000).replaceAll("{{", "{"),
        }),
      ),
      ([result]) => ({
        submission: SubmissionId.make(result?.submission?.id ?? assert.fail("not invited")),
        invitation: result?.invitation?.id ?? assert.fail("not invited"),
        token: result?.submission?.interview_url?.split("/").at(-1) ?? "",
      }),
    )
  const { submission, token } = yield* ask(`ada.${organization}@example.com`)
  const interviews = yield* Interviews
  yield* interviews.start(token)
  const { questions } = yield* interviews.view(token)
  const requirements = yield* sql<{ id: string }>`select id from requirement where interview_set_id = ${set.id}::uuid`
  const last = QuestionId.make(questions.at(-1)?.id ?? "")
  const file = Stream.make(Buffer.from("%PDF-1.7\n%%EOF\n"))
  yield* (yield* Uploads).attach({ token, question: last }, `${say("file", 150)}.pdf`, file)
  yield* interviews.finish(
    token,
    questions.slice(0, -1).map(({ id, options }) => ({
      question_id: QuestionId.make(id),
      content: say("answer", 3000),
      option_ids: options.slice(0, 1).map((one) => String(one.id)),
    })),
  )
  const recording = randomUUID()
  const segments = JSON.stringify([{ start: 0, end: 3, text: say("transcript", 2000).replaceAll("\0", "") }])
  yield* sql`
    insert into recording (id, organization_id, submission_id, attempt, question_id, kind, content_type, started_at,
      received_at, ended_at, seconds, language, transcriber, segments, state)
    values (${recording}::uuid, ${organization}::int, ${submission}::uuid, 1, ${last}::uuid, 'audio', 'audio/webm', now(),
      now(), now(), 3, 'en', 'test', ${segments}::text::jsonb, 'done')`
  yield* sql`
    insert into recording_piece (recording_id, organization_id, ordinal, bytes)
    values (${recording}::uuid, ${organization}::int, 0, 'sound'::bytea)`
  yield* sql`
    update answer set recording_id = ${recording}::uuid
    where submission_id = ${submission}::uuid and organization_id = ${organization}::int and question_id = ${last}::uuid`
  yield* Dossier.addCv(organization, submission, { text: say("CV", 3000), notes: [say("note", 200)] })
  yield* Dossier.evaluateAll
  yield* (yield* Overrides).evaluateAgain(operator(organization), submission)
  yield* Dossier.evaluateAll
  const reviewer = Members.viewer(organization, owner)
  yield* (yield* Assignments).assign(reviewer, [submission], [asked.id])
  yield* (yield* Overrides).override(reviewer, {
    submission,
    evaluation_type: "interview",
    score: 7,
    reason: say("reason", 2000),
  })
  yield* (yield* Reviews).save(reviewer, submission, {
    ratings: Object.fromEntries(requirements.map(({ id }) => [id, 3 as const])),
    note: say("note of a review", 5000),
    mentioned: [],
    changes: 0,
    isSent: true,
  })
  yield* (yield* Decisions).decide(reviewer, submission, 0, {
    decision: "advance",
    reason: say("decision", 2000),
    knowsWarnings: true,
  })
  const stage = HiringStageId.make(randomUUID())
  yield* (yield* HiringStages).add(reviewer, stage, { name: say("stage", 60), decision: null })
  yield* (yield* StageMoves).move(
    reviewer,
    submission,
    { changes: 0, decisionChanges: 1 },
    { _tag: "Stage", id: stage },
  )
  const spare = yield* (yield* InterviewSets).create(operator(organization), { title: say("held set", 200) })
  const { list, place } = yield* LegalHolds
  yield* place(reviewer, { _tag: "InterviewSet", id: spare.id }, say("reason of a hold", 500))
  const [hold] = yield* list(reviewer)
  const { tag: tagName } = yield* (yield* Tags).addAll(reviewer, [submission], say("tag", 40))
  const tag = (yield* (yield* Tags).named(reviewer, tagName))?.id ?? assert.fail("no tag")
  const { invitation, submission: unasked, token: waiting } = yield* ask(`bo.${organization}@example.com`)
  const accommodations = yield* Accommodations
  yield* accommodations.ask(waiting, { needs: ["other"], text: say("need", 1000) })
  const { waiting: requests } = yield* accommodations.list(reviewer)
  const [{ id: accommodation } = assert.fail("no accommodation")] = requests
  yield* (yield* PersonReviewRequests).ask(waiting, say("person", 1000))
  const [{ id: personReview } = assert.fail("no request")] = (yield* (yield* PersonReviews).list(reviewer)).waiting
  const template = MessageTemplateId.make(randomUUID())
  yield* (yield* MessageTemplates).create(reviewer, template, {
    kind: "invitation",
    subject: "",
    name: say("template", 100),
    text: say("template text", 2000).replaceAll("{{", "{"),
  })
  const [ownAnswer, otherAnswer] = [say("answer of a list", 80), `${say("other answer", 70)} too`]
  yield* (yield* VoluntaryQuestions).change(
    reviewer,
    {
      asks: ["sex", "ethnicity", "own"],
      text: say("text above voluntary questions", 1000),
      own_question: say("own voluntary question", 200),
      own_categories: [ownAnswer, otherAnswer],
    },
    0,
  )
  yield* (yield* SelfIdentifications).save(
    token,
    (list) => ({ sex: "female", ethnicity: "asian", own: ownAnswer })[list],
  )
  const report = ImpactReportId.make(randomUUID())
  const reported = {
    name: "own",
    unknown: 7,
    categories: [ownAnswer, otherAnswer],
    rows: [{ category: ownAnswer, applicants: 12, selected: 6 }],
  } as const
  yield* sql`
    insert into impact_report (id, organization_id, interview_set_id, first_month, last_month, stage, stage_id, names, content,
      made_at)
    values (${report}::uuid, ${organization}::int, ${set.id}::uuid, '2020-01-01', '2020-02-01', 'stage', ${stage}::uuid,
      ${JSON.stringify({ set: say("set", 100), stage: say("stage", 60), member: say("member", 200) })}::jsonb,
      ${JSON.stringify({ people: 19, selected: 6, question: say("own voluntary question", 200), tables: [reported] })}::jsonb,
      now())`
  const view = yield* (yield* SavedViews).save(reviewer, {
    name: say("view", 40),
    search: searchOfList("decision=advance"),
    isShared: true,
  })
  yield* (yield* SetDrafts).save(
    reviewer,
    InterviewSetId.make(randomUUID()),
    { title: say("title of a draft", 1024), version: "", fields: [["part", "about"]] },
    0,
  )
  const draft = FormId.make(randomUUID())
  yield* (yield* FormIdempotency).once(
    reviewer,
    draft,
    draftForm(set.id),
    Effect.succeed({
      ...emptyInvite(FormId.make(randomUUID())),
      rows: [{ name: say("invited candidate", 200), email: "cy@example.com", cv: say("link", 200) }],
      table: `email,${JSON.stringify(say("column", 200)).replaceAll("\\", "")}\ndee@example.com,x`,
      file: say("table file", 150),
      message: say("message of a draft", 2000).replaceAll("{{", "{"),
    }),
  )
  yield* rounds

  const trials = yield* Trials
  const trial = yield* trials.begin(reviewer, set.id, {
    requirements: set.iai_requirements.map((one) => ({ ...one, title: say("tried requirement", 5000) })),
    sample: 1,
  })
  yield* trials.step

  const rehearsals = yield* Rehearsals
  const rehearsal = yield* rehearsals.begin(operator(organization), endpoint)
  yield* Effect.repeat(rehearsals.stepOne(rehearsal), { while: (done) => done > 0 })

  const audit = CounterfactualAuditId.make(randomUUID())
  const title = say("audited requirement", 200)
  const audited: AuditContent = {
    ...emptyContent(["gender"]),
    submissions: 1,
    evaluations: 3,
    swaps: [{ swap: "female", tested: 1, changed: 1, asked: 0, largest: 2.5, sum: 2.5, scored: 1 }],
    requirements: [{ requirement_id: audit, title, swap: "female", is_asked: false, moved: 1, largest: 2.5 }],
  }
  yield* sql`
    insert into counterfactual_audit (id, organization_id, interview_set_id, kinds, submissions, content, names, state, made_at,
      ended_at)
    values (${audit}::uuid, ${organization}::int, ${set.id}::uuid, '{gender}', 1, ${JSON.stringify(audited)}::jsonb,
      ${JSON.stringify({ set: say("audited set", 100), member: say("auditor", 200) })}::jsonb, 'done', now(), now())`
  yield* sql`
    insert into counterfactual_move (counterfactual_audit_id, submission_id, organization_id, swap, requirement_id, title, before,
      after, is_asked)
    values (${audit}::uuid, ${submission}::uuid, ${organization}::int, 'female', ${audit}::uuid, ${title}, 2.5, 5, false)`

  const [row] = yield* sql<{ candidate: string; delivery: string }>`
    select b.candidate_id as candidate, (
      select max(id)::text from (
        select id from webhook_delivery where endpoint_id = ${endpoint}::uuid
        union all select id from webhook_delivery_history where endpoint_id = ${endpoint}::uuid) d) as delivery
    from submission b where b.id = ${submission}::uuid`
  const { candidate, delivery } = row ?? assert.fail("no submission")
  return {
    organization,
    owner,
    stranger,
    reviewer: asked,
    /** Another one, without assignments. */
    unassigned: unasked,
    tokens: { submitted: token, waiting },
    ids: {
      ...{ connection: connection.id, draft, template, view },
      ...{
        accommodation,
        audit,
        personReview,
        candidate,
        delivery,
        endpoint,
        channel,
        hold: hold?.id ?? "",
        invitation,
        key,
        loggedRequest,
        notice,
        post,
        project,
        question: last,
        recording,
        rehearsal,
        report,
        set: set.id,
        stage,
        submission,
        tag,
        trial,
      },
      member: named.id,
    },
  }
}, Effect.orDie)

export type Furnished = Effect.Success<ReturnType<typeof furnished>>

const unsent = "01970000-0000-7000-8000-000000000000"

/** Values of path parameters, by the beginning of the path. */
const kinds: ReadonlyArray<readonly [string, (ids: Furnished["ids"]) => Record<string, string>]> = [
  ["/i/preview/:id", ({ set }) => ({ id: set, number: "1" })],
  ["/interview-sets/:id", ({ draft, set, submission, trial }) => ({ id: set, form: unsent, draft, submission, trial })],
  ["/invitations/:id", ({ invitation }) => ({ id: invitation })],
  ["/message-templates/:id", ({ template }) => ({ id: template })],
  ["/projects/:id", ({ post, project }) => ({ id: project, post })],
  ["/settings/integrations/api-keys/:id", ({ key }) => ({ id: key })],
  ["/settings/integrations/requests/:id", ({ loggedRequest }) => ({ id: loggedRequest })],
  ["/settings/integrations/hiring-systems/:id", ({ connection }) => ({ id: connection })],
  ["/settings/counterfactual-audit/:id", ({ audit, submission }) => ({ id: audit, submission, swap: "female" })],
  ["/settings/impact-ratios/:id", ({ report }) => ({ id: report })],
  ["/settings/notices/:id", ({ notice }) => ({ id: notice })],
  ["/notices/:id", ({ notice }) => ({ id: notice })],
  ["/settings/members/:id", ({ member }) => ({ id: member })],
  ["/settings/people/:id", ({ candidate }) => ({ id: candidate })],
  ["/settings/retention/holds/:id", ({ hold }) => ({ id: hold })],
  ["/settings/stages/:id", ({ stage }) => ({ id: stage })],
  ["/settings/tags/:id", ({ tag }) => ({ id: tag })],
  ["/settings/webhooks/channels/:id", ({ channel }) => ({ id: channel })],
  [
    "/settings/webhooks/:id",
    ({ delivery, endpoint, rehearsal }) => ({ id: endpoint, delivery, form: unsent, rehearsal }),
  ],
  ["/submissions/views/:id", ({ view }) => ({ id: view })],
  [
    "/submissions/:id",
    ({ question, recording, submission }) => ({ id: submission, attempt: "1", question, recording }),
  ],
]

/** Fills in a route's parameters; fails for a parameter without a value. */
export const pathOf = (route: string, values: Readonly<Record<string, string>>): string =>
  route.replace(/:(\w+)/g, (_, name: string) => values[name] ?? assert.fail(`nothing fills :${name} of ${route}`))

export const valuesOf = (route: string, ids: Furnished["ids"]): Record<string, string> =>
  kinds.find(([prefix]) => route === prefix || route.startsWith(`${prefix}/`))?.[1](ids) ?? {}
