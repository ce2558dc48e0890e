/** The same person twice, in one request or in several: one invitation, one mail. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import type { Warning } from "../../src/values/Warning.ts"
import * as Api from "../support/Api.ts"
import {
  Caller,
  counts,
  invite,
  invited,
  newSet,
  none,
  type Result,
  repeated,
  layer as specification,
} from "../support/Specification.ts"

const cv_link = "https://files.example.com/ada.pdf"
const email = "ada@example.com"
const uuid = () => crypto.randomUUID()

/** One letter for each submission, equal for the same one. */
const sameness = (results: ReadonlyArray<Result>) => {
  const ids = results.map(({ submission }) => submission?.id)
  return ids.map((id) => String.fromCharCode(97 + new Set(ids.slice(0, ids.indexOf(id))).size)).join("")
}

/** New addresses, ids and links for each row, because an organization remembers them. */
const world = Effect.sync(() => {
  const one = uuid()
  const address = `ada-${one}@example.com`
  return {
    one,
    two: uuid(),
    address,
    upper: address.toUpperCase(),
    link: `${cv_link}?${one}`,
    link2: `${cv_link}?2${one}`,
  }
})
type World = Effect.Success<typeof world>

const created = (candidates: number, cvs = 0) => ({
  ...none,
  candidates,
  submissions: candidates,
  invitations: candidates,
  mails: candidates,
  cvs,
})

