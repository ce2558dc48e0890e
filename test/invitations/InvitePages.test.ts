/** The steps of inviting candidates in the workspace, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import type { CandidateId, OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { formOf, start } from "../support/InviteForm.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Tables from "../support/Tables.ts"
import { count, memberActions } from "../support/Tables.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const hostile = `<script>alert(1)</script>"'&`

const unsubscribe = Effect.fnUntraced(function* (organization: OrganizationId, email: string) {
  const { sql } = yield* Database
  yield* sql`insert into suppression (organization_id, email, reason) values (${organization}::int, ${email}, 'unsubscribed')`
})

/** The row of a candidate in the check: its row or line, the tag and what happens. */
const rowOf = (page: string, address: string): string => {
  const row = page.split("<tr>").find((one) => one.includes(`<bdi>${address}</bdi>`)) ?? ""
  return (row.split("</tr>")[0] ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
}

layer(pages)("inviting in the workspace", (it) => {
  it.effect("checks each candidate before anything is sent, then invites those without errors", () =>
    Effect.gen(function* () {
      const { id, cookie, follow, set, submit } = yield* start()
      yield* unsubscribe(id, "gone@example.com")
      yield* Scenario.invited({ id, set }, "before@example.com")
      const emails = yield* count("email", id)
      const table = [
        "Name;E-Mail;CV;External ID",
        "Grace;grace@example.com;;17",
        "Grace;GRACE@example.com;;",
        "Gone;gone@example.com;;",
        "Before;before@example.com;;",
        "Cid;cid@;;",
        "Link;link@example.com;http://10.0.0.1/cv.pdf;",
        `Long;long@example.com;;${"x".repeat(251)}`,
        `${"N".repeat(201)};name@example.com;;`,
        "Nobody;;;",
        "Éva;eva@example.com;;",
      ].join("\n")
      const submitted = yield* submit({ "c.0.name": "Ada", "c.0.email": "ada@example.com", table })
      assert.match(submitted.location ?? "", /\/invite\/[\w-]{36}\/check$/)
      const checked = yield* follow(submitted)
      assert.strictEqual(checked.status, 200)
      assert.include(checked.text, "3 candidates will be invited, 3 skipped, 5 with errors. Nothing has been sent yet.")
      assert.strictEqual(
        rowOf(checked.text, "ada@example.com"),
        "Row 1 Ada ada@example.com OK Gets the invitation by email.",
      )
      assert.strictEqual(
        rowOf(checked.text, "GRACE@example.com"),
        "Line 3 Grace GRACE@example.com Skipped Same as line 2, whose values are used: invited only once.",
      )
      assert.include(rowOf(checked.text, "gone@example.com"), "Skipped This address has unsubscribed: nothing is sent.")
      assert.include(rowOf(checked.text, "before@example.com"), "Skipped Already invited (not sent yet): no new email.")
      assert.include(
        rowOf(checked.text, "cid@"),
        "Line 6 Cid cid@ Error The address must be a valid email address: it has nothing after the @.",
      )
      assert.match(rowOf(checked.text, "link@example.com"), /Error The CV&#39;s link: .*\./)
      assert.include(rowOf(checked.text, "long@example.com"), "Error The external id must have at most 250 characters.")
      assert.include(rowOf(checked.text, "name@example.com"), "Error The name must have at most 200 characters.")
      assert.include(
        rowOf(checked.text, "No address"),
        "Line 10 Nobody No address Error Enter an address or a link to a CV.",
      )
      assert.include(checked.text, "Invite 3 candidates</button>")
      assert.strictEqual(yield* count("candidate", id), 1)
      assert.strictEqual(yield* count("email", id), emails)
      const send = (submitted.location ?? "").replace(/check$/, "send")
      const twice = yield* Effect.all([post(send, cookie), post(send, cookie)], { concurrency: 2 })
      assert.deepStrictEqual(
        twice.map(({ status }) => status),
        [303, 303],
      )
      assert.strictEqual(twice[0]?.location, twice[1]?.location)
      for (let i = 0; i < 2; i++) {
        const results = yield* follow(twice[0] ?? assert.fail())
        assert.include(results.text, "3 candidates invited")
        assert.include(
          results.text,
          "Left out, because of errors or unsubscribed addresses: line 4, line 6, line 7, line 8, line 9, line 10.",
        )
        assert.include(results.text, "Listed twice: line 3 is the same as line 2.")
        assert.include(results.text, "1 candidate had been invited before and got no new email.")
      }
      assert.strictEqual(yield* count("email", id), emails + 3)
      // no candidate, invitation or event for the address that unsubscribed
      assert.strictEqual(yield* count("candidate", id), 4)
      assert.deepStrictEqual(yield* memberActions(id), ["interview_set.invite"])
      const { sql } = yield* Database
      const [grace] = yield* sql<{ external_id: string }>`
        select b.external_id from submission b join candidate c on c.id = b.candidate_id where c.email ilike 'grace%'`
      assert.strictEqual(grace?.external_id, "17")
      // a later check shows them as invited
      const again = yield* follow(yield* submit({ table: "ada@example.com\nnew@example.com" }))
      assert.include(rowOf(again.text, "ada@example.com"), "Already invited (not sent yet): no new email.")
      assert.include(again.text, "1 candidate will be invited, 1 skipped.")
      yield* runOnce((yield* EmailQueue).queue)
      const known = yield* follow(yield* submit({ table: "ada@example.com" }))
      assert.include(rowOf(known.text, "ada@example.com"), "Already invited (delivered)")
      assert.include(known.text, "Update 1 candidate without an email</button>")
    }),
  )

  it.effect("sends the first of two rows that are one person, and shows which stored values change", () =>
    Effect.gen(function* () {
      const { id, follow, invite, submit } = yield* start()
      yield* invite({ table: "Name,Email,External ID\nA B,dup@d.example,1\nA C,DUP@d.example,2" })
      const { sql } = yield* Database
      const stored = sql`
        select c.name, b.external_id from candidate c join submission b on b.candidate_id = c.id
        where c.organization_id = ${id}::int`
      assert.deepStrictEqual(yield* stored, [{ name: "A B", external_id: "1" }])
      assert.strictEqual(yield* count("email", id), 1)
      const again = yield* follow(yield* submit({ table: "Name,Email\nA D,dup@d.example\nA E,DUP@d.example" }))
      assert.include(
        rowOf(again.text, "dup@d.example"),
        "New values are stored. The stored name changes from “ A B ” to “ A D ”.",
      )
      assert.notInclude(rowOf(again.text, "DUP@d.example"), "changes")
      const same = yield* follow(yield* submit({ table: "Name,Email\nA B,DUP@d.example" }))
      assert.notInclude(same.text, "The stored name")
    }),
  )

  it.effect("says which row has another separator, and which column is no id", () =>
    Effect.gen(function* () {
      const { follow, submit } = yield* start()
      const divided = yield* follow(
        yield* submit({ table: "Name,Email,External ID\nAda,ada@d.example,1\nGrace H;grace8@d.example;2\nEva,,3\n" }),
      )
      assert.include(
        rowOf(divided.text, "No address"),
        "Line 3 Grace H;grace8@d.example;2 No address Error This row is divided by semicolons, the rest of the table by another character. Go back to edit, and divide it like the others.",
      )
      assert.include(divided.text, "Enter an address or a link to a CV.", "a row without an address")
      const uuid = "0192b6a0-0000-7000-8000-00000000000"
      const ids = yield* follow(
        yield* submit({ table: `id;Email\n${uuid}1;ada@d.example\n${uuid}2;ida@d.example\n17;eva@d.example` }),
      )
      assert.include(
        rowOf(ids.text, "eva@d.example"),
        "Error The id in the hiring system is not a UUID. Change columns: choose External id for its column.",
      )
    }),
  )

  it.effect("changes nothing during the check", () =>
    Effect.gen(function* () {
      const { id, cookie, set, submit, follow } = yield* start()
      yield* Scenario.invited({ id, set }, "ada@example.com")
      const { sql } = yield* Database
      const state = sql`
        select (select jsonb_agg(to_jsonb(c)) from candidate c where organization_id = ${id}::int) as candidates,
          (select jsonb_agg(to_jsonb(b)) from submission b where organization_id = ${id}::int) as submissions,
          (select jsonb_agg(to_jsonb(i)) from invitation i where organization_id = ${id}::int) as invitations`
      const before = yield* state
      const { location, text } = yield* follow(
        yield* submit({ table: "email,first name\nADA@example.com,Augusta" }),
      ).pipe(Effect.map(({ location, text }) => ({ location, text })))
      assert.isNull(location)
      assert.include(text, "Already invited")
      assert.deepStrictEqual(yield* state, before)
      const form = (yield* get(`/interview-sets/${set.id}/invite`, cookie)).text
      assert.include(form, "can start within 30 days.")
      assert.match(form, /<input type="email" id="c\.0\.email"/)
      assert.match(form, /<input type="url" id="c\.0\.cv"/)
    }),
  )

  it.effect("shows the results at a stable address until the person is erased", () =>
    Effect.gen(function* () {
      const { id, cookie, path, set, submit } = yield* start()
      const check = (yield* submit({ "c.0.email": "ada@example.com" })).location ?? ""
      const href = (yield* post(check.replace(/check$/, "send"), cookie)).location ?? ""
      assert.match(href, new RegExp(`^${path}/[\\w-]{36}$`))
      const shown = (yield* get(href, cookie)).text
      assert.include(shown, "1 candidate invited")
      assert.include(shown, "The email is being sent.")
      const list = `/submissions?set=${set.id}`
      const { cookie: colleague } = yield* signedIn(id, "admin")
      assert.strictEqual((yield* get(href, colleague)).location, list)
      assert.strictEqual((yield* get(`${path}/x`, cookie)).location, list)
      // only its member can open a draft
      for (const step of ["edit", "columns", "check", "email/frame"]) {
        const at = check.replace(/check$/, step)
        assert.strictEqual((yield* get(at, colleague)).location, `${path}?done=lost`, step)
      }
      assert.strictEqual((yield* post(check.replace(/check$/, "send"), colleague)).location, `${path}?done=lost`)
      assert.include((yield* get(`${path}?done=lost`, colleague)).text, "What you entered is no longer stored.")
      const { sql } = yield* Database
      const [stored] = yield* sql<{ response: Uint8Array }>`
        update form_idempotency f set response = null
        from (select form_id, response from form_idempotency where kind like 'interview_set.invite %') o
        where o.form_id = f.form_id and f.organization_id = ${id}::int returning o.response`
      const running = yield* get(href, cookie)
      assert.include(running.text, "Inviting candidates…")
      assert.include(running.text, 'id="results" data-refresh')
      yield* sql`update form_idempotency set created_at = created_at - interval '2 minutes' where organization_id = ${id}::int`
      assert.include((yield* get(href, cookie)).text, "The result of this invite is unknown")
      yield* sql`
        update form_idempotency set response = ${stored?.response ?? assert.fail()}
        where organization_id = ${id}::int and kind like 'interview_set.invite %'`
      const [person] = yield* sql<{ id: CandidateId }>`
        select id from candidate where organization_id = ${id}::int and email = 'ada@example.com'`
      yield* (yield* People).erase(operator(id), person?.id ?? assert.fail())
      assert.strictEqual((yield* get(href, cookie)).location, list)
      assert.strictEqual((yield* get(check, cookie)).location, `${path}?done=lost`)
    }),
  )

  it.effect("shows errors beside fields, and keeps the input at every step", () =>
    Effect.gen(function* () {
      const { id, cookie, follow, path, submit } = yield* start()
      const answer = yield* submit({
        "c.0.name": hostile,
        "c.1.email": "grace@example.com",
        "c.2.email": "eva@example",
        table: `name,email\n${hostile.replaceAll(/["',]/g, "")},x@example.com`,
        message: "Short",
      })
      assert.strictEqual(answer.status, 422)
      assert.include(answer.text, "No candidates were invited")
      assert.include(answer.text, 'id="c.0.email-error">Enter an address or a link to a CV.')
      assert.include(
        answer.text,
        'id="c.2.email-error">The address must be a valid email address: it has no dot after the @.',
      )
      assert.include(answer.text, 'id="message-error">The message must have at least 10 characters.')
      assert.include(answer.text, 'value="grace@example.com"')
      assert.notInclude(answer.text, "<script>alert")
      const unknown = yield* submit({
        "c.0.email": "ada@example.com",
        message: "Hello,\n{{vorname}}, {{ name }}, welcome.",
      })
      assert.strictEqual(unknown.status, 422)
      assert.include(
        unknown.text,
        'id="message-error">The message must have no words in double braces other than {{name}}, {{firstname}}, {{lastname}}, {{interview}}, {{organization}}, {{deadline}}: it has {{vorname}} in line 2.',
      )
      const unclosed = { "c.0.email": "ada@example.com", message: "Hello {{name}} and {{firstname" }
      assert.include(
        (yield* submit(unclosed)).text,
        'id="message-error">The message must close {{ with }} in the same line: it is not closed in line 1.',
      )
      assert.include((yield* submit({ table: 'a,"b' })).text, "Line 1: a quote is opened and not closed.")
      assert.include((yield* submit({})).text, "Enter at least one candidate, in a row or in the table.")
      const tooMany = Array.from({ length: 1001 }, (_, i) => `c${i}@example.com`).join("\n")
      const refused = (yield* submit({ table: tooMany })).text
      assert.include(
        refused,
        'id="table-error">The form has 1,001 candidates; at most 1,000 are allowed. Split the table',
      )
      assert.include(refused, "c1000@example.com", "what was typed stays")
      const tooLong = `ada@example.com,${"x".repeat(400_000)}`
      const long = yield* submit({ table: tooLong })
      assert.strictEqual(long.status, 422)
      assert.include(
        long.text,
        'id="table-error">The table has 400,016 characters; at most 400,000 are read at once. Split it',
      )
      assert.include(long.text, tooLong)
      // back from the check: the form has all values
      const typed = {
        "c.0.name": hostile,
        "c.0.email": "ada@example.com",
        table: "name,email\nGrace,grace@",
        message: "Hello {{firstname}}, welcome.",
        send: "links",
      }
      const checked = yield* submit(typed)
      const page = yield* follow(checked)
      assert.notInclude(page.text, "<script>alert")
      const edit = (checked.location ?? "").replace(/check$/, "edit")
      assert.include(page.text, `href="${edit}"`)
      const back = fieldsOf((yield* get(edit, cookie)).text, path)
      assert.includeDeepMembers(back, Object.entries(typed))
      const corrected = yield* post(
        path,
        cookie,
        withFields(back, { do: "check", table: "name,email\nGrace,grace@example.com" }),
      )
      assert.include((yield* follow(corrected)).text, "2 candidates will be added.")
      assert.strictEqual(yield* count("candidate", id), 0)
    }),
  )

  it.effect("offers the separator and the encoding of a file with its first rows, and cleans addresses", () =>
    Effect.gen(function* () {
      const { id, cookie, follow, invite, path, set, upload } = yield* start()
      // in doubt: both separators divide the rows alike
      const bytes = Buffer.from("Name,Vorname;E-Mail,Ort\nM\xb3ller,J\xfcrg;mailto:j@example.com,Ulm\n", "latin1")
      const asked = yield* upload("export.csv", bytes)
      assert.match(asked.location ?? "", /\/columns$/)
      const shown = (yield* get(asked.location ?? "", cookie)).text
      assert.include(shown, '<option value="semicolon">')
      // the page before names all separators
      const [, offered = ""] = /name="separator".*?>(.*?)<\/select>/s.exec(shown) ?? []
      const names = [...offered.matchAll(/<option[^>]*>([A-Za-z ]*?)(?: \(|<)/g)].map(([, name = ""]) =>
        name.toLowerCase(),
      )
      const [, hint = ""] = /id="file-hint">([^<]*)/.exec((yield* get(path, cookie)).text) ?? []
      assert.lengthOf(names, 4)
      for (const name of names) assert.include(hint, name)
      assert.match(shown, /<li><bdi>[^<]*J\u00fcrg/)
      const doubtful = "We are not sure about the "
      assert.include(shown, `${doubtful}separator.`)
      assert.notInclude(shown, `${doubtful}encoding`)
      const columns = (path: string, changes: Record<string, string>) =>
        Effect.flatMap(get(path, cookie), ({ text }) => post(path, cookie, withFields(fieldsOf(text, path), changes)))
      const other = yield* columns(asked.location ?? "", { do: "header", encoding: "macintosh" })
      const divided = yield* columns(other.location ?? "", { do: "header", separator: "semicolon" })
      const page = (yield* get(divided.location ?? "", cookie)).text
      assert.include(page, "<li><bdi>M≥ller,J¸rg</bdi></li>")
      assert.include(page, "<li><bdi>mailto:j@example.com,Ulm</bdi></li>")
      assert.notInclude(page, doubtful)
      assert.include(page, '<option value="macintosh" selected>')
      assert.include(page, '<option value="semicolon" selected>')
      // the choice stays when the form is opened again and sent unchanged
      const form = yield* get((divided.location ?? "").replace(/columns$/, "edit"), cookie)
      const sent = yield* follow(yield* post(path, cookie, withFields(fieldsOf(form.text, path), { do: "check" })))
      assert.include(sent.text, '<option value="semicolon" selected>')
      assert.include(sent.text, '<option value="macintosh" selected>')
      assert.notInclude(sent.text, doubtful)
      // the value that shows whether the encoding is right is first
      const rows = Array.from({ length: 9 }, (_, i) => `Ada;ada${i}@example.com\n`).join("")
      const letter = Buffer.from(`Name;E-Mail\n${rows}A\xb9A;a@example.com\n`, "latin1")
      const unsure = (yield* get((yield* upload("names.csv", letter)).location ?? "", cookie)).text
      assert.include(unsure, `${doubtful}encoding of this file.`)
      assert.notInclude(unsure, `${doubtful}separator`)
      assert.match(unsure, /<ul class="samples"><li><bdi>A[^A<]A<\/bdi><\/li><li><bdi>Ada</)
      // a table without doubt goes to the check, whose page links back to the columns
      const mac = Buffer.from("Name, Vorname;E-Mail\nJ\x9frg M\x9fller;\xa0<jurg@example.com>.\n", "latin1")
      const read = yield* get((yield* upload("mac.csv", mac)).location ?? "", cookie)
      assert.include(read.text, "Jürg Müller")
      yield* invite({ table: "Name;Mail\nJürg;mailto:jurg@exam\u00adple.com;\n" })
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`select email, name from candidate where organization_id = ${id}::int and id in
          (select candidate_id from submission where interview_set_id = ${set.id}::uuid)`,
        [{ email: "jurg@example.com", name: "Jürg" }],
      )
    }),
  )

  it.effect("asks what unknown columns mean, and lists the ignored ones", () =>
    Effect.gen(function* () {
      const { id, cookie, follow, submit } = yield* start()
      const table =
        "E-Mail;Vorname;Nachname;Team;Telefon;leer\nada@example.com;Ada;Lovelace;Ops;030 1;\ngrace@example.com;Grace;Hopper;Navy;040 2;"
      const first = yield* submit({ table })
      const columns = first.location ?? ""
      assert.match(columns, /\/columns$/)
      // the check cannot be opened earlier
      assert.strictEqual((yield* get(columns.replace(/columns$/, "check"), cookie)).location, columns)
      assert.strictEqual((yield* post(columns.replace(/columns$/, "send"), cookie)).location, columns)
      const shown = yield* follow(first)
      assert.match(
        shown.text,
        /<th scope="row" dir="auto">Vorname<\/th><td><ul class="samples"><li><bdi>Ada<\/bdi><\/li><li><bdi>Grace<\/bdi><\/li><\/ul>/,
      )
      assert.include(shown.text, "<strong><bdi>Team</bdi></strong>, <strong><bdi>Telefon</bdi></strong>")
      assert.notInclude(shown.text, "<strong><bdi>leer</bdi>", "an empty column loses nothing")
      const fields = fieldsOf(shown.text, columns)
      assert.includeDeepMembers(fields, [
        ["header", "yes"],
        ["column.0.field", "email"],
        ["column.1.field", "firstname"],
        ["column.2.field", "lastname"],
        ["column.3.field", "ignore"],
        ["column.3.key", "team"],
      ])
      const choose = (changes: Record<string, string>) =>
        post(columns, cookie, withFields(fields, { do: "next", ...changes }))
      const unconfirmed = yield* choose({ "column.3.field": "metadata" })
      assert.strictEqual(unconfirmed.status, 422)
      assert.include(
        unconfirmed.text,
        'id="confirmed-error">Confirm that these columns are left out, or choose what they mean: “Telefon”.',
      )
      assert.include(unconfirmed.text, '<option value="metadata" selected>')
      const wrong = yield* choose({
        "column.3.field": "metadata",
        "column.3.key": "my team",
        "column.4.field": "email",
        confirmed: "yes",
      })
      assert.include(wrong.text, 'id="column.3.key-error">Enter a name of 1 to 40 letters')
      assert.include(wrong.text, 'id="column.4.field-error">Column 1 has the same meaning. Change one of them.')
      assert.include(wrong.text, 'value="my team"')
      const none = yield* choose({ "column.0.field": "ignore", confirmed: "yes" })
      assert.include(none.text, "Choose the column with the email addresses, or the one with the links to CVs.")
      const done = yield* choose({ "column.3.field": "metadata", confirmed: "yes" })
      const checked = yield* follow(done)
      assert.include(checked.text, "2 candidates will be invited.")
      assert.match(checked.text, /Left out<\/dt><dd><bdi>Telefon<\/bdi>, <bdi>leer<\/bdi>/)
      assert.match(checked.text, /<bdi>Team<\/bdi> → Metadata “team”/)
      yield* post((done.location ?? "").replace(/check$/, "send"), cookie)
      const { sql } = yield* Database
      const rows = yield* sql`
        select c.firstname, c.lastname, b.metadata from candidate c join submission b on b.candidate_id = c.id
        where c.organization_id = ${id}::int order by c.email`
      assert.deepStrictEqual(rows, [
        { firstname: "Ada", lastname: "Lovelace", metadata: { team: "Ops" } },
        { firstname: "Grace", lastname: "Hopper", metadata: { team: "Navy" } },
      ])
    }),
  )

  it.effect("accepts a table without a header, and lets the member choose whether the first row is one", () =>
    Effect.gen(function* () {
      const { cookie, follow, submit } = yield* start()
      const first = yield* submit({ table: "Ada Lovelace,ada@example.com,Ops\nGrace Hopper,grace@example.com,Navy" })
      const shown = yield* follow(first)
      assert.include(shown.text, "Column 3")
      const fields = fieldsOf(shown.text, first.location ?? "")
      assert.includeDeepMembers(fields, [
        ["header", "no"],
        ["column.0.field", "name"],
        ["column.1.field", "email"],
        ["column.2.field", "ignore"],
      ])
      const changed = yield* post(first.location ?? "", cookie, withFields(fields, { header: "yes", do: "header" }))
      const withHeader = yield* follow(changed)
      assert.include(withHeader.text, '<th scope="row" dir="auto">Ada Lovelace</th>')
      assert.include(withHeader.text, "1 candidate, 3 columns")
      const back = yield* post(changed.location ?? "", cookie, { header: "no", do: "header" })
      const next = fieldsOf((yield* follow(back)).text, back.location ?? "")
      const done = yield* post(back.location ?? "", cookie, withFields(next, { do: "next", confirmed: "yes" }))
      assert.include((yield* follow(done)).text, "2 candidates will be invited.")
    }),
  )

  it.effect("reads CSV files in the encodings of spreadsheets", () =>
    Effect.gen(function* () {
      const { follow, upload } = yield* start()
      const text = "Name;E-Mail\r\nÉva Müller;eva@example.com\r\n"
      for (const bytes of [
        Buffer.from(text),
        Buffer.from(`\ufeff${text}`),
        Buffer.from(`\ufeff${text.replaceAll(";", "\t")}`, "utf16le"),
        Buffer.from(text, "latin1"),
        Buffer.from(text.replaceAll(";", ",")),
      ]) {
        const answer = yield* upload("Kandidaten.csv", bytes)
        assert.match(answer.location ?? answer.text, /\/check$/)
        const checked = yield* follow({ ...answer } as never)
        assert.strictEqual(
          rowOf(checked.text, "eva@example.com"),
          "Line 2 Éva Müller eva@example.com OK Gets the invitation by email.",
        )
        const edit = (answer.location ?? "").replace(/check$/, "edit")
        const back = yield* follow({ ...answer, location: edit } as never)
        assert.include(back.text, 'Table <span class="quiet">from <bdi>Kandidaten.csv</bdi></span>')
        assert.include(back.text, "Éva Müller")
      }
    }),
  )

  it.effect("refuses files that are not tables with the reason beside the field, and keeps the other input", () =>
    Effect.gen(function* () {
      const { id, upload } = yield* start()
      for (const [content, fault] of [
        ["PK\u0003\u0004…", "The file is a workbook"],
        ["", "The file is empty."],
        [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0xff]), "The file is not a text file."],
        ["x".repeat(800_001), "The file has 801 KB; at most 800 KB are read at once."],
      ] as const) {
        const answer = yield* upload("a.csv", content, {
          "c.0.email": "ada@example.com",
          message: "A message to keep.",
        })
        assert.strictEqual(answer.status, 422, fault)
        assert.include(answer.text, `id="file-error">${fault}`)
        assert.include(answer.text, 'value="ada@example.com"')
        assert.include(answer.text, "A message to keep.")
      }
      const both = yield* upload("a.csv", "grace@example.com", { table: "ada@example.com" })
      assert.include(both.text, 'id="file-error">The table already has rows.')
      const quote = yield* upload("a.csv", 'email\n"ada@example.com')
      assert.include(quote.text, 'id="table-error">Line 2: a quote is opened and not closed.')
      assert.strictEqual((yield* upload("a.csv", Buffer.alloc(2_200_000, "a"))).status, 413)
      assert.strictEqual(yield* count("candidate", id), 0)
    }),
  )

  it.effect("invites a thousand candidates on pages of limited size", () =>
    Effect.gen(function* () {
      const { id, cookie, submit } = yield* start()
      const table = `email,name\n${Array.from({ length: 1000 }, (_, i) => `candidate${i}@example.com,"Name, of ${i}"`).join("\n")}\nx@,Wrong`
      const { location } = yield* submit({
        table: table.replace("candidate0@example.com", "candidate0@").replace("\nx@,Wrong", ""),
      })
      const checked = yield* get(location ?? "", cookie)
      assert.isBelow(checked.bytes.length, 60_000)
      assert.include(checked.text, "999 candidates will be invited, 1 with errors.")
      // errors come first
      assert.isBelow(checked.text.indexOf("candidate0@</bdi>"), checked.text.indexOf("candidate1@example.com</bdi>"))
      assert.include(checked.text, "Page 1 of 10")
      assert.include((yield* get(`${location}?page=10`, cookie)).text, "candidate999@example.com")
      const sent = yield* post((location ?? "").replace(/check$/, "send"), cookie)
      const answer = yield* get(sent.location ?? "", cookie)
      assert.strictEqual(answer.status, 200)
      assert.include(answer.text, "999 candidates invited")
      assert.isBelow(answer.bytes.length, 60_000)
      assert.strictEqual(yield* count("email", id), 999)
      const { sql } = yield* Database
      yield* sql`delete from email where organization_id = ${id}::int`
    }),
  )

  it.effect("adds rows, creates links without emails, accepts CV links for a CV set, offers job posts", () =>
    Effect.gen(function* () {
      const { id, cookie, follow, invite, path, set, submit } = yield* start()
      const more = yield* submit({ "c.0.name": "Ada", do: "add" })
      assert.strictEqual(more.status, 200)
      assert.include(more.text, 'name="c.2.email"')
      assert.include(more.text, 'value="Ada"')
      yield* unsubscribe(id, "gone@example.com")
      const links = yield* invite({ "c.0.email": "ada@example.com", "c.1.email": "gone@example.com", send: "links" })
      assert.match(links.text, /<code id="link-[\w-]{36}">http:\/\/localhost:8080\/i\/[\w-]{44}<\/code>/)
      assert.include(links.text, "2 candidates added")
      assert.strictEqual(yield* count("email", id), 0)
      const known = yield* follow(yield* submit({ "c.0.email": "ada@example.com", send: "links" }))
      assert.include(known.text, "Already has a link, which stays the same.")
      const project = yield* (yield* Projects).create(operator(id), "Payments")
      const post_ = yield* (yield* Projects).createJobPost(operator(id), project, "Backend, Hamburg")
      const { sql } = yield* Database
      yield* sql`update interview_set set project_id = ${project}::uuid where id = ${set.id}::uuid`
      const offered = yield* get(path, cookie)
      assert.include(offered.text, "Backend, Hamburg")
      yield* invite({ "c.0.email": "ada@example.com", job_post: post_ })
      assert.lengthOf(yield* sql`select from application where organization_id = ${id}::int`, 1)
      const lost = yield* invite({ "c.0.email": "new@example.com", job_post: "00000000-0000-7000-8000-000000000001" })
      assert.strictEqual(lost.status, 422)
      assert.include(lost.text, 'id="job_post-error">This job post no longer exists.')
      assert.include(lost.text, 'value="new@example.com"')
      const cvs = yield* (yield* InterviewSets).create(operator(id), { title: "CVs", set_type: 2 })
      const form = yield* formOf(cvs.id, cookie)
      const missing = yield* form.submit({ "c.0.email": "a@example.com" })
      assert.strictEqual(missing.status, 422)
      assert.include(missing.text, 'id="c.0.cv-error">The CV&#39;s link is required for a CV set.')
      const inTable = yield* form.follow(
        yield* form.submit({ table: "email,cv\na@example.com,\nb@example.com,https://cv.example/b" }),
      )
      assert.include(rowOf(inTable.text, "a@example.com"), "Error The CV&#39;s link is required for a CV set.")
      assert.include(rowOf(inTable.text, "b@example.com"), "OK The CV is evaluated; no email is sent.")
      assert.notInclude(inTable.text, "<h2>Email preview</h2>")
      const accepted = yield* form.invite({ "c.0.cv": "https://cv.example/a.pdf", "c.0.name": "A" })
      assert.include(accepted.text, "CV received")
      const cvAgain = yield* form.follow(yield* form.submit({ "c.0.cv": "https://cv.example/a.pdf", "c.0.name": "A" }))
      assert.include(cvAgain.text, "Already added with a CV.")
      const stored = yield* submit({ "c.0.email": "late@example.com" })
      yield* post(`/interview-sets/${set.id}/archive`, cookie)
      const refused = yield* submit({ "c.0.email": "late@example.com" })
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "This set is archived")
      const late = yield* post((stored.location ?? "").replace(/check$/, "send"), cookie)
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "No one was invited: the set is archived")
    }),
  )

  it.effect("previews the email with the first candidate's values, in the set's language", () =>
    Effect.gen(function* () {
      const { id, cookie, follow, submit } = yield* start({ cfg_lingual_ids: [2], title: "Backend <b>" })
      const { sql } = yield* Database
      yield* sql`update organization set time_zone = 'Asia/Tokyo' where id = ${id}::int`
      const message = "Liebe {{firstname}}, willkommen bei {{organization}}, bis {{deadline}}."
      const checked = yield* follow(yield* submit({ table: `name,email\nx,x@\nAda Lovelace,ada@example.com`, message }))
      const [, letter = ""] = /<div class="letter">([\s\S]*?)<\/div>/.exec(checked.text) ?? []
      assert.match(letter, /^<div class="written" dir="auto" lang="de">Guten Tag Ada Lovelace,/)
      assert.include(letter, "Liebe Ada, willkommen bei Acme, bis ")
      assert.include(letter, "Backend &lt;b&gt;")
      assert.match(letter, /willkommen bei Acme, bis \w+, \d[^<]*GMT\+9\./)
      assert.include(letter, "/i/example")
      assert.include(checked.text, "Backend &lt;b&gt;</bdi></dd>")
      const [, src = ""] = /<iframe class="letter" src="([^"]+)"/.exec(checked.text) ?? []
      const framed = yield* get(src, cookie)
      assert.strictEqual(
        framed.headers.get("content-security-policy"),
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; sandbox",
      )
      assert.include(framed.text, "Liebe Ada, willkommen bei Acme, bis ")
      assert.include(framed.text, "Backend &lt;b&gt;")
    }),
  )

  it.effect("previews the email of the first candidate beside the form, as it is typed, and stores nothing", () =>
    Effect.gen(function* () {
      const { id, cookie, path } = yield* start()
      const preview = `${path}/preview`
      const message = "Dear {{firstname}}, welcome to {{organization}}."
      const shown = (fields: Record<string, string>) => post(preview, cookie, fields)
      const before = yield* Tables.rowsOf(id)
      assert.include((yield* get(preview, cookie)).text, "a sample candidate, Ada Lovelace")
      const typed = yield* shown({ "c.0.name": "Grace Hopper", "c.0.email": "grace@example.com", message })
      assert.include(typed.text, "<bdi>grace@example.com</bdi>")
      assert.include(typed.text, "Dear Grace, welcome to Acme.")
      // an address that is still being typed
      const begun = yield* shown({ "c.0.name": "Grace Hopper", "c.0.email": "grace@", message })
      assert.include(begun.text, "no address yet")
      assert.include(begun.text, "Dear Grace, welcome to Acme.")
      const table = yield* shown({ "c.0.email": "", table: "name,email\nLin Wei,lin@example.com", message })
      assert.include(table.text, "<bdi>lin@example.com</bdi>")
      const wrong = yield* shown({ message: "{{vorname}} is here." })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "{{vorname}} in line 1")
      assert.deepStrictEqual(yield* Tables.rowsOf(id), before)
    }),
  )

  it.effect("refuses members without access at every step", () =>
    Effect.gen(function* () {
      const { id, cookie, submit } = yield* start()
      const check = (yield* submit({ "c.0.email": "ada@example.com" })).location ?? ""
      const other = yield* Scenario.organization()
      for (const [visitor, status] of [
        [yield* signedIn(id, "recruiter"), 403],
        [yield* signedIn(other.id), 404],
      ] as const) {
        for (const step of ["edit", "columns", "check", "email/frame"]) {
          assert.strictEqual((yield* get(check.replace(/check$/, step), visitor.cookie)).status, status, step)
        }
        for (const step of ["columns", "send"]) {
          assert.strictEqual((yield* post(check.replace(/check$/, step), visitor.cookie)).status, status, step)
        }
      }
      // another set of the same member does not find the draft
      const own = yield* (yield* InterviewSets).create(operator(id), { title: "Other" })
      const elsewhere = check.replace(/interview-sets\/[\w-]+/, `interview-sets/${own.id}`)
      assert.strictEqual((yield* get(elsewhere, cookie)).location, `/interview-sets/${own.id}/invite?done=lost`)
      assert.strictEqual(yield* count("candidate", id), 0)
    }),
  )
})
