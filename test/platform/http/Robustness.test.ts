/**
 * Generated requests are answered as documented, without internal errors, and a refused request writes nothing. Bodies
 * and queries are generated from the contract's schemas and then altered. A failure prints the shortest failing request
 * and a replay token, to be passed as last argument: `{ arbitrary: { replay: "…" } }`.
 */
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Context, Effect, Layer, Schema } from "effect"
import { operator } from "../../../src/accounts/Viewer.ts"
import { CandidateEntry } from "../../../src/candidates/Candidate.ts"
import { importanceOf } from "../../../src/interview-sets/Importance.ts"
import {
  CreateAccess,
  CreateInterviewSet,
  questionModeIds,
  questionTypeIds,
} from "../../../src/interview-sets/InterviewSet.ts"
import { storedLocations } from "../../../src/interview-sets/JobLocation.ts"
import { Projects } from "../../../src/interview-sets/Projects.ts"
import { InviteRequest } from "../../../src/invitations/InviteRequest.ts"
import type { InviteResult } from "../../../src/invitations/InviteResult.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { foldAddress } from "../../../src/values/EmailAddress.ts"
import { integer, optional, uuid } from "../../../src/values/Fields.ts"
import * as Api from "../../support/Api.ts"
import * as Contract from "../../support/Contract.ts"
import * as Json from "../../support/Json.ts"
import * as Tables from "../../support/Tables.ts"
import { amount } from "../../support/thorough.ts"

/** A key, and ids for its requests: `$project` in a request stands for a project's id, and so on. */
class Own extends Context.Service<Own, { readonly key: string; readonly ids: Record<string, string> }>()(
  "interview-invitations/test/Own",
) {
  static readonly layer = Layer.effect(
    Own,
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const projects = yield* Projects
      const $project = yield* projects.create(operator(organization), "Payments")
      const $post = yield* projects.createJobPost(operator(organization), $project, "Engineer")
      const create = (json: object) => Api.results(201, "POST", Api.paths.createSet, { key, json })
      const { id: $set } = yield* create({ title: "Interview", project_id: $project })
      const { id: $cvs } = yield* create({ title: "CVs", set_type: 2 })
      return { key, ids: { $project, $post, $set: String($set), $cvs: String($cvs) } }
    }).pipe(Effect.orDie),
  )
}

const runs = amount(100, 600)

const service = Own.layer.pipe(Layer.provideMerge(Api.layer({ settings: { RATE_LIMIT: "0" } })))

const addresses = ["ada@example.com", "Ada@Example.com", "bo@example.com", "c.d+e@sub.example.org"] as const
const links = ["https://cv.example/ada.pdf", "http://cv.example/bo.pdf", "https://127.0.0.1/cv"] as const

// explicit values that random generation would rarely produce
const SetBody = Schema.Struct({
  ...CreateInterviewSet.fields,
  title: Schema.Union([Schema.Literals(["Engineer", " Ingénieur \u{1F680} "]), Schema.String]),
  number_of_retakes: optional(Schema.Union([Schema.Literal(0), integer(0)])),
  priority: optional(Schema.Union([Schema.Literal(0), integer()])),
  project_id: optional(Schema.Union([Schema.Literals(["$project", "$project"]), uuid])),
  com_accesses: optional(Schema.Array(Schema.Struct({ ...CreateAccess.fields, email: Schema.Literals(addresses) }))),
})

const InviteBody = Schema.Struct({
  ...InviteRequest.fields,
  com_interview_set_id: Schema.Literals(["$set", "$set", "$cvs"]),
  com_project_id: optional(Schema.Literal("$project")),
  com_job_post_id: optional(Schema.Union([Schema.Literals(["$post", "$post"]), uuid])),
  candidates: Schema.NonEmptyArray(
    Schema.Struct({
      ...CandidateEntry.fields,
      email: optional(Schema.Union([Schema.Literals(addresses), Schema.String])),
      cv_link: optional(Schema.Union([Schema.Literals(links), Schema.String])),
    }),
  ),
})

