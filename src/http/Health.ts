/** Health checks for whoever restarts pods and routes traffic. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Database } from "../repository/Database.ts"

/** The process answers. */
const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.text("ok"))

/** The database answers too: requests can be served. */
const ready = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { ping } = yield* Database
    yield* router.add(
      "GET",
      "/health/ready",
      ping.pipe(
        Effect.as(HttpServerResponse.text("ok")),
        Effect.catchTag("DatabaseUnavailable", () =>
          Effect.succeed(HttpServerResponse.text("the database does not answer", { status: 503 })),
        ),
      ),
    )
  }),
)

export const layer = Layer.mergeAll(live, ready)
