/** What candidates read before they record: written by members, shown in the language of the pages, kept with each recording. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId } from "../../src/values/Ids.ts"
import { fieldsOf, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { type Candidate, record, request } from "./recording.ts"

/** The end of the paragraph. */
const service = "Your face, your voice and your emotions are not analysed.</p>"

const href = "/settings/recording-consent"

/** A running interview of the organization, whose first question is answered by speaking. */
const speaker = Effect.fnUntraced(function* (
  organization: Effect.Success<ReturnType<typeof Scenario.organization>>,
  email: string,
) {
  const invited = yield* Scenario.invited(organization, email)
  yield* (yield* Interviews).start(invited.token)
  const [spoken, written] = invited.set.iai_questions.map(({ id }) => id)
  assert.isDefined(spoken)
  assert.isDefined(written)
  return { ...invited, spoken, written } satisfies Candidate
})

const pageOf = ({ token }: Candidate) =>
  Effect.map(request(`/i/${token}/questions/1`, { headers: { accept: "text/html" } }), ({ body }) => body.toString())

const question = { title: "Why us?", question_mode: "interview", question_type: "text" } as const

layer(Settings.layer())("what candidates read before they record", (it) => {
  it.effect("is the organization's text in the language of the pages, else the service's; recordings keep it", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization({
        iai_questions: [
          { ...question, attributes: { answer_with: ["text", "audio"] } },
          { ...question, title: "When?" },
        ],
      })
      const { sql } = yield* Database
      const browser = Settings.as(yield* signedIn(organization.id))
      const write = Effect.fnUntraced(function* (language: string, text: string) {
        const form = fieldsOf((yield* browser.get(`${href}?language=${language}`)).text, href)
        return yield* browser.post(href, [...withFields(form, { text }), ["do", "save"]])
      })
      const ada = yield* speaker(organization, "ada@example.com")
      assert.include(yield* pageOf(ada), service)
      const first = yield* record(ada)
      assert.strictEqual((yield* write("de", "Nur wir hören <das>.")).location, `${href}?language=de&done=saved`)
      assert.include(yield* pageOf(yield* speaker(organization, "eve@example.com")), service)
      yield* write("en", "Only we play it.\r\nFor 30 days.")
      const kay = yield* speaker(organization, "kay@example.com")
      const shown = yield* pageOf(kay)
      assert.include(shown, "Only we play it.\nFor 30 days.")
      assert.notInclude(shown, service)
      const second = yield* record(kay)
      yield* write("en", "")
      assert.include(yield* pageOf(yield* speaker(organization, "joe@example.com")), service)
      const rows = yield* sql`
        select r.id, c.text, c.ended_at is not null as is_ended from recording r
        left join recording_consent c on c.id = r.consent_id order by r.started_at, r.id`
      assert.deepStrictEqual(
        [...rows].toSorted((one) => (one["id"] === first ? -1 : 1)),
        [
          { id: first, text: null, is_ended: false },
          { id: second, text: "Only we play it.\nFor 30 days.", is_ended: true },
        ],
      )
      const candidateId = CandidateId.make(kay.subject.candidate_id)
      const exported = JSON.stringify(yield* (yield* People).everything(operator(organization.id), candidateId))
      assert.include(exported, JSON.stringify({ consent: "Only we play it.\nFor 30 days." }).slice(1, -1))
      const entries = yield* Settings.audit(organization.id)
      assert.deepInclude(
        entries.map(({ action, detail }) => ({ action, detail })),
        {
          action: "organization.set_recording_consent",
          detail: { before: { language: "de", text: "" }, after: { language: "de", text: "Nur wir hören <das>." } },
        },
      )
    }),
  )

  it.effect("is refused too long, from an outdated form, and by recruiters, without a loss", () =>
    Effect.gen(function* () {
      const { admin, foreigner, recruiter } = yield* Settings.begin
      const browser = Settings.as(admin)
      const form = fieldsOf((yield* browser.get(href)).text, href)
      const long = yield* browser.post(href, [...withFields(form, { text: "x".repeat(2_001) }), ["do", "save"]])
      assert.strictEqual(long.status, 422)
      assert.include(long.text, "The text must have at most 2000 characters")
      assert.include(long.text, "x".repeat(2_001))
      yield* browser.post(href, [...withFields(form, { text: Settings.hostile }), ["do", "save"]])
      const late = yield* browser.post(href, [...withFields(form, { text: "Mine" }), ["do", "save"]])
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "Mine</textarea>")
      const [, replaced = ""] = /name="replaced" value="([^"]*)"/.exec(late.text) ?? []
      yield* browser.post(href, [...withFields(form, { text: "Mine" }), ["replaced", replaced]])
      assert.include((yield* browser.get(href)).text, "Mine</textarea>")
      assert.notInclude((yield* Settings.as(foreigner).get(href)).text, "Mine")
      assert.strictEqual((yield* Settings.as(recruiter).get(href)).status, 403)
    }),
  )
})
