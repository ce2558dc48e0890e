/** All workers of a pod. */
import { Duration, Effect, Layer } from "effect"
import { Config } from "../Config.ts"
import { Deliveries } from "../service/Deliveries.ts"
import { Emails } from "../service/Emails.ts"
import { Evaluations } from "../service/Evaluations.ts"
import { Interviews } from "../service/Interviews.ts"
import * as Periodic from "./Periodic.ts"
import * as Worker from "./Worker.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { heldEventsInterval } = yield* Config
    const deliveries = yield* Deliveries
    const emails = yield* Emails
    const evaluations = yield* Evaluations
    const interviews = yield* Interviews
    yield* Worker.run(deliveries.queue)
    yield* Worker.run(emails.queue)
    yield* Worker.run(evaluations.queue)
    yield* Periodic.run("sending held events", heldEventsInterval, evaluations.sendHeld)
    yield* Periodic.run("submitting interviews whose time is over", Duration.seconds(5), interviews.finishOverdue)
    yield* Periodic.run("ending interviews that nobody started", Duration.minutes(1), interviews.expireUnstarted)
  }),
)
