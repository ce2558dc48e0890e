/** Where an invite leads: a set, a project, a job post; and what is refused on the way (contract, Invite). */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { OrganizationId } from "../../src/domain/Ids.ts"
import { type CandidateEntry, InviteRequest, type InviteResult } from "../../src/domain/Invite.ts"
import type { NotFound } from "../../src/domain/Problem.ts"
import { Database } from "../../src/repository/Database.ts"
import { InterviewSets } from "../../src/service/InterviewSets.ts"
import { Invite } from "../../src/service/Invite.ts"
import { Organizations } from "../../src/service/Organizations.ts"
import * as Pod from "../support/Pod.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const email = "ada@example.com"
const cv_link = "https://files.example.com/ada.pdf"

const withProject = Effect.gen(function* () {
  const organizations = yield* Organizations
  const organization = yield* organizations.create("Acme")
  const project = yield* organizations.createProject(organization, "Payments")
  return { organization, organizations, project, sets: yield* InterviewSets }
})

const inviteTo = Effect.fnUntraced(function* (
  organization: OrganizationId,
  request: Omit<Partial<InviteRequest>, "candidates">,
  ...candidates: ReadonlyArray<CandidateEntry>
) {
  return yield* (yield* Invite).invite(organization, InviteRequest.make({ ...request, candidates }))
})

const errorsOf = (result: InviteResult | undefined) =>
  Object.fromEntries(Object.entries(result ?? {}).filter(([name]) => name.endsWith("error_message")))

/** The set and the job post that a result's submission belongs to. */
const placeOf = Effect.fnUntraced(function* (result: InviteResult | undefined) {
  const { sql } = yield* Database
  const rows = yield* sql`
    select b.interview_set_id as set, a.job_post_id as post from submission b left join application a on a.id = b.application_id
    where b.id = ${result?.submission?.id ?? null}::uuid`
  return rows[0]
}, Effect.orDie)

