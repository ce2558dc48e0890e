/** Voluntary questions: chosen by owners and admins, answered and withdrawn by candidates, and seen by no member. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import {
  readCategories,
  readSelfIdentification,
  selfIdentificationErrors,
  selfIdentificationLimits,
} from "../../src/impact/SelfIdentification.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId } from "../../src/values/Ids.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Mails from "../support/Mails.ts"
import { fieldsOf, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const round = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))

const href = "/settings/impact-ratios/questions"

type Fields = ReadonlyArray<readonly [string, string]>

/** Saves the organization's questions. */
const ask = Effect.fnUntraced(function* (browser: ReturnType<typeof Settings.as>, fields: Fields) {
  const form = fieldsOf((yield* browser.get(href)).text, href).filter(([name]) => name === "version")
  return yield* browser.post(href, [...form, ...fields, ["do", "save"]])
})

const everything: Fields = [
  ["asks", "sex"],
  ["asks", "ethnicity"],
  ["asks", "own"],
  ["text", "Read more on our page."],
  ["own_question", "Are you a veteran?"],
  ["own_categories", "Yes, I served\nNo"],
]

/** An organization that asks, and the page of a candidate who has submitted. */
const asked = Effect.fnUntraced(function* (fields: Fields = everything, name = "Acme") {
  yield* TestClock.setTime(Date.parse("2026-11-30T23:30:00Z"))
  const organization = yield* Scenario.organization({}, name)
  const browser = Settings.as(yield* signedIn(organization.id))
  yield* ask(browser, fields)
  const invited = yield* Scenario.invited(organization)
  const path = `/i/${invited.token}/voluntary-questions`
  return {
    ...invited,
    browser,
    path,
    page: (query = "") => Workspace.request("GET", `${path}${query}`),
    send: (sent: Record<string, string>) =>
      Workspace.request("POST", path, { fields: new URLSearchParams({ do: "save", ...sent }) }),
  }
})

const stored = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`select submission_id, sex, ethnicity, own, answered_month::text as month from self_identification`
})

describe("the lists of voluntary questions", () => {
  const own = { asks: ["own"], text: "", own_question: "Which?", own_categories: ["One", "Two"] } as const

  it("have one category a line", () => {
    assert.deepStrictEqual(readCategories(" One \r\n\nTwo  parts\0\n"), ["One", "Two parts"])
  })

  it("are refused without two different answers, and without a question", () => {
    const codes = (changes: Partial<Parameters<typeof selfIdentificationErrors>[0]>) =>
      selfIdentificationErrors({ ...own, ...changes }).map(({ code, pointer }) => `${pointer} ${code}`)
    assert.deepStrictEqual(codes({}), [])
    assert.deepStrictEqual(codes({ own_categories: ["One"] }), ["#/own_categories too_few"])
    assert.deepStrictEqual(codes({ own_categories: ["One", "one"] }), ["#/own_categories duplicate"])
    assert.deepStrictEqual(codes({ own_categories: ["One", "x".repeat(81)] }), ["#/own_categories too_long"])
    const many = Array.from({ length: selfIdentificationLimits.ownCategories + 1 }, (_, index) => `Category ${index}`)
    assert.deepStrictEqual(codes({ own_categories: many }), ["#/own_categories too_many"])
    assert.deepStrictEqual(codes({ own_question: "" }), ["#/own_question required"])
    assert.deepStrictEqual(codes({ asks: [], own_question: "", own_categories: [] }), [])
  })

  it("take no category of another list, and none that is not asked", () => {
    const answers = { sex: "constructor", ethnicity: "white", own: "Two" }
    const read = (asks: ReadonlyArray<"sex" | "ethnicity" | "own">) =>
      readSelfIdentification({ ...own, asks }, (list) => answers[list])
    assert.deepStrictEqual(read(["sex", "own"]), { sex: null, ethnicity: null, own: "Two" })
    assert.isUndefined(read(["sex"]))
  })
})

