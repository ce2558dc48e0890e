/**
 * Sends generated requests to every route. No response is a 5xx, every response is complete and has its X-Request-Id, failures of
 * the API are problem+json, and nothing is logged at level Error.
 *
 * `FUZZ=1000000` sends more than the default of 4,000, or 20,000 in `npm run test:all`; `FUZZ_SEED=7` generates other requests. A failure prints the smallest
 * request that still fails, and the two settings that send it again: `FUZZ_SEED=7 FUZZ_ONLY=4711`.
 */
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Layer, Logger, References } from "effect"
import { operator } from "../../../src/accounts/Viewer.ts"
import { EmailLinks } from "../../../src/emails/EmailLinks.ts"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { InviteRequest } from "../../../src/invitations/InviteRequest.ts"
import { InvitationId } from "../../../src/values/Ids.ts"
import * as Api from "../../support/Api.ts"
import { furnished } from "../../support/Furnished.ts"
import { bytesOf, generate, type Known, type Request, smaller, weighted } from "../../support/fuzz/Requests.ts"
import * as Wire from "../../support/fuzz/Wire.ts"
import * as LogWatch from "../../support/LogWatch.ts"
import * as Mailgun from "../../support/MailgunApi.ts"
import * as Postmark from "../../support/PostmarkApi.ts"
import { Routes } from "../../support/Routes.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as SendGrid from "../../support/SendGrid.ts"
import { amount } from "../../support/thorough.ts"
import { stageWith } from "../../support/Walk.ts"

const { FUZZ = amount("4000", "20000"), FUZZ_ONLY, FUZZ_SEED = "1" } = process.env
const count = Number(FUZZ)
const seed = Number(FUZZ_SEED)

/** Requests on the same records. Then new records are made, because forms have changed the old ones. */
const requestsPerWorld = 20_000
const connections = 8
/** The maximum number of requests sent to find a smaller one, for each distinct failure. */
const maxTries = 150
const maxFaults = 20

/** Lines at level Error and Fatal, by request id. */
const logged = new Map<string, Array<string>>()

const errorLog = Logger.make(({ cause, fiber, logLevel, message }) => {
  if (logLevel !== "Error" && logLevel !== "Fatal") return
  const { request_id } = fiber.getRef(References.CurrentLogAnnotations)
  const id = String(request_id ?? "")
  logged.set(id, [...(logged.get(id) ?? []), `${message} ${Cause.pretty(cause)}`])
})

const stage = stageWith({
  RATE_LIMIT: "0",
  SENDGRID_EVENTS_KEY: SendGrid.eventsKey,
  POSTMARK_EVENTS_SECRET: Postmark.eventsSecret,
  MAILGUN_EVENTS_KEY: Mailgun.eventsKey,
}).pipe(Layer.provide(Logger.layer([errorLog])))

const lastPart = (url: string): string => url.slice(url.lastIndexOf("/") + 1)

/** An organization with records of every kind and candidates who have not started, and a second organization. */
const known = Effect.gen(function* () {
  const own = yield* furnished((what) => `Our ${what} in words`)
  const theirs = yield* furnished((what) => `Their ${what} in words`)
  const { key } = yield* Api.keyOf(own.organization)
  const invited = yield* Scenario.invite(
    operator(own.organization),
    InviteRequest.make({
      com_interview_set_id: own.ids.set,
      candidates: Array.from({ length: 60 }, (_, i) => ({ email: `candidate.${i}@example.com` })),
    }),
  )
  const tokens = invited.map(({ submission }) => lastPart(submission?.interview_url ?? ""))
  const running = tokens.slice(0, 20)
  const interviews = yield* Interviews
  for (const token of running) yield* interviews.start(token)
  const invitations = invited.map(({ invitation }) => InvitationId.make(invitation?.id ?? ""))
  const links = yield* EmailLinks
  const linksOf = (link: "Opened" | "Clicked" | "Unsubscribe") =>
    invitations.map((id) => lastPart(links.mail(link, id)))
  return {
    own,
    theirs,
    key,
    invitations: invitations.slice(30),
    running,
    tokens: [...tokens.slice(20), ...Object.values(own.tokens)],
    mailTokens: { o: linksOf("Opened"), c: linksOf("Clicked"), unsubscribe: linksOf("Unsubscribe") },
  } satisfies Known
})

