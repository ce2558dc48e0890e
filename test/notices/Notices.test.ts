/** Notices: published by owners and admins, given with invitations, read by candidates and without a link. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Invite } from "../../src/invitations/Invite.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { canonicalJson } from "../../src/record/CanonicalJson.ts"
import { RecordExports } from "../../src/record/RecordExports.ts"
import { RecordSealer } from "../../src/record/RecordSealer.ts"
import { makeVerifier } from "../../src/record/RecordVerification.ts"
import { CandidateId, SubmissionId } from "../../src/values/Ids.ts"
import * as Dossier from "../support/Dossier.ts"
import * as InviteForm from "../support/InviteForm.ts"
import * as Mails from "../support/Mails.ts"
import { signedIn } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const href = "/settings/notices"

/** A Monday. */
const start = Date.parse("2026-11-30T14:00:00Z")

const fields = {
  set: "",
  country: "US",
  region: "ny",
  city: "New York City",
  words: "We publish the audit at acme.example/audit.",
  contact: "people@acme.example",
  alternative: "Ask for a conversation by phone.",
  days: "",
  meanwhile: "wait",
  posted_on: "",
}

type Fields = Partial<typeof fields> & { readonly version?: string }

const sent = (changes: Fields = {}) =>
  Object.entries({ ...fields, ...changes }).map(([name, text]) => [name, text] as const)

const idOf = (location: string | null): string => /notices\/([\w-]{36})/.exec(location ?? "")?.[1] ?? ""

const newYork = { country: "US", region: "NY", city: "New York" }

/** An organization with a set in New York City, and an owner's browser. */
const begin = Effect.fnUntraced(function* (name = "Acme") {
  yield* TestClock.setTime(start)
  const organization = yield* Scenario.organization({ job_locations: [newYork] }, name)
  const browser = Settings.as(yield* signedIn(organization.id))
  const publish = Effect.fnUntraced(function* (changes: Fields = {}) {
    return idOf((yield* browser.post(`${href}/new`, sent(changes))).location)
  })
  return { organization, browser, publish }
})

const page = (path: string, headers: Record<string, string> = {}) => Workspace.request("GET", path, { headers })

const until = Effect.fnUntraced(function* ({ id }: { readonly id: number }) {
  const { sql } = yield* Database
  return yield* sql`select notice_until from submission where organization_id = ${id}::int`
})

const versions = Effect.fnUntraced(function* ({ id }: { readonly id: number }) {
  const { sql } = yield* Database
  return yield* sql`select id from notice_version where organization_id = ${id}::int`
})

