/**
 * Two cells behind HAProxy: an organization is moved while a hiring system, a reader of events and candidates use it. Its old
 * links and calls reach the new cell.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { PasswordLinks } from "../../../src/accounts/sign-in/PasswordLinks.ts"
import { accountHashOf } from "../../../src/ats/ConnectionCredentials.ts"
import { EmailLinks } from "../../../src/emails/EmailLinks.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { verifyWebhook } from "../../../src/sdk/VerifyWebhook.ts"
import type { EmailId } from "../../../src/values/Ids.ts"
import * as Simulator from "../../ats/Simulator.ts"
import { hibob, systems } from "../../ats/systems.ts"
import * as Api from "../../support/Api.ts"
import * as cli from "../../support/cli.ts"
import { execute, textsOf } from "../../support/databases.ts"
import * as HAProxy from "../../support/HAProxy.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import { isThorough } from "../../support/thorough.ts"
import * as Workspace from "../../support/Workspace.ts"
import { startProcess, until } from "../faults/stage.ts"
import { cell, inCell, moved, server, timeout } from "./stage.ts"

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Repeats the request on 503 and broken connections, like a hiring system's client. */
const persistent = (url: string, init: RequestInit, failures: Array<number>) =>
  Effect.tryPromise(async (signal): Promise<Answer> => {
    const response = await fetch(url, { ...init, signal })
    const text = await response.text()
    if (response.status >= 500) {
      failures.push(response.status)
      assert.strictEqual(response.status, 503, text)
      throw new Error(text)
    }
    return {
      status: response.status,
      body: response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : {},
    }
  }).pipe(Effect.retry(Schedule.spaced("50 millis")), Effect.orDie)

const cellExport = (url: string, map: string) =>
  Effect.map(
    cli.run({ DATABASE_URL: url, SECRET_KEY: cli.secretKey }, "cell", "export", map),
    ({ code, stderr, stdout }) => {
      assert.deepStrictEqual([code, stderr], [0, ""])
      return stdout
    },
  )

const idle = (url: string) =>
  Effect.map(
    textsOf(
      url,
      `select count(*)::text from (select id::text from webhook_delivery union all
      select id::text from email where due_at is not null) jobs`,
    ),
    ([count]) => count === "0",
  )

/** An organization, and the paths of its links and calls. */
const linked = Effect.fnUntraced(function* (name: string) {
  const { sql } = yield* Database
  const links = yield* EmailLinks
  const organization = yield* Scenario.organization({}, name)
  const { subject, token } = yield* Scenario.invited(organization, `ada@${name}.example`)
  const member = yield* Workspace.member(organization.id, `grace@${name}.example`)
  yield* (yield* PasswordLinks).request(member.email, "127.0.0.1")
  const [mail] = yield* sql<{ id: EmailId }>`
    select id from email where organization_id = ${organization.id}::int and kind = 'password_reset'`
  const invitation = subject.invitation_id ?? assert.fail("no invitation")
  const pathOf = (url: string) => new URL(url).pathname
  // holds its company, as if access had been granted
  const bob = yield* Simulator.connect(organization.id, hibob)
  yield* sql`
    update ats_connection set key_hash = ${accountHashOf("hibob", bob.vendor["company_id"] ?? "")}
    where id = ${bob.id}::uuid`
  return {
    id: organization.id,
    interview: `/i/${token}`,
    opened: pathOf(links.mail("Opened", invitation)),
    clicked: pathOf(links.mail("Clicked", invitation)),
    unsubscribe: pathOf(links.mail("Unsubscribe", invitation)),
    forMembers: {
      password: pathOf(links.password((yield* Effect.fromNullishOr(mail)).id)),
      submission: `/submissions/${subject.submission_id}`,
      cvLink: `/submissions/${subject.submission_id}/cv/link?of=email`,
      invitation: `/invitations/${invitation}/cancel`,
    },
    plays: [...(yield* Effect.forEach(systems, (play) => Simulator.connect(organization.id, play))), bob],
  }
})

type Linked = Effect.Success<ReturnType<typeof linked>>

