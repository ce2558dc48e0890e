/** How candidates see an organization: the form, pages, emails and logos. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Server } from "../support/Api.ts"
import { png } from "../support/images.ts"
import * as Mails from "../support/Mails.ts"
import { fieldsOf, get, post, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const href = "/settings/appearance"

/** Sends a form with a file as a browser does. */
const upload = Effect.fnUntraced(function* (
  path: string,
  cookie: string,
  fields: Iterable<readonly [string, string]>,
  file: Uint8Array<ArrayBuffer> | undefined,
  name = "logo.png",
) {
  const { url } = yield* Server
  const form = new FormData()
  for (const [field, value] of fields) if (field !== "file") form.append(field, value)
  if (file !== undefined) form.append("file", new Blob([file]), name)
  return yield* Effect.promise(async () => {
    const headers = { cookie, origin: "http://localhost:8080", accept: "text/html" }
    const answer = await fetch(url + path, { method: "POST", body: form, headers, redirect: "manual" })
    return { status: answer.status, location: answer.headers.get("location"), text: await answer.text() }
  })
})

const typed = {
  colour: "#8A1C4A",
  welcome: "Welcome!\r\nWe are <b>glad</b>.",
  sender_name: "Nordlicht – Talent",
  reply_to: "talent@nordlicht.example",
}

const begin = Effect.gen(function* () {
  const organization = yield* Scenario.organization({}, "Nordlicht")
  const { cookie } = yield* signedIn(organization.id)
  const fields = fieldsOf((yield* get(href, cookie)).text, href)
  return { organization, cookie, fields }
})

const logoIn = (page: string): string =>
  /<img class="logo" src="(?:https?:\/\/[^/"]+)?(\/logos\/[\w-]+)"/.exec(page)?.[1] ?? assert.fail("no logo")

