/** The plan's receivers and the transport to them. */
import { Context, Effect, Layer } from "effect"
import { Overloaded } from "../../../src/values/Problem.ts"
import type { DeliveryJob } from "../../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import { type OutboundResult, WebhookTransport } from "../../../src/webhooks/deliveries/WebhookTransport.ts"
import { answered } from "../../support/Pod.ts"
import type { Receiver } from "./plan.ts"
import { between, type Pod, type Simulation } from "./simulation.ts"
import { mark } from "./trace.ts"

export const urlOf = (receiver: number) => `https://receiver${receiver}.example/`

export const CurrentJob = Context.Reference<DeliveryJob | undefined>("interview-invitations/test/CurrentJob", {
  defaultValue: () => undefined,
})

const acknowledgements = [200, 201, 202, 204, 299]
// without 410, which deactivates at once
const refusals = [300, 302, 304, 400, 404, 429, 500, 503]
const causes = ["dns", "connect", "tls", "closed", "protocol", "refused"] as const

/** For how long an `away` receiver fails, from the start; milliseconds. */
const away = 30 * 60_000
/** The sender's timeout; milliseconds. */
const limit = 10_000

export const layer = (simulation: Simulation, pod: Pod, begin: number) =>
  Layer.succeed(WebhookTransport, {
    post: ({ url }) =>
      Effect.flatMap(CurrentJob, (job) => {
        const { chance, now, plan, trace } = simulation
        const draw = (min: number, max: number) => between(chance.network, min, max)
        const number = trace.requests.length
        const record = { number, pod: pod.number, job: job as DeliveryJob, at: now(), died: false, acknowledged: false }
        trace.requests.push(record)
        count(simulation, pod, url, 1)
        simulation.busy--

        const receiver = plan.receivers.find((_, i) => urlOf(i) === url) ?? "up"
        const took = receiver === "slow" ? draw(0, 24) * 500 : draw(0, 80) * 5
        const isGood = acknowledges(receiver, now() - begin < away, draw(0, 1) === 1)
        const result = (): OutboundResult => {
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

const pick = <A>(from: ReadonlyArray<A>, draw: (min: number, max: number) => number) =>
  from[draw(0, from.length - 1)] as A

const failed = (
  cause: Extract<OutboundResult, { readonly _tag: "Failed" }>["cause"],
  number: number,
  durationMs: number,
): OutboundResult => ({ _tag: "Failed", cause, message: `No answer ${mark(number)}`, durationMs })

/** Counts open requests; those above the limits of the endpoint or the process are violations. */
const count = ({ plan, trace }: Simulation, pod: Pod, url: string, by: 1 | -1) => {
  const open = (pod.open.get(url) ?? 0) + by
  pod.open.set(url, open)
  if (open > plan.places) trace.violations.push(`process ${pod.number} has ${open} requests open to ${url}`)
  const all = [...pod.open.values()].reduce((sum, one) => sum + one, 0)
  if (all > plan.concurrency) trace.violations.push(`process ${pod.number} has ${all} requests open`)
}