/** Alterations of a request: half stay unchanged, half may be repeated. */
const ways = Arbitrary.map(
  Arbitrary.all({
    isSpoiled: Arbitrary.schema(Schema.Boolean),
    isKeyed: Arbitrary.schema(Schema.Boolean),
    mutations: Arbitrary.array(Arbitrary.schema(Json.Mutation), { minLength: 1, maxLength: 3 }),
  }),
  ({ isKeyed, isSpoiled, mutations }) => ({ isKeyed, mutations: isSpoiled ? mutations : [] }),
)
type Way = { readonly isKeyed: boolean; readonly mutations: ReadonlyArray<Json.Mutation> }

/** Checks a response; a refused request has written nothing since `before`. Returns the results, if any. */
const check = Effect.fnUntraced(function* (
  endpoint: Contract.Endpoint,
  answer: Api.Answer,
  request: unknown,
  before: unknown,
) {
  for (const fault of Contract.documented(endpoint, answer)) {
    const found = Json.lookUp(request, fault.pointer)
    assert.isTrue(found === "there" || (found === "missing key" && fault.code === "required"), JSON.stringify(fault))
  }
  if (answer.status >= 400) assert.deepStrictEqual(yield* Tables.writes, before)
  return answer.status < 400 ? (answer.body as { readonly results: unknown }).results : undefined
})

/** Sends a body; returns the request as JSON.parse reads it, and the response's results. */
const send = Effect.fnUntraced(function* (name: string, body: unknown, { isKeyed, mutations }: Way) {
  const { ids, key } = yield* Own
  const endpoint = Contract.endpointOf(name)
  const raw = Object.entries(ids).reduce(
    (text, [placeholder, id]) => text.replaceAll(`"${placeholder}"`, `"${id}"`),
    Json.write(mutations.reduce(Json.mutate, Json.read(Json.storable(body)))),
  )
  const before = yield* Tables.writes
  const repeatable = isKeyed ? { "idempotency-key": crypto.randomUUID() } : {}
  const headers = { "content-type": "application/json", ...repeatable }
  const answer = yield* Api.call(endpoint.method, endpoint.path, { key, raw, headers })
  const request: unknown = JSON.parse(raw)
  return { request, results: yield* check(endpoint, answer, request, before) }
})

/** A blank id counts as absent. */
const hasId = (option: { readonly id?: unknown } | undefined): boolean => String(option?.id ?? "").trim() !== ""

/** A request as it should be stored: null for absent values, and numbers as JSON.parse reads them. */
const stored = (request: CreateInterviewSet): unknown => {
  const texts = <A extends Partial<Record<"title" | "content" | "hint", string | null>>>(item: A) => ({
    title: item.title ?? null,
    content: item.content ?? null,
    hint: item.hint ?? null,
  })
  const rest = (item: { readonly priority?: number | null; readonly attributes?: unknown }) => ({
    priority: item.priority ?? null,
    attributes: item.attributes ?? null,
  })
  const accesses = (request.com_accesses ?? []).filter(
    ({ email }, i, all) => all.findIndex((one) => one.email.toLowerCase() === email.toLowerCase()) === i,
  )
  return JSON.parse(
    JSON.stringify({
      title: request.title,
      position: request.position ?? null,
      set_type: request.set_type ?? 1,
      description: request.description ?? null,
      interview_duration: request.interview_duration ?? null,
      cfg_lingual_ids: request.cfg_lingual_ids ?? [],
      number_of_retakes: request.number_of_retakes ?? null,
      priority: request.priority ?? null,
      com_project_id: request.project_id?.toLowerCase() ?? null,
      external_id: request.external_id ?? null,
      metadata: request.metadata ?? {},
      job_locations: storedLocations(request.job_locations ?? []),
      iai_questions: (request.iai_questions ?? []).map((question) => ({
        ...texts(question),
        details: question.details ?? null,
        cfg_question_mode_id: questionModeIds[question.question_mode],
        cfg_question_type_id: questionTypeIds[question.question_type],
        ...rest(question),
        options: (question.options ?? []).map((option) => ({
          ...(hasId(option) ? { id: option.id } : {}),
          title: option.title ?? null,
          titles: option.titles ?? null,
          content: option.content ?? null,
          contents: option.contents ?? null,
          priority: option.priority ?? null,
        })),
        allowed_file_types: question.allowed_file_types ?? null,
      })),
      iai_requirements: (request.iai_requirements ?? []).map((requirement) => ({
        ...texts(requirement),
        cfg_importance_id: importanceOf(requirement.cfg_importance_id).id,
        tal_skill_ids: requirement.tal_skill_ids ?? [],
        ...rest(requirement),
      })),
      com_accesses: accesses.map((access) => ({
        email: access.email,
        fullname: access.fullname ?? null,
        firstname: access.firstname ?? null,
        lastname: access.lastname ?? null,
        ...rest(access),
      })),
    }),
  )
}

