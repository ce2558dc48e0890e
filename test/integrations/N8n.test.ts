/**
 * The nodes of integrations/n8n against the API, run by small fakes of n8n (test/support/n8n). test/system/integrations/N8n.test.ts
 * runs n8n's own validators.
 */
import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { Api as Contract } from "../../src/Api.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import type { Document, Operation, SchemaObject } from "../../src/api-reference/OpenApiDocument.ts"
import { importances } from "../../src/interview-sets/Importance.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as UndiciWebhookTransport from "../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { subscriptions } from "../../src/webhooks/events/WebhookEvent.ts"
import { codeWith } from "../docs/pages.ts"
import { loopback } from "../port/receivers.ts"
import * as Api from "../support/Api.ts"
import { listen } from "../support/listen.ts"
import { callList, evaluate, makeTrigger, type Received, type Response, runNode } from "../support/n8n/Fakes.ts"
import { load, loadAction, loadCredential, loadTrigger, type Property, type Values } from "../support/n8n/Package.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Specification from "../support/Specification.ts"
import { round, rounds } from "../support/Webhooks.ts"

const [action, trigger, credential] = await Promise.all([loadAction(), loadTrigger(), loadCredential()])

const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Contract)))

/** The properties of the action node and, with them, those within choices and collections. */
const inner = (property: Property): ReadonlyArray<Property> => [
  property,
  ...[...(property.options ?? []), ...(property.values ?? [])].flatMap(inner),
]
const all = action.description.properties.flatMap(inner)

const resolved = (schema: SchemaObject | undefined): SchemaObject => {
  const [, name] = /#\/components\/schemas\/(\w+)$/.exec(schema?.$ref ?? "") ?? []
  return name === undefined ? (schema ?? {}) : (document.components.schemas[name] ?? {})
}

/** The operation of a path in which expressions are in the place of ids. */
const operationOf = (method: string, url: string): Operation | undefined => {
  const path = url.replace(/^=/, "").replaceAll(/\{\{.*?\}\}/g, "{id}")
  return document.paths[path]?.[method.toLowerCase()]
}

interface Choice {
  readonly resource: string
  readonly operation: string
  readonly found: Operation
}

const operations: ReadonlyArray<Choice> = action.description.properties.flatMap((property) =>
  property.name !== "operation"
    ? []
    : (property.options ?? []).map(({ routing, value }) => {
        const { method = "", url = "" } = routing?.request ?? {}
        const found = operationOf(method, url)
        if (found === undefined) throw new Error(`no operation ${method} ${url}`)
        return { resource: String(property.displayOptions?.show?.["resource"]?.[0]), operation: String(value), found }
      }),
)

const bodyOf = ({ requestBody }: Operation): SchemaObject => resolved(requestBody?.content["application/json"]?.schema)

/** Names of the parameters in the query, and fields of the body. */
const namesOf = (operation: Operation, place: "body" | "query"): ReadonlyArray<string> =>
  place === "body"
    ? Object.keys(bodyOf(operation).properties ?? {})
    : operation.parameters.flatMap((one) => ("in" in one && one.in === "query" ? [one.name] : []))

const valuesOf = (name: string, within: ReadonlyArray<Property> = all): ReadonlyArray<unknown> =>
  (within.find((property) => property.name === name && property.options !== undefined)?.options ?? [])
    .map(({ value }) => value)
    .toSorted()

const enumOf = (schema: SchemaObject | undefined): ReadonlyArray<unknown> =>
  (resolved(schema).enum ?? []).filter((value) => value !== null).toSorted()

const within = (resource: string, operation: string): ReadonlyArray<Property> =>
  action.description.properties
    .filter(({ displayOptions: { show = {} } = {}, name }) => {
      const isOf = (key: string, value: string) => show[key]?.includes(value) === true
      return name !== "operation" && isOf("resource", resource) && isOf("operation", operation)
    })
    .flatMap(inner)