layer(specification(), { excludeTestServices: true })("the same person", (it) => {
  // each row is sent as one request and as one request per candidate, with the same results
  it.effect.each<
    readonly [quote: string, candidates: (world: World) => ReadonlyArray<object>, same: string, expected: typeof none]
  >([
    ["the same address", ({ address }) => [{ email: address }, { email: address }], "aa", created(1)],
    [
      "an address in another case, and with blanks around it",
      ({ address, upper }) => [{ email: address }, { email: upper }, { email: ` ${address} ` }],
      "aaa",
      created(1),
    ],
    [
      "an address that comes with a CV the second time",
      ({ address, link }) => [{ email: address }, { email: address, cv_link: link }],
      "aa",
      created(1, 1),
    ],
    [
      "the same address and the same CV",
      ({ address, link }) => [
        { email: address, cv_link: link },
        { email: address, cv_link: link },
      ],
      "aa",
      created(1, 1),
    ],
    [
      "the same CV alone",
      ({ link }) => [{ cv_link: link }, { cv_link: link }, { cv_link: ` ${link}` }],
      "aaa",
      { ...none, candidates: 1, submissions: 1, cvs: 1 },
    ],
    [
      "another CV alone",
      ({ link, link2 }) => [{ cv_link: link }, { cv_link: link2 }],
      "ab",
      { ...none, candidates: 2, submissions: 2, cvs: 2 },
    ],
    [
      "ats_candidate_id, else e-mail: an id is added",
      ({ address, one }) => [{ ats_candidate_id: one, email: address }, { email: address }],
      "aa",
      created(1),
    ],
    [
      "ats_candidate_id, else e-mail: two ids are two people",
      ({ address, one, two }) => [
        { ats_candidate_id: one, email: address },
        { ats_candidate_id: two, email: address },
      ],
      "ab",
      created(2),
    ],
    [
      "two people",
      ({ address, one }) => [{ email: address }, { ats_candidate_id: one, email: `x${address}` }],
      "ab",
      created(2),
    ],
  ])("is identified by ats_candidate_id, else address, and gets one mail: %s", ([, candidates, same, expected]) =>
    Effect.gen(function* () {
      const together = yield* newSet()
      const apart = yield* newSet()
      const all = candidates(yield* world)
      const results = yield* invited({ com_interview_set_id: together, candidates: all })
      assert.strictEqual(sameness(results), same)
      assert.deepStrictEqual(yield* counts(together), expected)
      // repeating the request creates and sends nothing
      assert.deepStrictEqual(yield* invited({ com_interview_set_id: together, candidates: all }), repeated(results))
      assert.deepStrictEqual(yield* counts(together), expected)
      const single = candidates(yield* world)
      const one = (candidate: object) => invited({ com_interview_set_id: apart, candidates: [candidate] })
      assert.strictEqual(sameness((yield* Effect.forEach(single, one)).flat()), same)
      assert.deepStrictEqual(yield* counts(apart), expected)
    }),
  )

  it.effect("keeps the values of the later entry, as in separate requests, and warnings name the earlier one", () =>
    Effect.gen(function* () {
      const { key } = yield* Caller
      const { address, one } = yield* world
      const candidates = [
        { email: address, name: "Ada", firstname: "Ada", external_id: "1", metadata: { first: "1" } },
        { email: `x${address}` },
        { email: address.toUpperCase(), name: "Ada Lovelace", external_id: "2", metadata: { second: "2" } },
        { ats_candidate_id: one, email: address, metadata: {} },
      ]
      const together = { com_interview_set_id: yield* newSet(), candidates }
      const answer = yield* Api.call("POST", invite, { key, json: together })
      const { results, warnings } = answer.body as {
        readonly results: ReadonlyArray<{ readonly candidate: Api.Row }>
        readonly warnings: ReadonlyArray<Warning>
      }
      assert.deepStrictEqual(
        warnings.map(({ code, message, pointer }) => `${pointer} ${code}: ${message.split(":", 1)}`),
        [
          "#/candidates/2 duplicate_person: is the same person as #/candidates/0",
          "#/candidates/3 duplicate_person: is the same person as #/candidates/0",
        ],
      )
      const kept = { name: "Ada Lovelace", external_id: "2", metadata: {}, ats_candidate_id: one }
      for (const i of [0, 2, 3]) assert.deepInclude(results[i]?.candidate, kept)
      assert.deepInclude(results[1]?.candidate, { external_id: null, metadata: {} })
      const apart = yield* newSet()
      for (const candidate of candidates) {
        yield* invited({ com_interview_set_id: apart, candidates: [candidate] })
      }
      const { sql } = yield* Database
      const stored = yield* sql`
        select b.external_id, b.metadata, c.name, c.firstname, c.ats_candidate_id
        from submission b join candidate c on c.id = b.candidate_id
        where c.email_key = ${address} order by b.created_at, b.id`
      const last = { external_id: "2", metadata: {}, name: "Ada Lovelace", firstname: "Ada", ats_candidate_id: one }
      assert.deepStrictEqual(stored, [last, last])
    }),
  )

  it.effect("gets one mail when requests are retried concurrently", () =>
    Effect.gen(function* () {
      const { address, link, link2, one } = yield* world
      const set = yield* newSet()
      const candidates = [
        { email: address, cv_link: link },
        { cv_link: link2 },
        { ats_candidate_id: one, email: `x${address}` },
      ]
      const request = invited({ com_interview_set_id: set, candidates })
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => request),
        { concurrency: "unbounded" },
      )
      for (const results of all) assert.deepStrictEqual(repeated(results), repeated(all[0] ?? []))
      const expected = { candidates: 3, submissions: 3, invitations: 2, mails: 2, cvs: 2 }
      assert.deepStrictEqual(yield* counts(set), { ...none, ...expected })
    }),
  )

  it.effect("gets no mail at another address under the same ats_candidate_id", () =>
    Effect.gen(function* () {
      const { address, one } = yield* world
      const set = yield* newSet()
      const ask = (email: string) =>
        invited({ com_interview_set_id: set, candidates: [{ ats_candidate_id: one, email }] })
      const [first] = yield* ask(address)
      const [second] = yield* ask(`new-${address}`)
      assert.deepInclude(first?.invitation, { is_new: true, email_status: "queued" })
      assert.deepStrictEqual(second?.invitation, { ...(first?.invitation ?? assert.fail()), is_new: false })
      assert.deepStrictEqual(second?.submission, first?.submission)
      assert.deepStrictEqual(yield* counts(set), created(1))
    }),
  )

  it.effect("gets another invitation to another set", () =>
    Effect.gen(function* () {
      const { address } = yield* world
      const { sql } = yield* Database
      const sets = [yield* newSet(), yield* newSet()]
      const ask = (set: string) => invited({ com_interview_set_id: set, candidates: [{ email: address }] })
      assert.strictEqual(sameness((yield* Effect.forEach(sets, ask)).flat()), "ab")
      for (const set of sets) assert.deepStrictEqual(yield* counts(set), created(1))
      assert.lengthOf(yield* sql`select id from candidate where email_key = ${address}`, 1)
    }),
  )

  it.effect("can be invited later to a submission made with send_invite false", () =>
    Effect.gen(function* () {
      const { address } = yield* world
      const set = yield* newSet()
      const ask = (send_invite: boolean) =>
        invited({ com_interview_set_id: set, send_invite, candidates: [{ email: address }] })
      const results = [yield* ask(false), yield* ask(true), yield* ask(false)].flat()
      assert.strictEqual(sameness(results), "aaa")
      assert.deepStrictEqual(
        results.map(({ invitation }) => invitation?.status_text),
        [undefined, "pending", undefined],
      )
      assert.deepStrictEqual(yield* counts(set), created(1))
    }),
  )

  // the state of an earlier invitation, and whether inviting again sends a mail
  it.effect.each<
    readonly [
      quote: string,
      invitation: string,
      submission: string,
      same: string,
      mails: number,
      status: string | undefined,
    ]
  >([
    ["while the first invitation lives", "sent", "need_interview", "aa", 1, "sent"],
    ["while the first invitation lives (delivered)", "delivered", "need_interview", "aa", 1, "delivered"],
    ["while the first invitation lives (opened)", "opened", "initiated", "aa", 1, "opened"],
    ["while the first invitation lives (clicked)", "clicked", "started", "aa", 1, "clicked"],
    ["while the first invitation lives (completed)", "clicked", "completed", "aa", 1, "clicked"],
    ["while the first invitation lives (evaluated)", "clicked", "evaluated", "aa", 1, "clicked"],
    ["unless the earlier e-mail failed", "failed", "need_interview", "aa", 2, "pending"],
    ["unless the earlier e-mail failed (the interview goes on)", "failed", "started", "aa", 2, "pending"],
    ["not while it lives: cancelled", "cancelled", "withdrawn", "ab", 2, "pending"],
    ["not while it lives: expired", "expired", "expired", "ab", 2, "pending"],
  ])("gets no mail %s", ([, invitation, submission, same, mails, status]) =>
    Effect.gen(function* () {
      const { address } = yield* world
      const { sql } = yield* Database
      const set = yield* newSet()
      const ask = invited({ com_interview_set_id: set, candidates: [{ email: address }] })
      const first = yield* ask
      yield* sql`update invitation set status = ${invitation},
        failure_reason = case when ${invitation} = 'failed' then 'bounce' end where interview_set_id = ${set}::uuid`
      yield* sql`update submission set status = ${submission} where interview_set_id = ${set}::uuid`
      const second = yield* ask
      assert.strictEqual(sameness([...first, ...second]), same)
      assert.strictEqual(second[0]?.invitation?.status_text, status)
      assert.strictEqual(second[0]?.invitation?.id === first[0]?.invitation?.id, mails === 1)
      assert.strictEqual((yield* counts(set))?.mails, mails)
    }),
  )

  it.effect("gets no second invitation or event for a refused address, but one for a corrected address", () =>
    Effect.gen(function* () {
      const { address, one } = yield* world
      const set = yield* newSet()
      const ask = (email: string) =>
        invited({ com_interview_set_id: set, candidates: [{ ats_candidate_id: one, email }] })
      const first = yield* ask("nobody")
      assert.deepStrictEqual(yield* ask("nobody"), repeated(first))
      assert.deepInclude(yield* counts(set), { submissions: 1, invitations: 1, mails: 0, events: 1 })
      const [mended] = yield* ask(address)
      assert.deepInclude(mended?.invitation, { email: address, status_text: "pending" })
      assert.deepInclude(yield* counts(set), { submissions: 1, invitations: 2, mails: 1, events: 1 })
    }),
  )

  it.effect("is another candidate in another organization", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* sql`insert into organization (name) values ('Theirs')`
      yield* sql`insert into candidate (id, organization_id, email, email_key, name)
        select gen_random_uuid(), max(id), ${email}, ${email}, 'Theirs' from organization`
      const [result] = yield* invited({ com_interview_set_id: yield* newSet(), candidates: [{ email }] })
      const [row] =
        yield* sql`select c.organization_id, c.name from candidate c join submission b on b.candidate_id = c.id
        where b.id = ${String(result?.submission?.id)}::uuid`
      assert.deepStrictEqual({ ...row }, { organization_id: (yield* Caller).organization, name: null })
    }),
  )
})
