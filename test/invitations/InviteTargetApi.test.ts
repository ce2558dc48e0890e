/** The set and job post that a request invites to, and refused combinations. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { ProjectId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import {
  Caller,
  counts,
  errorsOf,
  faults,
  invite,
  invitedOne,
  newSet,
  nobodys,
  none,
  post,
  problem,
  layer as specification,
} from "../support/Specification.ts"

const email = "ada@example.com"
const cv_link = "https://files.example.com/ada.pdf"

type World = Readonly<Record<(typeof names)[number], string>>
const names = [
  ...([
    "alone",
    "aloneCv",
    "project",
    "old",
    "newest",
    "cvSet",
    "deletedSet",
    "oldPost",
    "post",
    "deletedPost",
  ] as const),
  ...(["postless", "postlessSet", "setless", "setlessPost", "cvOnly", "cvOnlyPost", "deletedProject"] as const),
  ...(["foreign", "foreignSet", "foreignPost"] as const),
]

/**
 * Two sets of no project; a project with sets and job posts, the newest of each deleted; projects that lack one of them;
 * another organization's.
 */
const world = Effect.gen(function* () {
  const { sql } = yield* Database
  const projects = yield* Projects
  const { organization } = yield* Caller
  const project = (name: string) => projects.create(operator(organization), name)
  const posted = (project: string, title: string) =>
    projects.createJobPost(operator(organization), ProjectId.make(project), title)
  const alone = yield* newSet()
  const aloneCv = yield* newSet({ set_type: 2 })
  const full = yield* project("Payments")
  const old = yield* newSet({ project_id: full })
  const newest = yield* newSet({ project_id: full })
  const cvSet = yield* newSet({ project_id: full, set_type: 2 })
  const deletedSet = yield* newSet({ project_id: full })
  const oldPost = yield* posted(full, "Old")
  const newestPost = yield* posted(full, "New")
  const deletedPost = yield* posted(full, "Deleted")
  const postless = yield* project("Without a post")
  const postlessSet = yield* newSet({ project_id: postless })
  const setless = yield* project("Without a set")
  const setlessPost = yield* posted(setless, "New")
  const cvOnly = yield* project("With a CV set alone")
  yield* newSet({ project_id: cvOnly, set_type: 2 })
  const cvOnlyPost = yield* posted(cvOnly, "New")
  const deletedProject = yield* project("Deleted")
  const theirs = yield* Api.account
  const foreign = yield* projects.create(operator(theirs.organization), "Theirs")
  const foreignPost = yield* projects.createJobPost(operator(theirs.organization), foreign, "Theirs")
  const json = { title: "Theirs", project_id: foreign }
  const { id } = yield* Api.results(201, "POST", Api.paths.createSet, { key: theirs.key, json })
  yield* sql`update interview_set set deleted_at = now() where id = ${deletedSet}::uuid`
  yield* sql`update job_post set deleted_at = now() where id = ${deletedPost}::uuid`
  yield* sql`update project set deleted_at = now() where id = ${deletedProject}::uuid`
  return {
    ...{ alone, aloneCv, project: full, old, newest, cvSet, deletedSet, oldPost, post: newestPost, deletedPost },
    ...{ postless, postlessSet, setless, setlessPost, cvOnly, cvOnlyPost, deletedProject },
    ...{ foreign, foreignSet: String(id), foreignPost },
  } satisfies World
})

/** The set and the job post that the submission belongs to, by their names in the world. */
const placeOf = Effect.fnUntraced(function* (world: World, submission: string) {
  const { sql } = yield* Database
  const nameOf = (id: string | null | undefined) => names.find((name) => world[name] === id) ?? null
  const [row] = yield* sql<{ set: string; post: string | null }>`
    select b.interview_set_id as set, a.job_post_id as post
    from submission b left join application a on a.id = b.application_id where b.id = ${submission}::uuid`
  return [nameOf(row?.set), nameOf(row?.post)]
})

type Name = (typeof names)[number]
type Target = Partial<Record<"com_interview_set_id" | "com_project_id" | "com_job_post_id", Name>>

/** The request's ids for names of the world. */
const idsOf = (world: World, target: Target) =>
  Object.fromEntries(Object.entries(target).map(([field, name]) => [field, world[name]]))

const set = (name: Name) => ({ com_interview_set_id: name })
const project = (name: Name) => ({ com_project_id: name })
const jobPost = (name: Name) => ({ com_job_post_id: name })