layer(Settings.layer())("voluntary questions", (test) => {
  test.effect("are asked after the interview, saved, changed and withdrawn by the candidate's link", () =>
    Effect.gen(function* () {
      const { page, path, send, subject, ...invited } = yield* asked()
      assert.strictEqual((yield* page()).location, `/i/${invited.token}`)
      yield* send({ sex: "female" })
      assert.lengthOf(yield* stored, 0)
      yield* Scenario.completed(invited)
      assert.include((yield* Workspace.request("GET", `/i/${invited.token}`)).text, `href="${path}"`)
      const empty = (yield* page()).text
      for (const part of ["Answering is voluntary", "do not see your answers here", "withdraw them at any time"])
        assert.include(empty, part)
      for (const part of ["Read more on our page.", "Are you a veteran?", "Yes, I served", "Two or more races"])
        assert.include(empty, part)
      assert.notInclude(empty, "Withdraw these answers")

      const saved = yield* send({ sex: "female", ethnicity: "two_or_more", own: "Yes, I served" })
      assert.strictEqual(saved.location, `${path}?saved`)
      assert.deepStrictEqual(yield* stored, [
        {
          submission_id: subject.submission_id,
          sex: "female",
          ethnicity: "two_or_more",
          own: "Yes, I served",
          month: "2026-11-01",
        },
      ])
      const shown = (yield* page("?saved")).text
      assert.include(shown, "These answers are saved.")
      assert.include(shown, 'value="female" checked')
      yield* send({ sex: "male", ethnicity: "", own: "Something else" })
      assert.deepInclude((yield* stored)[0], { sex: "male", ethnicity: null, own: null })
      assert.strictEqual((yield* send({ do: "withdraw", sex: "male" })).location, `${path}?withdrawn`)
      assert.lengthOf(yield* stored, 0)
      assert.include((yield* page("?withdrawn")).text, "These answers are deleted.")
      yield* send({ sex: "male" })
      yield* send({ sex: "" })
      assert.lengthOf(yield* stored, 0)
    }),
  )

  test.effect("can be withdrawn when they are no longer asked", () =>
    Effect.gen(function* () {
      const { browser, page, send, ...invited } = yield* asked([["asks", "sex"]])
      yield* Scenario.completed(invited)
      yield* send({ sex: "female" })
      yield* ask(browser, [])
      const off = (yield* page()).text
      assert.include(off, "no longer asks these questions")
      assert.notInclude(off, 'type="radio"')
      yield* send({ sex: "male" })
      assert.lengthOf(yield* stored, 0)
      assert.strictEqual((yield* page()).location, `/i/${invited.token}`)
      const { text } = yield* Workspace.request("GET", `/i/${invited.token}`)
      assert.notInclude(text, "voluntary")
    }),
  )

  test.effect("are in the language of the candidate's pages", () =>
    Effect.gen(function* () {
      const { page, ...invited } = yield* asked()
      const { sql } = yield* Database
      yield* sql`update submission set language = 'ar' where id = ${invited.subject.submission_id}::uuid`
      yield* Scenario.completed(invited)
      const { text } = yield* page()
      assert.include(text, '<html lang="ar" dir="rtl"')
      for (const part of ["أسئلة اختيارية", "من أصل إسباني أو لاتيني", "<bdi>Are you a veteran?</bdi>"])
        assert.include(text, part)
    }),
  )

  test.effect("are named in the receipt of organizations that ask", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const receiptOf = Effect.fnUntraced(function* (fields: Fields, name: string) {
        const invited = yield* asked(fields, name)
        yield* sql`update organization set confirms_receipt = true where id = ${invited.organization}::int`
        yield* round
        yield* Scenario.completed(invited)
        yield* round
        const all = yield* Mails.written
        return all.find(
          ({ kind, submission_id }) => kind === "receipt" && submission_id === invited.subject.submission_id,
        )
      })
      const receipt = yield* receiptOf(everything, "Asking")
      assert.match(receipt?.text ?? "", /Asking has voluntary questions .* part of your application\.\nhttps?:\S+\/i\//)
      assert.include(receipt?.html, "Voluntary questions about equal treatment</a>")
      assert.notInclude((yield* receiptOf([], "Silent"))?.text, "voluntary")
    }),
  )

  test.effect("are exported and erased with the person, who cannot answer again", () =>
    Effect.gen(function* () {
      const { send, ...invited } = yield* asked()
      yield* Scenario.completed(invited)
      yield* send({ own: "Yes, I served" })
      const people = yield* People
      const candidate = CandidateId.make(invited.subject.candidate_id)
      const exported = JSON.stringify(yield* Dossier.exported(invited.organization, candidate))
      assert.include(exported, '"own":"Yes, I served"')
      yield* people.erase(operator(invited.organization), candidate)
      const own = Effect.map(stored, (rows) =>
        rows.filter(({ submission_id }) => submission_id === invited.subject.submission_id),
      )
      assert.lengthOf(yield* own, 0)
      yield* send({ own: "Yes, I served" })
      assert.lengthOf(yield* own, 0)
    }),
  )

  test.effect("are chosen by owners and admins, and a change is noted", () =>
    Effect.gen(function* () {
      const { admin, foreigner, organization, recruiter } = yield* Settings.begin
      const browser = Settings.as(admin)
      assert.strictEqual((yield* ask(browser, everything)).location, `${href}?done=saved`)
      const { text } = yield* browser.get(`${href}?done=saved`)
      for (const part of ["Your changes were saved.", "Are you a veteran?", "Yes, I served\nNo</textarea>"])
        assert.include(text, part)
      assert.notInclude((yield* Settings.as(foreigner).get(href)).text, "Yes, I served")
      for (const method of ["get", "post"] as const)
        assert.strictEqual((yield* Settings.as(recruiter)[method](href)).status, 403)
      const reviewer = yield* signedIn(organization.id, "reviewer")
      assert.strictEqual((yield* Settings.as(reviewer).get(href)).status, 403)
      const entries = yield* Settings.audit(organization.id)
      assert.deepInclude(
        entries.map(({ action, detail }) => ({ action, detail })),
        {
          action: "organization.set_voluntary_questions",
          detail: {
            before: { asks: "", text: "", own_question: "", own_categories: "" },
            after: {
              asks: "sex, ethnicity, own",
              text: "Read more on our page.",
              own_question: "Are you a veteran?",
              own_categories: "Yes, I served; No",
            },
          },
        },
      )
    }),
  )

  test.effect("are refused when wrong, or from an outdated form, without a loss", () =>
    Effect.gen(function* () {
      const { admin } = yield* Settings.begin
      const browser = Settings.as(admin)
      const wrong = yield* ask(browser, [
        ["asks", "own"],
        ["text", Settings.hostile],
        ["own_categories", "Only one"],
      ])
      assert.strictEqual(wrong.status, 422)
      for (const part of [
        "The list of answers must have at least 2 lines",
        "The question must not be blank",
        "Only one",
      ])
        assert.include(wrong.text, part)
      const form = fieldsOf((yield* browser.get(href)).text, href)
      yield* browser.post(href, [...withFields(form, { text: Settings.hostile }), ["asks", "sex"], ["do", "save"]])
      const late = yield* browser.post(href, [...withFields(form, { text: "Mine" }), ["do", "save"]])
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "Mine</textarea>")
      assert.include(late.text, "Sex: female, male, another")
      const [, replaced = ""] = /name="replaced" value="([^"]*)"/.exec(late.text) ?? []
      yield* browser.post(href, [...withFields(form, { text: "Mine" }), ["replaced", replaced]])
      assert.include((yield* browser.get(href)).text, "Mine</textarea>")
    }),
  )
})