describe("the contract of the n8n nodes", () => {
  it("names operations, parameters and fields of /openapi.json only", () => {
    assert.sameMembers(
      operations.map(({ found }) => found.operationId),
      [
        ...["inviteCandidates", "createInterviewSet", "getInterviewSet", "listInterviewSets", "getInvitation"],
        ...["listInvitations", "resendInvitation", "correctInvitation", "extendInvitation", "cancelInvitation"],
        ...["getSubmission", "listSubmissions", "listProjects", "listJobPosts"],
      ],
    )
    let compared = 0
    for (const { found, operation, resource } of operations) {
      for (const { name, routing } of within(resource, operation)) {
        const { property, type } = routing?.send ?? {}
        if (property === undefined || type === undefined) continue
        assert.include(namesOf(found, type), property, `${resource} ${operation} ${name}`)
        compared += 1
      }
    }
    assert.isAbove(compared, 35)
  })

  it("has the same values in its choices as /openapi.json", () => {
    const { schemas } = document.components
    const question = schemas["CreateQuestion"]?.properties ?? {}
    const create = within("interviewSet", "create")
    assert.deepStrictEqual(valuesOf("question_mode", create), enumOf(question["question_mode"]))
    assert.deepStrictEqual(valuesOf("question_type", create), enumOf(question["question_type"]))
    assert.deepStrictEqual(valuesOf("allowed_file_types", create), enumOf(question["allowed_file_types"]?.items))
    assert.deepStrictEqual(valuesOf("setType", create), enumOf(schemas["CreateInterviewSet"]?.properties?.["set_type"]))
    assert.deepStrictEqual(
      valuesOf("cfg_importance_id", create),
      importances.map(({ id }) => id),
    )
    assert.deepStrictEqual(valuesOf("status", within("invitation", "getAll")), enumOf(schemas["InvitationStatus"]))
    const submissions = within("submission", "getAll")
    assert.deepStrictEqual(valuesOf("status", submissions), enumOf(schemas["SubmissionStatus"]))
    const { parameters = [] } = operations.find(({ found }) => found.operationId === "listSubmissions")?.found ?? {}
    const decision = parameters.find((one) => "name" in one && one.name === "decision")
    assert.deepStrictEqual(
      valuesOf("decision", submissions),
      enumOf(decision !== undefined && "schema" in decision ? decision.schema : undefined),
    )
  })

  it("offers every event and sub-event but the one that is never sent", () => {
    const offered = trigger.description.properties.find(({ name }) => name === "events")?.options ?? []
    assert.sameMembers(
      offered.map(({ value }) => value),
      subscriptions.filter((name) => name !== "invitation.status.update.invitation_email_accepted"),
    )
  })
})

interface Workflow {
  readonly nodes: ReadonlyArray<{ readonly type: string; readonly parameters: Values }>
}

describe("the workflow of docs/n8n.md", () => {
  it("uses parameters and choices that the nodes have", () => {
    const { nodes }: Workflow = JSON.parse(codeWith("docs/n8n.md", '"nodes"'))
    const own = nodes.filter(({ type }) => type.startsWith("n8n-nodes-interview-invitations."))
    assert.lengthOf(own, 2)
    for (const { parameters, type } of own) {
      const { description } = type.endsWith("Trigger") ? trigger : action
      assert.strictEqual(type, `n8n-nodes-interview-invitations.${description.name}`)
      for (const [name, value] of Object.entries(parameters)) {
        const properties = description.properties.filter((property) => property.name === name)
        assert.isNotEmpty(properties, name)
        const options = properties.flatMap((property) => property.options ?? []).map((option) => option.value)
        if (options.length > 0) assert.includeMembers(options, Array.isArray(value) ? value : [value])
      }
    }
  })
})

describe("times of n8n", () => {
  it("are in the workflow's time zone without a zone of their own", async () => {
    const { instant } = (await load("common/send.ts")) as { readonly instant: (value: unknown, zone: string) => string }
    const expected: ReadonlyArray<readonly [string, string, string]> = [
      ["2030-07-01T12:00:00", "Europe/Berlin", "2030-07-01T10:00:00.000Z"],
      ["2030-01-01T12:00:00.250", "Europe/Berlin", "2030-01-01T11:00:00.250Z"],
      ["2030-01-01", "America/New_York", "2030-01-01T05:00:00.000Z"],
      ["2030-01-01T12:00:00+05:30", "Europe/Berlin", "2030-01-01T06:30:00.000Z"],
      ["2030-01-01T12:00:00Z", "Europe/Berlin", "2030-01-01T12:00:00.000Z"],
      // the day on which summer time begins at 1:00 UTC, an hour before and after
      ["2030-03-31T01:30:00", "Europe/Berlin", "2030-03-31T00:30:00.000Z"],
      ["2030-03-31T03:30:00", "Europe/Berlin", "2030-03-31T01:30:00.000Z"],
      ["soon", "Europe/Berlin", "soon"],
    ]
    for (const [text, zone, moment] of expected) assert.strictEqual(instant(text, zone), moment, `${text} ${zone}`)
  })
})

