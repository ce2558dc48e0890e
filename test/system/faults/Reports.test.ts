/** Reports to hiring systems on real pods: no report is lost when pods are killed or hiring systems are down. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Simulator from "../../ats/Simulator.ts"
import { systems } from "../../ats/systems.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import { isLarge, provide, startPod, timeout, until, untilSync } from "./stage.ts"

/** Orders of each hiring system. */
const orders = isLarge ? 50 : 5

interface Order extends Simulator.Placed {
  readonly play: Simulator.Play
}

const send = (pod: Pod, play: Simulator.Play, json: Simulator.Json) =>
  Effect.promise(async () => {
    const body = JSON.stringify(json)
    const headers = { "content-type": "application/json", ...play.play.authenticate(play.key, body) }
    const response = await fetch(`${pod.url}${Simulator.pathOf(play, play.play.orderPath)}`, {
      method: "POST",
      headers,
      body,
    })
    await response.arrayBuffer()
    return response.status
  })

/** Every hiring system sends each order to both pods at once; each order is for a different candidate. */
const place = Effect.fnUntraced(function* (pods: ReadonlyArray<Pod>, callback: string) {
  const { id, set } = yield* Scenario.organization()
  const plays = yield* Effect.forEach(systems, (play) => Simulator.connect(id, play))
  const wanted = plays.flatMap((play) =>
    Array.from({ length: orders }, (_, at) => {
      const number = at + 1
      const email = `${play.play.system}${number}@example.com`
      const json = play.play.order({ set: set.id, number, email, cvLink: null, url: callback })
      return { play, number, email, json }
    }),
  )
  const statuses = yield* Effect.forEach(
    wanted.flatMap(({ json, play }) => pods.map((pod) => send(pod, play, json))),
    (one) => one,
    { concurrency: 8 },
  )
  assert.isTrue(statuses.every((status) => status === 200 || status === 201))
  const { sql } = yield* Database
  const rows = yield* sql<{ email: string; id: string }>`
    select c.email, b.id from submission b join candidate c on c.id = b.candidate_id where b.organization_id = ${id}::int`
  assert.lengthOf(rows, wanted.length)
  assert.strictEqual(yield* Simulator.count("email", id), wanted.length)
  const submissionOf = new Map(rows.map((row) => [row.email, row.id]))
  return {
    id,
    placed: wanted.map(({ email, number, play }): Order => {
      const submission = submissionOf.get(email) ?? ""
      return { play, number, submission, given: submission }
    }),
  }
})

/** Ashby's success. */
const body = JSON.stringify({ success: true })

const countOf = Effect.fnUntraced(function* (organization: number, state: string) {
  return (yield* Simulator.queued(organization)).filter((report) => report.state === state).length
})

/** Ends the delays of reports that wait for their next attempt. */
const makeDue = Effect.fnUntraced(function* (organization: number) {
  const { sql } = yield* Database
  yield* sql`
    update ats_report set due_at = now()
    where organization_id = ${organization}::int and state = 'queued' and claim_id is null and due_at > now()`
})

const isReported = (organization: number, count: number) =>
  until(
    "every report is delivered",
    Effect.andThen(
      makeDue(organization),
      Effect.map(countOf(organization, "reported"), (reported) => reported === count),
    ),
  )

/** Counts the refusals that pods recorded, because a killed pod does not record the answers to its last requests. */
const isEachRefused = Effect.fnUntraced(function* (organization: number, count: number) {
  const { sql } = yield* Database
  yield* makeDue(organization)
  const rows = yield* sql`
    select from ats_exchange where organization_id = ${organization}::int and operation = 'report' and status = 503
    group by order_id having count(*) >= 3`
  return rows.length === count
})

const reportsOf = ({ play, ...placed }: Order, receipts: ReadonlyArray<Receiver.Receipt>) =>
  receipts.filter(({ body, path }) => play.play.isReportOf({ path, body: body.toString() }, placed))

const startAll = (all: ReadonlyArray<Order>) =>
  Effect.forEach(all, ({ submission }) =>
    Effect.flatMap(Simulator.tokenOf(submission), (token) => Effect.flatMap(Interviews, ({ start }) => start(token))),
  )

describe("reports to hiring systems", () => {
  it.live(
    "are sent by another pod when the pods that were sending them are killed",
    () => {
      let isSilent = true
      return Effect.gen(function* () {
        const receiver = yield* Receiver.start({
          body,
          answer: ({ path }) => (isSilent && !path.startsWith("/v1") ? Effect.never : Effect.succeed(200)),
        })
        const settings = { HIRING_SYSTEM_HOSTS: new URL(receiver.url).host }
        const pods = [yield* startPod(settings), yield* startPod(settings)]
        const { id, placed } = yield* place(pods, receiver.url)
        yield* startAll(placed)
        yield* untilSync("requests are in flight", () => receiver.receipts.length >= 10)
        for (const pod of pods) {
          pod.signal("SIGKILL")
          assert.isNull(yield* pod.ended)
        }
        isSilent = false
        assert.isBelow(yield* countOf(id, "reported"), placed.length)
        yield* startPod(settings)
        yield* isReported(id, placed.length)
        for (const order of placed) {
          const sent = reportsOf(order, receiver.receipts).length
          assert.isTrue(sent === 1 || sent === 2, `${order.play.play.system} ${order.number}: ${sent}`)
        }
      }).pipe(provide)
    },
    timeout,
  )

  it.live(
    "arrive with the newest state after the hiring systems were down and a pod was killed meanwhile",
    () => {
      let isDown = true
      return Effect.gen(function* () {
        const receiver = yield* Receiver.start({ body, answer: () => Effect.sync(() => (isDown ? 503 : 200)) })
        const settings = { HIRING_SYSTEM_HOSTS: new URL(receiver.url).host }
        const [first, second] = [yield* startPod(settings), yield* startPod(settings)]
        const { id, placed } = yield* place([first, second], receiver.url)
        yield* startAll(placed)
        yield* until("every report was refused three times", isEachRefused(id, placed.length))
        first.signal("SIGKILL")
        assert.isNull(yield* first.ended)
        const interviews = yield* Interviews
        yield* Effect.forEach(placed, ({ submission }) =>
          Effect.flatMap(Simulator.tokenOf(submission), interviews.decline),
        )
        const before = receiver.receipts.length
        isDown = false
        yield* isReported(id, placed.length)
        const after = receiver.receipts.slice(before)
        for (const order of placed) assert.isNotEmpty(reportsOf(order, after), order.play.play.system)
        const bodies = after.filter(({ path }) => path.endsWith("/result")).map(({ body }) => String(body))
        assert.isTrue(bodies.every((body) => body.includes("The candidate declined")))
        const { sql } = yield* Database
        const [row] = yield* sql<{ refused: number; accepted: number }>`
          select count(*) filter (where status = 503)::int as refused, count(*) filter (where status = 200)::int as accepted
          from ats_exchange where organization_id = ${id}::int and operation = 'report'`
        assert.isAtLeast(row?.refused ?? 0, 3 * placed.length)
        assert.isAtLeast(row?.accepted ?? 0, placed.length)
      }).pipe(provide)
    },
    timeout,
  )
})
