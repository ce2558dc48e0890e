/**
 * Writes docs/interview-invitations.postman_collection.json from the OpenAPI document, in Postman's format 2.1, which both
 * Postman and Bruno import.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import type { Document, Operation, Parameter, Reference } from "../../src/api-reference/OpenApiDocument.ts"

export const file = join(import.meta.dirname, "../../docs/interview-invitations.postman_collection.json")

/** Operations of the first folder, in the order of docs/quickstart.md. */
export const quickstart = [
  "getAccount",
  "createWebhookEndpoint",
  "createInterviewSet",
  "inviteCandidates",
  "getSubmission",
  "listEvents",
]

/** Ids that a script stores in variables after each of these operations. */
const kept: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createWebhookEndpoint: { endpoint_id: "results.id" },
  createInterviewSet: { interview_set_id: "results.id", question: "results.iai_questions.at(-1)?.id" },
  getInterviewSet: { set_version: "results.version" },
  createProject: { project_id: "results.id" },
  createJobPost: { job_post_id: "results.id" },
  inviteCandidates: {
    submission_id: "results[0].submission?.id",
    invitation_id: "results[0].invitation?.id",
  },
  listRequests: { request_id: "results[0]?.request_id" },
  rehearseWebhookEndpoint: { rehearsal: "results.id" },
  suppressAddress: { suppression_id: "results.id" },
  listCandidates: { candidate_id: "results[0]?.id" },
  listMembers: { member_id: "results[0]?.id" },
  listWebhookDeliveries: { delivery: 'results.find(({ state }) => state === "delivered" || state === "failed")?.id' },
}

/** The variable for `{id}` of a path, by the path segment that names the records. */
const idVariables: Readonly<Record<string, string>> = {
  "interview-sets": "interview_set_id",
  invitations: "invitation_id",
  submissions: "submission_id",
  webhooks: "endpoint_id",
  projects: "project_id",
  "job-posts": "job_post_id",
  candidates: "candidate_id",
  suppressions: "suppression_id",
  members: "member_id",
}

const variables = [
  "interview_set_id",
  "set_version",
  "submission_id",
  "invitation_id",
  "endpoint_id",
  "delivery",
  "question",
  "project_id",
  "job_post_id",
  "request_id",
  "rehearsal",
  "candidate_id",
  "suppression_id",
  "member_id",
]

/**
 * Fields omitted from example bodies: ids of records that a new organization lacks, texts with `{{name}}`, which Postman
 * would read as variables, and `events`, because an invite alone causes only events of the email.
 */
const omitted = new Set([
  "project_id",
  "com_project_id",
  "com_job_post_id",
  "ats_candidate_id",
  "invitation_message",
  "events",
])

const replaced: Readonly<Record<string, string>> = {
  confirm: "{{candidate_id}}",
  com_interview_set_id: "{{interview_set_id}}",
  // of a set; those of decisions and stages are numbers
  version: "{{set_version}}",
  // the receiver of npm start
  url: "{{base_url}}/receiver",
}

const bodyOf = (operation: string, example: unknown): string =>
  JSON.stringify(
    example,
    (key, value: unknown) => {
      if (operation === "createJobPost" && key === "project_id") return "{{project_id}}"
      // a new organization has no stages
      if (key === "stage_id") return null
      if (omitted.has(key)) return undefined
      return Object.hasOwn(replaced, key) && typeof value === "string" ? replaced[key] : value
    },
    2,
  )

const isParameter = (parameter: Parameter | Reference): parameter is Parameter => "name" in parameter

const itemOf = (path: string, method: string, operation: Operation) => {
  const { description, operationId, parameters, requestBody, summary } = operation
  const own = parameters.filter(isParameter)
  const segments = path.slice(1).split("/")
  const record = segments.find((segment) => Object.hasOwn(idVariables, segment)) ?? ""
  const isIdempotent = parameters.some(
    (parameter) => !isParameter(parameter) && parameter.$ref === "#/components/parameters/Idempotency-Key",
  )
  const [example] = Object.values(requestBody?.content["application/json"]?.examples ?? {})
  const query = own.flatMap(({ description = "", in: place, name }) =>
    place === "query" ? [{ key: name, value: "", description, disabled: true }] : [],
  )
  const variable = own.flatMap(({ description = "", in: place, name }) =>
    place === "path" ? [{ key: name, value: `{{${name === "id" ? idVariables[record] : name}}}`, description }] : [],
  )
  const template = segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ":$1"))
  const script = Object.entries(kept[operationId] ?? {}).map(
    ([name, at]) => `pm.collectionVariables.set("${name}", pm.response.json().${at})`,
  )
  return {
    name: summary,
    ...(script.length === 0 ? {} : { event: [{ listen: "test", script: { type: "text/javascript", exec: script } }] }),
    request: {
      method: method.toUpperCase(),
      description,
      header: [
        ...(example === undefined ? [] : [{ key: "Content-Type", value: "application/json" }]),
        ...(isIdempotent ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : []),
      ],
      url: {
        raw: `{{base_url}}/${template.join("/")}`,
        host: ["{{base_url}}"],
        path: template,
        ...(query.length === 0 ? {} : { query }),
        ...(variable.length === 0 ? {} : { variable }),
      },
      ...(example === undefined
        ? {}
        : { body: { mode: "raw", raw: bodyOf(operationId, example.value), options: { raw: { language: "json" } } } }),
    },
    response: [],
  }
}

export const collection = () => {
  const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
  const items = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: operation.operationId,
      tag: operation.tags[0],
      item: itemOf(path, method, operation),
    })),
  )
  const folders = document.tags.map(({ description, name }) => ({
    name,
    description,
    item: items
      .flatMap(({ item, tag }) => (tag === name ? [item] : []))
      // the requests of a folder use the record until it is deleted
      .toSorted((a, b) => Number(a.request.method === "DELETE") - Number(b.request.method === "DELETE")),
  }))
  return {
    info: {
      name: document.info.title,
      description: "Set `api_key`, then send the requests of the first folder in order. Written by npm run docs.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: {
      type: "apikey",
      apikey: [
        { key: "key", value: "X-API-Key", type: "string" },
        { key: "value", value: "{{api_key}}", type: "string" },
        { key: "in", value: "header", type: "string" },
      ],
    },
    variable: [
      { key: "base_url", value: "http://localhost:8080" },
      { key: "api_key", value: "" },
      ...variables.map((key) => ({ key, value: "" })),
    ],
    item: [
      {
        name: "Quickstart",
        description:
          'From an interview set to its events; send the requests in order. Scripts store ids for the requests that follow. Afterwards, "Delete a webhook endpoint" deletes the endpoint.',
        item: quickstart.flatMap((name) => items.flatMap(({ id, item }) => (id === name ? [item] : []))),
      },
      ...folders.filter(({ item }) => item.length > 0),
    ],
  }
}

export const written = (): string => `${JSON.stringify(collection(), null, 2)}\n`

if (import.meta.main) writeFileSync(file, written())