/** Describes the failure of a response; undefined without one. */
const faultOf = ({ route }: Request, answer: Wire.WireAnswer | Wire.Broken): string | undefined => {
  const name = `${route.method} ${route.path}`
  if ("broken" in answer) return `${name}: ${answer.broken}`
  const { body, headers, isLast, status } = answer
  const id = headers.get("x-request-id")
  const [line = ""] = logged.get(id ?? "") ?? []
  const errorLines = line.split("\n").slice(0, 6).join("\n")
  if (status >= 500) return `${name}: ${status} ${errorLines === "" ? body.slice(0, 200) : errorLines}`
  if (errorLines !== "") return `${name}: ${status}, and logged: ${errorLines}`
  const type = headers.get("content-type") ?? ""
  // Node could not parse the request: answered before any route, and the connection ends
  const isUnread = isLast && status >= 400 && type === "application/problem+json"
  if (id === undefined && !isUnread) return `${name}: ${status} without X-Request-Id`
  if (status >= 400 && route.path.startsWith("/company") && !/^(application\/problem\+json|text\/html.*)$/.test(type)) {
    return `${name}: ${status} as ${type}`
  }
  if (type === "application/problem+json" && body !== "" && JSON.parse(body).status !== status) {
    return `${name}: ${status} with another status in its body`
  }
  return undefined
}

/** A failure without the parts that differ between requests: ids, tokens, times. */
const kindOf = (fault: string): string =>
  fault.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{22,}|\d+/g, "·").replace(/"[^"]*"|'[^']*'/g, "“”")

/** True when the service performed the request and did not redirect to the sign-in. */
const isServed = (answer: Wire.WireAnswer | Wire.Broken): boolean =>
  "status" in answer &&
  (answer.status < 300 || (answer.status === 303 && !answer.headers.get("location")?.startsWith("/sign-in")))

const shown = (request: Request): string =>
  JSON.stringify(bytesOf(request).subarray(0, 3_000).toString("latin1")).replaceAll("\\r\\n", "\n  ")

layer(stage, { excludeTestServices: true })("generated requests", (it) => {
  it.effect(
    `never make the service fail (FUZZ_SEED=${seed})`,
    () =>
      Effect.gen(function* () {
        const { url } = yield* Api.Server
        const routes = weighted((yield* Routes).all)
        const found = new Map<string, { readonly index: number; readonly fault: string; readonly text: string }>()
        const reached = new Set<string>()

        const ask = async (connection: ReturnType<typeof Wire.open>, request: Request) => {
          const answer = await connection.exchange(request.method, bytesOf(request))
          return { answer, fault: faultOf(request, answer) }
        }

        const shrink = async (connection: ReturnType<typeof Wire.open>, failing: Request, kind: string) => {
          let least = failing
          let tries = 0
          for (let isSmaller = true; isSmaller; ) {
            isSmaller = false
            for (const candidate of smaller(least)) {
              if (++tries > maxTries) return least
              const { fault } = await ask(connection, candidate)
              if (fault === undefined || kindOf(fault) !== kind) continue
              least = candidate
              isSmaller = true
              break
            }
          }
          return least
        }

        const first = FUZZ_ONLY === undefined ? 0 : Number(FUZZ_ONLY)
        const end = FUZZ_ONLY === undefined ? count : first + 1
        for (let world = first; world < end; world += requestsPerWorld) {
          const records = yield* known
          for (const token of records.tokens) LogWatch.secret(token)
          let next = world
          const last = Math.min(end, world + requestsPerWorld)
          yield* Effect.promise(() =>
            Promise.all(
              Array.from({ length: connections }, async () => {
                const connection = Wire.open(url)
                while (next < last && found.size < maxFaults) {
                  const index = next++
                  const request = generate(seed, index, routes, records)
                  const { answer, fault } = await ask(connection, request)
                  if (isServed(answer)) reached.add(`${request.route.method} ${request.route.path}`)
                  if (fault === undefined || found.has(kindOf(fault))) continue
                  found.set(kindOf(fault), { index, fault, text: shown(request) })
                  const least = await shrink(connection, request, kindOf(fault))
                  found.set(kindOf(fault), { index, fault, text: shown(least) })
                }
                connection.close()
              }),
            ),
          )
        }
        // checks keys and sessions only: generated texts are in paths and in names
        yield* LogWatch.check(Effect.succeed([]))
        const failures = [...found.values()].map(
          ({ fault, index, text }) => `FUZZ_SEED=${seed} FUZZ_ONLY=${index}\n  ${fault}\n  ${text}`,
        )
        assert.deepStrictEqual(failures, [], failures.join("\n\n"))
        assert.deepStrictEqual([...logged.values()].flat(), [])
        // fewer routes mean that sessions, keys or links stopped working, so that routes behind them were not tested
        if (count >= requestsPerWorld && FUZZ_ONLY === undefined) {
          assert.isAbove(reached.size, 0.7 * new Set(routes).size)
        }
        assert.strictEqual((yield* Api.call("GET", "/health/live")).status, 200)
      }),
    240_000 + 10 * count,
  )
})
