import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import type { CvContent } from "../../src/cv/Cv.ts"
import { CvNotFetched } from "../../src/cv/CvFetcher.ts"
import { CvQueue, retries } from "../../src/cv/CvQueue.ts"
import { CvUnreadable } from "../../src/cv/CvReader.ts"
import { unreadableCvs } from "../../src/cv/UnreadableCv.ts"
import type { EvaluationInput } from "../../src/evaluations/Evaluation.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { BlobStore } from "../../src/files/BlobStore.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { BlobId, SubmissionId } from "../../src/values/Ids.ts"
import * as RetryPolicy from "../../src/values/RetryPolicy.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const link = "https://files.example.com/ada.pdf?signature=secret"
const text = "I ran PostgreSQL for four years."
const round = Effect.flatMap(CvQueue, ({ queue }) => runOnce(queue))
const evaluate = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const events = Scenario.dataOf("interview.evaluation.update")

const content = (contacts: Partial<CvContent["contacts"]> = {}): CvContent => ({
  type: "application/pdf",
  text,
  notes: ["Hidden text was left out: 3 words."],
  contacts: { email: null, phone: null, name: null, ...contacts },
})

const ada = { email: "Ada@example.com", phone: "+4930901820", name: "Ada Lovelace" }

type Entry = InviteRequest["candidates"][number]

const organization = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  return yield* Scenario.organization()
})

const inviteTo = Effect.fnUntraced(function* (
  { id, set }: Effect.Success<typeof organization>,
  ...candidates: ReadonlyArray<Entry>
) {
  const request = InviteRequest.make({ com_interview_set_id: set.id, candidates: [...candidates] })
  const results = yield* Scenario.invite(operator(id), request)
  return results.map(({ submission }) => SubmissionId.make(submission?.id ?? ""))
}, Effect.orDie)

interface Row {
  readonly state: string
  readonly attempts: number
  readonly text: string | null
  readonly notes: ReadonlyArray<string>
  readonly error: string | null
  readonly file_type: string | null
  readonly blob_id: BlobId | null
  readonly is_read: boolean
}

const cvs = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<Row>`
    select state, attempts, text, notes, error, file_type, blob_id, read_at is not null as is_read from cv
    order by created_at, id`
})

const candidates = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`select email, email_key, cv_email, name, phone from candidate order by created_at, id`
})