layer(Settings.layer())("the appearance of an organization", (it) => {
  it.effect("is on the candidate's pages and in emails, whose plain text stays", () =>
    Effect.gen(function* () {
      const { cookie, fields, organization } = yield* begin
      const saved = yield* upload(href, cookie, withFields(fields, typed), png(400, 100))
      assert.strictEqual(saved.location, `${href}?done=saved`, saved.text)
      const { token } = yield* Scenario.invited(organization)
      const page = (yield* Workspace.request("GET", `/i/${token}`)).text
      assert.include(page, '<html lang="en" class="branded">')
      assert.include(page, '<link rel="stylesheet" href="/colours/8a1c4a.css">')
      assert.include(page, "Welcome!\nWe are &lt;b&gt;glad&lt;/b&gt;.")
      assert.match(
        page,
        /<header class="masthead">.*<img class="logo" src="\/logos\/[\w-]+" width="400" height="100" alt="Nordlicht"><\/p>/s,
      )
      assert.include((yield* Workspace.request("GET", `/i/${token}/decline`)).text, 'class="branded"')
      const sheet = yield* Workspace.request("GET", "/colours/8a1c4a.css")
      assert.include(sheet.text, "--accent: #8a1c4a;")
      assert.strictEqual(sheet.headers.get("content-type"), "text/css; charset=utf-8")
      assert.strictEqual((yield* Workspace.request("GET", "/colours/red.css")).status, 404)

      yield* TestClock.adjust("1 second")
      yield* Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
      const [mail] = (yield* Mails.written).filter(({ html }) => html.includes("Nordlicht"))
      assert(mail !== undefined)
      assert.include(mail.html, `src="http://localhost:8080${logoIn(page)}" width="192" height="48" alt="Nordlicht"`)
      assert.include(mail.html, "background-color:#8a1c4a;")
      assert.notInclude(mail.text, "logo")
      assert.include(mail.text, "Nordlicht invites you to this interview:")
    }),
  )

  it.effect("has a logo that everyone may fetch and cache, until another one replaces it", () =>
    Effect.gen(function* () {
      const { cookie, fields } = yield* begin
      yield* upload(href, cookie, fields, png(40, 40))
      const page = (yield* get(href, cookie)).text
      const path = logoIn(page)
      const logo = yield* Workspace.request("GET", path)
      assert.deepStrictEqual(logo.bytes, png(40, 40))
      assert.deepInclude(Object.fromEntries(logo.headers), {
        "content-type": "image/png",
        "x-content-type-options": "nosniff",
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
      })
      for (const unknown of ["00000000-0000-4000-8000-000000000000", "1", "..%2f"]) {
        assert.strictEqual((yield* Workspace.request("GET", `/logos/${unknown}`)).status, 404)
      }
      // the sweep leaves the logo, and deletes a replaced one
      yield* TestClock.adjust("3 days")
      const uploads = yield* Uploads
      yield* uploads.sweep
      assert.strictEqual((yield* Workspace.request("GET", path)).status, 200)
      const again = fieldsOf(page, href)
      assert.strictEqual((yield* upload(href, cookie, [...again, ["remove_logo", "yes"]], undefined)).status, 303)
      assert.strictEqual((yield* Workspace.request("GET", path)).status, 404)
      const { sql } = yield* Database
      yield* uploads.sweep
      yield* uploads.sweep
      const id = path.slice("/logos/".length)
      assert.deepStrictEqual(yield* sql`select id from blob where id = ${id}::uuid`, [])
    }),
  )

  it.effect("is refused with a reason, without a loss", () =>
    Effect.gen(function* () {
      const { cookie, fields } = yield* begin
      const refused = Effect.fnUntraced(function* (changes: Record<string, string>, file?: Uint8Array<ArrayBuffer>) {
        const answer = yield* upload(href, cookie, withFields(fields, { ...typed, ...changes }), file)
        assert.strictEqual(answer.status, 422)
        const kept = fieldsOf(answer.text, href)
        for (const [name, value] of Object.entries({ ...typed, ...changes })) {
          assert.deepInclude(kept, [name, value.replaceAll("\r\n", "\n")])
        }
        return answer.text
      })
      const light = yield* refused({ colour: "#ffaa00" })
      assert.include(
        light,
        "The colour is too light: with white text or on the page it has a contrast of 1.7:1, and text needs 4.5:1.",
      )
      const [, suggested = ""] = /(#[0-9a-f]{6}) is the same colour, dark enough/.exec(light) ?? []
      assert.include(yield* refused({ colour: "red" }), "The colour must be a colour such as #0b6b5d.")
      assert.include(yield* refused({ welcome: "x".repeat(2_001) }), "The welcome must have at most 2000 characters.")
      assert.include(
        yield* refused({ sender_name: "x".repeat(81) }),
        "The sender&#39;s name must have at most 80 characters.",
      )
      const injected = "Acme\r\nBcc: eve@example.com"
      assert.include(
        (yield* upload(href, cookie, withFields(fields, { sender_name: injected }), undefined)).text,
        "The sender&#39;s name contains characters that cannot be stored.",
      )
      assert.include(yield* refused({ reply_to: "talent@" }), "The address for replies must be a valid email address")
      const type = "The logo must be a PNG, JPEG or WebP image."
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
      for (const file of [
        svg,
        Buffer.from("GIF89a\x01\0\x01\0", "latin1"),
        Buffer.from("%PDF-1.7"),
        Buffer.from("x"),
      ]) {
        const text = yield* refused({}, file)
        assert.include(text, type)
        assert.include(text, "Choose the logo again.")
      }
      assert.include(
        yield* refused({}, png(1_001, 2)),
        "The logo has 1001 × 2 pixels, and may have 1000 × 1000 at most.",
      )
      const large = Buffer.concat([png(2, 2), Buffer.alloc(200_000)])
      assert.include(yield* refused({}, large), "The logo has 201 KB, and may have 200 KB at most.")
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`select from organization_appearance where colour = '#8a1c4a' and reply_to is null`,
        [],
      )
      assert.strictEqual(
        (yield* upload(href, cookie, withFields(fields, { colour: suggested }), undefined)).status,
        303,
      )
    }),
  )

  it.effect("is not saved over another member's change, unless the member decides so", () =>
    Effect.gen(function* () {
      const { cookie, fields, organization } = yield* begin
      assert.strictEqual((yield* upload(href, cookie, withFields(fields, typed), png(4, 4))).status, 303)
      const own = withFields(fields, { ...typed, welcome: "Hello", colour: "#123456" })
      const stale = yield* upload(href, cookie, own, png(5, 5))
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "Not saved: the appearance was saved while you were editing it.")
      assert.include(stale.text, "Choose the logo again")
      const again = fieldsOf(stale.text, href)
      assert.deepInclude(again, ["welcome", "Hello"])
      // the same form sent twice
      assert.strictEqual((yield* upload(href, cookie, withFields(fields, typed), undefined)).status, 303)
      const [, replaced = ""] = /name="replaced" value="(\d+)"/.exec(stale.text) ?? []
      assert.strictEqual((yield* upload(href, cookie, [...again, ["replaced", replaced]], undefined)).status, 303)
      const { sql } = yield* Database
      const [row] = yield* sql`
        select colour, welcome, sender_name, reply_to, logo_width, version from organization_appearance
        where organization_id = ${organization.id}::int`
      assert.deepStrictEqual(
        { ...row },
        {
          colour: "#123456",
          welcome: "Hello",
          sender_name: typed.sender_name,
          reply_to: typed.reply_to,
          logo_width: 4,
          version: 2,
        },
      )
      const entries = yield* Settings.audit(organization.id)
      assert.deepStrictEqual(entries.at(-1)?.detail["after"], { colour: "#123456", welcome: "Hello" })
    }),
  )

  it.effect("is previewed as it is typed, with the chosen logo, and nothing is saved", () =>
    Effect.gen(function* () {
      const { cookie, fields, organization } = yield* begin
      const logo = `src="data:image/png;base64,${png(30, 20).toString("base64")}"`
      const parts = {
        page: ["/colours/8a1c4a.css", logo, "We are &lt;b&gt;glad&lt;/b&gt;."],
        email: [
          "background-color:#8a1c4a",
          logo,
          "<bdi>Nordlicht – Talent</bdi>",
          "<bdi>talent@nordlicht.example</bdi>",
        ],
      }
      for (const [view, expected] of Object.entries(parts)) {
        const preview = `${href}/preview/${view}`
        const shown = yield* upload(preview, cookie, withFields(fields, typed), png(30, 20))
        assert.strictEqual(shown.status, 200)
        for (const part of expected) assert.include(shown.text, part)
        const wrong = yield* upload(preview, cookie, withFields(fields, { ...typed, colour: "#ffff00" }), undefined)
        assert.strictEqual(wrong.status, 422)
        assert.include(wrong.text, "The colour is too light")
        const saved = yield* get(preview, cookie)
        assert.strictEqual(saved.status, 200)
        assert.notInclude(saved.text, "8a1c4a")
        // in a frame beside the form, and in none of other sites
        assert.include(saved.headers.get("content-security-policy"), "frame-ancestors 'self'")
      }
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`select from organization_appearance where organization_id = ${organization.id}::int`,
        [],
      )
    }),
  )
})

layer(Settings.layer())("the language of an organization", (it) => {
  it.effect("is that of new sets, and of the pages and emails of sets without languages", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization({ cfg_lingual_ids: [] })
      const { cookie } = yield* signedIn(organization.id)
      const general = "/settings/organization"
      const fields = fieldsOf((yield* get(general, cookie)).text, general)
      assert.strictEqual((yield* post(general, cookie, withFields(fields, { language: "de" }))).status, 303)
      const wrong = yield* post(general, cookie, withFields(fields, { language: "xx" }))
      assert.include(wrong.text, "The language must be one of the list.")
      const { token } = yield* Scenario.invited(organization)
      assert.include((yield* Workspace.request("GET", `/i/${token}`)).text, '<html lang="de"')
      const form = (yield* get("/interview-sets/new", cookie)).text
      assert.match(form, /<option value="2" selected>Deutsch/)
      // no save replaces another one that the member has not seen
      const stale = yield* post(general, cookie, withFields(fields, { name: "Other", language: "fr" }))
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "Not saved: the organization was saved while you were editing it.")
      assert.deepInclude(fieldsOf(stale.text, general), ["name", "Other"])
    }),
  )
})