const services = Layer.unwrap(Effect.map(WebhookTransport, ({ post }) => Specification.layer({ receive: post }))).pipe(
  Layer.provide(
    UndiciWebhookTransport.layer({ allowed: loopback, timeout: Duration.seconds(30), connectionsPerOrigin: 4 }),
  ),
)

/** Runs the action node for one item. */
const perform = Effect.fnUntraced(function* (
  resource: string,
  operation: string,
  parameters: Values = {},
  run: { readonly executionId?: string; readonly runIndex?: number; readonly timeZone?: string } = {},
) {
  const { url } = yield* Api.Server
  const { key } = yield* Specification.Caller
  const account = { url: `${url}/`, apiKey: key }
  return yield* Effect.promise(() =>
    runNode({ credential, node: action, account, parameters: { resource, operation, ...parameters }, ...run }),
  )
})

/** The items of the action node's output. */
const items = (...args: Parameters<typeof perform>) =>
  Effect.map(perform(...args), (result) => result.items.map(({ json }) => json))

interface Failure extends Error {
  readonly description: string
  readonly httpCode?: string
}

/** The error with which the node fails. */
const failure = Effect.fnUntraced(function* (...args: Parameters<typeof perform>) {
  const error = yield* perform(...args).pipe(
    Effect.as(undefined),
    Effect.catchDefect((defect) => Effect.succeed(defect as Failure)),
  )
  return yield* Effect.fromNullishOr(error).pipe(Effect.orDie)
})

const chosen = (value: unknown) => ({ mode: "list", value })

const question = { content: "Describe a system that you ran.", question_mode: "interview", question_type: "text" }

/** The id of a record within an item. */
const idOf = (item: Values | undefined, name: string): string => {
  const { id } = Object(item?.[name]) as { readonly id?: string }
  return id ?? assert.fail(`no ${name}`)
}

const createSet = Effect.fnUntraced(function* (title = "Backend Engineer") {
  const [set] = yield* items("interviewSet", "create", {
    title,
    questions: {
      question: [
        { ...question, required: true },
        { ...question, content: "Where?", question_type: "radio", options: "Berlin\n\n  Paris \n" },
        { ...question, content: "Your CV", question_type: "file", allowed_file_types: ["pdf"] },
      ],
    },
    requirements: { requirement: [{ title: "PostgreSQL", content: "", cfg_importance_id: 273 }] },
    additionalFields: {
      duration: 30,
      metadata: { texts: [{ name: "team", value: "Payments" }] },
      otherFields: '{ "com_accesses": [{ "email": "rita@example.com" }] }',
    },
  })
  return set as Record<string, unknown> & { readonly id: string }
})

const invite = (set: string, email: string, more: Values = {}) => ({
  interviewSet: chosen(set),
  email,
  name: "Ada Lovelace",
  ...more,
})