describe("a CV", () => {
  const asked: Array<EvaluationInput> = []
  it.effect("is read, stored, evaluated and reported", () =>
    Effect.gen(function* () {
      const to = yield* organization
      const [submission = SubmissionId.make("")] = yield* inviteTo(to, { cv_link: link })
      assert.strictEqual(yield* round, 1)
      const [cv] = yield* cvs
      assert.deepInclude(cv, { state: "read", attempts: 1, text, error: null, is_read: true })
      assert.deepInclude(cv, { file_type: "application/pdf", notes: ["Hidden text was left out: 3 words."] })
      const kept = yield* (yield* BlobStore)
        .get({ organization: to.id, id: cv?.blob_id ?? BlobId.make("") })
        .pipe(Stream.mkUint8Array)
      assert.strictEqual(new TextDecoder().decode(kept), "the file")

      assert.strictEqual(yield* evaluate, 1)
      assert.deepStrictEqual(asked[0]?.sources, [{ source: "cv", question_id: null, question: null, text }])
      assert.notProperty(asked[0], "missing")
      const [event] = yield* events
      assert.deepInclude(event, {
        evaluation_type: "cv",
        evaluation_score: 7.5,
        score_status: "scored",
        submission_id: submission,
        candidate_email: ada.email,
      })
      const detail = yield* (yield* Submissions).detail(operator(to.id), submission)
      assert.strictEqual(detail.status_text, "evaluated")
      assert.deepInclude(detail.candidate, { email: ada.email, name: ada.name })
      assert.deepStrictEqual(detail.cv_notes, ["Hidden text was left out: 3 words."])
      assert.notProperty(detail, "candidate_entry_error_message")
      // the sweep keeps a file that a CV refers to
      yield* TestClock.adjust("3 days")
      yield* (yield* Uploads).sweep
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from blob`, 1)
      assert.strictEqual(yield* round, 0)
    }).pipe(
      Pod.provide({
        fetchCv: (asked) => Effect.succeed(new TextEncoder().encode(asked === link ? "the file" : "another")),
        readCv: () => Effect.succeed(content(ada)),
        evaluate: (input) => {
          asked.push(input)
          return Pod.strong(input)
        },
      }),
    ),
  )
})

describe("a scanned CV", () => {
  const languagesAsked: Array<ReadonlyArray<string>> = []
  const warning = { code: "read_by_ocr", message: "Read by OCR." }
  it.effect("is read in the set's languages; notes, evaluation, event and list say that it was read by OCR", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const to = yield* Scenario.organization({ cfg_lingual_ids: [2, 1] })
      const [submission = SubmissionId.make("")] = yield* inviteTo(to, { cv_link: link })
      yield* round
      yield* evaluate
      assert.deepStrictEqual(languagesAsked, [["de", "en"]])
      const { detail, list } = yield* Submissions
      const found = yield* detail(operator(to.id), submission)
      assert.deepStrictEqual(found.cv_notes, ["Hidden text was left out: 3 words.", warning.message])
      const [event] = yield* events
      const [listed] = (yield* list(operator(to.id), {}, { limit: 1, after: undefined })).results
      for (const one of [found, found.evaluations[0], event, listed]) assert.deepInclude(one?.warnings, warning)
    }).pipe(
      Pod.provide({
        readCv: (_, languages) => {
          languagesAsked.push(languages)
          return Effect.succeed({ ...content(), warnings: [warning] })
        },
      }),
    ),
  )
})

layer(Pod.layer({ readCv: () => Effect.succeed(content(ada)) }))("The contacts in a CV", (it) => {
  it.effect("fill only what is unknown, and do not change the candidate", () =>
    Effect.gen(function* () {
      const to = yield* organization
      const [first] = yield* inviteTo(to, { cv_link: link })
      yield* inviteTo(to, { email: ada.email, name: "Countess" }, { cv_link: `${link}2`, firstname: "A." })
      assert.strictEqual(yield* round, 2)
      const found = { cv_email: ada.email, phone: ada.phone }
      assert.deepStrictEqual(yield* candidates, [
        { ...found, email: null, email_key: null, name: ada.name },
        { email: ada.email, email_key: "ada@example.com", cv_email: null, name: "Countess", phone: null },
        { ...found, email: null, email_key: null, name: null },
      ])
      // the candidate is found again by the link, and by the address only if it was invited at it
      assert.deepStrictEqual(yield* inviteTo(to, { cv_link: link }), first === undefined ? [] : [first])
      yield* inviteTo(to, { email: ada.email })
      assert.lengthOf(yield* candidates, 3)
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select recipient from email`, [{ recipient: ada.email }])
    }),
  )
})

describe("a CV that cannot be fetched", () => {
  const failing = (permanent: boolean) =>
    Pod.provide({ fetchCv: () => Effect.fail(new CvNotFetched({ reason: "The server answered 503", permanent })) })

  const failed = "The CV could not be fetched. The server answered 503."

  it.effect("is retried on its schedule, then reported as cannot_evaluate with the reason", () =>
    Effect.gen(function* () {
      const to = yield* organization
      const [submission = SubmissionId.make("")] = yield* inviteTo(to, { cv_link: link })
      assert.strictEqual(yield* round, 1)
      for (const delay of yield* RetryPolicy.delays(RetryPolicy.schedule(retries))) {
        assert.deepInclude((yield* cvs)[0], { state: "queued", error: failed })
        assert.notProperty(
          yield* (yield* Submissions).detail(operator(to.id), submission),
          "candidate_entry_error_message",
        )
        yield* TestClock.adjust(Duration.toMillis(delay) - 1)
        assert.strictEqual(yield* round, 0)
        yield* TestClock.adjust(Duration.toMillis(delay) * 0.1 + 1)
        assert.strictEqual(yield* evaluate, 0)
        assert.strictEqual(yield* round, 1)
      }
      assert.deepInclude((yield* cvs)[0], { state: "failed", error: failed, text: null, blob_id: null })
      assert.strictEqual(yield* evaluate, 1)
      const detail = yield* (yield* Submissions).detail(operator(to.id), submission)
      assert.strictEqual(detail.candidate_entry_error_message, failed)
      assert.strictEqual(detail.score_status, "cannot_evaluate")
      assert.strictEqual(detail.status_text, "evaluated")
      assert.include(detail.summary, failed)
      assert.deepInclude((yield* events)[0], { score_status: "cannot_evaluate", evaluation_score: null })
      assert.notInclude(JSON.stringify(yield* events), "signature")
    }).pipe(failing(false)),
  )

  it.effect("is not retried after a permanent error, but when the link is sent again", () =>
    Effect.gen(function* () {
      const to = yield* organization
      const [submission = SubmissionId.make("")] = yield* inviteTo(to, { cv_link: link })
      assert.strictEqual(yield* round, 1)
      assert.deepInclude((yield* cvs)[0], { state: "failed", attempts: 1 })
      yield* evaluate
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* inviteTo(to, { cv_link: link }), [submission])
      yield* inviteTo(to, { cv_link: link })
      assert.strictEqual(yield* round, 1)
      assert.strictEqual(yield* evaluate, 1)
      assert.lengthOf(yield* events, 2)
    }).pipe(failing(true)),
  )
})