/** The status, and where a redirect leads. */
const answerAt = (host: string, path: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const response = await fetch(host + path, { redirect: "manual", ...init })
    const location = response.headers.get("location")
    await response.body?.cancel()
    return location === null ? `${response.status}` : `${response.status} ${location}`
  })

const pageAt = (host: string, path: string) => answerAt(host, path, { headers: { accept: "text/html" } })

/** What hiring systems get for a call that changes nothing, by the name of the system. */
const callsAt = Effect.fnUntraced(function* (host: string, { plays }: Linked) {
  const answers = yield* Effect.forEach(plays, (play) => {
    const { method, path } = play.play.probe
    const body = method === "GET" ? "" : JSON.stringify(Simulator.probeBody(play))
    const headers = { "content-type": "application/json", ...play.play.authenticate(play.key, body) }
    return answerAt(host, Simulator.pathOf(play, path), { method, headers, ...(method === "GET" ? {} : { body }) })
  })
  return Object.fromEntries(plays.map(({ play }, at) => [play.system, answers[at]]))
})

/** Opens links as candidates, their email programs and scanners do, and as members do. */
const linksAt = Effect.fnUntraced(function* (host: string, linked: Linked) {
  const answers: Record<string, string> = {
    interview: yield* pageAt(host, linked.interview),
    withFullStop: yield* pageAt(host, `${linked.interview}.`),
    opened: yield* pageAt(host, linked.opened),
    clicked: yield* pageAt(host, linked.clicked),
    unsubscribe: yield* pageAt(host, linked.unsubscribe),
    // as mail providers do (RFC 8058)
    unsubscribed: yield* answerAt(host, linked.unsubscribe, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    }),
    password: yield* pageAt(host, linked.forMembers.password),
    submission: yield* pageAt(host, linked.forMembers.submission),
    cvLink: yield* pageAt(host, linked.forMembers.cvLink),
    invitation: yield* pageAt(host, linked.forMembers.invitation),
  }
  return answers
})

/** HiBob's connection waits for access. */
const acceptedCalls = { ...Object.fromEntries(systems.map(({ system }) => [system, "200"])), hibob: "503" }

/** What candidates get from their organization's cell. `home`: its address. */
const forCandidates = (home: string, { interview }: Linked) => ({
  interview: "200",
  withFullStop: `303 ${interview}`,
  opened: "200",
  clicked: `303 ${home}${interview}`,
  unsubscribe: "200",
  unsubscribed: "200",
})

/** What members get who are not signed in, at the host of their organization's cell. */
const atHome = ({ forMembers: { password: _, ...records } }: Linked) => ({
  password: "200",
  ...Object.fromEntries(
    Object.entries(records).map(([name, path]) => [name, `303 /sign-in?next=${encodeURIComponent(path)}`]),
  ),
})

/** What members get at another host. */
const redirected = (home: string, { forMembers }: Linked) =>
  Object.fromEntries(Object.entries(forMembers).map(([name, path]) => [name, `303 ${home}${path}`]))

/** What opening the links has changed in a cell: opened and clicked invitations, and unsubscribed addresses. */
const traces = `
  select (select count(*) from invitation where opened_at is not null and clicked_at is not null) || ' '
    || (select count(*) from suppression where reason = 'unsubscribed')`

