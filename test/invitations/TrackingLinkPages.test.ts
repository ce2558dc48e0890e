/** Links of a mail, requested by candidates, scanners and mail providers. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { call, Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])
const service = Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
  Layer.provideMerge(
    Pod.layer({
      mails,
      settings: { PORT: "0" },
      send: () => Effect.succeed({ providerMessageId: null, delivered: false }),
    }),
  ),
)

/** The path of a link. */
const pathOf = (url: string | null | undefined) => (url ?? assert.fail("no link")).replace("http://localhost:8080", "")

/** An invited candidate, the mail, and the paths of its links. */
const mailed = Effect.fnUntraced(function* (email = "ada@example.com", languages: ReadonlyArray<number> = []) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const { id, set } = yield* Scenario.organization({ cfg_lingual_ids: languages }, "Nordlicht & Söhne")
  const candidate = yield* Scenario.invited({ id, set }, email)
  yield* Ref.set(mails, [])
  yield* runOnce((yield* EmailQueue).queue)
  const [mail = assert.fail("no mail")] = yield* Ref.get(mails)
  const found = (pattern: RegExp) => pathOf(pattern.exec(mail.html)?.[1])
  return {
    ...candidate,
    mail,
    pixel: found(/<img src="([^"]+)"/),
    click: found(/href="([^"]+\/c\/[^"]+)"/),
    unsubscribe: pathOf(mail.unsubscribeUrl),
  }
})

const standing = Effect.fnUntraced(function* ({ organization, subject }: Scenario.Invited) {
  const { sql } = yield* Database
  const [row] = yield* sql`
    select i.status, b.status as submission, b.initiated_at, b.started_at,
      (select count(*)::int from suppression where organization_id = ${organization}::int) as suppressed,
      (select coalesce(jsonb_agg(status order by seq), '[]') from webhook_event where submission_id = b.id) as events
    from invitation i join submission b on b.id = i.submission_id where i.id = ${subject.invitation_id}::uuid`
  return { ...row }
})
const untouched = {
  status: "sent",
  submission: "need_interview",
  initiated_at: null,
  started_at: null,
  suppressed: 0,
  events: [],
}

