/** Requests and checks that the tests of API rules share (docs/api.md). */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import * as Api from "./Api.ts"
import type * as Pod from "./Pod.ts"

export const { createSet, detail, invite } = Api.paths
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const nobodys = "0190b5a2-7c1e-7def-8abc-0123456789ab"

/** A hiring system with an unrestricted key. */
export class Caller extends Context.Service<Caller, { readonly organization: OrganizationId; readonly key: string }>()(
  "interview-invitations/test/Caller",
) {
  static readonly layer = Layer.effect(Caller, Api.account)
}

/** Without a rate limit. */
export const layer = (ports: Pod.Ports = {}) =>
  Caller.layer.pipe(Layer.provideMerge(Api.layer({ ...ports, settings: { RATE_LIMIT: "0", ...ports.settings } })))

/** Checks that an answer is a problem (RFC 9457); returns its validation errors. */
export const problem = (answer: Api.Answer, status: number, code: string) => {
  assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
  assert.deepInclude(answer.body, { type: `/docs/errors#${code}`, status, code })
  const { detail, errors, title } = answer.body as Record<"detail" | "title" | "errors", unknown>
  assert.isString(title)
  assert.isString(detail)
  return (errors ?? []) as ReadonlyArray<{ pointer: string; code: string; message: string }>
}

const sentBy = (key: string, request: unknown): Api.Sent =>
  typeof request === "string"
    ? { key, raw: request, headers: { "content-type": "application/json" } }
    : { key, json: request }

/** A string is sent unchanged, other values as JSON. */
export const post = Effect.fnUntraced(function* (path: string, request: unknown) {
  return yield* Api.call("POST", path, sentBy((yield* Caller).key, request))
})

/** The validation errors of a request, as `pointer code`. */
export const faults = Effect.fnUntraced(function* (path: string, request: unknown) {
  const errors = problem(yield* post(path, request), 422, "validation_failed")
  for (const { message } of errors) assert.match(message, /\S/)
  return errors.map(({ code, pointer }) => `${pointer} ${code}`)
})

/** Creates a set and checks that a GET returns the same. */
export const created = Effect.fnUntraced(function* (request: unknown) {
  const { key } = yield* Caller
  const set = yield* Api.results(201, "POST", createSet, sentBy(key, request))
  const path = `/company/integration/hiring/interview-sets/v1/${set["id"]}`
  assert.deepStrictEqual(yield* Api.results(200, "GET", path, { key }), set)
  assert.deepStrictEqual([set["archived_at"], set["is_fixed"]], [null, false])
  return set
})

export interface Result {
  readonly email_address: string | null
  readonly cv_link: string | null
  readonly invitation:
    | (Readonly<Record<"id" | "email" | "status_text" | "interview_url", string>> & {
        readonly is_new: boolean
        readonly email_status: string | null
      })
    | null
  readonly submission: {
    readonly id: string
    readonly status_text: string
    readonly interview_url: string | null
  } | null
}

export const invited = Effect.fnUntraced(function* (request: unknown) {
  const { key } = yield* Caller
  return yield* Api.results<ReadonlyArray<Result>>(200, "POST", invite, sentBy(key, request))
})

export const invitedOne = (target: object, candidate: object) =>
  Effect.flatMap(invited({ ...target, candidates: [candidate] }), (results) => {
    assert.lengthOf(results, 1)
    return Effect.fromNullishOr(results[0]).pipe(Effect.orDie)
  })

export const newSet = (fields: object = {}) =>
  Effect.map(created({ title: "Backend Engineer", ...fields }), ({ id }) => String(id))

export const errorsOf = (result: Result) => Object.keys(result).filter((name) => name.endsWith("error_message"))

export const counts = Effect.fnUntraced(function* (set: string) {
  const { sql } = yield* Database
  const of = (statement: string) => sql.literal(`(select count(*)::int from ${statement})`)
  const [row] = yield* sql<Record<"candidates" | "submissions" | "invitations" | "mails" | "cvs" | "events", number>>`
    with b as (select * from submission where interview_set_id = ${set}::uuid),
      i as (select * from invitation where interview_set_id = ${set}::uuid)
    select ${of("(select distinct candidate_id from b) c")} as candidates, ${of("b")} as submissions,
      ${of("i")} as invitations, ${of("email e join i on i.id = e.invitation_id")} as mails,
      ${of("cv join b on b.id = cv.submission_id")} as cvs,
      ${of("webhook_event e join b on b.id = e.submission_id")} as events`
  return row
}, Effect.orDie)

export const none = { candidates: 0, submissions: 0, invitations: 0, mails: 0, cvs: 0, events: 0 }

/** The results of a repeated invite: no invitation is new. */
export const repeated = (results: ReadonlyArray<Result>): ReadonlyArray<Result> =>
  results.map((result) => ({ ...result, invitation: result.invitation && { ...result.invitation, is_new: false } }))