describe("a CV that cannot be read", () => {
  it.effect("is stored and reported with what to do, and does not change the candidate", () =>
    Effect.gen(function* () {
      const to = yield* organization
      const [submission = SubmissionId.make("")] = yield* inviteTo(to, { email: ada.email, cv_link: link })
      yield* round
      const [cv] = yield* cvs
      assert.deepInclude(cv, { state: "failed", attempts: 1, text: null })
      assert.isNotNull(cv?.blob_id)
      yield* evaluate
      const detail = yield* (yield* Submissions).detail(operator(to.id), submission)
      assert.strictEqual(detail.candidate_entry_error_message, `The CV could not be read. ${unreadableCvs.encrypted}`)
      // the interview is still to come
      assert.strictEqual(detail.status_text, "need_interview")
    }).pipe(Pod.provide({ readCv: () => Effect.fail(new CvUnreadable({ reason: "encrypted" })) })),
  )

  it.effect("is stored without what Postgres cannot store", () =>
    Effect.gen(function* () {
      yield* inviteTo(yield* organization, { cv_link: link })
      assert.strictEqual(yield* round, 1)
      assert.deepInclude((yield* cvs)[0], { state: "read", text: "a\ufffdb", notes: ["c"], file_type: "d" })
      assert.deepInclude((yield* candidates)[0], { cv_email: null, phone: null, name: "Ada" })
    }).pipe(
      Pod.provide({
        readCv: () =>
          Effect.succeed({
            type: "d\0",
            text: "a\ud800\0b",
            notes: ["\0c"],
            contacts: { email: "no address", phone: "030 901820", name: "A\0da" },
          }),
      }),
    ),
  )

  it.effect("is not stored when it is no CV", () =>
    Effect.gen(function* () {
      yield* inviteTo(yield* organization, { cv_link: link })
      yield* round
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from blob`, 0)
    }).pipe(Pod.provide({ readCv: () => Effect.fail(new CvUnreadable({ reason: "sign_in" })) })),
  )
})

describe("a worker that lost its lease", () => {
  it.effect("settles nothing", () =>
    Effect.gen(function* () {
      yield* inviteTo(yield* organization, { cv_link: link })
      const { queue } = yield* CvQueue
      const late = yield* Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform))
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* round, 1)
      yield* queue.settle(late)
      assert.deepInclude((yield* cvs)[0], { attempts: 1 })
      assert.strictEqual(yield* evaluate, 1)
      // the late worker's file has no CV, and the sweep removes it
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from blob`, 2)
      yield* TestClock.adjust("3 days")
      yield* (yield* Uploads).sweep
      assert.lengthOf(yield* sql`select from blob`, 1)
    }).pipe(Pod.provide()),
  )
})

describe("an organization with many CVs", () => {
  it.effect("leaves worker slots to the others", () =>
    Effect.gen(function* () {
      const many = yield* organization
      yield* inviteTo(many, ...Array.from({ length: 12 }, (_, i) => ({ cv_link: `${link}${i}` })))
      const few = yield* Scenario.organization({}, "Few")
      yield* inviteTo(few, { cv_link: link })
      const { queue } = yield* CvQueue
      const max = queue.partition?.max ?? 0
      assert.isBelow(max, queue.concurrency)
      const held = new Map([[String(many.id), { count: max, max }]])
      const claimed = yield* queue.claim(queue.concurrency, held)
      assert.deepStrictEqual(
        claimed.map(({ organization_id }) => organization_id),
        [few.id],
      )
    }).pipe(Pod.provide()),
  )
})
