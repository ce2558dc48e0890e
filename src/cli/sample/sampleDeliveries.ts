/** The log of the sample's webhook deliveries: one endpoint acknowledges them all, the other has begun to fail. */
import type { EndedDelivery, TakenDelivery } from "../../sample/SampleRepository.ts"
import type { EndpointId } from "../../values/Ids.ts"
import { later, spread } from "./sampleTime.ts"

const minute = 60_000

/** Minutes after the event: the default retries (WEBHOOK_RETRY_FIRST, WEBHOOK_RETRY_TIMES). */
const attempts = [0, 2, 6, 14, 30, 62]

/** The newest deliveries to the failing endpoint that failed; with more attempts it would be deactivated. */
const failed = 2

const attempt = (at: Date, index: number, status: number) => ({
  at: at.toISOString(),
  status,
  duration_ms: 60 + Math.round(spread(index, 1) * 240),
  error: status === 204 ? null : `The receiver answered ${status}`,
  answer: status === 204 ? "" : "Service Unavailable: the payroll database is being moved. Try again later.",
})

/** Of `taken`, in the order of their events. Those whose last attempt would be in the future are left out. */
export const endedDeliveries = (
  taken: ReadonlyArray<TakenDelivery>,
  failing: EndpointId | undefined,
  now: Date,
): ReadonlyArray<EndedDelivery> => {
  const lastAttempt = (attempts.at(-1) ?? 0) * minute
  const ended = taken.filter(({ created_at }) => created_at.getTime() < now.getTime() - lastAttempt - minute)
  const failures = new Set(ended.filter(({ endpoint_id }) => endpoint_id === failing).slice(-failed))
  return ended.map((delivery, index) => {
    const isFailed = failures.has(delivery)
    const log = (isFailed ? attempts : [0]).map((minutes, i) =>
      attempt(later(delivery.created_at, minutes * minute + 300), index + i, isFailed ? 503 : 204),
    )
    const last = log.at(-1)
    return {
      ...delivery,
      finished_at: last === undefined ? delivery.created_at : later(new Date(last.at), last.duration_ms),
      state: isFailed ? "failed" : "delivered",
      attempt_log: log,
    }
  })
}
