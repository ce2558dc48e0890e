/** Health checks for whoever restarts pods and routes traffic. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Database } from "../repository/Database.ts"
import { Drain } from "./Drain.ts"

/** The process answers. */
const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.text("ok"))

/** The database answers too, and the process was not asked to stop: requests can be sent here. */
const ready = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { ping } = yield* Database
    const drain = yield* Drain
    const unready = (why: string) => HttpServerResponse.text(why, { status: 503 })
    yield* router.add(
      "GET",
      "/health/ready",
      Effect.suspend(() =>
        drain.hasBegun()
          ? Effect.succeed(unready("the process was asked to stop"))
          : ping.pipe(
              Effect.as(HttpServerResponse.text("ok")),
              Effect.catchTag("DatabaseUnavailable", () => Effect.succeed(unready("the database does not answer"))),
            ),
      ),
    )
  }),
)

export const layer = Layer.mergeAll(live, ready)
