/** The measured pages: each list of the workspace and the API, with pages in the middle and at the end, and filters. */
import { Effect } from "effect"
import { SubmissionOrder } from "../../../src/submissions/SubmissionSearch.ts"
import { cursorOf, type ListName } from "../../../src/values/Cursor.ts"
import { eventCursorOf } from "../../../src/webhooks/events/WebhookEvent.ts"
import * as Postgres from "../support/postgres.ts"
import { size } from "./settings.ts"

/** The guest reads the page of a share link, whose path measure.ts adds. */
export type Caller = "owner" | "recruiter" | "reviewer" | "guest" | "key"

export interface Page {
  readonly name: string
  readonly as: Caller
  /** Requests cycle through these. */
  readonly paths: ReadonlyArray<string>
  /** The body of a POST and the expected status; undefined for a GET. */
  readonly posts?: { readonly status: number; readonly body: string }
  /** Measures only until the first bytes of the response. */
  readonly isStream?: true
}

const tables: Readonly<Partial<Record<ListName, string>>> = {
  projects: "project",
  "job-posts": "job_post",
  "interview-sets": "interview_set",
  invitations: "invitation",
  submissions: "submission",
  "submissions.last_active": "submission",
}

/** The order of a list of the workspace; others are by creation. */
const keys: Readonly<Partial<Record<ListName, string>>> = {
  "submissions.last_active": "last_active(created_at, initiated_at, started_at, completed_at, declined_at)",
}

interface Facts {
  readonly busy: string
  readonly few: string
  readonly project: string
  readonly endpoint: string
  readonly member: string
  readonly candidate: string
  readonly ats: string
  readonly email: string
  readonly submission: string
  readonly stage: string
  /** Evaluated submissions of the set with many. */
  readonly evaluated: ReadonlyArray<string>
  readonly record: string
  readonly audit: string
  readonly delivery: string
  readonly xid: string
  readonly seq: string
  readonly from: string
  readonly to: string
  /** A submission with many comments. */
  readonly commented: string
  /** A submission that the reviewer is asked to review. */
  readonly assigned: string
  /** Candidates to export and to erase. */
  readonly people: ReadonlyArray<string>
}

const factsOf = (url: string, organization: number, reader: string) =>
  Postgres.query<Facts>(
    url,
    `with s as (select s.id, (select count(*) from submission b where b.interview_set_id = s.id) as many
       from interview_set s where organization_id = ${organization} and exists (select from set_access a
         where a.interview_set_id = s.id and a.email = '${reader}'))
     select (select id from s order by many desc limit 1) as busy, (select id from s order by many limit 1) as few,
       (select id from project where organization_id = ${organization} order by id limit 1) as project,
       (select id from webhook_endpoint where organization_id = ${organization} order by id limit 1) as endpoint,
       (select id from hiring_stage where organization_id = ${organization} order by position limit 1) as stage,
       m.id as member, c.id as candidate, c.ats_candidate_id as ats, c.email, b.id as submission, a.record_id as record,
       a.id::text as audit, d.id::text as delivery, v.xid::text as xid, v.seq::text as seq,
       to_char(now() - interval '20 days', 'YYYY-MM-DD') as from, to_char(now() - interval '10 days', 'YYYY-MM-DD') as to,
       (select jsonb_agg(id) from (select id from submission where status = 'evaluated' and interview_set_id = (
         select id from s order by many desc limit 1) order by id desc limit 4) p) as evaluated,
       (select submission_id from submission_comment where organization_id = ${organization} limit 1) as commented,
       (select submission_id from review_assignment where organization_id = ${organization} order by submission_id desc limit 1 offset 1000) as assigned,
       (select jsonb_agg(id) from (select id from candidate where organization_id = ${organization} order by id desc limit 200) p) as people
     from (select * from member where organization_id = ${organization} and role = 'recruiter' order by id limit 1 offset 40) m,
       (select * from candidate where organization_id = ${organization} and ats_candidate_id is not null order by id limit 1 offset ${size.submissions / 4}) c,
       (select * from submission where organization_id = ${organization} order by id limit 1 offset ${size.submissions / 2}) b,
       (select * from audit_log where organization_id = ${organization} order by id limit 1 offset ${size.submissions / 2}) a,
       (select * from webhook_delivery_history where organization_id = ${organization} order by id limit 1 offset ${(size.submissions * size.deliveries) / 2}) d,
       (select * from webhook_event where organization_id = ${organization} order by xid, seq limit 1 offset ${size.submissions / 2}) v`,
  )

/** Times that select few records, and all. */
const updatedSince = [1, 400].map((days) => `updated_since=${new Date(Date.now() - days * 86_400_000).toISOString()}`)

const positions = [
  ["in the middle", "count(*) / 2"],
  ["the last", "least(20, count(*))"],
] as const

