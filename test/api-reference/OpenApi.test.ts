/** The OpenAPI document against the contract, the schemas and the rules of the code. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { roles } from "../../src/accounts/members/Member.ts"
import { Scope } from "../../src/accounts/Permissions.ts"
import * as Examples from "../../src/api-reference/Examples.ts"
import type {
  Document,
  Example,
  Operation,
  Reference,
  Response,
  SchemaObject,
} from "../../src/api-reference/OpenApiDocument.ts"
import { webhookName } from "../../src/api-reference/WebhookDocumentation.ts"
import { failureSignals, outcomes, refusalReasons, suppressionReasons } from "../../src/emails/EmailEvent.ts"
import { fileKinds } from "../../src/files/UploadedFile.ts"
import { InvitationDetail } from "../../src/invitations/Invitation.ts"
import { fieldErrorCodes } from "../../src/values/Problem.ts"
import { evaluationWarningCodes, warningCodes } from "../../src/values/Warning.ts"
import { InactiveReason } from "../../src/webhooks/endpoints/Endpoint.ts"
import * as WebhookEvent from "../../src/webhooks/events/WebhookEvent.ts"
import { stepNames } from "../../src/webhooks/rehearsals/RehearsalSteps.ts"

const text = JSON.stringify({ ...OpenApi.fromApi(Api), servers: [{ url: "https://api.interviews.example" }] })
const document: Document = JSON.parse(text)
const { components, paths, webhooks } = document

interface Endpoint {
  readonly operation: Operation
  readonly payload: Schema.Top | undefined
  readonly successes: ReadonlyMap<number, Schema.Top>
  readonly errors: ReadonlyMap<number, Schema.Top>
}

/** The error classes by status: operations share the responses of errors. */
const problemsOf = new Map<number, ReadonlySet<Schema.Top>>()

/** The operations of the contract, with their schemas and their part of the document. */
const endpoints = new Map<string, Endpoint>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, errors, successes }) => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
    const operation = paths[path]?.[endpoint.method.toLowerCase()]
    assert.isDefined(operation, `${endpoint.method} ${path}`)
    const first = (map: ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>) =>
      new Map([...map].map(([status, [schema]]) => [status, schema]))
    for (const [status, schemas] of errors)
      problemsOf.set(status, new Set([...(problemsOf.get(status) ?? []), ...schemas]))
    const [payload] = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
    endpoints.set(operation.operationId, { operation, payload, successes: first(successes), errors: first(errors) })
  },
})

/** Their successes are streams, which effect does not list, and not JSON. */
const ofFiles = ["getRecording", "getAnswerFile", "getCv"]

/** Every object of a document with its path. */
function* values(value: unknown, place = "#"): Generator<readonly [string, Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) yield [place, value as Record<string, unknown>]
  for (const [key, each] of Object.entries(value)) {
    yield* values(each, `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`)
  }
}

const resolve = (reference: string): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)

const responseOf = (response: Response | Reference): Response =>
  "$ref" in response ? (resolve(response.$ref) as Response) : response

const examplesOf = (content: Response["content"]): ReadonlyArray<Example> =>
  Object.values(content ?? {}).flatMap(({ examples }) => Object.values(examples ?? {}))

/** Adds the names of the component schemas that a part of the document uses, directly or not. */
const addSchemas = (part: unknown, names: Set<string>) => {
  for (const [, { $ref }] of values(part)) {
    const name = typeof $ref === "string" ? ($ref.split("/").at(-1) ?? "") : ""
    if (name === "" || names.has(name)) continue
    names.add(name)
    addSchemas(components.schemas[name], names)
  }
}

/** Asserts that the value survives decoding and encoding unchanged. */
const fits = (schema: Schema.Top | undefined, value: unknown) => {
  const codec = schema as Schema.Codec<unknown, unknown>
  assert.deepStrictEqual(Schema.encodeSync(codec)(Schema.decodeUnknownSync(codec)(value)), value)
}

