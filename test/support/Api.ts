/** Runs the service on a free port, and sends requests to its API as a hiring system does. */

import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import * as App from "../../src/App.ts"
import { ApiKeys, type NewKey } from "../../src/accounts/api-keys/ApiKeys.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import * as LogWatch from "./LogWatch.ts"
import * as Pod from "./Pod.ts"
import * as TestDatabase from "./TestDatabase.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, else the text; undefined when there is no body. */
  readonly body: unknown
}

export interface Sent {
  readonly key?: string | undefined
  readonly json?: unknown
  /** Sent unchanged. */
  readonly raw?: RequestInit["body"]
  readonly headers?: Record<string, string>
}

export class Server extends Context.Service<Server, { readonly url: string }>()("interview-invitations/test/Server") {
  static readonly layer = Layer.effect(
    Server,
    Effect.map(HttpServer.HttpServer, ({ address }) => ({
      url: `http://127.0.0.1:${"port" in address ? address.port : 0}`,
    })),
  )
}

/** The API on a free port, with a fresh database. */
export const layer = (ports: Pod.Ports = {}) =>
  Server.layer.pipe(
    Layer.provide(App.serve(App.api)),
    Layer.provideMerge(Pod.services({ ...ports, settings: { ...ports.settings, PORT: "0" } })),
    Layer.provideMerge(TestDatabase.layer),
  )

/** Sends one request; does not follow redirects. */
export const call = Effect.fnUntraced(function* (method: string, path: string, { headers, json, key, raw }: Sent = {}) {
  const { url } = yield* Server
  if (key !== undefined) LogWatch.secret(key)
  return yield* Effect.promise(async (signal): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      signal,
      redirect: "manual",
      headers: {
        ...(key === undefined ? {} : { "x-api-key": key }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(json === undefined ? (raw === undefined ? {} : { body: raw }) : { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "")
    const body = text === "" ? undefined : isJson ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body }
  })
})

export type Row = Record<string, unknown>

/** The `results` of a call; fails unless the answer is JSON with this status and nothing but `results` and `warnings`. */
export const results = <A = Row>(status: number, method: string, path: string, sent: Sent) =>
  Effect.map(call(method, path, sent), (answer) => {
    assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
    assert.strictEqual(answer.headers.get("content-type"), "application/json")
    const names = Object.keys(answer.body as object)
    assert.deepStrictEqual(
      names.filter((name) => name !== "warnings"),
      ["results"],
    )
    return (answer.body as { results: A }).results
  })

const base = "/company/integration"

export const paths = {
  createSet: `${base}/interview/set/v1`,
  invite: `${base}/interview/candidate/invite/v1`,
  detail: (id: string) => `${base}/hiring/submissions/${id}/detail/v1`,
}

/** Creates an API key of the organization; registers its secret with LogWatch. */
export const keyOf = Effect.fnUntraced(function* (organization: OrganizationId, key: NewKey = {}) {
  const { id, value } = yield* (yield* ApiKeys).create(operator(organization), key)
  LogWatch.secret(Redacted.value(value).split(".")[1] ?? "")
  return { id, key: Redacted.value(value) }
})

export const account = Effect.gen(function* () {
  const organization = yield* (yield* Organizations).create("Nordlicht")
  return { organization, ...(yield* keyOf(organization)) }
})
