/** Routes for the calls of hiring systems, below /hiring-systems/<system>/. */
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import * as Body from "../platform/http/Body.ts"
import { ReadBody } from "../platform/http/BodyReader.ts"
import { TooManyRequests, Unauthorized, Unavailable } from "../platform/http/ProblemApi.ts"
import * as RateLimit from "../platform/http/RateLimit.ts"
import { Throttle } from "../platform/http/Throttle.ts"
import { callPath } from "./CallAddress.ts"
import { type Authenticated, ConnectionAuthentication } from "./ConnectionAuthentication.ts"
import type { Authentication, Call, Connector } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import { GrantedTokens } from "./GrantedTokens.ts"
import { HiringSystemClient } from "./HiringSystemClient.ts"
import { HiringSystemConnections } from "./HiringSystemConnections.ts"
import { Orders } from "./Orders.ts"

type Request = HttpServerRequest.HttpServerRequest

type Limit = ReturnType<typeof RateLimit.make>

const readJson = Body.json(Schema.Unknown)

const credentialsIn = ({ headers }: Request, scheme: "basic" | "bearer"): string | undefined => {
  // a bearer token may be a JSON Web Token with the values of a form
  const [, given, text] = /^(basic|bearer) +([\w.~+/-]{1,4000}=*)$/i.exec(headers["authorization"] ?? "") ?? []
  return given?.toLowerCase() === scheme ? text : undefined
}

const keyOf = (request: Request, { _tag }: Authentication): Redacted.Redacted | undefined => {
  const given = credentialsIn(request, _tag === "Bearer" ? "bearer" : "basic") ?? ""
  const key = _tag === "Bearer" ? given : (Buffer.from(given, "base64").toString("utf8").split(":")[0] ?? "")
  return key === "" ? undefined : Redacted.make(key)
}

const missing: Readonly<Record<Authentication["_tag"], string>> = {
  Basic: "send the connection's key as the user name of HTTP Basic",
  Bearer: "send the connection's key as a bearer token",
  Signature: "sign the call",
}