describe("OpenAPI document", () => {
  it("has every operation and every status of the contract, and no other", () => {
    const documented = Object.values(paths).flatMap((path) => Object.values(path))
    assert.sameMembers(
      documented.map(({ operationId }) => operationId),
      [...endpoints.keys()],
    )
    for (const { errors, operation, successes } of endpoints.values()) {
      assert.sameMembers(
        Object.keys(operation.responses),
        [
          ...new Set([
            ...(ofFiles.includes(operation.operationId) ? [200] : []),
            ...successes.keys(),
            ...errors.keys(),
          ]),
        ].map(String),
      )
      assert.isNotEmpty(operation.summary)
      assert.isNotEmpty(operation.description)
    }
    assert.sameMembers(Object.keys(webhooks), WebhookEvent.eventTypes.map(webhookName))
    for (const { description, name } of document.tags) assert.isNotEmpty(description, name)
  })

  it("names its schemas, and contains no artefacts of generation", () => {
    for (const [place, value] of values({ paths, webhooks, components })) {
      if (/\/(value|example)(\/|$)/.test(place)) continue
      assert.notProperty(value, "allOf", place)
      assert.notStrictEqual(value["additionalProperties"], false, place)
      if (typeof value["$ref"] === "string") assert.isDefined(resolve(value["$ref"]), `${place} ${value["$ref"]}`)
      const { properties } = value
      for (const [name, property] of Object.entries({ ...(properties as Record<string, object>) })) {
        // delivery ids are numbers, ids of requests any text
        const isText = (place.endsWith("/WebhookDelivery") && name === "id") || name === "request_id"
        const isUuid = /(^|_)id$/.test(name) && !isText
        const isId = isUuid && JSON.stringify(property).startsWith('{"type":"string"')
        if (isId) assert.propertyVal(property, "format", "uuid", `${place} ${name}`)
      }
    }
    for (const name of Object.keys(components.schemas)) assert.match(name, /^[A-Z][A-Za-z]+(?<!Encoded)$/)
    assert.isAbove(Object.keys(components.schemas).length, 30)
  })

  it("gives each number a range, and names no number in words", () => {
    let numbers = 0
    for (const [place, value] of values({ paths, webhooks, components })) {
      if (/\/(value|example|examples)(\/|$)/.test(place)) continue
      const { const: only, enum: choices = [only], maximum, minimum, type } = value as SchemaObject
      assert.notMatch(JSON.stringify(choices) ?? "", /Infinity|NaN/, place)
      const types = [type].flat()
      if (!types.includes("integer") && !types.includes("number")) continue
      numbers++
      if (choices.some((choice) => typeof choice === "number")) continue
      assert.isTrue(Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum), place)
      // scores and factors have decimals
      if (types.includes("number")) assert.deepStrictEqual([Number(minimum) < 2, maximum], [true, 10], place)
      const isLarge = Number(maximum) > 2 ** 31 - 1 || Number(minimum) < -(2 ** 31)
      assert.strictEqual(value["format"], isLarge ? "int64" : undefined, place)
    }
    assert.isAbove(numbers, 50)
  })

  it("names operations and webhooks in camel case", () => {
    for (const id of endpoints.keys()) assert.match(id, /^[a-z]+[A-Z][A-Za-z]+$/)
    for (const [name, { post }] of Object.entries(webhooks)) {
      assert.match(name, /^[a-z]+[A-Z][A-Za-z]+$/)
      assert.strictEqual(post?.operationId, name)
    }
    assert.includeMembers([...endpoints.keys()], ["createInterviewSet", "inviteCandidates", "getSubmission"])
  })

  it("names each success body, except files", () => {
    for (const { operation } of endpoints.values()) {
      if (ofFiles.includes(operation.operationId)) continue
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!status.startsWith("2")) continue
        for (const [type, { schema }] of Object.entries(responseOf(response).content ?? {})) {
          assert.deepStrictEqual([type, Object.keys(schema)], ["application/json", ["$ref"]], operation.operationId)
          assert.match(String(schema.$ref), /(?:Response|Results|Page)$/)
        }
      }
    }
    assert.containsAllKeys(components.schemas, ["InviteResults", "InterviewSetPage", "InvitationResponse"])
  })

  it("requires no field that has a default value", () => {
    const requests = new Set<string>()
    for (const { operation } of endpoints.values()) addSchemas(operation.requestBody, requests)
    assert.includeMembers([...requests], ["CreateInterviewSet", "CreateQuestion", "InviteRequest", "CandidateEntry"])
    for (const name of requests) {
      for (const [place, value] of values(components.schemas[name], name)) assert.notProperty(value, "default", place)
    }
    assert.include(JSON.stringify(components.schemas["InviteRequest"]?.properties?.["send_invite"]), "Default true")
  })

  it("declares objects without fixed properties as open", () => {
    let open = 0
    for (const [place, value] of values(components.schemas)) {
      const { additionalProperties, properties, type } = value as SchemaObject
      if (![type].flat().includes("object") || properties !== undefined) continue
      if (/\/properties$/.test(place)) continue
      assert.isOk(additionalProperties, place)
      if (additionalProperties === true) open++
    }
    assert.isAtLeast(open, ["Question", "Requirement", "Access"].length * ["request", "response"].length)
  })

  it("lists the values of each enum that may grow", () => {
    const growing = [...values(components.schemas, "")].flatMap(([place, value]) => {
      const { enum: all, "x-extensible-enum": known } = value as SchemaObject
      if (known === undefined) return []
      assert.deepStrictEqual(
        all?.filter((each) => each !== null),
        known,
        place,
      )
      return [[place, known] as const]
    })
    const codes = components.schemas["Problem"]?.properties?.["code"]?.enum
    assert.deepStrictEqual(Object.fromEntries(growing), {
      "/ApiKey/properties/scopes/items": Scope.literals,
      "/FieldError/properties/code": fieldErrorCodes,
      "/LoggedFieldError/properties/code": fieldErrorCodes,
      "/LoggedWarning/properties/code": warningCodes,
      "/Question/properties/allowed_file_types/items": fileKinds,
      "/Invitation/properties/failure_reason": [...refusalReasons, ...failureSignals],
      "/InvitationStatusEvent/properties/data/properties/reason": [...Object.keys(outcomes), ...refusalReasons],
      "/Problem/properties/code": codes ?? [],
      "/Warning/properties/code": warningCodes,
      "/Member/properties/role": roles,
      "/Suppression/properties/reason": suppressionReasons,
      "/WebhookEndpoint/properties/inactive_reason": InactiveReason.literals,
      "/WebhookEndpointWithSecret/properties/inactive_reason": InactiveReason.literals,
      "/EvaluationWarning/properties/code": evaluationWarningCodes,
      "/WebhookRehearsalStep/properties/name": stepNames,
    })
    assert.sameMembers([...failureSignals], ["bounce", "dropped"])
  })

  it("declares the statuses of webhook events as closed enums", () => {
    const statusOf = (name: string, field: string) => {
      const found = components.schemas[name]?.properties?.["data"]?.properties?.[field]
      assert.notProperty(found, "x-extensible-enum")
      return found?.enum
    }
    for (const { identifier, statuses, statusField } of Object.values(WebhookEvent.catalogue)) {
      assert.deepStrictEqual(
        statusOf(identifier, statusField),
        statuses.map(({ name }) => name),
      )
    }
  })

  it("lets clients of this version read values of later ones", () => {
    const { failure_reason } = InvitationDetail.fields
    assert.strictEqual(Schema.decodeUnknownSync(failure_reason)("mailbox_full"), "mailbox_full")
    const event = { ...Examples.deliveredEvent, event_type: "submission.status.update" }
    fits(WebhookEvent.EventEnvelope, event)
  })

  it("describes itself in a few lines with a link to the guide", () => {
    assert.isBelow(document.info.description.length, 300)
    assert.include(document.info.description, "{api_url}/docs")
  })

  it("types and describes its parameters", () => {
    for (const { operation } of endpoints.values()) {
      for (const parameter of operation.parameters) {
        const named = "$ref" in parameter ? (resolve(parameter.$ref) as typeof parameter) : parameter
        assert.isNotEmpty((named as { description: string }).description, operation.operationId)
      }
    }
    const find = (name: string) => {
      const found = endpoints
        .get("listInterviewSets")
        ?.operation.parameters.find((each) => "name" in each && each.name === name)
      return found !== undefined && "schema" in found ? found.schema : undefined
    }
    assert.deepStrictEqual(find("limit"), { type: "integer", minimum: 1, maximum: 100, default: 50 })
    assert.deepStrictEqual(find("set_type"), { type: "integer", enum: [1, 2] })
    assert.deepStrictEqual(find("project_id"), { type: "string", format: "uuid" })
  })

  it("has examples everywhere, each valid for its schema", () => {
    for (const { operation, payload, successes } of endpoints.values()) {
      const request = examplesOf(operation.requestBody?.content)
      assert.strictEqual(request.length > 0, payload !== undefined, operation.operationId)
      for (const { value } of request) fits(payload, value)
      for (const [status, response] of Object.entries(operation.responses)) {
        if (ofFiles.includes(operation.operationId) && status.startsWith("2")) continue
        const examples = examplesOf(responseOf(response).content)
        assert.isNotEmpty(examples, `${operation.operationId} ${status}`)
        for (const { value } of examples) {
          fits(successes.get(Number(status)) ?? Schema.Union([...(problemsOf.get(Number(status)) ?? [])]), value)
        }
      }
    }
    for (const type of WebhookEvent.eventTypes) {
      const examples = examplesOf(webhooks[webhookName(type)]?.post?.requestBody?.content)
      assert.isNotEmpty(examples, type)
      for (const { value } of examples) fits(WebhookEvent.catalogue[type].schema, value)
    }
  })

  it("lists the headers of each response", () => {
    const names = (operationId: string, status: number) =>
      Object.keys(responseOf(endpoints.get(operationId)?.operation.responses[status] ?? { $ref: "#/" }).headers ?? {})
    const limited = ["X-Request-Id", "RateLimit", "RateLimit-Policy"]
    assert.deepStrictEqual(names("listInterviewSets", 200), limited)
    assert.deepStrictEqual(names("createInterviewSet", 201), [...limited, "Idempotency-Replayed"])
    assert.deepStrictEqual(names("createInterviewSet", 401), ["X-Request-Id", "WWW-Authenticate"])
    assert.deepStrictEqual(names("createInterviewSet", 429), [...limited, "Retry-After"])
    assert.deepStrictEqual(names("createInterviewSet", 503), [...limited, "Retry-After"])
  })

  it("passes redocly's recommended rules", async () => {
    const directory = await mkdtemp(join(tmpdir(), "openapi-"))
    try {
      await writeFile(join(directory, "openapi.json"), text)
      await writeFile(join(directory, "redocly.yaml"), "extends: [recommended]\n")
      const { stderr, stdout } = await promisify(execFile)(
        process.execPath,
        [fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js")), "lint", "--format=json", "openapi.json"],
        { cwd: directory, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
      )
      assert.deepInclude(JSON.parse(stdout).totals, { errors: 0, warnings: 0, ignored: 0 }, stdout + stderr)
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

describe("Examples", () => {
  it("quote the answers in the evaluation", () => {
    const { answers, criteria } = Examples.submissionDetail
    for (const { quote, question_id } of criteria.flatMap(({ evidence }) => evidence)) {
      assert.include(answers.find((answer) => answer.question_id === question_id)?.content ?? "", quote)
    }
  })
})