/** A set without what the service assigned. */
const requested = (
  { archived_at, created_at, is_fixed, updated_at, version, ...set }: Api.Row,
  request: CreateInterviewSet,
): unknown => {
  assert.deepStrictEqual({ archived_at, is_fixed }, { archived_at: null, is_fixed: false })
  for (const text of [created_at, updated_at, version]) assert.isString(text)
  const bare = ({ id, ...item }: Api.Row): Api.Row => {
    assert.match(String(id), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    return item
  }
  const all = (items: unknown) => (items as ReadonlyArray<Api.Row>).map(bare)
  const questions = all(set["iai_questions"]).map((question, i) => ({
    ...question,
    options: (question["options"] as ReadonlyArray<Api.Row>).map(({ id, ...option }, j) =>
      hasId(request.iai_questions?.[i]?.options?.[j]) ? { id, ...option } : option,
    ),
  }))
  return {
    ...bare(set),
    iai_questions: questions,
    iai_requirements: all(set["iai_requirements"]),
    com_accesses: all(set["com_accesses"]),
  }
}

layer(service, { excludeTestServices: true })("Robustness", (it) => {
  it.effect.prop(
    "create set: stores the request unchanged, or refuses it and writes nothing",
    [SetBody, ways],
    ([body, way]) =>
      Effect.gen(function* () {
        const { request, results } = yield* send("interviewSets.create", body, way)
        const isOwn = body.project_id == null || body.project_id === "$project"
        if (way.mutations.length === 0 && body.title.trim() !== "" && isOwn) assert.isDefined(results)
        if (results === undefined) return
        const set = results as Api.Row
        const { key } = yield* Own
        const path = Contract.endpointOf("interviewSets.read").path.replace(":id", String(set["id"]))
        assert.deepStrictEqual(yield* Api.results(200, "GET", path, { key }), set)
        // accepted, so it matches the schema
        const accepted = request as CreateInterviewSet
        assert.deepStrictEqual(requested(set, accepted), stored(accepted))
      }),
    { arbitrary: { runs } },
  )

  const living = new Set<string>()
  it.effect.prop(
    "invite: returns one result for each candidate, or refuses the request and writes nothing",
    [InviteBody, ways],
    ([body, way]) =>
      Effect.gen(function* () {
        const { request, results } = yield* send("invitations.invite", body, way)
        const isComplete = body.candidates.every(({ cv_link, email }) => email?.trim() || cv_link?.trim())
        const isOwn = body.com_job_post_id == null || body.com_job_post_id === "$post"
        const isTarget = body.com_interview_set_id === "$set" && isOwn
        if (way.mutations.length === 0 && isComplete && isTarget) assert.isDefined(results)
        if (results === undefined) return
        const { candidates, invitation_message = null } = request as InviteRequest
        const invited = results as ReadonlyArray<InviteResult>
        assert.lengthOf(invited, candidates.length)
        const { sql } = yield* Database
        const known = new Set(living)
        for (const [i, { cv_link, email_address, invitation, invitation_error_message }] of invited.entries()) {
          const entry = candidates[i]
          assert.strictEqual(email_address, entry?.email?.trim() || null)
          assert.strictEqual(cv_link, entry?.cv_link ?? null)
          if (invitation === null) continue
          const [row] = yield* sql<{ email: string; message: string | null; ats: string | null }>`
            select i.email, i.message, c.ats_candidate_id as ats from invitation i join candidate c on c.id = i.candidate_id
            where i.id = ${invitation.id}::uuid`
          living.add(invitation.id)
          assert(row)
          assert.strictEqual(row.email, invitation.email)
          // or it exists from an earlier request with another address
          const isThere = foldAddress(invitation.email) === foldAddress(email_address ?? "")
          assert.isTrue(isThere || invitation_error_message?.includes(invitation.email))
          if (entry?.ats_candidate_id != null) assert.strictEqual(row.ats, entry.ats_candidate_id.toLowerCase())
          // and keeps its message
          if (!known.has(invitation.id)) assert.strictEqual(row.message, invitation_message)
        }
      }),
    { arbitrary: { runs } },
  )

  it.effect("refuses cursors that no list returned", () =>
    Effect.gen(function* () {
      const { key } = yield* Own
      const id = "0190b5a2-7c1e-7def-8abc-0123456789ab"
      const noMoments = [
        "2026-02-30T00:00",
        "0000-01-01T00:00",
        "2026-01-01T24:00",
        "2026-13-01T00:00",
        "2026-01-01T00:60",
      ]
      const forged = [
        ...noMoments.map((minute) => `${minute}:00.000000Z ${id}`),
        `2026-01-01T00:00:00.000000Z ${id.toUpperCase()}`,
        `2026-01-01T00:00:00.000000Z ${id}0`,
        "-1 0",
        "9223372036854775808 0",
        "99999999999999999999 0",
      ].map((text) => Buffer.from(text).toString("base64url"))
      for (const endpoint of Contract.endpoints.filter(({ parameters }) => parameters.includes("cursor"))) {
        for (const cursor of [...forged, "", "%00", "x".repeat(10_000)]) {
          const answer = yield* Api.call("GET", `${endpoint.path.replace(":id", id)}?cursor=${cursor}`, { key })
          const [fault] = Contract.documented(endpoint, answer)
          assert.deepInclude(fault, { pointer: "#/cursor", code: "invalid_cursor" }, cursor)
        }
      }
    }),
  )

  const anyId = Schema.Union([
    uuid,
    Schema.Literals(["0", "null", "%00", "%ZZ", "%2F", "\u{1F680}", "x".repeat(5_000)]),
  ])
  for (const endpoint of Contract.endpoints.filter(({ method }) => method === "GET")) {
    const { parameters, path } = endpoint
    it.effect.prop(
      `GET ${path}: answers any query as documented`,
      [Contract.queries(endpoint), anyId, ways],
      ([query, id, { mutations }]) =>
        Effect.gen(function* () {
          const { key } = yield* Own
          const search = Json.writeQuery(mutations.reduce(Json.mutate, Json.read(query)))
          const before = yield* Tables.writes
          const answer = yield* Api.call("GET", `${path.replace(":id", id)}?${search}`, { key })
          const results = yield* check(endpoint, answer, Object.fromEntries(new URLSearchParams(search)), before)
          const isAsked = mutations.length === 0 && !("cursor" in Object(query))
          if (isAsked && parameters.length > 0 && !path.includes(":")) assert.isDefined(results)
        }),
      { arbitrary: { runs: runs / 10 } },
    )
  }
})
