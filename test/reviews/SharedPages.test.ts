/** Links that share a submission with people without an account, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { guestLimits } from "../../src/reviews/GuestLink.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Workspace from "../support/Workspace.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

type Fields = ReadonlyArray<readonly [string, string]>

/** A request of a browser without an account. */
const visit = (
  method: "GET" | "POST",
  path: string,
  { client = "198.51.100.7", cookie, fields }: { client?: string; cookie?: string; fields?: Fields } = {},
) =>
  Workspace.request(method, path, {
    cookie,
    headers: { "x-forwarded-for": client },
    ...(fields === undefined
      ? {}
      : { fields: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])) }),
  })

const who: Fields = [
  ["name", "Mary Manager"],
  ["email", "mary@partner.example"],
]

/** A submission with a link. */
const shared = Effect.fnUntraced(function* (options: Readonly<Record<string, string>> = { days: "7" }) {
  const whole = yield* Dossier.whole()
  const owner = yield* signedIn(whole.organization)
  const page = `/submissions/${whole.submission}`
  const form = fieldsOf((yield* get(page, owner.cookie)).text, `${page}/links`).filter(([name]) => name === "id")
  const sent: Fields = [...form, ...Object.entries(options)]
  const made = yield* post(`${page}/links`, owner.cookie, sent)
  assert.strictEqual(made.location, `${page}?done=shared`)
  const addressOf = (text: string) => /http:\/\/localhost:8080(\/shared\/[\w-]{44})/.exec(text)?.[1] ?? ""
  const path = addressOf((yield* get(page, owner.cookie)).text)
  assert.notStrictEqual(path, "")
  const open = Effect.gen(function* () {
    const opened = yield* visit("POST", path, { fields: who })
    assert.strictEqual(opened.location, path)
    return opened.cookies[0]?.split(";")[0] ?? ""
  })
  return { ...whole, owner, page, sent, path, open }
})

const rowsOf = Effect.fnUntraced(function* (organization: number) {
  const { sql } = yield* Database
  const guests = yield* sql<{ name: string; email: string; reads: number }>`
    select name, email, reads from guest where organization_id = ${organization}::int order by first_read_at, name`
  const entries = yield* sql<{ action: string; reader: string | null }>`
    select a.action, g.name as reader from audit_log a left join guest g on g.id::text = a.detail ->> 'guest'
    where a.organization_id = ${organization}::int and a.record_type = 'submission'
      and a.action ~ 'share|link|review' order by a.id`
  return {
    guests,
    actions: entries.map(({ action, reader }) => [action, reader].filter((one) => one !== null).join(" ")),
  }
})

const reader = "Mary Manager (mary@partner.example), by a share link"