layer(services, { excludeTestServices: true })("The n8n node", (it) => {
  it.effect("tests the credential with the request that the editor sends", () =>
    Effect.gen(function* () {
      const { url } = yield* Api.Server
      const { key } = yield* Specification.Caller
      const { baseURL, url: path } = credential.test.request
      assert.strictEqual(evaluate(baseURL, { $credentials: { url: `${url}//` } }), url)
      assert.strictEqual((yield* Api.call("GET", path, { key })).status, 200)
    }),
  )

  it.effect("creates an interview set with questions, requirements and other fields, and reads it", () =>
    Effect.gen(function* () {
      const set = yield* createSet()
      const [read] = yield* items("interviewSet", "get", { interviewSet: chosen(set.id) })
      assert.deepInclude(read, set)
      assert.strictEqual(set["interview_duration"], 30)
      assert.deepStrictEqual(set["metadata"], { team: "Payments" })
      const questions = set["iai_questions"] as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        questions.map(({ attributes, content }) => [content, attributes]),
        [
          [question.content, { required: true }],
          ["Where?", null],
          ["Your CV", null],
        ],
      )
      const options = questions[1]?.["options"] as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        options.map(({ title }) => title),
        ["Berlin", "Paris"],
      )
      assert.deepStrictEqual(questions[2]?.["allowed_file_types"], ["pdf"])
      const [requirement] = set["iai_requirements"] as ReadonlyArray<Record<string, unknown>>
      assert.include(requirement, { title: "PostgreSQL", cfg_importance_id: 273 })
      const [access] = set["com_accesses"] as ReadonlyArray<Record<string, unknown>>
      assert.strictEqual(access?.["email"], "rita@example.com")
    }),
  )

  it.effect("invites a candidate, and resends, extends and cancels the invitation", () =>
    Effect.gen(function* () {
      const { id } = yield* createSet()
      const [result] = yield* items("candidate", "invite", {
        ...invite(id, "ada@example.com"),
        candidateFields: { externalId: "A-1", metadata: { texts: [{ name: "source", value: "fair" }] } },
      })
      const invitationId = idOf(result, "invitation")
      assert.include(result?.["candidate"], { email: "ada@example.com", name: "Ada Lovelace", external_id: "A-1" })
      yield* items("invitation", "resend", { invitationId })
      const changes = { expiresAt: "2027-10-01T12:00:00", timeFactor: 1.5 }
      const [extended] = yield* items("invitation", "extend", { invitationId, changes }, { timeZone: "Europe/Berlin" })
      assert.include(extended, { expires_at: "2027-10-01T10:00:00.000Z", time_factor: 1.5 })
      const [cancelled] = yield* items("invitation", "cancel", { invitationId })
      assert.strictEqual(cancelled?.["status_text"], "cancelled")
      const [read] = yield* items("invitation", "get", { invitationId })
      assert.deepStrictEqual(read, cancelled)
      const filters = { externalId: "A-1", status: "cancelled", interviewSet: chosen(id) }
      const list = yield* items("invitation", "getAll", { filters })
      assert.deepStrictEqual(
        list.map((one) => one["id"]),
        [invitationId],
      )
    }),
  )

  it.effect("reads a submission simplified, or whole", () =>
    Effect.gen(function* () {
      const { id } = yield* createSet()
      const [result] = yield* items("candidate", "invite", invite(id, "grace@example.com"))
      const submissionId = idOf(result, "submission")
      const [short] = yield* items("submission", "get", { submissionId })
      assert.include(short, {
        status_text: "need_interview",
        score: null,
        score_status: "not_scored",
        decision: null,
        candidate_email: "grace@example.com",
        interview_set_title: "Backend Engineer",
      })
      const [whole] = yield* items("submission", "get", { submissionId, simplify: false })
      assert.isArray(whole?.["answers"])
      const list = yield* items("submission", "getAll", { filters: { email: "grace@example.com", decision: "none" } })
      assert.deepStrictEqual(
        list.map((one) => [one["id"], one["score_status"]]),
        [[submissionId, "not_scored"]],
      )
    }),
  )

  it.effect("reads pages of a list up to the limit, or all", () =>
    Effect.gen(function* () {
      const { organization } = yield* Specification.Caller
      const projects = yield* Projects
      for (let n = 1; n <= 103; n += 1) yield* projects.create(operator(organization), `Project ${n}`)
      const limited = yield* perform("project", "getAll", { limit: 2 })
      assert.deepStrictEqual(
        limited.items.map(({ json, pairedItem }) => [json["name"], pairedItem]),
        [
          ["Project 103", { item: 0 }],
          ["Project 102", { item: 0 }],
        ],
      )
      const over = yield* perform("project", "getAll", { limit: 101 })
      assert.deepStrictEqual(
        over.sent.map(({ qs }) => qs?.["limit"]),
        [100, 1],
      )
      assert.lengthOf(over.items, 101)
      const everything = yield* items("project", "getAll", { returnAll: true })
      assert.strictEqual(new Set(everything.map((one) => one["id"])).size, 103)

      const { url } = yield* Api.Server
      const { key } = yield* Specification.Caller
      const run = { credential, node: action, account: { url, apiKey: key } }
      type Found = { readonly results: ReadonlyArray<{ readonly name: string }>; readonly paginationToken?: string }
      const list = (...args: ReadonlyArray<unknown>) =>
        Effect.promise(() => callList<Found>(run, "listSearch", "searchProjects", ...args))
      const first = yield* list()
      assert.lengthOf(first.results, 100)
      const rest = yield* list(undefined, first.paginationToken)
      assert.deepStrictEqual(
        rest.results.map(({ name }) => name),
        ["Project 3", "Project 2", "Project 1"],
      )
      assert.isUndefined(rest.paginationToken)
      // on the second page
      assert.deepStrictEqual(
        (yield* list("project 2")).results.map(({ name }) => name),
        [...Array(10).keys()].map((n) => `Project ${29 - n}`),
      )
      const options = yield* Effect.promise(() =>
        callList<ReadonlyArray<unknown>>({ ...run, node: trigger }, "loadOptions", "getProjects"),
      )
      assert.lengthOf(options, 103)
    }),
  )

  it.effect("sends the same Idempotency-Key when n8n retries a step, and another one for another run", () =>
    Effect.gen(function* () {
      const fields = { title: "Repeated" }
      const one = yield* perform("interviewSet", "create", fields)
      const retried = yield* perform("interviewSet", "create", fields)
      const looped = yield* perform("interviewSet", "create", fields, { runIndex: 1 })
      const later = yield* perform("interviewSet", "create", fields, { executionId: "2" })
      const ids = [one, retried, looped, later].map((result) => result.items[0]?.json["id"])
      assert.strictEqual(ids[1], ids[0])
      assert.strictEqual(new Set(ids).size, 3)
      const own = yield* perform("interviewSet", "create", { ...fields, options: { idempotencyKey: "job-4711" } })
      assert.strictEqual(own.sent[0]?.headers?.["Idempotency-Key"], "job-4711")
      const again = yield* failure("interviewSet", "create", {
        title: "Other",
        options: { idempotencyKey: "job-4711" },
      })
      assert.strictEqual(again.httpCode, "422")
    }),
  )

  it.effect("shows the detail of a problem, and the pointer and message of each validation error", () =>
    Effect.gen(function* () {
      const { id } = yield* createSet()
      const one = yield* failure("interviewSet", "create", { title: " " })
      assert.match(one.message, /^#\/title: /)
      assert.match(
        one.description,
        /^Error code: validation_failed \(see \/docs\/errors#validation_failed .*\nRequest ID: \S+$/,
      )
      assert.strictEqual(one.httpCode, "422")

      const options = { invitationMessage: "{{nmae}}" }
      const several = yield* failure("candidate", "invite", { ...invite(id, ""), options })
      assert.notMatch(several.message, /#/)
      assert.match(several.description, /^#\/\S+: .+\n#\/\S+: /)

      const missing = yield* failure("invitation", "cancel", { invitationId: Specification.nobodys })
      assert.strictEqual(missing.httpCode, "404")
      const [invited] = yield* items("candidate", "invite", invite(id, "eve@example.com"))
      const invitationId = idOf(invited, "invitation")
      yield* items("invitation", "cancel", { invitationId })
      const refused = yield* failure("invitation", "extend", { invitationId, changes: { timeFactor: 2 } })
      assert.strictEqual(refused.httpCode, "409")
      assert.match(refused.message, /cancelled/)

      assert.strictEqual((yield* failure("submission", "get", { submissionId: "" })).message, "The ID is empty")
      const broken = yield* failure("interviewSet", "create", { title: "X", additionalFields: { otherFields: "{" } })
      assert.match(broken.message, /Other Fields \(JSON\)/)
    }),
  )

  it.effect("fails for a candidate who cannot be invited, or returns the result", () =>
    Effect.gen(function* () {
      const { id } = yield* createSet()
      const failed = yield* failure("candidate", "invite", invite(id, "ada@"))
      assert.match(failed.message, /address/i)
      assert.match(failed.description, /Return Candidate Errors/)
      const options = { returnCandidateErrors: true }
      const [result] = yield* items("candidate", "invite", invite(id, "ada@", { options }))
      assert.isString(result?.["error_message"])
    }),
  )

  it.effect("says what is wrong with the address when the response is not from the API", () =>
    Effect.gen(function* () {
      const url = yield* listen(
        createServer((_, response) =>
          response.writeHead(301, { location: "https://interviews.example/" }).end("moved"),
        ),
      )
      const run = { credential, node: action, account: { url, apiKey: "none" } }
      const message = yield* Effect.promise(() =>
        runNode({ ...run, parameters: { resource: "project", operation: "getAll" } }).then(
          () => "",
          (error: Error) => error.message,
        ),
      )
      assert.match(message, /not from the API .*301, a redirect to https:\/\/interviews\.example/)
    }),
  )
})

const base = "/company/integration/webhooks/v1"

/** A published workflow, whose receiver passes deliveries to the trigger. */
const workflow = Effect.fnUntraced(function* (parameters: Values = {}) {
  const { url } = yield* Api.Server
  const { key } = yield* Specification.Caller
  const received: Array<Received> = []
  const responses: Array<Response> = []
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const delivery = { headers: request.headers, body: Buffer.concat(chunks) }
    received.push(delivery)
    const answer = await n8n.receive(delivery)
    responses.push(answer)
    response.writeHead(answer.status).end(answer.text)
  })
  const origin = yield* listen(server)
  const n8n = makeTrigger({
    credential,
    node: trigger,
    account: { url, apiKey: key },
    parameters: { options: { includeTestEvents: true }, ...parameters },
    webhookUrl: `${origin}/webhook/7f1c/webhook`,
  })
  const endpoints = Effect.gen(function* () {
    const { body } = yield* Api.call("GET", `${base}?limit=100`, { key })
    const { results } = body as { results: ReadonlyArray<Record<string, unknown> & { readonly id: string }> }
    return results.filter((endpoint) => String(endpoint["url"]).startsWith(origin))
  })
  const api = (method: string, path: string, json?: unknown) =>
    Api.call(method, `${base}/${path}`, { key, ...(json === undefined ? {} : { json }) })
  /** Lets the service send a test event. */
  const deliver = Effect.gen(function* () {
    const [endpoint] = yield* endpoints
    yield* api("POST", `${endpoint?.id}/test`)
    return responses.at(-1)
  })
  /** Lets the service send an event of a candidate. */
  const happen = Effect.gen(function* () {
    const { organization: id } = yield* Specification.Caller
    const set = yield* (yield* InterviewSets).create(operator(id), { title: "Backend Engineer" })
    yield* Scenario.publish(yield* Scenario.invited({ id, set }))
    yield* round
    return responses.at(-1)
  })
  /** Lets the service retry what waits. */
  const retry = Effect.gen(function* () {
    const { sql } = yield* Database
    yield* sql`update webhook_delivery set due_at = now() - interval '1 second' where state = 'queued'`
    yield* rounds
    return responses.at(-1)
  })
  return {
    n8n,
    received,
    responses,
    endpoints,
    deliver,
    happen,
    retry,
    api,
    origin,
    activate: Effect.promise(n8n.activate),
  }
})

