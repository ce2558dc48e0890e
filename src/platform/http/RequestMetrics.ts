/** Counts answers and how long they took, by the template of their route: never by path, which names people and links. */
import { Clock, Context, Effect, Exit } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Metrics } from "../telemetry/Metrics.ts"

/** Which route answers the request; written within, read without. */
const Matched = Context.Reference<{ route: string | undefined } | undefined>(
  "interview-invitations/platform/http/Matched",
  {
    defaultValue: () => undefined,
  },
)

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** nginx's status for a client that went away before its answer. */
const clientGone = 499

/** Around everything that makes an answer. */
export const counting = HttpRouter.middleware(
  Effect.gen(function* () {
    const { request: count } = yield* Metrics
    const clock = yield* Clock.Clock
    return (handler) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method }) => {
        const began = clock.monotonicTimeNanosUnsafe()
        const matched: { route: string | undefined } = { route: undefined }
        return Effect.onExit(Effect.provideService(handler, Matched, matched), (exit) => {
          const seconds = Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9
          const status = Exit.isSuccess(exit) ? exit.value.status : clientGone
          count(methods.has(method) ? method : "OTHER", matched.route, status, seconds)
          return Effect.void
        })
      })
  }),
  { global: true },
)

/** The share of a request's statements (platform/database/Connections.ts): its route. */
export const routeShare = (services: Context.Context<never>): string | undefined => {
  const found = Context.getOrUndefined(services, HttpRouter.RouteContext)
  return found === undefined ? undefined : `${found.route.method} ${found.route.path}`
}

/** The innermost middleware: the router leaves the matched route in the context of the request's fiber. */
export const matching = HttpRouter.middleware(
  (handler) =>
    handler.pipe(
      Effect.onExit(() =>
        Effect.withFiber((fiber) => {
          const matched = fiber.getRef(Matched)
          const found = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
          if (matched !== undefined && found !== undefined) matched.route = found.route.path
          return Effect.void
        }),
      ),
    ),
  { global: true },
)