layer(specification(), { excludeTestServices: true })("an invite's target", (it) => {
  it.effect.each<readonly [quote: string, target: Target, set: Name, post: Name | null]>([
    ["a set alone", set("alone"), "alone", null],
    ["a set of a project", set("old"), "old", null],
    ["a project: its newest job post and newest interview set", project("project"), "newest", "post"],
    ["a project and a job post", { ...project("project"), ...jobPost("oldPost") }, "newest", "oldPost"],
    ["a project and a set", { ...project("project"), ...set("old") }, "old", "post"],
    ["all three given", { ...project("project"), ...set("old"), ...jobPost("oldPost") }, "old", "oldPost"],
    ["a set and a job post", { ...set("alone"), ...jobPost("oldPost") }, "alone", "oldPost"],
    ["a project and its CV set", { ...project("project"), ...set("cvSet") }, "cvSet", "post"],
  ])("%s", ([, target, expectedSet, post]) =>
    Effect.gen(function* () {
      const here = yield* world
      const ids = idsOf(here, target)
      const upper = Object.fromEntries(Object.entries(ids).map(([field, id]) => [field, id.toUpperCase()]))
      for (const [request, address] of [
        [ids, email],
        [upper, "bo@example.com"],
      ] as const) {
        const result = yield* invitedOne(request, { email: address, cv_link })
        assert.deepStrictEqual(errorsOf(result), [])
        assert.deepStrictEqual(yield* placeOf(here, String(result.submission?.id)), [expectedSet, post])
      }
    }),
  )

  it.effect("creates one application for each job post", () =>
    Effect.gen(function* () {
      const here = yield* world
      const { sql } = yield* Database
      const apply = (name: Name) => invitedOne(idsOf(here, { ...project("project"), ...jobPost(name) }), { email })
      for (const name of ["post", "oldPost", "post"] as const) yield* apply(name)
      const applied = yield* sql`
        select job_post_id as id from application where job_post_id in (${here.post}::uuid, ${here.oldPost}::uuid)
        order by created_at`
      assert.deepStrictEqual(applied, [{ id: here.post }, { id: here.oldPost }])
    }),
  )

  it.effect.each<readonly [quote: string, target: Target, fields: ReadonlyArray<string>, post: Name | null]>([
    ["application_ (project without a job post)", project("postless"), ["application_error_message"], null],
    ["none: `invitation_error_message`", project("setless"), ["invitation_error_message"], "setlessPost"],
    [
      "none: `invitation_error_message` (a CV set is none)",
      project("cvOnly"),
      ["invitation_error_message"],
      "cvOnlyPost",
    ],
  ])("%s", ([, target, fields, post]) =>
    Effect.gen(function* () {
      const here = yield* world
      const { sql } = yield* Database
      for (const candidate of [{ email }, { cv_link }, { email: "bo@example.com", cv_link }]) {
        const result = yield* invitedOne(idsOf(here, target), candidate)
        // without an address, the missing submission is the error
        const alone = post !== null && candidate.email === undefined ? ["submission_error_message"] : []
        assert.sameMembers(errorsOf(result), ["error_message", ...fields, ...alone])
        if (post === null)
          assert.deepStrictEqual(yield* placeOf(here, String(result.submission?.id)), ["postlessSet", null])
        else assert.deepStrictEqual([result.invitation, result.submission], [null, null])
      }
      if (post === null) {
        const all = { candidates: 3, submissions: 3, invitations: 2, mails: 2, cvs: 2 }
        assert.deepStrictEqual(yield* counts(here.postlessSet), { ...none, ...all })
      } else assert.lengthOf(yield* sql`select id from application where job_post_id = ${here[post]}::uuid`, 3)
    }),
  )

  it.effect.each<readonly [quote: string, target: Target]>([
    ["interview set of another organization", set("foreignSet")],
    ["interview set deleted", set("deletedSet")],
    ["project of another organization", project("foreign")],
    ["project deleted", project("deletedProject")],
    ["project deleted, the set is not", { ...set("old"), ...project("deletedProject") }],
    ["job post of another organization", { ...set("alone"), ...jobPost("foreignPost") }],
    ["job post deleted", { ...project("project"), ...jobPost("deletedPost") }],
    [
      "another organization's project with its set and job post",
      { ...set("foreignSet"), ...project("foreign"), ...jobPost("foreignPost") },
    ],
    ["an id of another kind: a project's as a set's", set("project")],
    ["an id of another kind: a set's as a project's", project("alone")],
  ])("returns 404 for another organization's or a deleted record: %s", ([, target]) =>
    Effect.gen(function* () {
      const here = yield* world
      const request = { ...idsOf(here, target), candidates: [{ email, cv_link }] }
      problem(yield* post(invite, request), 404, "not_found")
      for (const name of ["alone", "old", "newest"] as const) assert.deepStrictEqual(yield* counts(here[name]), none)
    }),
  )

  it.effect.each(["com_interview_set_id", "com_project_id", "com_job_post_id"])(
    "returns 404 for an unknown %s",
    (field) =>
      Effect.gen(function* () {
        const request = { com_interview_set_id: yield* newSet(), [field]: nobodys, candidates: [{ email }] }
        problem(yield* post(invite, request), 404, "not_found")
      }),
  )

  it.effect.each<readonly [quote: string, target: Target, candidate: object, expected: ReadonlyArray<string>]>([
    [
      "set and project given but the set is not of that project",
      { ...project("postless"), ...set("old") },
      { email },
      ["#/com_interview_set_id wrong_project"],
    ],
    [
      "the set is not of that project (of none)",
      { ...project("project"), ...set("alone") },
      { email },
      ["#/com_interview_set_id wrong_project"],
    ],
    [
      "a job post of another project",
      { ...project("postless"), ...jobPost("post") },
      { email },
      ["#/com_job_post_id wrong_project"],
    ],
    [
      "all errors at once: set and job post of another project",
      { ...project("postless"), ...set("old"), ...jobPost("post") },
      { email },
      ["#/com_interview_set_id wrong_project", "#/com_job_post_id wrong_project"],
    ],
    [
      "all errors at once: a CV set of another project, and no CV",
      { ...project("postless"), ...set("cvSet"), ...jobPost("post") },
      { email },
      ["#/com_interview_set_id wrong_project", "#/com_job_post_id wrong_project", "#/candidates/0/cv_link required"],
    ],
  ])("returns 422: %s", ([, target, candidate, expected]) =>
    Effect.gen(function* () {
      const here = yield* world
      const request = { ...idsOf(here, target), candidates: [candidate] }
      assert.sameMembers(yield* faults(invite, request), [...expected])
      for (const name of ["alone", "old", "cvSet"] as const) assert.deepStrictEqual(yield* counts(here[name]), none)
    }),
  )
})
