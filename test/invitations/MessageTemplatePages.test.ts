/** Templates of the personal message, over HTTP. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { templateLimits } from "../../src/invitations/MessageTemplate.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { formOf, start } from "../support/InviteForm.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

const text = "Hello {{firstname}}, we look forward to your answers."

const templates = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql<{ id: string; name: string; text: string; version: number }>`
    select id, name, text, version from message_template where organization_id = ${organization}::int order by name`
})

const audit = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ action: string }>`
    select action from audit_log where organization_id = ${organization}::int and record_type = 'message_template' order by id`
  return rows.map(({ action }) => action)
})

const create = (cookie: string, fields: Record<string, string>) =>
  post("/message-templates", cookie, { id: randomUUID(), name: "Warm welcome", text, ...fields })

layer(pages)("message templates", (it) => {
  it.effect("are linked from the list of interview sets and from the invite form", () =>
    Effect.gen(function* () {
      const { cookie, path } = yield* start()
      assert.include((yield* get("/interview-sets", cookie)).text, 'href="/message-templates">Message templates</a>')
      const link = '<a href="/message-templates">Manage templates</a>'
      assert.include((yield* get(path, cookie)).text, link, "without templates")
      yield* create(cookie, {})
      assert.include((yield* get(path, cookie)).text, link, "beside the choice of a template")
    }),
  )

  it.effect("are created, used in an invite, changed and deleted", () =>
    Effect.gen(function* () {
      const { id, cookie, follow, path, submit } = yield* start()
      const empty = (yield* get("/message-templates", cookie)).text
      assert.include(empty, "No templates yet.")
      // each text to begin with fills the form
      const beginnings = [...empty.matchAll(/href="(\/message-templates\/new\?[^"]+)"/g)]
      const texts = yield* Effect.forEach(beginnings, ([, address = ""]) =>
        Effect.map(get(address.replaceAll("&amp;", "&"), cookie), ({ text }) =>
          fieldsOf(text, "/message-templates").find(([name]) => name === "text"),
        ),
      )
      assert.lengthOf(texts, 3)
      for (const [, beginning] of texts.map((one) => one ?? [])) assert.include(beginning ?? "", "{{firstname}}")
      const form = fieldsOf((yield* get("/message-templates/new", cookie)).text, "/message-templates")
      const fields = withFields(form, { name: " Warm welcome ", text: `${text.replace(", ", ",\r\n")}\r\n` })
      // a form sent twice creates one template
      for (let i = 0; i < 2; i++) {
        assert.strictEqual(
          (yield* post("/message-templates", cookie, fields)).location,
          "/message-templates?done=created",
        )
      }
      const [stored] = yield* templates(id)
      assert.deepInclude(stored, { name: "Warm welcome", text: text.replace(", ", ",\n"), version: 1 })
      const href = `/message-templates/${stored?.id}`
      assert.include((yield* get("/message-templates?done=created", cookie)).text, `href="${href}"`)
      // the invite form offers it; without a message its text is taken, otherwise it is added below
      assert.include((yield* get(path, cookie)).text, `<option value="${stored?.id}">Warm welcome</option>`)
      const message = (page: string) => fieldsOf(page, path).find(([name]) => name === "message")?.[1]
      const used = yield* submit({ "c.0.email": "ada@example.com", template: stored?.id ?? "", do: "use" })
      assert.strictEqual(used.status, 200)
      assert.strictEqual(message(used.text), stored?.text)
      assert.include(used.text, 'value="ada@example.com"')
      const added = yield* submit({ message: "My own text.", template: stored?.id ?? "", do: "use" })
      assert.strictEqual(message(added.text), `My own text.\n\n${stored?.text}`)
      const checked = yield* follow(
        yield* submit({ "c.0.email": "ada@example.com", "c.0.name": "Ada Lovelace", message: stored?.text ?? "" }),
      )
      assert.include(checked.text, "Hello Ada,")
      const edit = fieldsOf((yield* get(href, cookie)).text, href)
      const changed = yield* post(href, cookie, withFields(edit, { name: "Warm welcome", text: `${text} Soon.` }))
      assert.strictEqual(changed.location, `${href}?done=saved`)
      assert.deepInclude((yield* templates(id))[0], { text: `${text} Soon.`, version: 2 })
      // unchanged: no new version
      yield* post(href, cookie, fieldsOf((yield* get(href, cookie)).text, href))
      assert.deepInclude((yield* templates(id))[0], { version: 2 })
      assert.include((yield* get(`${href}/delete`, cookie)).text, "Delete the template?")
      assert.strictEqual((yield* post(`${href}/delete`, cookie)).location, "/message-templates?done=deleted")
      assert.lengthOf(yield* templates(id), 0)
      assert.strictEqual((yield* get(href, cookie)).status, 404)
      assert.deepStrictEqual(yield* audit(id), [
        "message_template.create",
        "message_template.update",
        "message_template.delete",
      ])
    }),
  )

  it.effect("start with the message of an invite, and return to it", () =>
    Effect.gen(function* () {
      const { id, cookie, follow, path, submit } = yield* start()
      const typed = { "c.0.email": "ada@example.com", table: "name,email\nEva,eva@example.com", message: text }
      const begun = yield* submit({ ...typed, do: "template" })
      const page = yield* follow(begun)
      const fields = fieldsOf(page.text, "/message-templates")
      assert.includeDeepMembers(fields, [["text", text]])
      const refused = yield* post("/message-templates", cookie, withFields(fields, { name: "" }))
      assert.strictEqual(refused.status, 422)
      const again = fieldsOf(refused.text, "/message-templates")
      assert.deepStrictEqual(again, fields)
      const created = yield* post("/message-templates", cookie, withFields(again, { name: "Of the invite" }))
      assert.match(created.location ?? "", /\/invite\/[\w-]{36}\/edit$/)
      const back = yield* follow(created)
      assert.includeDeepMembers(fieldsOf(back.text, path), Object.entries(typed))
      assert.include(back.text, "Of the invite</option>")
      assert.lengthOf(yield* templates(id), 1)
      // paths without a valid id return 404
      const odd = yield* post("/message-templates", cookie, {
        id: randomUUID(),
        name: "Odd",
        text,
        set: "//evil.example",
        draft: "x",
      })
      assert.strictEqual(odd.location, "/message-templates?done=created")
    }),
  )

  it.effect("refuse invalid names and texts beside the field, and keep what was typed", () =>
    Effect.gen(function* () {
      const { id, cookie, set } = yield* start()
      yield* create(cookie, {})
      for (const [fields, field, fault] of [
        [{ name: " " }, "name", "The name must not be blank."],
        [{ name: "x".repeat(101) }, "name", "The name must have at most 100 characters."],
        [{ name: "WARM Welcome" }, "name", "The name is the name of another template."],
        [{ name: "A", text: "Short" }, "text", "The text must have at least 10 characters."],
        [{ name: "A", text: "x".repeat(5001) }, "text", "The text must have at most 5000 characters."],
        [
          { name: "A", text: "Hello,\nDear {{vorname}}." },
          "text",
          "The text must have no words in double braces other than {{name}}, {{firstname}}, {{lastname}}, {{interview}}, {{organization}}, {{deadline}}: it has {{vorname}} in line 2.",
        ],
        [
          { name: "A", text: "Hello,\nDear {{ firstname }, welcome." },
          "text",
          "The text must close {{ with }} in the same line: it is not closed in line 2.",
        ],
      ] as const) {
        const answer = yield* create(cookie, fields)
        assert.strictEqual(answer.status, 422, fault)
        assert.include(answer.text, `id="${field}-error">${fault}`)
        for (const [name, value] of Object.entries(fields)) {
          assert.includeDeepMembers(fieldsOf(answer.text, "/message-templates"), [[name, value]])
        }
      }
      assert.lengthOf(yield* templates(id), 1)
      const { sql } = yield* Database
      yield* sql`
        insert into message_template (id, organization_id, name, text, created_by)
        select gen_random_uuid(), ${id}::int, repeat('界', 90) || ' T ' || n, repeat('界', 4000), created_by
        from message_template, generate_series(2, ${templateLimits.count}::int) n where organization_id = ${id}::int`
      const full = yield* create(cookie, { name: "One more" })
      assert.strictEqual(full.status, 409)
      assert.include(full.text, "Not created: there are 200 templates already; delete one first.")
      assert.include(full.text, 'value="One more"')
      const pages = yield* Effect.forEach(["", "?page=7", "?page=99"], (query) =>
        get(`/message-templates${query}`, cookie),
      )
      for (const { bytes } of pages) assert.isBelow(bytes.length, 60_000)
      assert.deepStrictEqual(
        pages.map(({ text }) => [...text.matchAll(/<li><a class="row"/g)].length),
        [30, 20, 20],
      )
      assert.include(pages[1]?.text, "Page 7 of 7")
      const invite = yield* get(`/interview-sets/${set.id}/invite`, cookie)
      assert.lengthOf([...invite.text.matchAll(/界…<\/option>/g)], 199)
      assert.isBelow(invite.bytes.length, 60_000)
    }),
  )

  it.effect("can be used by all members, and changed by their author, owners and admins", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({
        com_accesses: [{ email: "rec@example.com" }, { email: "rec2@example.com" }],
      })
      const author = yield* signedIn(one.id, "recruiter", "rec@example.com")
      const other = yield* signedIn(one.id, "recruiter", "rec2@example.com")
      const admin = yield* signedIn(one.id, "admin")
      yield* create(author.cookie, {})
      const [stored] = yield* templates(one.id)
      const href = `/message-templates/${stored?.id}`
      const form = yield* formOf(one.set.id, other.cookie)
      assert.include((yield* form.submit({ template: stored?.id ?? "", do: "use" })).text, text)
      const read = yield* get(href, other.cookie)
      assert.include(read.text, "an owner or an admin can change or delete this template.")
      assert.notInclude(read.text, `action="${href}"`)
      for (const path of [href, `${href}/delete`]) {
        const refused = yield* post(path, other.cookie, { name: "Mine now", text, version: "1" })
        assert.strictEqual(refused.status, 403)
        assert.include(refused.text, "an owner or an admin can change or delete this template.")
      }
      assert.strictEqual((yield* get(`${href}/delete`, other.cookie)).status, 403)
      assert.deepInclude((yield* templates(one.id))[0], { name: "Warm welcome", version: 1 })
      const owned = yield* post(href, author.cookie, { name: "By the author", text, version: "1" })
      assert.strictEqual(owned.status, 303)
      // the author and an admin save at the same time: the second is refused and keeps its text
      const late = yield* post(href, admin.cookie, { name: "By the admin", text: "Another long text.", version: "1" })
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "Not saved: the template was saved while you were editing it.")
      assert.include(late.text, `It was last saved by <bdi>${author.email}</bdi>`)
      for (const shown of ["By the author", text, "By the admin", "Another long text."]) {
        assert.include(late.text, `<bdi class="written">${shown}</bdi>`)
      }
      const kept = fieldsOf(late.text, href)
      assert.includeDeepMembers(kept, [
        ["version", "1"],
        ["text", "Another long text."],
      ])
      assert.strictEqual((yield* post(href, admin.cookie, kept)).status, 409)
      assert.include(late.text, 'name="replaced" value="2">Save my version anyway')
      assert.strictEqual((yield* post(href, admin.cookie, [...kept, ["replaced", "2"]])).status, 303)
      assert.deepInclude((yield* templates(one.id))[0], { name: "By the admin", version: 3 })
      const foreign = yield* signedIn((yield* Scenario.organization()).id)
      assert.notInclude((yield* get("/message-templates", foreign.cookie)).text, "By the admin")
      for (const path of [href, `${href}/delete`]) {
        assert.strictEqual((yield* get(path, foreign.cookie)).status, 404)
        assert.strictEqual((yield* post(path, foreign.cookie, { name: "X", text, version: "3" })).status, 404)
      }
      // the same name and id in another organization
      yield* post("/message-templates", foreign.cookie, {
        id: stored?.id ?? "",
        name: "By the admin",
        text: "A stolen id, and a text.",
      })
      assert.deepInclude((yield* templates(one.id))[0], { name: "By the admin", text: "Another long text." })
      assert.strictEqual((yield* post(`${href}/delete`, admin.cookie)).status, 303)
    }),
  )
})
