/** Greenhouse as its Assessment Partner API describes it: calls the service with Basic, receives an empty PATCH. */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { ReportQueue } from "../../src/ats/ReportQueue.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { receiver } from "../port/receivers.ts"
import * as Api from "../support/Api.ts"
import * as LogWatch from "../support/LogWatch.ts"
import type * as Pod from "../support/Pod.ts"

interface Patch {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: string
}

export class Greenhouse extends Context.Service<
  Greenhouse,
  {
    readonly url: string
    readonly patches: Array<Patch>
    /** The status of the next answers. */
    readonly answer: { status: number }
  }
>()("interview-invitations/test/ats/Greenhouse") {}

/** The API, with a simulator to which it may report. */
export const layer = (ports: Pod.Ports = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const patches: Array<Patch> = []
      const answer = { status: 200 }
      const { url } = yield* receiver(async (request, response) => {
        const body = Buffer.concat(await request.toArray()).toString()
        patches.push({ path: `${request.method} ${request.url}`, authorization: request.headers.authorization, body })
        response.writeHead(answer.status).end()
      })
      const settings = { ...ports.settings, HIRING_SYSTEM_HOSTS: new URL(url).host }
      return Layer.merge(
        Api.layer({ ...ports, settings }),
        Layer.succeed(Greenhouse, Greenhouse.of({ url: new URL(url).origin, patches, answer })),
      )
    }),
  )

export const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`

export const connect = Effect.fnUntraced(function* (organization: OrganizationId, name = "Greenhouse of Acme") {
  const { connection, key } = yield* (yield* HiringSystemConnections).create(operator(organization), {
    system: "greenhouse",
    name,
  })
  const shown = Redacted.value(key ?? assert.fail("no key"))
  LogWatch.secret(shown)
  return { ...connection, key: shown, organization }
})

export const call = (key: string, method: "GET" | "POST", path: string, json?: unknown) =>
  Api.call(method, `/hiring-systems/greenhouse/${path}`, {
    headers: { authorization: basic(key) },
    ...(json === undefined ? {} : { json }),
  })

export const candidate = {
  first_name: "Augusta",
  last_name: "Lovelace",
  preferred_name: "Ada",
  email: "ada@example.com",
  phone_number: "+49 30 1234",
  resume_url: null,
  greenhouse_profile_url: "https://app.greenhouse.io/people/17?application_id=29",
}

/** A recruiter presses "Send test" in Greenhouse. */
export const sendTest = Effect.fnUntraced(function* (
  key: string,
  set: string,
  changes: { readonly url?: string; readonly email?: string; readonly resume_url?: string } = {},
) {
  const { url } = yield* Greenhouse
  const { email = candidate.email, resume_url = null } = changes
  return yield* call(key, "POST", "send_test", {
    partner_test_id: set,
    candidate: { ...candidate, email, resume_url },
    sent_by: "recruiter@acme.example",
    url: changes.url ?? `${url}/take_home_tests/1`,
    something_new: { of: ["Greenhouse"] },
  })
})

export const statusOf = (key: string, id: unknown) =>
  Effect.map(call(key, "GET", `test_status?partner_interview_id=${id}`), ({ body }) => body as Record<string, unknown>)

export const report = Effect.flatMap(ReportQueue, ({ queue }) => runOnce(queue))