const cursorsOf = (url: string, organization: number, list: ListName) =>
  Effect.forEach(positions, ([name, place]) =>
    Effect.map(
      Postgres.query<{ at: string; id: string }>(
        url,
        `select to_char(${keys[list] ?? "created_at"} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, id from ${tables[list]}
         where organization_id = ${organization}
         order by ${keys[list] ?? "created_at"}, id limit 1 offset (select ${place} from ${tables[list]} where organization_id = ${organization})`,
      ),
      (position) => ({ name, query: `cursor=${cursorOf(list, position)}` }),
    ),
  )

const listOf = (
  as: Caller,
  path: string,
  cursors: ReadonlyArray<{ readonly name: string; readonly query: string }>,
  filters: ReadonlyArray<string>,
): ReadonlyArray<Page> => [
  { name: path, as, paths: [path] },
  ...cursors.map(({ name, query }) => ({ name: `${path}, ${name}`, as, paths: [`${path}?${query}`] })),
  ...filters.map((query) => ({ name: `${path}?${nameOf(query)}`, as, paths: [`${path}?${query}`] })),
]

/** A filter's name in the report, with ids replaced by `…`. */
const nameOf = (query: string) => query.replaceAll(/=([0-9a-f-]{36}|\d{3,}|[\w-]{60,})/g, "=…").slice(0, 48)

