/** A simulated hiring system over HTTP: records the service's requests, answers as a test sets, and calls the service. */
import type { IncomingHttpHeaders } from "node:http"
import { assert, type Vitest } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { callPath } from "../../src/ats/CallAddress.ts"
import type { Connection } from "../../src/ats/Connection.ts"
import type { Credentials } from "../../src/ats/Connector.ts"
import { connectors } from "../../src/ats/Connectors.ts"
import type { HiringSystem } from "../../src/ats/HiringSystem.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { ReportQueue } from "../../src/ats/ReportQueue.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { read, receiver } from "../port/receivers.ts"
import * as Api from "../support/Api.ts"
import * as LogWatch from "../support/LogWatch.ts"
import type * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Answer {
  status: number
  /** Sent as JSON. */
  body: (request: Received) => Schema.Json | Promise<Schema.Json>
  /** The requests that are answered with 404. */
  refuse: (request: Received) => boolean
  headers: Readonly<Record<string, string>>
  /** Replaces the status, unless it returns undefined. */
  statusOf?: ((request: Received) => number | undefined) | undefined
  /** Replaces the body. */
  raw?: string | undefined
  /** The body for requests that always succeed and are not in `received`. Undefined: the request is another one. */
  serve: (request: Received) => Schema.Json | undefined
}

/** Means success to the Ashby connector, and an empty page of orders to the Kombo connector. */
const accepted = (): Schema.Json => ({ success: true, data: { results: [], next: null } })

export class Simulator extends Context.Service<
  Simulator,
  {
    /** Without a path. */
    readonly url: string
    readonly received: Array<Received>
    /** The answer to the next requests. */
    readonly answer: Answer
  }
>()("interview-invitations/test/ats/Simulator") {}

const make = Effect.gen(function* () {
  const received: Array<Received> = []
  const answer: Answer = { status: 200, body: accepted, refuse: () => false, headers: {}, serve: () => undefined }
  const { url } = yield* receiver(async (incoming, response) => {
    const { headers, method = "", url: path = "" } = incoming
    const request = { method, path, headers, body: (await read(incoming)).toString() }
    const served = answer.serve(request)
    if (served !== undefined) return void response.end(typeof served === "string" ? served : JSON.stringify(served))
    received.push(request)
    // Ashby's front refuses such requests like this
    if (headers["user-agent"] === undefined) return void response.writeHead(403).end("error code: 1010")
    const status = answer.refuse(request) ? 404 : (answer.statusOf?.(request) ?? answer.status)
    response
      .writeHead(status, { "content-type": "application/json", ...answer.headers })
      .end(answer.raw ?? JSON.stringify(await answer.body(request)))
  })
  return Simulator.of({ url: new URL(url).origin, received, answer })
})

/** The API, with a simulator that receives its reports and its requests to the vendors' APIs. */
export const layer = (ports: Pod.Ports = {}) =>
  Layer.unwrap(
    Effect.map(make, (simulator) =>
      Layer.merge(
        Api.layer({ ...ports, settings: { ...ports.settings, HIRING_SYSTEM_HOSTS: new URL(simulator.url).host } }),
        Layer.succeed(Simulator, simulator),
      ),
    ),
  )

export type Services = Layer.Success<ReturnType<typeof layer>>
export type Tests = Vitest.MethodsNonLive<Services>

