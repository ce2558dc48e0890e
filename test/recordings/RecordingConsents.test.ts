/** What candidates read before they record: written by members, shown in the language of the pages, kept with each recording. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { CandidateId } from "../../src/values/Ids.ts"
import * as Dossier from "../support/Dossier.ts"
import { fieldsOf, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { begin, type Candidate, end, record, request, sample } from "./recording.ts"

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

/** The value of the page's field that names the text. */
const consentIn = (page: string): string => {
  const [, value] = /name="consent\.[^"]*" value="([^"]*)"/.exec(page) ?? []
  assert.isDefined(value)
  return value
}

/** A form with a chosen file, as browsers send it that do not record. */
const sendFile = ({ spoken, token }: Candidate, consent: string | undefined, typed: string) => {
  const form = new FormData()
  for (const [name, value] of [
    ["question", spoken],
    ["attempt", "1"],
    [`answer.${spoken}`, typed],
    ...(consent === undefined ? [] : [[`consent.${spoken}`, consent] as const]),
  ] as const)
    form.set(name, value)
  form.set(`recording.${spoken}`, new Blob([new Uint8Array(sample("audio.webm"))]), "answer.webm")
  form.set("go", "stay")
  return request(`/i/${token}/answers`, { method: "POST", headers: { accept: "text/html" }, body: form })
}

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
      const second = yield* record(kay, sample("audio.webm"), "audio", consentIn(shown))
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
      const exported = JSON.stringify(yield* Dossier.exported(organization.id, candidateId))
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

  it.effect(
    "is the text that the candidate's page showed: a replaced one begins no recording, and the new one is shown",
    () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization({
          iai_questions: [
            { ...question, attributes: { answer_with: ["text", "audio"] } },
            { ...question, title: "When?" },
          ],
        })
        const { sql } = yield* Database
        const browser = Settings.as(yield* signedIn(organization.id))
        const write = Effect.fnUntraced(function* (text: string) {
          const form = fieldsOf((yield* browser.get(`${href}?language=en`)).text, href)
          yield* browser.post(href, [...withFields(form, { text }), ["do", "save"]])
        })
        const kept = Effect.fnUntraced(function* ({ subject }: Candidate) {
          return yield* sql`
          select c.text from recording r left join recording_consent c on c.id = r.consent_id
          where r.submission_id = ${subject.submission_id}::uuid`
        })
        const changed =
          "What happens with your recording has changed. Please read the new text, then record or send it again."
        const [ada, eve] = [
          yield* speaker(organization, "ada@example.com"),
          yield* speaker(organization, "eve@example.com"),
        ]
        // each candidate's page is open while the organization writes a text, replaces it, and returns to the service's own
        for (const text of ["We keep it for <30> days.", "We keep it for 60 days.", ""]) {
          const page = yield* pageOf(ada)
          const shown = consentIn(page)
          yield* write(text)
          const refused = yield* begin(ada, "audio", ada.spoken, shown)
          assert.strictEqual(refused.status, 409)
          const { consent, ...answer } = JSON.parse(refused.body.toString())
          const expected = text === "" ? /Your face, your voice and your emotions are not analysed\.$/ : text
          if (typeof expected === "string") assert.deepStrictEqual(answer, { reason: "consent", text: expected })
          else assert.match(answer.text, expected)
          assert.deepStrictEqual(yield* kept(ada), [])
          assert.strictEqual(consentIn(yield* pageOf(ada)), consent)
          const again = yield* begin(ada, "audio", ada.spoken, consent)
          assert.strictEqual(again.status, 201)
          assert.deepStrictEqual(yield* kept(ada), [{ text: text === "" ? null : text }])
          assert.strictEqual((yield* end(ada, JSON.parse(again.body.toString()).id, 0)).status, 200)

          const file = yield* sendFile(eve, shown, "In addition")
          const body = file.body.toString()
          assert.strictEqual(file.status, 422)
          assert.include(body, changed)
          assert.include(body, text === "" ? service : `data-consent>${text.replace("<30>", "&lt;30&gt;")}</p>`)
          assert.include(body, "In addition</textarea>")
          assert.deepStrictEqual(yield* kept(eve), [])
          assert.strictEqual(consentIn(body), consent)
        }
        // pages of before that do not name the text, and ids of other organizations
        for (const unknown of [undefined, "x", "00000000-0000-4000-8000-000000000000"]) {
          assert.strictEqual((yield* sendFile(eve, unknown, "")).status, 422)
          if (unknown !== undefined) assert.strictEqual((yield* begin(eve, "audio", eve.spoken, unknown)).status, 409)
        }
        assert.strictEqual((yield* sendFile(eve, "", "In addition")).status, 303)
        assert.deepStrictEqual(yield* kept(eve), [{ text: null }])
        // folded after the first recording, and open where the text is new
        yield* write("We keep it for 90 days.")
        const late = yield* sendFile(eve, "", "In addition")
        assert.strictEqual(late.status, 422)
        assert.match(late.body.toString(), /<details open><summary>What happens with your recording<\/summary>/)
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