export const pagesOf = Effect.fnUntraced(function* (url: string, organization: number, reader: string) {
  const facts = yield* factsOf(url, organization, reader)
  const {
    assigned,
    ats,
    busy,
    candidate,
    commented,
    email,
    endpoint,
    evaluated,
    few,
    from,
    member,
    project,
    stage,
    submission,
    to,
  } = facts
  const of = (list: ListName) => cursorsOf(url, organization, list)
  const submissions = yield* of("submissions")
  const active = yield* of("submissions.last_active")
  const invitations = yield* of("invitations")
  const sets = yield* of("interview-sets")
  const projects = yield* of("projects")
  const workspace = (as: Caller) => [
    ...[
      "/home",
      `/submissions/${evaluated[0]}`,
      `/submissions/${evaluated[0]}?order=best&set=${busy}`,
      ...[2, 4].map((count) => `/submissions/compare?ids=${evaluated.slice(0, count).join(",")}`),
      `/interview-sets/${busy}`,
      `/interview-sets/${busy}/board`,
    ].map((path): Page => ({ name: nameOf(path), as, paths: [path] })),
    ...listOf(as, "/submissions", active, [
      ...[
        "waiting",
        "evaluated",
        "need_interview",
        "invitation_failed",
        "being_evaluated",
        "evaluation_waits",
        "completed",
        "withdrawn",
        "declined",
        "cv_processing",
      ].map((status) => `status=${status}`),
      ...["scored", "not_scored", "cannot_evaluate"].map((score) => `score=${score}`),
      ...["advance", "hold", "reject", "undecided"].map((decision) => `decision=${decision}`),
      ...["opened", "decided"].flatMap((milestone) => [`reached=${milestone}`, `reached=${milestone}&set=${busy}`]),
      ...["to_review", stage].flatMap((place) => [`stage=${place}`, `stage=${place}&set=${busy}`]),
      ...["by_me", "not_by_me"].map((reviewed) => `reviewed=${reviewed}`),
      ...["failed", "clicked", "pending"].map((status) => `invitation=${status}`),
      ...SubmissionOrder.literals.flatMap((order) => [`order=${order}`, `order=${order}&set=${few}`]),
      ...["newest", "a_to_z", "last_status", "most_met", "last_reviewed"].flatMap((order) => [
        `order=${order}&set=${busy}`,
        `order=${order}&decision=hold`,
        `order=${order}&status=invitation_failed`,
        `order=${order}&q=grace`,
      ]),
      "status=waiting&reviewed=not_by_me",
      `status=waiting&set=${busy}`,
      "decision=hold&order=best",
      "decision=undecided&order=best",
      "status=waiting&order=best",
      "decision=hold&order=last_submitted",
      "status=evaluated&order=first_submitted",
      "score=cannot_evaluate&order=last_submitted",
      ...["best", "weakest"].flatMap((order) => [`order=${order}`, `order=${order}&set=${busy}`]),
      "order=best&status=withdrawn",
      `set=${busy}`,
      `set=${few}`,
      `set=${busy}&status=withdrawn`,
      `set=${busy}&score=not_scored`,
      ...["grace", "e", "hofer.77", "nobody", "nurse", "nurse+grace"].map((words) => `q=${words}`),
      ...["the", "team+because", "kubernetes", "word7", "rare77", "kubernetes+the"].map((words) => `q=${words}`),
      ...["status=waiting", "order=best", "order=first_submitted", "decision=hold"].map(
        (also) => `q=kubernetes&${also}`,
      ),
      "q=rare77&order=best",
      "q=the&status=invitation_failed",
      "q=grace&status=withdrawn",
      "q=grace&order=best",
    ]),
    { name: "/submissions.csv, its beginning", as, paths: ["/submissions.csv"], isStream: true as const },
    ...listOf(as, "/interview-sets", sets, ["state=archived", "q=nurse", "q=interview+1999", "q=nobody"]),
  ]
  const api = "/company/integration"
  const post = (step: string, status: number, body: string, people: ReadonlyArray<string>): Page => ({
    name: `POST /settings/people/:id/${step}`,
    as: "owner",
    paths: people.map((id) => `/settings/people/${id}/${step}`),
    posts: { status, body },
  })
  const pages = [
    ...workspace("owner"),
    ...["edit", "invite"].map(
      (step): Page => ({
        name: `/interview-sets/:id/${step}`,
        as: "owner",
        paths: [`/interview-sets/${busy}/${step}`],
      }),
    ),
    ...listOf("owner", "/projects", projects, []),
    { name: "/projects/:id", as: "owner", paths: [`/projects/${project}`] },
    ...listOf(
      "owner",
      "/settings/people",
      [],
      ["q=grace", "q=e", "q=ada+bergm", "q=hofer.77", "q=nobody", `q=${candidate}`],
    ),
    { name: "/settings/people/:id", as: "owner", paths: [`/settings/people/${candidate}`] },
    ...listOf(
      "owner",
      "/settings/audit",
      [{ name: "in the middle", query: `before=${facts.audit}` }],
      [
        "type=invitation",
        "type=interview_set",
        "who=none",
        `who=${member}`,
        `record=${facts.record}`,
        `from=${from}&to=${to}`,
        `who=${member}&type=api_key`,
      ],
    ),
    ...["/settings/members", "/settings/integrations/api-keys", "/settings/webhooks", "/message-templates"].map(
      (path): Page => ({ name: path, as: "owner", paths: [path] }),
    ),
    ...listOf(
      "owner",
      `/settings/webhooks/${endpoint}`,
      [{ name: "in the middle", query: `before=${facts.delivery}` }],
      [
        "state=failed",
        "state=queued",
        "event=interview.evaluation.update.scored",
        `from=${from}T00:00&to=${to}T00:00`,
        "from=2020-01-01T00:00&to=2020-02-01T00:00",
      ],
    ),
    ...["", "?comments=50"].map(
      (query): Page => ({
        name: `/submissions/:id${query}, with ${size.comments} comments`,
        as: "owner",
        paths: [`/submissions/${commented}${query}`],
      }),
    ),
    ...workspace("recruiter"),
    ...["/home", "/submissions/assigned", "/submissions/assigned?page=200", `/submissions/${assigned}`].map(
      (path): Page => ({ name: nameOf(path), as: "reviewer", paths: [path] }),
    ),
    { name: "/shared/:token", as: "guest", paths: [""] },
    ...listOf("key", `${api}/hiring/submissions/v1`, submissions, [
      `interview_set_id=${busy}`,
      `interview_set_id=${busy}&status=withdrawn`,
      "status=withdrawn",
      `candidate_id=${candidate}`,
      `ats_candidate_id=${ats}`,
      `email=${email}`,
      "external_id=application-1",
      "external_id=none",
      ...updatedSince,
    ]),
    ...listOf("key", `${api}/hiring/invitations/v1`, invitations, [
      `interview_set_id=${busy}`,
      "status=failed",
      "status=pending",
      `candidate_id=${candidate}`,
      `ats_candidate_id=${ats}`,
      `email=${email}`,
      "external_id=application-1",
      "external_id=none",
      ...updatedSince,
      `submission_id=${submission}`,
    ]),
    ...listOf("key", `${api}/hiring/interview-sets/v1`, sets, [
      "set_type=1",
      "set_type=2",
      ...updatedSince,
      `project_id=${project}`,
      "external_id=job-1",
    ]),
    ...listOf("key", `${api}/hiring/projects/v1`, projects, []),
    ...listOf("key", `${api}/hiring/job-posts/v1`, yield* of("job-posts"), [`project_id=${project}`]),
    ...listOf(
      "key",
      `${api}/events/v1`,
      [{ name: "in the middle", query: `cursor=${eventCursorOf(facts)}` }],
      [
        "event_type=interview.evaluation.update",
        `submission_id=${submission}`,
        "from=now",
        ...[1, 100, 300, 400].map((days) => `since=${new Date(Date.now() - days * 86_400_000).toISOString()}`),
      ],
    ),
    post("export", 200, "", facts.people.slice(0, 100)),
    post("erase", 303, "confirm=erase", facts.people.slice(100)),
  ] satisfies ReadonlyArray<Page>
  return { pages, shared: commented }
})