layer(Settings.layer())("a notice", (it) => {
  it.effect("is published, changed and withdrawn by owners and admins", () =>
    Effect.gen(function* () {
      const { browser, organization } = yield* begin()
      assert.include((yield* browser.get(href)).text, "Candidates get none")
      const refused = yield* browser.post(`${href}/new`, sent({ contact: "", country: "" }))
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, "The contact must not be blank.")
      assert.include(refused.text, "The country must be chosen for a region or a city.")
      assert.include(refused.text, "We publish the audit at acme.example/audit.")
      const published = yield* browser.post(`${href}/new`, sent())
      const id = idOf(published.location)
      const own = `${href}/${id}`
      assert.strictEqual(published.location, `${own}?done=published`)
      const shown = (yield* browser.get(own)).text
      assert.include(shown, `/notices/${id}`)
      assert.include(shown, 'value="10"')
      assert.include((yield* browser.get(href)).text, "10 business days; until then, evaluations wait")
      const changed = yield* browser.post(own, sent({ version: "1", days: "5" }))
      assert.strictEqual(changed.location, `${own}?done=saved`)
      const outdated = yield* browser.post(own, sent({ version: "1", days: "7" }))
      assert.strictEqual(outdated.status, 409)
      assert.include(outdated.text, "was saved while you were editing it")
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`select region, days, version from notice where organization_id = ${organization.id}::int`,
        [{ region: "NY", days: 5, version: 2 }],
      )
      assert.include((yield* browser.get(`${own}/withdraw`)).text, "Withdraw the notice?")
      assert.strictEqual((yield* browser.post(`${own}/withdraw`, [])).location, `${href}?done=withdrawn`)
      assert.strictEqual((yield* browser.get(own)).status, 404)
      assert.strictEqual((yield* browser.post(`${own}/withdraw`, [])).status, 404)
      const actions =
        yield* sql`select action from audit_log where record_type = 'notice' and organization_id = ${organization.id}::int order by id`
      assert.deepStrictEqual(
        actions.map(({ action }) => action),
        ["notice.create", "notice.update", "notice.withdraw"],
      )
      assert.include((yield* browser.get("/settings/audit")).text, "withdrew a candidates&#39; notice")
    }),
  )

  it.effect("also holds for a copy of its set, once", () =>
    Effect.gen(function* () {
      const { browser, organization, publish } = yield* begin()
      const set = organization.set.id
      yield* publish({ set })
      const copy = randomUUID()
      for (let i = 0; i < 2; i++) yield* browser.post(`/interview-sets/${set}/duplicate`, { id: copy })
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`
          select interview_set_id as set, words, days from notice where organization_id = ${organization.id}::int order by id`,
        [set, copy].map((id) => ({ set: id, words: "We publish the audit at acme.example/audit.", days: 10 })),
      )
    }),
  )

  it.effect("is not another organization's", () =>
    Effect.gen(function* () {
      const { publish } = yield* begin()
      const id = yield* publish()
      const other = Settings.as(yield* signedIn((yield* Scenario.organization({}, "Other")).id))
      assert.strictEqual((yield* other.get(`${href}/${id}`)).status, 404)
      assert.strictEqual((yield* other.post(`${href}/${id}`, sent({ version: "1" }))).status, 404)
      assert.strictEqual((yield* other.post(`${href}/${id}/withdraw`, [])).status, 404)
      assert.notInclude((yield* other.get(href)).text, id)
    }),
  )

  it.effect("is given with the invitation, and read by the candidate's link in the candidate's language", () =>
    Effect.gen(function* () {
      const { organization, publish } = yield* begin()
      yield* publish()
      const candidate = yield* Scenario.invited(organization)
      const path = `/i/${candidate.token}`
      const first = (yield* page(path)).text
      assert.include(first, `href="${path}/notice"`)
      const shown = (yield* page(`${path}/notice`)).text
      assert.include(shown, `href="${path}/person"`)
      for (const part of [
        "Notice about rating by software",
        "A person decides about your application.",
        "We publish the audit at acme.example/audit.",
        "Ask for a conversation by phone.",
        "mailto:people@acme.example",
        "PostgreSQL",
        "(must have)",
        "A program that <bdi>Acme</bdi> has chosen.",
        "until you ask for deletion",
        "Your interview is not rated before 15 Dec 2026.",
      ])
        assert.include(shown, part)
      const { sql } = yield* Database
      yield* sql`update submission set language = 'de'`
      assert.include((yield* page(`${path}/notice`)).text, "Über Ihre Bewerbung entscheidet ein Mensch.")
    }),
  )

  it.effect("is kept as it was given, and a changed fact makes another version", () =>
    Effect.gen(function* () {
      const { browser, organization, publish } = yield* begin()
      const id = yield* publish()
      const ada = yield* Scenario.invited(organization)
      yield* Scenario.invited(organization, "bo@example.com")
      assert.lengthOf(yield* versions(organization), 1)
      yield* browser.post(`${href}/${id}`, sent({ version: "1", words: "Other words." }))
      assert.lengthOf(yield* versions(organization), 1, "made when it is first given")
      const eve = yield* Scenario.invited(organization, "eve@example.com")
      assert.lengthOf(yield* versions(organization), 2)
      const { sql } = yield* Database
      yield* sql`update organization set answers_kept_days = 30 where id = ${organization.id}::int`
      yield* Scenario.invited(organization, "fay@example.com")
      assert.lengthOf(yield* versions(organization), 3)
      // a second invitation leaves the first version
      yield* Scenario.invited(organization)
      assert.include((yield* page(`/i/${ada.token}/notice`)).text, "We publish the audit")
      assert.include((yield* page(`/i/${eve.token}/notice`)).text, "Other words.")
      yield* browser.post(`${href}/${id}/withdraw`, [])
      assert.include((yield* page(`/i/${ada.token}/notice`)).text, "We publish the audit")
    }),
  )

  it.effect("is not given where the job is elsewhere, and changes nothing then", () =>
    Effect.gen(function* () {
      const { browser, organization, publish } = yield* begin()
      const id = yield* publish({ set: organization.set.id, country: "DE", region: "", city: "" })
      assert.include((yield* browser.get(`${href}/${id}`)).text, "Candidates of the interview set do not get it")
      yield* publish({ country: "DE", region: "", city: "" })
      const { token } = yield* Scenario.invited(organization)
      assert.notInclude((yield* page(`/i/${token}`)).text, "/notice")
      assert.strictEqual((yield* page(`/i/${token}/notice`)).location, `/i/${token}`)
      assert.deepStrictEqual(yield* until(organization), [{ notice_until: null }])
    }),
  )

  it.effect("keeps evaluations waiting for the longest period of those that wait", () =>
    Effect.gen(function* () {
      const { organization, publish } = yield* begin()
      yield* publish({ days: "20", meanwhile: "warn" })
      yield* publish({ days: "3" })
      yield* publish({ days: "2", country: "US", region: "", city: "" })
      const { sql } = yield* Database
      yield* sql`update organization set time_zone = 'America/New_York' where id = ${organization.id}::int`
      const request = InviteRequest.make({
        com_interview_set_id: organization.set.id,
        candidates: [{ email: "ada@example.com" }],
      })
      const { warnings } = yield* (yield* Invite).invite(operator(organization.id), request)
      assert.deepStrictEqual(
        warnings.map(({ code, message, pointer }) => `${pointer} ${code} ${message}`),
        [
          "#/com_interview_set_id notice_period has 20 business days of notice for New York City, NY, United States, which are over on 2026-12-29: evaluations do not wait for it",
          "#/com_interview_set_id notice_period has 3 business days of notice for New York City, NY, United States, which are over on 2026-12-04: evaluations of these candidates wait until then",
          "#/com_interview_set_id notice_period has 2 business days of notice for United States, which are over on 2026-12-03: evaluations of these candidates wait until then",
        ],
      )
      // midnight in New York
      assert.deepStrictEqual(yield* until(organization), [{ notice_until: new Date("2026-12-04T05:00:00Z") }])
    }),
  )

  it.effect("is the reason why there is no score yet, on the submission's page with its end, and in lists", () =>
    Effect.gen(function* () {
      const { browser, organization, publish } = yield* begin()
      yield* publish({ days: "3" })
      const candidate = yield* Scenario.invited(organization)
      yield* Scenario.completed(candidate)
      const shown = (yield* browser.get(`/submissions/${candidate.subject.submission_id}`)).text
      assert.match(shown, /Not evaluated yet.*The days of the candidate's notice are over .*4 Dec 2026/)
      assert.notInclude(shown, "Reload the page")
      assert.include(shown, '<span class="tag waiting">Evaluation waits</span>')
      const board = `/interview-sets/${organization.set.id}/board`
      const list = "/submissions?status="
      const other = yield* Scenario.invited(organization, "bob@example.com")
      const compared = `/submissions/compare?ids=${candidate.subject.submission_id},${other.subject.submission_id}`
      for (const path of ["/submissions", `${list}evaluation_waits`, board, compared]) {
        const { text } = yield* browser.get(path)
        assert.match(text, /waiting">Evaluation waits</, path)
        assert.notMatch(text, /running">Being evaluated/, path)
      }
      const none = (yield* browser.get(`${list}being_evaluated`)).text
      assert.notInclude(none, candidate.subject.submission_id)
    }),
  )

  it.effect("does not wait when it was published long enough ago", () =>
    Effect.gen(function* () {
      const { organization, publish } = yield* begin()
      yield* publish({ posted_on: "2026-11-13" })
      const request = InviteRequest.make({
        com_interview_set_id: organization.set.id,
        candidates: [{ email: "ada@example.com" }],
      })
      assert.deepStrictEqual((yield* (yield* Invite).invite(operator(organization.id), request)).warnings, [])
      assert.deepStrictEqual(yield* until(organization), [{ notice_until: new Date("2026-11-28T00:00:00Z") }])
    }),
  )

  it.effect("has a public page, with the facts of a set that it is for", () =>
    Effect.gen(function* () {
      const { browser, organization, publish } = yield* begin()
      const id = yield* publish()
      const path = `/notices/${id}`
      const general = (yield* page(path)).text
      assert.include(general, "We publish the audit")
      assert.notInclude(general, "PostgreSQL")
      assert.include((yield* page(`${path}?set=${organization.set.id}`)).text, "PostgreSQL")
      assert.include((yield* page(path, { "accept-language": "fr" })).text, "Une personne décide")
      assert.include(
        (yield* page(`${path}?language=ja`, { "accept-language": "fr" })).text,
        "応募の結果は人が決定します",
      )
      const elsewhere = yield* Scenario.organization({ job_locations: [newYork] }, "Other")
      assert.notInclude((yield* page(`${path}?set=${elsewhere.set.id}`)).text, "PostgreSQL")
      const ofSet = yield* publish({ set: organization.set.id })
      assert.include((yield* page(`/notices/${ofSet}`)).text, "PostgreSQL")
      assert.notInclude((yield* browser.get(`${href}/${ofSet}`)).text, "do not get it: the set")
      yield* browser.post(`${href}/${id}/withdraw`, [])
      assert.strictEqual((yield* page(path)).status, 404)
      assert.strictEqual((yield* page("/notices/none")).status, 404)
    }),
  )

  it.effect("has its earlier versions on the public page, with the days on which they were sent", () =>
    Effect.gen(function* () {
      const { browser, organization, publish } = yield* begin()
      const id = yield* publish()
      const ofSet = `/notices/${id}?set=${organization.set.id}`
      assert.notMatch((yield* page(ofSet)).text, /Version of|Earlier versions/, "no candidate got it yet")
      yield* Scenario.invited(organization)
      yield* TestClock.adjust("2 days")
      yield* Scenario.invited(organization, "bob@example.com")
      assert.match(
        (yield* page(ofSet)).text,
        /Version of 30 Nov 2026 \(<code>[0-9a-f]{12}<\/code>\)\. Sent with invitations: 30 Nov 2026 – 2 Dec 2026\.<\/p>/,
      )
      yield* browser.post(`${href}/${id}`, sent({ version: "1", words: "We publish the second audit." }))
      const present = (yield* page(ofSet)).text
      assert.include(present, "We publish the second audit.")
      assert.include(present, "Earlier versions")
      const [, hash = ""] = /version=([0-9a-f]{64})/.exec(present) ?? []
      const earlier = (yield* page(`${ofSet}&version=${hash}`)).text
      assert.include(earlier, "We publish the audit at")
      assert.notInclude(earlier, "second audit")
      assert.include(earlier, `>Present version</a>`)
      const general = (yield* page(`/notices/${id}`)).text
      assert.notInclude(general, "Earlier versions", "those of one set are for those who know the set")
      assert.include((yield* page(`/notices/${id}?version=${hash}`)).text, "We publish the audit at")
      assert.strictEqual((yield* page(`${ofSet}&version=${"0".repeat(64)}`)).status, 404)
      const other = yield* publish({ country: "", region: "", city: "" })
      assert.strictEqual((yield* page(`/notices/${other}?version=${hash}`)).status, 404, "of another notice")
      yield* browser.post(`${href}/${id}/withdraw`, [])
      assert.strictEqual((yield* page(`${ofSet}&version=${hash}`)).status, 404)
    }),
  )

  it.effect("is on the record of the submission and in its file, and in the export of the person", () =>
    Effect.gen(function* () {
      const { browser, organization, publish } = yield* begin()
      yield* publish({ days: "1" })
      const { subject } = yield* Scenario.invited(organization)
      const shown = (yield* browser.get(`/submissions/${subject.submission_id}/record`)).text
      assert.include(shown, "Notice to the candidate")
      assert.include(shown, "We publish the audit")
      const makeBundle = (yield* RecordExports).bundle(
        operator(organization.id),
        SubmissionId.make(subject.submission_id),
      )
      const verify = (text: string) => {
        const { end, readLine } = makeVerifier({ keys: [], head: undefined })
        readLine(text.trimEnd())
        return end(false)
      }
      const faultsOf = (text: string) => verify(text).faults.map(({ message }) => message)
      assert.include(shown, "Download as JSON")
      const early = yield* makeBundle
      assert.deepInclude(verify(early), { isValid: true, submission: subject.submission_id, entries: 0, head: null })
      assert.include(early, "We publish the audit")
      const { sql } = yield* Database
      yield* sql`
        insert into record_entry (organization_id, submission_id, kind, at, facts, content, salt)
        values (${organization.id}::int, ${subject.submission_id}::uuid, 'decision', now(), '{}', '{}', sha256('salt'))`
      yield* (yield* RecordSealer).step
      const bundle = yield* makeBundle
      assert.deepStrictEqual(faultsOf(bundle), [])
      assert.deepStrictEqual(
        verify(bundle).keys,
        verify(early).keys,
        "the record goes on with the key of the first file",
      )
      assert.include(faultsOf(bundle.replace("We publish", "We published")).join(), "does not have its hash")
      const { notices: _, ...others } = JSON.parse(bundle)
      assert.include(faultsOf(canonicalJson(others)).join(), "the notices are not those")
      const exported = JSON.stringify(yield* Dossier.exported(organization.id, CandidateId.make(subject.candidate_id)))
      assert.match(exported, /"notices":\[\{"content":\{.*"words":"We publish the audit/)
      assert.include(exported, '"over_at":"2026-12-02T00:00:00')
    }),
  )

  it.effect("is in the invitation's email, and its open days are on the page that checks an invite", () =>
    Effect.gen(function* () {
      const { organization, publish } = yield* begin("Noticing")
      yield* publish()
      const { cookie } = yield* signedIn(organization.id)
      const form = yield* InviteForm.formOf(organization.set.id, cookie)
      const { text } = yield* form.follow(yield* form.submit({ "c.0.name": "Cy", "c.0.email": "cy@example.com" }))
      assert.include(text, "The days of notice are not over.")
      assert.include(text, "over on 15 Dec 2026. Evaluations of these candidates wait until then.")
      assert.include(text, "Noticing uses software that rates interviews.")
      yield* Scenario.invited(organization)
      yield* Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
      const mails = yield* Mails.written
      assert.include(
        mails.at(-1)?.text,
        "Noticing uses software that rates interviews. Please read how, before you start.",
      )
    }),
  )
})