export const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`

export type Json = Record<string, unknown>

export const jsonOf = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** What a recruiter orders. Orders with the same number are repetitions of one order. */
export interface Wanted {
  readonly set: string
  readonly number?: number
  readonly email?: string
  readonly cvLink?: string
}

/** The vendor signs its calls; the connection has no key. */
export const secretOf = ({ system }: VendorPlay): string | undefined => {
  const { authentication } = connectors[system]
  return authentication._tag === "Signature" ? authentication.secret : undefined
}

export interface Play extends Pick<Connection, "id"> {
  readonly organization: OrganizationId
  /** What the hiring system authenticates with: the connection's key, or the secret for signatures. */
  readonly key: string
  readonly vendor: Credentials["vendor"]
  readonly play: VendorPlay
}

/** The content of the newest report. `state`: the text that the hiring system shows. */
export interface Told {
  readonly state: unknown
  readonly score: unknown
  readonly link: unknown
}

export interface Placed {
  readonly number: number
  readonly submission: string
  /** The id that the hiring system was given. */
  readonly given: string
}

/** How the simulator plays one hiring system. */
export interface VendorPlay {
  readonly system: HiringSystem
  /** The credentials that the vendor issued to `account`; its secrets and ids contain the account's name. */
  readonly vendor: (account: string) => Credentials["vendor"]
  /** The headers of a call. */
  readonly authenticate: (key: string, body: string) => Record<string, string>
  readonly challenge: RegExp
  /** A call that changes nothing and is accepted. */
  readonly probe: {
    readonly method: "GET" | "POST"
    readonly path: string
    readonly body?: Json | ((vendor: Credentials["vendor"]) => Json)
  }
  /** The path of the call that orders an interview. */
  readonly orderPath: string
  /** As `Answer.serve`. */
  readonly serve?: Answer["serve"]
  /** Orders an interview if that takes more than one call; the answer is what the recruiter sees. Undefined: one call. */
  readonly deliver?: (
    play: Play,
    body: string,
    send: (body: string) => Effect.Effect<Api.Answer, never, Services>,
  ) => Effect.Effect<Api.Answer, never, Services>
  /** The vendor gets a report of the invitation. */
  readonly isToldOfInvitations?: true
  /** The vendor documents no statuses before the end of an interview, so only ends are reported. */
  readonly isToldOfEndsOnly?: true
  readonly order: (wanted: Required<Omit<Wanted, "cvLink">> & { cvLink: string | null; url: string }) => Json
  /** The paths of an order's fields. `id`: the order's id in the hiring system. `texts`: other texts that are stored. */
  readonly fields: {
    readonly set: string
    readonly email: string
    readonly first: string
    readonly last: string
    /** A name that is used instead of the first name. */
    readonly preferred?: string
    readonly id: string
    readonly texts: ReadonlyArray<string>
    readonly phone?: string
    readonly cv?: string
    /** The ids are numbers. */
    readonly hasNumericId?: true
    /** A field that the service does not read. */
    readonly unread: string
  }
  /** The order's fields as they are stored. */
  readonly stored: {
    readonly profile_url: string | null
    readonly ordered_by: string | null
    readonly job: string | null
  }
  /** The status of an order of a test that is not offered. */
  readonly goneStatus: 404 | 422
  /** Reads the sentence of a refused call, which a recruiter sees. */
  readonly sentence: (body: unknown, status: number) => string
  /** The path of the field with the address for reports; undefined: reports go to the vendor's API. */
  readonly callback?: string
  /** A call about one order, by the id that the service returned; undefined: the vendor has no such call. */
  readonly about?: (id: string) => { readonly method: "GET" | "POST"; readonly path: string; readonly json?: Json }
  /** The interview sets that the hiring system knows: names by id. */
  readonly sets: (play: Play) => Effect.Effect<Record<string, string>, unknown, Services>
  readonly isReportOf: (request: Pick<Received, "path" | "body">, placed: Placed) => boolean
  /** Asserts the credentials of a report's request, and reads the report. */
  readonly told: (play: Play, placed: Placed, request: Received) => Effect.Effect<Told, unknown, Services>
  /** The `state` that is reported of an evaluated interview. */
  readonly evaluated: (score: unknown) => string
}

const defaults = { number: 1, email: "ada@example.com" }

/** `without`: the name of a credential that is not entered yet. */
export const connect = Effect.fnUntraced(function* (
  organization: OrganizationId,
  play: VendorPlay,
  account = `account-of-${organization}`,
  without?: string,
) {
  const all = play.vendor(account)
  const vendor = Object.fromEntries(Object.entries(all).filter(([name]) => name !== without))
  const { connection, key } = yield* (yield* HiringSystemConnections).create(operator(organization), {
    system: play.system,
    name: account,
    ...(Object.keys(vendor).length === 0 ? {} : { credentials: vendor }),
  })
  const shown = key === undefined ? (vendor[secretOf(play) ?? ""] ?? assert.fail("no key")) : Redacted.value(key)
  LogWatch.secret(shown)
  for (const { isKnown, name, options } of connectors[play.system].credentials) {
    const value = all[name]
    if (!isKnown && options === undefined && value !== undefined) LogWatch.secret(value)
  }
  return { id: connection.id, organization, key: shown, vendor: all, play } satisfies Play
})

const session = Redacted.make("the-member's-session")
export const redirect = "https://interviews.example/settings/integrations/hiring-systems/access"

/** Grants access as an administrator of the hiring system does. The code is the connection's id. */
export const grant = Effect.fnUntraced(function* ({ id, organization }: Pick<Play, "id" | "organization">) {
  const { beginGrant, endGrant } = yield* HiringSystemConnections
  const page = new URL(yield* beginGrant(operator(organization), id, session, redirect))
  const state = page.searchParams.get("state") ?? ""
  return yield* endGrant(operator(organization), { state, code: id }, session, redirect)
})

/** Creates an organization, a set and a connection with access. Sets the clock after the database's, so that queued reports are due. */
export const start = Effect.fnUntraced(function* (play: VendorPlay, name?: string) {
  const one = yield* Scenario.organization({ number_of_retakes: 1 }, name)
  const { answer, received } = yield* Simulator
  yield* TestClock.setTime(Date.now() + 60_000)
  yield* (yield* Database).sql`delete from ats_report`
  Object.assign(answer, {
    status: 200,
    body: accepted,
    refuse: () => false,
    headers: {},
    raw: undefined,
    statusOf: undefined,
    serve: play.serve ?? (() => undefined),
  })
  const connection = yield* connect(one.id, play)
  if (connectors[play.system].oauth !== undefined) yield* grant(connection)
  yield* report
  received.length = 0
  return { ...one, connection }
})

/** Runs the report queue once. */
export const report = Effect.flatMap(ReportQueue, ({ queue }) => runOnce(queue))

export interface Sent {
  readonly json?: unknown
  /** Sent unchanged. */
  readonly raw?: string
  /** Replaces the connection's key. */
  readonly key?: string
}

export const pathOf = ({ id, play }: Play, path: string) => callPath(connectors[play.system], id, path)

const send = (play: Play, method: "GET" | "POST", path: string, key: string, body: string) => {
  const headers = { "content-type": "application/json", ...play.play.authenticate(key, body) }
  return Api.call(method, pathOf(play, path), { headers, ...(method === "GET" ? {} : { raw: body }) })
}

/** Sends a call of the hiring system to the service. */
export const call = (play: Play, method: "GET" | "POST", path: string, { json, key = play.key, raw }: Sent = {}) => {
  const content = raw ?? (method === "GET" ? "" : JSON.stringify(json ?? {}))
  const { deliver, orderPath } = play.play
  return deliver !== undefined && path === orderPath
    ? deliver(play, content, (body) => send(play, method, path, key, body))
    : send(play, method, path, key, content)
}

/** The body of the call that changes nothing. */
export const probeBody = ({
  play: {
    probe: { body = {} },
  },
  vendor,
}: Pick<Play, "play" | "vendor">): Json => (typeof body === "function" ? body(vendor) : body)

export const probe = (play: Play, key = play.key) => {
  const { method, path } = play.play.probe
  return send(play, method, path, key, method === "GET" ? "" : JSON.stringify(probeBody(play)))
}

export const orderBody = Effect.fnUntraced(function* ({ play }: Play, wanted: Wanted) {
  const { url } = yield* Simulator
  return play.order({ ...defaults, ...wanted, cvLink: wanted.cvLink ?? null, url })
})

/** Sends an order, as if a recruiter ordered an interview in the hiring system. */
export const order = Effect.fnUntraced(function* (play: Play, wanted: Wanted) {
  return yield* call(play, "POST", play.play.orderPath, { json: yield* orderBody(play, wanted) })
})

/** Sends an order and asserts that the service accepts it. */
export const placed = Effect.fnUntraced(function* (play: Play, wanted: Wanted) {
  const { body, status } = yield* order(play, wanted)
  assert.isTrue(status >= 200 && status < 300, `${status} ${JSON.stringify(body)}`)
  const { email, number } = { ...defaults, ...wanted }
  const { sql } = yield* Database
  const [row] = yield* sql<{ id: string; given: string }>`
    select o.submission_id as id, case when o.has_own_id then o.id else o.submission_id end as given from ats_order o join submission b on b.id = o.submission_id
    join candidate c on c.id = b.candidate_id
    where o.connection_id = ${play.id}::uuid and c.email = ${email} and b.interview_set_id = ${wanted.set}::uuid
    order by o.created_at desc, o.id desc limit 1`
  const { given, id } = yield* Effect.fromNullishOr(row)
  return { number, submission: id, given } satisfies Placed
})

/** The requests that reported the order. */
export const reportsOf = Effect.fnUntraced(function* ({ play }: Play, placed: Placed) {
  return (yield* Simulator).received.filter((request) => play.isReportOf(request, placed))
})

/** The content of the order's newest report. */
export const told = Effect.fnUntraced(function* (play: Play, placed: Placed) {
  const request = (yield* reportsOf(play, placed)).at(-1)
  return yield* play.play.told(play, placed, request ?? assert.fail("nothing was reported"))
})

export const count = Effect.fnUntraced(function* (table: string, organization: number) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ n: number }>`
    select count(*)::int as n from ${sql(table)} where organization_id = ${organization}::int`
  return row?.n
})

/** The token in the candidate's link. */
export const tokenOf = Effect.fnUntraced(function* (submission: string) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ id: string; organization_id: OrganizationId }>`
    select id, organization_id from invitation where submission_id = ${submission}::uuid
    order by created_at desc, id desc limit 1`
  const { id, organization_id } = yield* Effect.fromNullishOr(row)
  const url = (yield* (yield* Invitations).read(operator(organization_id), id)).detail.interview_url ?? ""
  const token = url.slice(url.lastIndexOf("/") + 1)
  LogWatch.secret(token)
  return token
})

/** The states of an organization's reports, without synchronizations. */
export const queued = Effect.fnUntraced(function* (organization: number) {
  const { sql } = yield* Database
  return yield* sql<{ state: string; attempts: number; last_error: string | null; is_due: boolean }>`
    select state, attempts, last_error, due_at is not null as is_due from ats_report
    where organization_id = ${organization}::int and order_id is not null order by id`
})

/** The log of exchanges, newest first, without synchronizations. */
export const exchangesOf = Effect.fnUntraced(function* ({ id, organization }: Play) {
  const { exchanges } = yield* (yield* HiringSystemConnections).show(operator(organization), id)
  return exchanges
    .filter(({ operation }) => operation !== "synchronize")
    .map(({ error, operation, status }) => `${operation} ${status}${error === null ? "" : `: ${error}`}`)
})
