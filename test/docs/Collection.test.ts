/** The collection in docs/ against Postman's format 2.1, and its first folder against the API. */
import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { Api as Contract } from "../../src/Api.ts"
import * as Api from "../support/Api.ts"
import * as Scenario from "../support/Scenario.ts"
import { round } from "../support/Webhooks.ts"
import { collection, file, quickstart, written } from "./collection.ts"

const Pair = Schema.Struct({ key: Schema.NonEmptyString, value: Schema.String })
const Described = Schema.Struct({
  ...Pair.fields,
  description: Schema.String,
  disabled: Schema.optionalKey(Schema.Boolean),
})

/** The parts of https://schema.getpostman.com/json/collection/v2.1.0/collection.json that the collection uses. */
const Item = Schema.Struct({
  name: Schema.NonEmptyString,
  event: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        listen: Schema.Literal("test"),
        script: Schema.Struct({ type: Schema.Literal("text/javascript"), exec: Schema.Array(Schema.String) }),
      }),
    ),
  ),
  request: Schema.Struct({
    method: Schema.Literals(["GET", "POST", "PATCH", "DELETE"]),
    description: Schema.String,
    header: Schema.Array(Pair),
    url: Schema.Struct({
      raw: Schema.String,
      host: Schema.Tuple([Schema.Literal("{{base_url}}")]),
      path: Schema.Array(Schema.NonEmptyString),
      query: Schema.optionalKey(Schema.Array(Described)),
      variable: Schema.optionalKey(Schema.Array(Described)),
    }),
    body: Schema.optionalKey(
      Schema.Struct({
        mode: Schema.Literal("raw"),
        raw: Schema.fromJsonString(Schema.Json),
        options: Schema.Struct({ raw: Schema.Struct({ language: Schema.Literal("json") }) }),
      }),
    ),
  }),
  response: Schema.Array(Schema.Never),
})
const Folder = Schema.Struct({
  name: Schema.NonEmptyString,
  description: Schema.String,
  item: Schema.NonEmptyArray(Item),
})
const Collection = Schema.Struct({
  info: Schema.Struct({
    name: Schema.NonEmptyString,
    description: Schema.String,
    schema: Schema.Literal("https://schema.getpostman.com/json/collection/v2.1.0/collection.json"),
  }),
  auth: Schema.Struct({
    type: Schema.Literal("apikey"),
    apikey: Schema.Array(Schema.Struct({ ...Pair.fields, type: Schema.Literal("string") })),
  }),
  variable: Schema.Array(Pair),
  item: Schema.NonEmptyArray(Folder),
})

const { item: folders, variable: variables } = collection()

describe("The collection", () => {
  it("is what npm run docs writes", () => assert.strictEqual(readFileSync(file, "utf8"), written(), "run npm run docs"))

  it("has the structure of Postman's format 2.1, and no unknown field", () => {
    Schema.decodeUnknownSync(Collection, { onExcessProperty: "error" })(JSON.parse(written()))
  })

  it("has every operation of the API once, after the first folder", () => {
    const { paths } = OpenApi.fromApi(Contract)
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
    )
    const listed = folders.slice(1).flatMap(({ item }) => item)
    assert.sameMembers(
      listed.map(({ request: { method, url } }) => `${method} /${url.path.join("/")}`),
      operations,
    )
    assert.lengthOf(folders[0]?.item ?? [], quickstart.length)
  })

  it("declares every variable that it uses", () => {
    const used = folders.flatMap(({ item }) =>
      item.flatMap(({ request: { body, header, url } }) =>
        [...JSON.stringify([body, header, url]).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name),
      ),
    )
    assert.includeMembers(
      variables.map(({ key }) => key),
      [...new Set(used)],
    )
  })
})

type Item = (typeof folders)[number]["item"][number]

/** Sends requests as Postman does: fills in variables, then runs the scripts. */
const sender = (key: string, values: Map<string, string>) => {
  const filled = (text: string) => text.replaceAll(/\{\{([\w$]+)\}\}/g, (_, name: string) => values.get(name) ?? "")
  return Effect.fnUntraced(function* ({ event, name, request }: Item) {
    const parts = request.url.path.map((part) => {
      const found = request.url.variable?.find((one) => part === `:${one.key}`)
      return filled(found?.value ?? part)
    })
    values.set("$guid", name.replaceAll(" ", "-"))
    const headers = Object.fromEntries(request.header.map((one) => [one.key, filled(one.value)]))
    const { body, status } = yield* Api.call(request.method, `/${parts.join("/")}`, {
      key,
      headers,
      ...(request.body === undefined ? {} : { raw: filled(request.body.raw) }),
    })
    assert.oneOf(status, [200, 201, 202, 204], `${name}: ${JSON.stringify(body)}`)
    const pm = {
      response: { json: () => body },
      collectionVariables: { set: (variable: string, value: string) => values.set(variable, value) },
    }
    for (const { script } of event ?? []) runInNewContext(script.exec.join("\n"), { pm })
    return body
  })
}

const variablesOf = (url: string) =>
  new Map([
    ["base_url", url],
    ["$guid", "quickstart"],
  ])

layer(Api.layer(), { excludeTestServices: true })("The collection at a service", (it) => {
  it.effect("has a first folder that succeeds request by request, with the ids that its scripts store", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const values = variablesOf("https://interviews.example")
      const send = sender(key, values)
      for (const item of folders[0]?.item ?? []) yield* send(item)
      assert.includeMembers([...values.keys()], ["endpoint_id", "interview_set_id", "submission_id", "invitation_id"])
      assert.isTrue([...values.values()].every((value) => typeof value === "string" && value !== ""))
    }),
  )

  it.effect("sends a delivery again after listing deliveries, and deletes the endpoint last", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const { key } = yield* Api.keyOf(organization.id)
      const values = variablesOf("https://interviews.example")
      const send = sender(key, values)
      const itemsOf = (folder: string) => folders.find(({ name }) => name === folder)?.item ?? []
      const endpoints = itemsOf("Webhook endpoints")
      const items = [...endpoints, ...itemsOf("Webhook deliveries")]
      const itemOf = (method: string, path: string) =>
        items.find(({ request }) => request.method === method && request.url.path.join("/").endsWith(path)) ??
        assert.fail(`${method} ${path}`)
      const created = yield* send(itemOf("POST", "webhooks/v1"))
      assert.propertyVal(
        (created as { readonly results: Api.Row }).results,
        "url",
        "https://interviews.example/receiver",
      )
      yield* Scenario.publish(yield* Scenario.invited(organization))
      yield* round
      yield* send(itemOf("GET", "/deliveries"))
      yield* send(itemOf("POST", "/resend"))
      assert.strictEqual(endpoints.at(-1), itemOf("DELETE", "/:id"))
      yield* send(itemOf("DELETE", "/:id"))
    }),
  )
})