layer(pages)("a shared submission", (it) => {
  it.effect("asks who reads, and shows and notes nothing before", () =>
    Effect.gen(function* () {
      const { organization, path } = yield* shared()
      const form = yield* visit("GET", path)
      assert.strictEqual(form.status, 200)
      assert.include(form.text, "Your email address")
      assert.notMatch(form.text, /Ada|ada@example\.com|\/submissions\/|href="\/(?!assets)/)
      assert.strictEqual(form.headers.get("cache-control"), "no-store")
      assert.strictEqual(form.headers.get("x-robots-tag"), "noindex")
      assert.strictEqual(form.headers.get("referrer-policy"), "same-origin")
      assert.isEmpty(form.cookies)
      for (const file of [`${path}/cv`, `${path}/review`])
        assert.strictEqual((yield* visit("GET", file)).location, path)
      const wrong = yield* visit("POST", path, {
        fields: [
          ["name", " "],
          ["email", "mary"],
        ],
      })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "Your address is not an email address")
      const { actions, guests } = yield* rowsOf(organization)
      assert.isEmpty(guests)
      assert.deepStrictEqual(actions, ["submission.share"])
    }),
  )

  it.effect("shows the answers and the CV under the reader's name, without links to other pages", () =>
    Effect.gen(function* () {
      const { open, organization, owner, page, path, submission } = yield* shared()
      const cookie = yield* open
      const shown = yield* visit("GET", path, { cookie })
      assert.strictEqual(shown.status, 200)
      assert.include(shown.text, 'id="answers"')
      assert.include(shown.text, 'id="cv"')
      assert.include(shown.text, 'class="watermark"')
      assert.include(shown.text, "Shared with <bdi>Mary Manager</bdi> (<bdi>mary@partner.example</bdi>)")
      assert.notInclude(shown.text, submission)
      assert.notMatch(shown.text, /ada@example\.com|class="figure"|class="level"|<textarea|<form/)
      const hrefs = [...shown.text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => href)
      assert.isEmpty(hrefs.filter((href) => !href.startsWith("#") && !href.startsWith(`${path}/`)))
      const cv = yield* visit("GET", `${path}/cv`, { cookie })
      assert.strictEqual(cv.status, 200)
      const { actions, guests } = yield* rowsOf(organization)
      assert.deepStrictEqual(guests, [{ name: "Mary Manager", email: "mary@partner.example", reads: 1 }])
      assert.deepStrictEqual(actions, [
        "submission.share",
        "submission.read_shared Mary Manager",
        "submission.read_shared_file Mary Manager",
      ])
      assert.include((yield* get("/settings/audit", owner.cookie)).text, reader)
      assert.include((yield* get(page, owner.cookie)).text, "1 visit")
      // another browser with the same link is another reader
      assert.include((yield* visit("GET", path)).text, "Your email address")
      assert.include((yield* visit("GET", path, { cookie: `reader=${"A".repeat(43)}` })).text, "Your email address")
      // so is one that has opened another link of the organization
      yield* post(`${page}/links`, owner.cookie, { days: "1" })
      const links = [...(yield* get(page, owner.cookie)).text.matchAll(/:8080(\/shared\/[\w-]{44})/g)].map(
        ([, one]) => one,
      )
      const other = links.find((one) => one !== path) ?? assert.fail("no second link")
      assert.include((yield* visit("GET", other, { cookie })).text, "Your email address")
    }),
  )

  it.effect("notes a visit again after an hour", () =>
    Effect.gen(function* () {
      const { open, organization, path } = yield* shared()
      const cookie = yield* open
      yield* visit("GET", path, { cookie })
      yield* visit("GET", path, { cookie })
      yield* TestClock.adjust("61 minutes")
      yield* visit("GET", path, { cookie })
      const { actions, guests } = yield* rowsOf(organization)
      assert.strictEqual(guests[0]?.reads, 3)
      assert.lengthOf(
        actions.filter((action) => action.startsWith("submission.read_shared")),
        2,
      )
    }),
  )

  it.effect("notes each recording and each transcript once in an hour, for any range", () =>
    Effect.gen(function* () {
      const { open, organization, path, set, submission } = yield* shared()
      const { sql } = yield* Database
      const recording = "01a22428-0000-7000-8000-000000000009"
      const at = new Date(yield* Clock.currentTimeMillis)
      yield* sql`
        insert into recording (id, organization_id, submission_id, attempt, question_id, kind, content_type, started_at,
          received_at, state)
        values (${recording}::uuid, ${organization}::int, ${submission}::uuid, 1, ${set.iai_questions[0]?.id ?? ""}::uuid, 'audio',
          'audio/webm', ${at}, ${at}, 'done')`
      yield* sql`insert into recording_piece values (${recording}::uuid, ${organization}::int, 0, 'what was said'::bytea)`
      const cookie = yield* open
      const read = Effect.gen(function* () {
        for (const [file, range, status] of [
          ["", "bytes=1-", 206],
          ["", "bytes=0-3", 206],
          ["", "bytes=1-", 206],
          ["/captions", "bytes=1-", 200],
          ["/captions", "bytes=2-", 200],
        ] as const) {
          const part = yield* Workspace.request("GET", `${path}/recordings/${recording}${file}`, {
            cookie,
            headers: { range },
          })
          assert.strictEqual(part.status, status)
        }
        return yield* sql<{ file: string }>`
          select detail ->> 'file' as file from audit_log
          where organization_id = ${organization}::int and action = 'submission.read_shared_file' order by id`
      })
      assert.deepEqual(yield* read, [{ file: "recording" }, { file: "transcript" }])
      assert.lengthOf(yield* read, 2)
      yield* TestClock.adjust("61 minutes")
      assert.lengthOf(yield* read, 4)
    }),
  )

  it.effect("with a scorecard takes a review of the named guest, and shows the score after it", () =>
    Effect.gen(function* () {
      const { open, organization, owner, page, path } = yield* shared({
        days: "7",
        may_review: "yes",
        shows_scores: "yes",
      })
      const cookie = yield* open
      const before = (yield* visit("GET", path, { cookie })).text
      assert.include(before, "You see the score after you send your review.")
      assert.notMatch(before, /class="figure"|class="level"|Save draft|Mention colleagues/)
      const own = fieldsOf(before, `${path}/review`)
      const empty = yield* visit("POST", `${path}/review`, { cookie, fields: own })
      assert.strictEqual(empty.status, 422)
      assert.include(empty.text, "rate a requirement or write a note")
      const fields = withFields(own, { note: "<b>Strong</b> answers." })
      const sent = yield* visit("POST", `${path}/review`, { cookie, fields })
      assert.strictEqual(sent.location, `${path}?done=reviewed`)
      const after = (yield* visit("GET", `${path}?done=reviewed`, { cookie })).text
      assert.include(after, "Your review was sent. Thank you.")
      assert.match(after, /class="figure"/)
      const stale = yield* visit("POST", `${path}/review`, {
        cookie,
        fields: withFields(own, { note: "Typed elsewhere." }),
      })
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "Typed elsewhere.")
      const again = withFields(fieldsOf(after, `${path}/review`), { note: "Changed." })
      assert.strictEqual((yield* visit("POST", `${path}/review`, { cookie, fields: again })).location, sent.location)
      const hidden = (yield* get(page, owner.cookie)).text
      assert.include(hidden, "<bdi>Mary Manager (guest)</bdi> sent a review")
      const mine = fieldsOf(hidden, `${page}/review`)
      yield* post(`${page}/review`, owner.cookie, withFields(mine, { note: "Mine.", do: "send" }))
      assert.include((yield* get(page, owner.cookie)).text, "Changed.</blockquote>")
      assert.include((yield* get("/submissions", owner.cookie)).text, "Mary Manager (guest)")
      const { actions } = yield* rowsOf(organization)
      assert.includeMembers(actions, ["submission.review Mary Manager", "submission.change_review Mary Manager"])
    }),
  )

  it.effect("to read refuses a review, and shows the score at once only if the link says so", () =>
    Effect.gen(function* () {
      const plain = yield* shared()
      const cookie = yield* plain.open
      const refused = yield* visit("POST", `${plain.path}/review`, {
        cookie,
        fields: [
          ["note", "x"],
          ["changes", "0"],
        ],
      })
      assert.strictEqual(refused.status, 404)
      const { open, path } = yield* shared({ days: "1", shows_scores: "yes" })
      assert.match((yield* visit("GET", path, { cookie: yield* open })).text, /class="figure"/)
      // the cookie of one link opens no other
      assert.include((yield* visit("GET", path, { cookie })).text, "Your email address")
    }),
  )

  it.effect(
    "answers 410 and nothing else once it has expired or is revoked, also to a browser that has opened it",
    () =>
      Effect.gen(function* () {
        const { open, owner, page, path } = yield* shared({ days: "1", may_review: "yes" })
        const cookie = yield* open
        const review = fieldsOf((yield* visit("GET", path, { cookie })).text, `${path}/review`)
        const revoked = fieldsOf((yield* get(page, owner.cookie)).text, `${page}/links/revoke`)
        const second = yield* shared({ days: "1" })
        const done = yield* post(`${page}/links/revoke`, owner.cookie, revoked)
        assert.strictEqual(done.location, `${page}?done=revoked`)
        assert.strictEqual((yield* post(`${page}/links/revoke`, owner.cookie, revoked)).location, page)
        for (const [link, own, hours] of [
          [path, cookie, 0],
          [second.path, undefined, 25],
        ] as const) {
          yield* TestClock.adjust(Duration.hours(hours))
          for (const [method, to, fields] of [
            ["GET", link, undefined],
            ["GET", `${link}/cv`, undefined],
            ["POST", link, who],
            ["POST", `${link}/review`, withFields(review, { note: "Late." })],
          ] as const) {
            const answer = yield* visit(method, to, {
              ...(own === undefined ? {} : { cookie: own }),
              ...(fields === undefined ? {} : { fields }),
            })
            assert.strictEqual(answer.status, 410, `${method} ${to}`)
            assert.include(answer.text, "This link no longer works")
            assert.notMatch(answer.text, /Ada|Late/)
          }
        }
      }),
  )

  it.effect("is unknown with another token, or a token of another kind", () =>
    Effect.gen(function* () {
      const { path } = yield* shared()
      const last = path.endsWith("A") ? "B" : "A"
      for (const token of [`${path.slice(0, -2)}${last}${path.at(-1)}`, "/shared/x", `/shared/${"A".repeat(44)}`]) {
        const { status, text } = yield* visit("GET", token)
        assert.strictEqual(status, 404, token)
        // readers of shared links are no candidates
        assert.include(text, "ask the person who sent it")
      }
    }),
  )

  it.effect("is made once for a form that is sent twice, at most 20 times for a candidate, and not for reviewers", () =>
    Effect.gen(function* () {
      const { organization, owner, page, path, sent } = yield* shared()
      // the notice has the address
      const told = (yield* get(`${page}?done=shared`, owner.cookie)).text
      assert.match(
        told,
        new RegExp(`Address of the new link – can read</label>[^]*value="http://localhost:8080${path}"`),
      )
      assert.include(told, '<details class="share" id="share"><summary')
      assert.strictEqual((yield* post(`${page}/links`, owner.cookie, sent)).location, `${page}?done=shared`)
      for (let made = 1; made < guestLimits.links; made++) yield* post(`${page}/links`, owner.cookie, { days: "1" })
      const refused = yield* post(`${page}/links`, owner.cookie, { days: "1" })
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "at most 20 links")
      const { actions } = yield* rowsOf(organization)
      assert.lengthOf(
        actions.filter((action) => action === "submission.share"),
        guestLimits.links,
      )
    }),
  )

  it.effect("is made again by a form that is sent again after its link was revoked, or with other options", () =>
    Effect.gen(function* () {
      const { owner, page, path, sent } = yield* shared()
      const revoked = fieldsOf((yield* get(page, owner.cookie)).text, `${page}/links/revoke`)
      yield* post(`${page}/links/revoke`, owner.cookie, revoked)
      const addresses = Effect.map(get(page, owner.cookie), ({ text }) =>
        [...text.matchAll(/:8080(\/shared\/[\w-]{44})/g)].map(([, one = ""]) => one),
      )
      assert.isEmpty(yield* addresses)
      yield* post(`${page}/links`, owner.cookie, sent)
      const [again = ""] = yield* addresses
      assert.notInclude(["", path], again)
      assert.strictEqual((yield* visit("GET", again)).status, 200)
      yield* post(`${page}/links`, owner.cookie, [...sent.filter(([name]) => name === "id"), ["days", "30"]])
      assert.lengthOf(new Set(yield* addresses), 2)
    }),
  )

  it.effect("is opened in a limited number of browsers of one address, and further from others", () =>
    Effect.gen(function* () {
      const { open, organization, path } = yield* shared()
      const cookie = yield* open
      // the same browser again is the same reader
      yield* Effect.replicateEffect(visit("POST", path, { cookie, fields: who }), 3)
      assert.lengthOf((yield* rowsOf(organization)).guests, 1)
      yield* Effect.replicateEffect(visit("POST", path, { fields: who }), guestLimits.opens + 5, {
        concurrency: 5,
      })
      const refused = yield* visit("POST", path, { fields: who })
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "3600")
      assert.include(refused.text, "opened too often")
      assert.lengthOf((yield* rowsOf(organization)).guests, guestLimits.opens)
      assert.strictEqual((yield* visit("GET", path, { cookie })).status, 200)
      const elsewhere = yield* visit("POST", path, { fields: who, client: "203.0.113.9" })
      assert.strictEqual(elsewhere.location, path)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* visit("POST", path, { fields: who })).location, path)
    }),
  )

  it.effect(
    "ends with the candidate's data: the link is revoked, and the guests' names and notes are removed, also from the audit log",
    () =>
      Effect.gen(function* () {
        const { open, organization, owner, path, submission } = yield* shared({ days: "7", may_review: "yes" })
        const cookie = yield* open
        const review = fieldsOf((yield* visit("GET", path, { cookie })).text, `${path}/review`)
        yield* visit("POST", `${path}/review`, { cookie, fields: withFields(review, { note: "A note." }) })
        yield* visit("GET", `${path}/cv`, { cookie })
        const { sql } = yield* Database
        // as earlier versions noted it
        yield* sql`
        insert into audit_log (organization_id, action, record_type, record_id, detail)
        values (${organization}::int, 'submission.read_shared_file', 'submission', ${submission},
          jsonb_build_object('reader', ${reader}::text, 'file', 'CV of Mary.pdf'))`
        const [row] = yield* sql<{
          id: string
        }>`select candidate_id as id from submission where id = ${submission}::uuid`
        const person = `/settings/people/${row?.id}`
        const data = yield* post(`${person}/export`, owner.cookie)
        assert.include(data.text, "mary@partner.example")
        const erase = fieldsOf((yield* get(`${person}/erase`, owner.cookie)).text, `${person}/erase`)
        const log = get("/settings/audit.csv", owner.cookie)
        const before = (yield* log).text
        for (const noted of [reader, "file: CV", "CV of Mary.pdf"]) assert.include(before, noted)
        assert.notInclude(before, "cv.pdf")
        yield* post(`${person}/erase`, owner.cookie, withFields(erase, { confirm: "erase" }))
        const after = (yield* log).text
        assert.include(after, "a guest, by a share link")
        assert.notMatch(after, /Mary|mary@/)
        assert.strictEqual((yield* visit("GET", path, { cookie })).status, 410)
        const { guests } = yield* rowsOf(organization)
        assert.deepStrictEqual(guests, [{ name: "", email: "", reads: 1 }])
        assert.include((yield* get(`/submissions/${submission}`, owner.cookie)).text, "A guest")
      }),
  )
})