layer(services, { excludeTestServices: true })("The n8n trigger", (it) => {
  it.effect("creates an endpoint for the chosen events, keeps it at a restart, and deletes it", () =>
    Effect.gen(function* () {
      const { id } = yield* createSet()
      const events = ["interview.status.update.completed", "submission.decision.update"]
      const { activate, deliver, endpoints, n8n } = yield* workflow({ events, interviewSetIds: [id] })
      yield* activate
      const [created, ...others] = yield* endpoints
      assert.isEmpty(others)
      assert.include(created, { name: "n8n: Hire", status: "active" })
      assert.deepStrictEqual(new Set(created?.["events"] as ReadonlyArray<string> | undefined), new Set(events))
      assert.deepStrictEqual(created?.["interview_set_ids"], [id])
      const started = yield* deliver
      assert.strictEqual(started?.status, 200)
      assert.include(started?.started?.[0]?.json, { is_test: true })

      const requests = n8n.sent.length
      yield* activate
      assert.deepStrictEqual(
        n8n.sent.slice(requests).map(({ method }) => method),
        ["GET"],
      )
      assert.deepStrictEqual(
        (yield* endpoints).map((endpoint) => endpoint.id),
        [created?.id],
      )

      yield* Effect.promise(n8n.deactivate)
      assert.isEmpty(yield* endpoints)
      assert.deepStrictEqual(n8n.staticData, { endpoints: {} })
      yield* Effect.promise(n8n.deactivate)
    }),
  )

  it.effect("changes an endpoint that is there, and activates it", () =>
    Effect.gen(function* () {
      const { activate, api, deliver, endpoints, n8n } = yield* workflow()
      yield* activate
      const [before] = yield* endpoints
      yield* api("PATCH", String(before?.id), { status: "inactive" })
      n8n.state.parameters["events"] = ["interview.status.update"]
      yield* activate
      const [after, ...others] = yield* endpoints
      assert.isEmpty(others)
      assert.deepStrictEqual([after?.id, after?.["status"]], [before?.id, "active"])
      assert.deepStrictEqual(after?.["events"], ["interview.status.update"])
      assert.strictEqual((yield* deliver)?.status, 200)
    }),
  )

  it.effect(
    "takes over the endpoint of its URL when its static data is lost, and one that was deleted is made again",
    () =>
      Effect.gen(function* () {
        const { activate, api, deliver, endpoints, n8n } = yield* workflow()
        yield* activate
        const [before] = yield* endpoints
        delete n8n.staticData["endpoints"]
        yield* activate
        assert.deepStrictEqual(
          (yield* endpoints).map((endpoint) => endpoint.id),
          [before?.id],
        )
        assert.strictEqual((yield* deliver)?.status, 200)
        yield* api("DELETE", String(before?.id))
        yield* activate
        const [made] = yield* endpoints
        assert.notStrictEqual(made?.id, before?.id)
        assert.strictEqual((yield* deliver)?.status, 200)
      }),
  )

  it.effect("keeps the endpoints of the editor's test and of the published workflow apart", () =>
    Effect.gen(function* () {
      const { activate, deliver, endpoints, n8n, origin } = yield* workflow()
      yield* activate
      const published = n8n.state.webhookUrl
      n8n.state.webhookUrl = `${origin}/webhook-test/7f1c/webhook`
      yield* activate
      assert.lengthOf(yield* endpoints, 2)
      assert.lengthOf((yield* deliver)?.started ?? [], 1)
      yield* Effect.promise(n8n.deactivate)
      n8n.state.webhookUrl = published
      assert.deepStrictEqual(
        (yield* endpoints).map((endpoint) => endpoint["url"]),
        [published],
      )
      assert.strictEqual((yield* deliver)?.status, 200)
      // n8n gets another address
      n8n.state.webhookUrl = `http://127.0.0.1:9/webhook/7f1c/webhook`
      yield* activate
      assert.isEmpty(yield* endpoints)
    }),
  )

  it.effect("refuses deliveries that are not genuine, and starts nothing", () =>
    Effect.gen(function* () {
      const { activate, deliver, n8n, received } = yield* workflow()
      yield* activate
      yield* deliver
      const [delivery] = received
      assert.isDefined(delivery)
      const { body, headers } = delivery as Received
      const header = String(headers["x-webhook-signature"])
      const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
      const stored = n8n.staticData["endpoints"] as Record<string, { readonly secrets: ReadonlyArray<string> }>
      const secret = stored[n8n.state.webhookUrl]?.secrets[0] ?? ""
      const signed = (seconds: number, key = secret) =>
        `t=${seconds},v1=${createHmac("sha256", key.replace("whsec_", "")).update(`${seconds}.`).update(body).digest("hex")}`
      const refusals: ReadonlyArray<readonly [string | undefined, Buffer, RegExp]> = [
        [header, Buffer.concat([body, Buffer.from(" ")]), /no v1/],
        [signed(Number(t), "whsec_other"), body, /no v1/],
        [undefined, body, /missing/],
        [`t=${t}`, body, /malformed/],
        [`t=${t},v1=${v1.slice(1)}`, body, /no v1/],
        [`t=${t},${Array(11).fill(`v1=${v1}`).join(",")}`, body, /malformed/],
        [signed(Number(t) - 400), body, /300 seconds/],
        [signed(Number(t) + 400), body, /300 seconds/],
      ]
      for (const [signature, bytes, reason] of refusals) {
        const sent = { headers: { "x-webhook-signature": signature }, body: bytes }
        const answer = yield* Effect.promise(() => n8n.receive(sent))
        assert.strictEqual(answer.status, 401)
        assert.match(answer.text, reason)
        assert.isUndefined(answer.started)
      }
      const genuine = { headers: { "x-webhook-signature": signed(Number(t) - 200) }, body }
      assert.lengthOf((yield* Effect.promise(() => n8n.receive(genuine))).started ?? [], 1)
    }),
  )

  it.effect("skips test events of a published workflow, but not of the editor's test", () =>
    Effect.gen(function* () {
      const { activate, deliver, n8n } = yield* workflow({ options: {} })
      yield* activate
      const skipped = yield* deliver
      assert.strictEqual(skipped?.status, 200)
      assert.isUndefined(skipped?.started)
      n8n.state.mode = "manual"
      assert.lengthOf((yield* deliver)?.started ?? [], 1)
    }),
  )

  it.effect("keeps the secret when a test event has a second signature, as in a rehearsal", () =>
    Effect.gen(function* () {
      const { activate, api, deliver, endpoints, n8n, received } = yield* workflow()
      yield* activate
      const [endpoint] = yield* endpoints
      yield* api("POST", `${endpoint?.id}/rotate-secret`)
      const stored = structuredClone(n8n.staticData)
      const requests = n8n.sent.length
      assert.lengthOf((yield* deliver)?.started ?? [], 1)
      assert.match(String(received.at(-1)?.headers["x-webhook-signature"]), /v1=.*v1=/)
      assert.lengthOf(n8n.sent, requests)
      assert.deepStrictEqual(n8n.staticData, stored)
    }),
  )

  const events = ["interview.status.update"]

  it.effect("verifies with the old secret while a member's new one replaces it, and then replaces it by its own", () =>
    Effect.gen(function* () {
      const { activate, api, deliver, endpoints, happen, n8n, received, retry } = yield* workflow({ events })
      yield* activate
      assert.lengthOf((yield* happen)?.started ?? [], 1)
      const [endpoint] = yield* endpoints
      yield* api("POST", `${endpoint?.id}/rotate-secret`)
      const secrets = () =>
        Object.values(n8n.staticData["endpoints"] as Record<string, { readonly secrets: ReadonlyArray<string> }>)[0]
          ?.secrets ?? []
      const [old] = secrets()
      const refused = yield* happen
      assert.match(String(received.at(-1)?.headers["x-webhook-signature"]), /v1=.*v1=/)
      // the service sends the event again
      assert.strictEqual(refused?.status, 503)
      assert.isUndefined(refused?.started)
      assert.deepStrictEqual(secrets().slice(1), [old])
      assert.lengthOf((yield* retry)?.started ?? [], 1)
      assert.notMatch(String(received.at(-1)?.headers["x-webhook-signature"]), /v1=.*v1=/)
      // one that was under way while the secret was replaced
      const late = received[0]
      assert.isDefined(late)
      const requests = n8n.sent.length
      assert.lengthOf((yield* Effect.promise(() => n8n.receive(late as Received))).started ?? [], 1)
      assert.lengthOf(n8n.sent, requests)
      assert.isEmpty(n8n.warnings)
      // a secret that was replaced because it leaked is unknown until n8n starts again, or the workflow is published
      yield* api("POST", `${endpoint?.id}/rotate-secret`, { end_old_secret: true })
      assert.strictEqual((yield* deliver)?.status, 401)
      yield* activate
      assert.lengthOf((yield* deliver)?.started ?? [], 1)
    }),
  )

  it.effect("starts the workflow when the secret cannot be replaced", () =>
    Effect.gen(function* () {
      const { activate, api, endpoints, happen, n8n } = yield* workflow({ events })
      yield* activate
      const [endpoint] = yield* endpoints
      yield* api("POST", `${endpoint?.id}/rotate-secret`)
      n8n.state.account.apiKey = "iv_live_unknown1.0"
      assert.lengthOf((yield* happen)?.started ?? [], 1)
      assert.match(n8n.warnings.join(), /was not replaced/)
    }),
  )

  it.effect("stores no endpoint, and forgets none, when the address of the credential is that of another program", () =>
    Effect.gen(function* () {
      const { activate, endpoints, n8n } = yield* workflow()
      const failureOf = (run: () => Promise<unknown>) =>
        Effect.promise(() =>
          run().then(
            () => "",
            (error: Error) => error.message,
          ),
        )
      const service = n8n.state.account.url
      for (const status of [404, 200]) {
        n8n.state.account.url = yield* listen(
          createServer((_, response) => response.writeHead(status, { "content-type": "text/html" }).end("<p>Hello")),
        )
        assert.match(yield* failureOf(n8n.activate), /not from the API/)
        assert.deepStrictEqual(n8n.staticData, { endpoints: {} })
      }
      const elsewhere = n8n.state.account.url
      n8n.state.account.url = service
      yield* activate
      n8n.state.account.url = elsewhere
      assert.match(yield* failureOf(n8n.deactivate), /not from the API/)
      n8n.state.account.url = service
      yield* Effect.promise(n8n.deactivate)
      assert.isEmpty(yield* endpoints)
    }),
  )

  it.effect("shows why the service refuses the endpoint", () =>
    Effect.gen(function* () {
      const { n8n } = yield* workflow()
      n8n.state.webhookUrl = "http://10.0.0.1:5678/webhook/7f1c/webhook"
      const message = yield* Effect.promise(() =>
        n8n.activate().then(
          () => "",
          (error: Error) => error.message,
        ),
      )
      assert.match(message, /^#\/url: /)
    }),
  )
})
