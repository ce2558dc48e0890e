/** Receivers as a plan has them, and the way to them. */
import { Context, Effect, Layer } from "effect"
import { Overloaded } from "../../../src/values/Problem.ts"
import type { DeliveryJob } from "../../../src/webhooks/DeliveryRepository.ts"
import { type TransportResult, WebhookTransport } from "../../../src/webhooks/WebhookTransport.ts"
import { answered } from "../../support/Pod.ts"
import type { Receiver } from "./plan.ts"
import { between, type Pod, type Simulation } from "./simulation.ts"
import { mark } from "./trace.ts"

/** The address of a plan's receiver. */
export const urlOf = (receiver: number) => `https://receiver${receiver}.example/`

/** The delivery that a request is made for. */
export const CurrentJob = Context.Reference<DeliveryJob | undefined>("interview-invitations/test/CurrentJob", {
  defaultValue: () => undefined,
})

const acknowledgements = [200, 201, 202, 204, 299]
const refusals = [300, 302, 304, 400, 404, 410, 429, 500, 503]
const causes = ["dns", "connect", "tls", "closed", "protocol", "refused"] as const

/** How long a receiver that is away stays so, from the beginning. */
const away = 30 * 60_000
/** Waited for by whoever sends. */
const limit = 10_000

/** What a process sends, and what comes of it. */
export const layer = (simulation: Simulation, pod: Pod, begin: number) =>
  Layer.succeed(WebhookTransport, {
    post: ({ url }) =>
      Effect.flatMap(CurrentJob, (job) => {
        const { chance, now, plan, trace } = simulation
        const draw = (least: number, most: number) => between(chance.network, least, most)
        const number = trace.requests.length
        const record = { number, pod: pod.number, job: job as DeliveryJob, at: now(), died: false, acknowledged: false }
        trace.requests.push(record)
        count(simulation, pod, url, 1)
        simulation.busy--

        const receiver = plan.receivers.find((_, i) => urlOf(i) === url) ?? "up"
        const took = receiver === "slow" ? draw(0, 24) * 500 : draw(0, 80) * 5
        const isGood = acknowledges(receiver, now() - begin < away, draw(0, 1) === 1)
        const result = (): TransportResult => {
          if (took >= limit) return failed("timeout", number, limit)
          record.acknowledged = isGood
          if (isGood) return answered(pick(acknowledgements, draw), mark(number))
          return draw(0, 1) === 0
            ? answered(pick(refusals, draw), mark(number))
            : failed(pick(causes, draw), number, took)
        }
        return Effect.sleep(Math.min(took, limit)).pipe(
          Effect.andThen(
            Effect.suspend(() => {
              if (!simulation.strikes("request")) return Effect.succeed(result())
              record.died = true
              return Effect.die(new Overloaded({ reason: "no file descriptors left", retryAfter: 10 }))
            }),
          ),
          Effect.ensuring(
            Effect.sync(() => {
              simulation.busy++
              count(simulation, pod, url, -1)
            }),
          ),
        )
      }),
  })

const acknowledges = (receiver: Receiver, isEarly: boolean, isEven: boolean) =>
  ({ up: true, slow: true, down: false, flaky: isEven, away: !isEarly })[receiver]

const pick = <A>(from: ReadonlyArray<A>, draw: (least: number, most: number) => number) =>
  from[draw(0, from.length - 1)] as A

const failed = (
  cause: Extract<TransportResult, { readonly _tag: "Failed" }>["cause"],
  number: number,
  durationMs: number,
): TransportResult => ({ _tag: "Failed", cause, message: `No answer ${mark(number)}`, durationMs })

/** Places are kept: of an endpoint and of the process. */
const count = ({ plan, trace }: Simulation, pod: Pod, url: string, by: 1 | -1) => {
  const open = (pod.open.get(url) ?? 0) + by
  pod.open.set(url, open)
  if (open > plan.places) trace.faults.push(`process ${pod.number} has ${open} requests open to ${url}`)
  const all = [...pod.open.values()].reduce((sum, one) => sum + one, 0)
  if (all > plan.concurrency) trace.faults.push(`process ${pod.number} has ${all} requests open`)
}
