/** The calls of hiring systems, below /hiring-systems/<system>/. The key is the user name of HTTP Basic. */
import { Effect, Redacted, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import * as Body from "../platform/http/Body.ts"
import { TooManyRequests, Unauthorized } from "../platform/http/ProblemApi.ts"
import { Throttle } from "../platform/http/Throttle.ts"
import type { Connected } from "./Connection.ts"
import type { Call, Connector } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import { HiringSystemConnections } from "./HiringSystemConnections.ts"
import type { Orders } from "./Orders.ts"

type Request = HttpServerRequest.HttpServerRequest

const readJson = Body.json(Schema.Unknown)

const keyOf = ({ headers }: Request): Redacted.Redacted | undefined => {
  const [, encoded] = /^basic +([a-z0-9+/_-]{1,400}=*)$/i.exec(headers["authorization"] ?? "") ?? []
  const key = encoded === undefined ? "" : (Buffer.from(encoded, "base64").toString("utf8").split(":")[0] ?? "")
  return key === "" ? undefined : Redacted.make(key)
}

const authenticate = Effect.fnUntraced(function* ({ system }: Connector, request: Request) {
  const throttle = yield* Throttle
  const refuse = (detail: string) =>
    Effect.andThen(throttle.count("unauthorized", request), new Unauthorized({ detail }))
  const wait = yield* throttle.wait("unauthorized", request)
  if (wait !== undefined) {
    return yield* new TooManyRequests({ detail: `too many requests with a wrong key: wait ${wait} seconds` })
  }
  const key = keyOf(request)
  if (key === undefined) return yield* refuse("send the connection's key as the user name of HTTP Basic")
  return yield* Effect.catchTag(
    (yield* HiringSystemConnections).authenticate(system, key),
    "ConnectionRefused",
    ({ reason }) => refuse(reason),
  )
})

const perform = Effect.fnUntraced(function* (connection: Connected, { answer, method }: Call, request: Request) {
  const query = Object.fromEntries(new URL(request.url, "http://localhost").searchParams)
  return yield* answer(connection, { query, body: method === "GET" ? undefined : yield* readJson })
})

/** A body that cannot be read is logged too: the customer's administrator sees it, the hiring system rarely shows it. */
const handle = Effect.fnUntraced(function* (connector: Connector, call: Call, request: Request) {
  const connections = yield* HiringSystemConnections
  const connection = yield* authenticate(connector, request)
  const noted = { operation: call.path, order_id: null, error: null }
  const answered = yield* Effect.tapError(perform(connection, call, request), ({ detail, status }) =>
    connections.note(connection, { ...noted, status, error: detail }),
  )
  const { body, error, order, status } = answered
  yield* connections.note(connection, { ...noted, order_id: order ?? null, status, error: error ?? null })
  return HttpServerResponse.jsonUnsafe(body, { status })
})

const respond = (connector: Connector, call: Call) => (request: Request) =>
  Effect.catch(handle(connector, call, request), (problem) =>
    Effect.map(HttpServerRespondable.toResponse(problem), (response) =>
      problem instanceof Unauthorized
        ? HttpServerResponse.setHeader(response, "www-authenticate", 'Basic realm="hiring systems", charset="UTF-8"')
        : response,
    ),
  )

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const services = yield* Effect.context<HiringSystemConnections | Orders | Throttle>()
    for (const connector of Object.values(connectors)) {
      for (const call of connector.calls) {
        const handler = respond(connector, call)
        yield* router.add(call.method, `/hiring-systems/${connector.system}/${call.path}`, (request) =>
          Effect.provideContext(handler(request), services),
        )
      }
    }
  }),
)