describe.skipIf(HAProxy.missing !== undefined)(
  ["two cells behind HAProxy", HAProxy.missing ?? []].flat().join(": "),
  () => {
    it.live.skipIf(!isThorough)(
      "move an organization without a lost or repeated request, event or delivery",
      () =>
        Effect.gen(function* () {
          const { url } = yield* server
          const [source, target] = [yield* cell(url, 0), yield* cell(url, 1)]
          const proxy = yield* HAProxy.start(["cell-0", "cell-1"])
          const [first = "", second = ""] = proxy.urls
          const receiver = yield* Receiver.start({ answer: () => Effect.as(Effect.sleep("400 millis"), 200) })
          const account = yield* inCell(source)(
            Effect.gen(function* () {
              const organization = yield* Scenario.organization()
              const endpoint = yield* Scenario.endpoint(organization.id, { url: `${receiver.url}/hook` })
              const { key } = yield* Api.keyOf(organization.id)
              return { ...organization, key, secret: Redacted.value(endpoint.secret) }
            }),
          )
          const pod = (own: string, appUrl: string, settings: Record<string, string> = {}) =>
            startProcess({
              ...{ DATABASE_URL: own, APP_URL: appUrl, API_URL: appUrl, LOG_FORMAT: "json", RATE_LIMIT: "0" },
              ...{ TRUSTED_PROXIES: "127.0.0.1/32", ...settings },
            })
          // so slow that deliveries wait in the source
          const slow = { WEBHOOK_CONCURRENCY: "2", WEBHOOK_ENDPOINT_CONCURRENCY: "2" }
          const [a, b, c] = yield* Effect.all([pod(source, first, slow), pod(source, first, slow), pod(target, second)])
          yield* proxy.setMap("keys", yield* cellExport(source, "keys"))
          const { reload } = yield* proxy.run([
            { name: "cell-0", urls: [a.url, b.url] },
            { name: "cell-1", urls: [c.url] },
          ])

          let isOver = false
          const failures: Array<number> = []
          const links: Array<string> = []
          const api = { "x-api-key": account.key, "content-type": "application/json" }
          const base = `${first}/company/integration`
          const inviteOne = Effect.fnUntraced(function* (n: number) {
            const answer = yield* persistent(
              `${base}/interview/candidate/invite/v1`,
              {
                method: "POST",
                headers: { ...api, "idempotency-key": `invite-${n}` },
                body: JSON.stringify({
                  com_interview_set_id: account.set.id,
                  candidates: [{ email: `candidate.${n}@example.com`, name: "Ada" }],
                }),
              },
              failures,
            )
            assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
            const [result] = answer.body["results"] as ReadonlyArray<{ submission: { interview_url: string } }>
            const link = result?.submission.interview_url ?? ""
            links.push(link)
            return link
          })
          const post = (link: string, step: string, fields: Record<string, string> = {}) =>
            persistent(
              `${link}/${step}`,
              {
                method: "POST",
                redirect: "manual",
                headers: { accept: "application/json", origin: new URL(link).origin },
                body: new URLSearchParams(fields),
              },
              failures,
            )
          const waiting = yield* inviteOne(0)
          yield* post(waiting, "start")

          // a hiring system invites, and its candidates start
          const hiring = yield* Effect.forkScoped(
            Effect.gen(function* () {
              for (let n = 1; !isOver; n++) {
                yield* post(yield* inviteOne(n), "start")
                yield* Effect.sleep("30 millis")
              }
            }),
          )
          // a reader of events
          const seen: Array<string> = []
          let cursor = ""
          const readPage = Effect.gen(function* () {
            const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
            const { body } = yield* persistent(`${base}/events/v1?limit=50${from}`, { headers: api }, [])
            const results = body["results"] as ReadonlyArray<{ event_id: string }>
            seen.push(...results.map(({ event_id }) => event_id))
            cursor = String(body["next_cursor"])
            return results.length
          })
          const reading = yield* Effect.forkScoped(
            Effect.gen(function* () {
              while (!isOver) {
                yield* readPage
                yield* Effect.sleep("50 millis")
              }
            }),
          )

          yield* Effect.sleep("2 seconds")
          const report = yield* moved(source, target, account.id)
          yield* proxy.setMap("keys", (yield* cellExport(source, "keys")) + (yield* cellExport(target, "keys")))
          yield* proxy.setMap("moved", yield* cellExport(target, "moved"))
          yield* reload
          yield* Effect.sleep("3 seconds")
          // the open interview goes on with the same link
          const [question] = account.set.iai_questions
          const saved = yield* post(waiting, "answers", {
            question: question?.id ?? "",
            [`answer.${question?.id}`]: Scenario.answer,
          })
          assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
          isOver = true
          yield* Fiber.join(hiring)
          yield* Fiber.join(reading)
          yield* until(
            "all events were read and delivered",
            Effect.gen(function* () {
              yield* readPage
              return receiver.receipts.length >= seen.length && (yield* idle(target))
            }),
          )

          const events = yield* textsOf(target, "select id::text from webhook_event order by xid, seq")
          assert.deepStrictEqual(seen, events)
          assert.deepStrictEqual(receiver.receipts.map(({ event }) => event).toSorted(), events.toSorted())
          for (const { body, headers } of receiver.receipts) {
            yield* Effect.promise(() => verifyWebhook({ body, headers, secret: account.secret }))
          }
          const submissions = yield* textsOf(target, "select count(*)::text from submission")
          assert.deepStrictEqual(submissions, [String(links.length)])
          const emails = yield* textsOf(
            target,
            "select count(*)::text from email where state = 'sent' and attempts = 1",
          )
          assert.deepStrictEqual(emails, submissions)
          assert.isAtMost(Number(report["paused_ms"]), 5_000)
          for (const { log } of [a, b, c])
            assert.notMatch(log(), /"level":"(ERROR|FATAL)"|claiming failed|settling failed/i)
        }).pipe(Effect.scoped),
      timeout,
    )

    it.live(
      "lead old links and calls of a moved organization to its new cell, and those of others to theirs",
      () =>
        Effect.gen(function* () {
          const { url } = yield* server
          const [source, target] = [yield* cell(url, 0), yield* cell(url, 1)]
          const proxy = yield* HAProxy.start(["cell-0", "cell-1"])
          const [first = "", second = ""] = proxy.urls
          const settings = (home: string) => ({ APP_URL: home, API_URL: home })
          const { moving, staying } = yield* inCell(source, { settings: settings(first) })(
            Effect.all({ moving: linked("moving"), staying: linked("staying") }),
          )
          const resident = yield* inCell(target, { settings: settings(second) })(linked("resident"))
          yield* moved(source, target, moving.id)
          // the source has no row that could answer
          yield* moved(source, target, moving.id, "--finish")
          const lines = yield* cellExport(target, "moved")
          yield* proxy.setMap("moved", (yield* cellExport(source, "moved")) + lines)
          yield* proxy.setMap("keys", (yield* cellExport(source, "keys")) + (yield* cellExport(target, "keys")))
          const pod = (own: string, home: string) =>
            startProcess({ DATABASE_URL: own, ROLES: "api", TRUSTED_PROXIES: "127.0.0.1/32", ...settings(home) })
          const pods = yield* Effect.all([pod(source, first), pod(target, second)])
          yield* proxy.run(pods.map((one, number) => ({ name: `cell-${number}`, urls: [one.url] })))

          assert.deepStrictEqual(yield* callsAt(first, moving), acceptedCalls)
          assert.deepStrictEqual(yield* callsAt(second, moving), acceptedCalls)
          // vendors may have one address for the organizations of all cells
          for (const host of [first, second]) assert.deepStrictEqual(yield* callsAt(host, resident), acceptedCalls)
          assert.deepStrictEqual(yield* linksAt(first, moving), {
            ...forCandidates(second, moving),
            ...redirected(second, moving),
          })
          assert.deepStrictEqual(yield* textsOf(target, traces), ["1 1"])
          assert.deepStrictEqual(yield* linksAt(second, moving), {
            ...forCandidates(second, moving),
            ...atHome(moving),
          })
          assert.deepStrictEqual(yield* linksAt(second, resident), {
            ...forCandidates(second, resident),
            ...atHome(resident),
          })
          assert.deepStrictEqual(yield* textsOf(source, traces), ["0 0"])
          assert.deepStrictEqual(yield* callsAt(first, staying), acceptedCalls)
          assert.deepStrictEqual(yield* linksAt(first, staying), {
            ...forCandidates(first, staying),
            ...atHome(staying),
          })
          assert.deepStrictEqual(yield* textsOf(source, traces), ["1 1"])

          // while a further move copies the organization, it still belongs to the target
          yield* execute(target, "update organization_move set state = 'copying'")
          assert.strictEqual(yield* cellExport(target, "moved"), lines)
        }).pipe(Effect.scoped),
      timeout,
    )
  },
)