/** `body`: its bytes, if they were read already to verify the signature. */
interface Identified extends Authenticated {
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

const identify = Effect.fnUntraced(function* (connector: Connector, { path }: Call, request: Request) {
  const connectionAuthentication = yield* ConnectionAuthentication
  const { authentication } = connector
  if (authentication._tag !== "Signature") {
    const key = keyOf(request, authentication)
    if (key === undefined) return undefined
    return {
      ...(yield* connectionAuthentication.authenticate(connector, key, path)),
      body: undefined,
    } satisfies Identified
  }
  const { connection: id = "" } = yield* HttpRouter.params
  const body = yield* Body.publicBytes
  const call = { headers: request.headers, body }
  return {
    ...(yield* connectionAuthentication.authenticateSigned(connector, id, call, path)),
    body,
  } satisfies Identified
})

/** Counts wrong keys only: all customers of a vendor call from the vendor's addresses. */
const refuse = Effect.fnUntraced(function* (request: Request, detail: string) {
  const throttle = yield* Throttle
  const wait = yield* throttle.wait("unauthorized", request)
  if (wait !== undefined) {
    return yield* new TooManyRequests({ detail: `too many requests with a wrong key: wait ${wait} seconds` })
  }
  yield* throttle.count("unauthorized", request)
  return yield* new Unauthorized({ detail })
})

const authenticate = Effect.fnUntraced(function* (connector: Connector, call: Call, request: Request) {
  const identified = yield* Effect.catchTags(identify(connector, call, request), {
    // ends later, which a wrong key does not: hiring systems may repeat the call
    ConnectionPaused: ({ reason }) => Effect.fail(new Unavailable({ detail: reason })),
    ConnectionRefused: ({ reason }) => refuse(request, reason),
  })
  return identified ?? (yield* refuse(request, missing[connector.authentication._tag]))
})

const perform = Effect.fnUntraced(function* (
  connector: Connector,
  { answer, method }: Call,
  { connection, credentials }: Authenticated,
  request: Request,
) {
  const accessTokens = yield* GrantedTokens
  const hiringSystemClient = yield* HiringSystemClient
  const held = yield* Effect.mapError(
    accessTokens.fresh(connection, credentials),
    ({ reason }) => new Unavailable({ detail: reason }),
  )
  const query = Object.fromEntries(new URL(request.url, "http://localhost").searchParams)
  return yield* answer(yield* Orders, connection, {
    query,
    credentials: held,
    ask: hiringSystemClient.ask(connector),
    body: method === "GET" ? undefined : yield* readJson,
  })
})

const respondWith = (
  body: Schema.Json,
  options: { readonly status: number; readonly headers?: Readonly<Record<string, string>> },
) => (typeof body === "string" ? HttpServerResponse.text(body, options) : HttpServerResponse.jsonUnsafe(body, options))

/** Also logs unreadable bodies: administrators see the log, while hiring systems rarely show such an error. */
const handle = Effect.fnUntraced(function* (connector: Connector, call: Call, limit: Limit, request: Request) {
  const hiringSystemConnections = yield* HiringSystemConnections
  const identified = yield* authenticate(connector, call, request)
  const { body: read, connection } = identified
  const { isAllowed, resetAfter } = yield* limit(connection.id)
  if (!isAllowed) {
    const problem = new TooManyRequests({ detail: `too many calls on this connection: wait ${resetAfter} seconds` })
    return respondWith(connector.errorBody(problem.detail, 429), {
      status: 429,
      headers: { "retry-after": `${resetAfter}` },
    })
  }
  const noted = { operation: call.path, order_id: null, error: null }
  const answered = yield* perform(connector, call, identified, request).pipe(
    Effect.provideService(ReadBody, read),
    Effect.tapError(({ detail, status: refusedStatus }) =>
      // the parser quotes the body, which may have personal data
      hiringSystemConnections.note(connection, {
        ...noted,
        status: refusedStatus,
        error: refusedStatus === 400 ? "the body is not JSON in UTF-8" : detail,
      }),
    ),
  )
  const { body, error, isOfOther = false, order, status } = answered
  if (!isOfOther)
    yield* hiringSystemConnections.note(connection, { ...noted, order_id: order ?? null, status, error: error ?? null })
  return respondWith(body, { status })
})

const challenges: Readonly<Record<Authentication["_tag"], string>> = {
  Basic: 'Basic realm="hiring systems", charset="UTF-8"',
  Bearer: 'Bearer realm="hiring systems"',
  Signature: 'Signature realm="hiring systems"',
}

/** An estimate: a connection is paused until a member resumes it. */
const pauseSeconds = "300"

const respond = (connector: Connector, call: Call, limit: Limit) => (request: Request) =>
  Effect.catch(handle(connector, call, limit, request), (problem) =>
    Effect.map(HttpServerRespondable.toResponse(problem), ({ headers, status }) => {
      const { "content-type": _, ...kept } = headers
      const response = respondWith(connector.errorBody(problem.detail, status), { status, headers: kept })
      return problem instanceof Unauthorized
        ? HttpServerResponse.setHeader(response, "www-authenticate", challenges[connector.authentication._tag])
        : problem instanceof Unavailable
          ? HttpServerResponse.setHeader(response, "retry-after", pauseSeconds)
          : response
    }),
  )

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const services = yield* Effect.context<
      GrantedTokens | ConnectionAuthentication | HiringSystemClient | HiringSystemConnections | Orders | Throttle
    >()
    const { rateLimit } = yield* Config
    // the same limit as for an API key; 0: no limit
    const limit: Limit = RateLimit.make(rateLimit === 0 ? Number.POSITIVE_INFINITY : rateLimit)
    for (const connector of Object.values(connectors)) {
      for (const call of connector.calls) {
        const handler = respond(connector, call, limit)
        yield* router.add(call.method, callPath(connector, ":connection", call.path), (request) =>
          Effect.provideContext(handler(request), services),
        )
      }
    }
  }),
).pipe(Layer.provide(HiringSystemClient.layer))