layer(Pod.services().pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "Invite's target",
  (it) => {
    it.effect("a project alone means its newest interview and its newest job post", () =>
      Effect.gen(function* () {
        const { organization, organizations, project, sets } = yield* withProject
        yield* sets.create(organization, { title: "Old", project_id: project })
        const { id: set } = yield* sets.create(organization, { title: "New", project_id: project })
        yield* sets.create(organization, { title: "CVs", project_id: project, set_type: 2 })
        yield* organizations.createJobPost(project, "Old")
        const post = yield* organizations.createJobPost(project, "New")
        const [result] = yield* inviteTo(organization, { com_project_id: project.toUpperCase() }, { email })
        assert.deepStrictEqual(errorsOf(result), {})
        assert.deepStrictEqual(yield* placeOf(result), { set, post })
      }),
    )

    it.effect("what is given wins over what is newest", () =>
      Effect.gen(function* () {
        const { organization, organizations, project, sets } = yield* withProject
        const { id: set } = yield* sets.create(organization, { title: "Old", project_id: project })
        yield* sets.create(organization, { title: "New", project_id: project })
        const post = yield* organizations.createJobPost(project, "Old")
        yield* organizations.createJobPost(project, "New")
        const request = { com_project_id: project, com_interview_set_id: set.toUpperCase(), com_job_post_id: post }
        const results = yield* inviteTo(organization, request, { email }, { email: "bo@example.com" })
        for (const result of results) assert.deepStrictEqual(yield* placeOf(result), { set, post })
        const { sql } = yield* Database
        yield* inviteTo(organization, request, { email })
        const applications = yield* sql`select id from application where job_post_id = ${post}::uuid`
        assert.lengthOf(applications, 2)
      }),
    )

    it.effect("a project without a job post: invited, and the application's error says so", () =>
      Effect.gen(function* () {
        const { organization, project, sets } = yield* withProject
        const { id: set } = yield* sets.create(organization, { title: "New", project_id: project })
        const [result] = yield* inviteTo(organization, { com_project_id: project }, { email })
        assert.hasAllKeys(errorsOf(result), ["error_message", "application_error_message"])
        assert.strictEqual(result?.invitation?.status_text, "pending")
        assert.deepStrictEqual(yield* placeOf(result), { set, post: null })
      }),
    )

    it.effect("a project without an interview: applied, and the invitation's error says so", () =>
      Effect.gen(function* () {
        const { organization, organizations, project } = yield* withProject
        const post = yield* organizations.createJobPost(project, "New")
        const results = yield* inviteTo(organization, { com_project_id: project }, { email }, { cv_link })
        for (const result of results) {
          assert.hasAllKeys(errorsOf(result), ["error_message", "invitation_error_message"])
          assert.isNull(result.invitation)
          assert.isNull(result.submission)
        }
        const { sql } = yield* Database
        assert.lengthOf(yield* sql`select id from application where job_post_id = ${post}::uuid`, 2)
      }),
    )

    it.effect("records of another project are refused, of another organization or deleted are not found", () =>
      Effect.gen(function* () {
        const { organization, organizations, project, sets } = yield* withProject
        const other = yield* organizations.createProject(organization, "Other")
        const { id: otherSet } = yield* sets.create(organization, { title: "Other", project_id: other })
        const otherPost = yield* organizations.createJobPost(other, "Other")
        const pointers = Effect.fnUntraced(function* (request: Omit<Partial<InviteRequest>, "candidates">) {
          const error = yield* Effect.flip(inviteTo(organization, request, { email }))
          return "errors" in error ? error.errors.map(({ pointer }) => pointer) : error.record
        })
        assert.deepStrictEqual(yield* pointers({ com_project_id: project, com_interview_set_id: otherSet }), [
          "#/com_interview_set_id",
        ])
        assert.deepStrictEqual(yield* pointers({ com_project_id: project, com_job_post_id: otherPost }), [
          "#/com_job_post_id",
        ])

        const foreign = (yield* withProject).organization
        const missing = (request: Omit<Partial<InviteRequest>, "candidates">) =>
          Effect.map(Effect.flip(inviteTo(foreign, request, { email })), (error) => (error as NotFound).record)
        assert.strictEqual(yield* missing({ com_project_id: other }), "project")
        assert.strictEqual(yield* missing({ com_interview_set_id: otherSet }), "interview set")
        const { id: own } = yield* sets.create(foreign, { title: "Own" })
        assert.strictEqual(yield* missing({ com_interview_set_id: own, com_job_post_id: otherPost }), "job post")
        const { sql } = yield* Database
        yield* sql`update interview_set set deleted_at = now() where id = ${own}::uuid`
        assert.strictEqual(yield* missing({ com_interview_set_id: own }), "interview set")
      }),
    )

    it.effect.each([
      "http://files.example.com/ada.pdf",
      "https://10.0.0.1/ada.pdf",
      "https://0x7f.1/ada.pdf",
      "https://169.254.169.254/latest/meta-data",
      "file:///etc/passwd",
      "not a link",
    ])("the CV at %s is not fetched", (link) =>
      Effect.gen(function* () {
        const { organization, sets } = yield* withProject
        const { sql } = yield* Database
        const { id: set } = yield* sets.create(organization, { title: "Interview" })
        const { id: cvSet } = yield* sets.create(organization, { title: "CVs", set_type: 2 })
        const fails = ["error_message", "candidate_entry_error_message"]
        const settings = { OUTBOUND_ALLOW: "" }
        yield* Effect.gen(function* () {
          const [alone, invited] = yield* inviteTo(
            organization,
            { com_interview_set_id: set },
            { cv_link: link },
            { email, cv_link: link },
          )
          assert.hasAllKeys(errorsOf(alone), fails)
          assert.isNull(alone?.submission)
          assert.hasAllKeys(errorsOf(invited), fails)
          assert.strictEqual(invited?.invitation?.status_text, "pending")
          for (const result of yield* inviteTo(
            organization,
            { com_interview_set_id: cvSet },
            { email, cv_link: link },
          )) {
            assert.hasAllKeys(errorsOf(result), fails)
            assert.isNull(result.submission)
          }
        }).pipe(Effect.provide(Pod.services({ settings }), { local: true }))
        const cvs = yield* sql`select id from cv where organization_id = ${organization}::int`
        assert.lengthOf(cvs, 0)
      }),
    )
  },
)
