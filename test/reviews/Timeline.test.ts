/** The timeline of a submission over HTTP: what it names, and its pages. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { fieldsOf, get, post, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.parse("2026-11-02T09:42:00Z"))
  const organization = yield* Scenario.organization()
  const owner = yield* signedIn(organization.id)
  const invited = yield* Scenario.invited(organization)
  const page = `/submissions/${invited.subject.submission_id}`
  const text = (path: string) => Effect.map(get(path, owner.cookie), (answer) => answer.text)
  return { ...organization, owner, ...invited, page, text }
})

const stepsIn = (text: string) =>
  [...(/<ol class="timeline">([\s\S]*?)<\/ol>/.exec(text)?.[1] ?? "").matchAll(/<li[^>]*><span>(.*?)<\/span> /g)].map(
    ([, step = ""]) => step.replaceAll(/<[^>]*>/g, ""),
  )

layer(Settings.layer())("the timeline of a submission", (it) => {
  it.effect("names tags, moves, the receipt, exports, comments and corrections, newest first", () =>
    Effect.gen(function* () {
      const { id, owner, page, set, subject, text, token } = yield* begin
      const { queue } = yield* EmailQueue
      const wait = TestClock.adjust("1 minute")
      yield* runOnce(queue)
      yield* wait
      yield* Scenario.completed({ set, token })
      yield* wait
      yield* runOnce(queue)
      yield* wait
      yield* post(`${page}/tags`, owner.cookie, { tag: "Backend" })
      yield* wait
      const { sql } = yield* Database
      const [stage] = yield* sql<{ id: string }>`
        select id from hiring_stage where organization_id = ${id}::int and name = 'Offer'`
      const move = `/interview-sets/${set.id}/board/${subject.submission_id}`
      yield* post(move, owner.cookie, withFields(fieldsOf(yield* text(move), move), { to: stage?.id ?? "" }))
      yield* wait
      yield* post(`${page}/comments`, owner.cookie, { text: "Calm and precise." })
      yield* wait
      yield* post(`/settings/people/${subject.candidate_id}/export`, owner.cookie)
      const steps = stepsIn(yield* text(page))
      const by = ` by ${owner.email}`
      assert.includeMembers(steps, ["Email sent", "Started", "Submitted"])
      assert.deepStrictEqual(
        steps.filter((step) => step.includes("by") || step.includes("Receipt")),
        [
          `Personal data exported${by}`,
          `Comment written${by}`,
          `Moved to Offer${by}`,
          `Tag Backend added${by}`,
          "Email “Receipt of the answers” sent",
        ],
      )
    }),
  )

  it.effect("that is long has pages, with each step once", () =>
    Effect.gen(function* () {
      const { id, owner, page, subject, text } = yield* begin
      const { sql } = yield* Database
      yield* sql`
        insert into audit_log (organization_id, member_id, action, record_type, record_id, detail, created_at)
        select ${id}::int, ${owner.id}::uuid, 'submission.tag', 'submission', ${subject.submission_id},
          jsonb_build_object('tag', 'n' || n), '2026-11-02T10:00:00Z'::timestamptz + n / 3 * interval '1 minute'
        from generate_series(1, 250) n`
      const seen: Array<string> = []
      let at: string | undefined = page
      let pages = 0
      while (at !== undefined) {
        const { bytes, text: shown }: { bytes: Buffer; text: string } = yield* get(at, owner.cookie)
        assert.isBelow(bytes.length, 60_000)
        const steps = stepsIn(shown)
        assert.isAtMost(steps.length, 42)
        seen.push(...steps)
        at = /href="(\/submissions\/[0-9a-f-]+\/timeline\?[^"]*)"/.exec(shown)?.[1]?.replaceAll("&amp;", "&")
        pages++
      }
      const tags = seen.flatMap((step) => /^Tag n(\d+) added/.exec(step)?.[1] ?? []).map(Number)
      assert.strictEqual(pages, 7)
      assert.deepStrictEqual(
        tags.map((n) => Math.floor(n / 3)),
        tags.map((n) => Math.floor(n / 3)).toSorted((one, other) => other - one),
      )
      assert.deepStrictEqual(new Set(tags), new Set(Array.from({ length: 250 }, (_, n) => n + 1)))
      assert.lengthOf(tags, 250)
      assert.strictEqual(seen.filter((step) => step.startsWith("Invited")).length, 1)
      assert.strictEqual((yield* get(`${page}/timeline`, owner.cookie)).location, `${page}#timeline`)
      const reviewer = yield* signedIn(id, "reviewer")
      assert.strictEqual((yield* get(`${page}/timeline?before=2027-01-01`, reviewer.cookie)).status, 403)
      assert.include(yield* text(`${page}/timeline?before=2020-01-01`), "Nothing earlier.")
    }),
  )
})