layer(service)("a mail's links", (it) => {
  it.effect("the text contains only the untracked link", () =>
    Effect.gen(function* () {
      const { mail, token } = yield* mailed()
      assert.include(mail.text, `/i/${token}`)
      assert.notInclude(mail.text, "/c/")
      assert.notInclude(mail.text, "/o/")
      assert.notMatch(mail.html, /href="[^"]*\/i\//)
    }),
  )

  it.effect("the pixel counts one open and is not cached", () =>
    Effect.gen(function* () {
      const candidate = yield* mailed()
      for (const _ of [1, 2]) {
        const answer = yield* call("GET", candidate.pixel)
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers.get("content-type"), "image/gif")
        assert.include(answer.headers.get("cache-control"), "no-store")
      }
      assert.deepStrictEqual(yield* standing(candidate), {
        ...untouched,
        status: "opened",
        events: ["invitation_email_opened"],
      })
    }),
  )

  it.effect("the link counts one click, leads to the interview and does not change it", () =>
    Effect.gen(function* () {
      const candidate = yield* mailed()
      for (const _ of [1, 2]) {
        const answer = yield* call("GET", candidate.click)
        assert.strictEqual(answer.status, 303)
        assert.strictEqual(answer.headers.get("location"), `http://localhost:8080/i/${candidate.token}`)
        assert.include(answer.headers.get("cache-control"), "no-store")
      }
      assert.deepStrictEqual(yield* standing(candidate), {
        ...untouched,
        status: "clicked",
        events: ["invitation_email_clicked"],
      })
    }),
  )

  it.effect("HEAD requests and prefetches count nothing and get the same answer", () =>
    Effect.gen(function* () {
      const candidate = yield* mailed()
      for (const path of [candidate.pixel, candidate.click, candidate.unsubscribe]) {
        const answers = [
          yield* call("HEAD", path),
          yield* call("GET", path, { headers: { "sec-purpose": "prefetch;prerender" } }),
          yield* call("GET", path, { headers: { purpose: "prefetch" } }),
        ]
        for (const { status } of answers) assert.strictEqual(status, path === candidate.click ? 303 : 200)
      }
      assert.deepStrictEqual(yield* standing(candidate), untouched)
    }),
  )

  it.effect("the unsubscribe page asks, names the address and changes nothing", () =>
    Effect.gen(function* () {
      const candidate = yield* mailed()
      const { body, headers, status } = yield* call("GET", candidate.unsubscribe)
      assert.strictEqual(status, 200)
      for (const part of ["Nordlicht &amp; Söhne", "ada@example.com", '<form method="post"', "<button"])
        assert.include(body, part)
      assert.include(headers.get("content-security-policy"), "default-src 'none'")
      assert.deepStrictEqual(yield* standing(candidate), untouched)
    }),
  )

  it.effect("the unsubscribe page is in the mail's language", () =>
    Effect.gen(function* () {
      const candidate = yield* mailed("eva@example.com", [2, 10])
      for (const [method, words] of [
        ["GET", "E-Mails abbestellen?"],
        ["POST", "Sie erhalten keine E-Mails mehr"],
      ] as const) {
        const { body } = yield* call(method, candidate.unsubscribe)
        assert.include(body, '<html lang="de">')
        assert.include(body, `<h1>${words}</h1>`)
      }
    }),
  )

  it.effect.each<readonly [string, Record<string, string>, string | undefined]>([
    ["its button", { "content-type": "application/x-www-form-urlencoded" }, "List-Unsubscribe=One-Click"],
    [
      "one click in a mail program (RFC 8058)",
      { "content-type": "multipart/form-data; boundary=b", origin: "https://mail.example" },
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
    ["a POST without a body", {}, undefined],
  ])("%s unsubscribes without a redirect or event, also twice", ([, headers, raw]) =>
    Effect.gen(function* () {
      const candidate = yield* mailed("Ada.L@Example.com")
      for (const _ of [1, 2]) {
        const answer = yield* call("POST", candidate.unsubscribe, { headers, raw })
        assert.strictEqual(answer.status, 200)
        assert.include(answer.body, "You are unsubscribed")
      }
      assert.deepStrictEqual(yield* standing(candidate), { ...untouched, suppressed: 1 })
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`select email, reason from suppression where organization_id = ${candidate.organization}::int`,
        [{ email: "ada.l@example.com", reason: "unsubscribed" }],
      )
      const page = yield* call("GET", candidate.unsubscribe)
      assert.include(page.body, "You are unsubscribed")
      assert.notInclude(page.body, "<form")
      assert.strictEqual((yield* call("GET", `/i/${candidate.token}`)).status, 200)
    }),
  )

  it.effect("a token is valid for its kind of link only", () =>
    Effect.gen(function* () {
      const candidate = yield* mailed()
      const tokens = [candidate.pixel, candidate.click, candidate.unsubscribe, `/i/${candidate.token}`].map((path) =>
        path.slice(path.lastIndexOf("/") + 1),
      )
      assert.lengthOf(new Set(tokens), 4)
      const [pixel, click, unsubscribe, interview] = tokens
      const wrong = ["x", "%00", `${click}A`, `${String(click).slice(0, -2)}AA`]
      for (const token of [pixel, unsubscribe, interview, ...wrong]) {
        assert.strictEqual((yield* call("GET", `/c/${token}`)).status, 404)
      }
      for (const token of [pixel, click, interview, ...wrong]) {
        assert.strictEqual((yield* call("GET", `/unsubscribe/${token}`)).status, 404)
        assert.strictEqual((yield* call("POST", `/unsubscribe/${token}`)).status, 404)
      }
      for (const token of [pixel, click, unsubscribe])
        assert.strictEqual((yield* call("GET", `/i/${token}`)).status, 404)
      for (const token of [click, unsubscribe, interview, ...wrong]) {
        assert.strictEqual((yield* call("GET", `/o/${token}`)).status, 200, "the pixel, without a count")
      }
      assert.deepStrictEqual(yield* standing(candidate), untouched)
    }),
  )

  it.effect("unsubscribing before the email is sent fails the invitation, with an event", () =>
    Effect.gen(function* () {
      const first = yield* mailed()
      const { sql } = yield* Database
      const other = yield* Scenario.invited({ id: first.organization, set: first.set }, "bo@example.com")
      yield* sql`insert into suppression (organization_id, email, reason) values (${first.organization}::int, 'bo@example.com', 'unsubscribed')`
      yield* Ref.set(mails, [])
      yield* runOnce((yield* EmailQueue).queue)
      assert.deepStrictEqual(
        (yield* Ref.get(mails)).filter(({ to }) => to === "bo@example.com"),
        [],
      )
      const events = yield* sql<{ data: object }>`
        select body::jsonb -> 'data' as data from webhook_event where submission_id = ${other.subject.submission_id}::uuid`
      assert.deepStrictEqual(events, [
        {
          data: {
            ...other.subject,
            candidate_email: "bo@example.com",
            status: "invitation_email_failed",
            reason: "unsubscribed",
            interview_name: "Backend Engineer",
          },
        },
      ])
      const states = yield* sql`
        select e.state, i.status, i.failure_reason from email e join invitation i on i.id = e.invitation_id
        where i.id = ${other.subject.invitation_id}::uuid`
      assert.deepStrictEqual(states, [{ state: "cancelled", status: "failed", failure_reason: "unsubscribed" }])
    }),
  )

  it.effect("a later mail to an unsubscribed address is skipped without an event", () =>
    Effect.gen(function* () {
      const candidate = yield* mailed()
      const { sql } = yield* Database
      yield* call("POST", candidate.unsubscribe)
      yield* sql`insert into email (id, organization_id, invitation_id, kind, recipient, created_at, due_at)
        select gen_random_uuid(), organization_id, invitation_id, kind, recipient, created_at, created_at from email
        where invitation_id = ${candidate.subject.invitation_id}::uuid`
      yield* Ref.set(mails, [])
      yield* runOnce((yield* EmailQueue).queue)
      assert.deepStrictEqual(yield* Ref.get(mails), [])
      assert.deepStrictEqual(yield* standing(candidate), { ...untouched, suppressed: 1 })
    }),
  )
})
