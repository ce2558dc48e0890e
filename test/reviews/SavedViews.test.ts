/** Saved views of the list of submissions over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { savedViewLimits } from "../../src/reviews/SavedView.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

const save = (cookie: string, list: string, name: string, isShared = false) =>
  post("/submissions/views", cookie, [
    ["list", list],
    ["name", name],
    ...(isShared ? [["shared", "yes"] as const] : []),
  ])

/** Names and addresses of the saved views in the list, which also a new organization has below its filters. */
const viewsIn = Effect.fnUntraced(function* (cookie: string, query = "?order=oldest") {
  const { text } = yield* get(`/submissions${query}`, cookie)
  const links = [...text.matchAll(/<a href="(\/submissions\/views\/[^"]+)"( aria-current="page")?><bdi>([^<]*)</g)]
  return {
    text,
    views: new Map(links.map(([, href = "", current, name = ""]) => [name, { href, isShown: current !== undefined }])),
  }
})

layer(pages)("saved views", (it) => {
  it.effect("keep the filters, are replaced by the same name, and are deleted", () =>
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id, "recruiter")
      assert.notInclude((yield* get("/submissions?decision=hold", cookie)).text, "Delete this view")
      const saved = yield* save(cookie, "status=waiting&decision=undecided&order=best&unknown=x", "  Best first ")
      assert.strictEqual(saved.location, "/submissions?status=waiting&decision=undecided&order=best&view=saved")
      const { text, views } = yield* viewsIn(cookie, (saved.location ?? "").slice("/submissions".length))
      assert.include(text, "The view “<bdi>Best first</bdi>” is saved and shown.")
      assert.isTrue(views.get("Best first")?.isShown)
      const { href = "" } = views.get("Best first") ?? {}
      assert.strictEqual(
        (yield* get(href, cookie)).location,
        "/submissions?status=waiting&decision=undecided&order=best",
      )
      yield* save(cookie, "decision=hold", "BEST FIRST")
      assert.deepStrictEqual([...(yield* viewsIn(cookie)).views], [["BEST FIRST", { href, isShown: false }]])
      const shown = yield* viewsIn(cookie, "?decision=hold")
      assert.include(shown.text, "Delete this view")
      const deleted = yield* post(`${href}/delete`, cookie, fieldsOf(shown.text, `${href}/delete`))
      assert.strictEqual(deleted.location, "/submissions?decision=hold&view=deleted")
      assert.strictEqual((yield* viewsIn(cookie)).views.size, 0)
      assert.strictEqual((yield* get(href, cookie)).status, 404)
    }),
  )

  it.effect("have the columns that the member chose", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      yield* Scenario.invited({ id, set }, "ada@example.com")
      const { cookie } = yield* signedIn(id)
      const other = yield* signedIn(id)
      const columnsIn = Effect.fnUntraced(function* (cookie: string) {
        const { text } = yield* get("/submissions", cookie)
        const [table = ""] = /<table class="submission-table[\s\S]*?<\/table>/.exec(text) ?? []
        const [headings = "", row = ""] = table.split("<tbody>")
        return {
          names: [...headings.matchAll(/<th [^>]*>(?:<a [^>]*>)?([A-Z][^<]*)/g)].map(([, name = ""]) => name.trim()),
          cells: [...row.matchAll(/<t[dh][ >]/g)].length,
          empty: [...row.matchAll(/<td><\/td>/g)].length,
          hidden: /submission-table([^"]*)"/.exec(table)?.[1],
        }
      })
      const usual = yield* columnsIn(cookie)
      assert.deepStrictEqual(usual.names, [
        "Candidate",
        "Interview set",
        "State",
        "Last active",
        "Requirements",
        "Score",
        "Decision",
        "Reviewers",
      ])
      assert.strictEqual(usual.hidden, " no-invited no-submitted")
      const saved = yield* post("/submissions/columns", cookie, [
        ["list", "decision=undecided&unknown=x"],
        ["columns", "invited"],
        ["columns", "score"],
        ["columns", "constructor"],
      ])
      assert.strictEqual(saved.location, "/submissions?decision=undecided")
      const chosen = yield* columnsIn(cookie)
      assert.deepStrictEqual(chosen.names, ["Candidate", "State", "Invited", "Score"])
      // the style sheet knows columns by their number
      assert.strictEqual(chosen.cells, 11)
      assert.deepStrictEqual((yield* columnsIn(other.cookie)).names, usual.names)
    }),
  )

  it.effect("are seen by their member, or by all who may read their set when shared", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const owner = yield* signedIn(organization.id)
      const recruiter = yield* signedIn(organization.id, "recruiter")
      const stranger = yield* signedIn((yield* Scenario.organization({}, "Other")).id)
      yield* save(owner.cookie, "decision=hold", "Mine")
      yield* save(owner.cookie, "decision=advance", "Ours", true)
      yield* save(owner.cookie, `set=${organization.set.id}`, "Of a set", true)
      yield* save(recruiter.cookie, "decision=reject", "Of the recruiter", true)
      const namesOf = (cookie: string) => Effect.map(viewsIn(cookie), ({ views }) => [...views.keys()])
      assert.deepStrictEqual(yield* namesOf(owner.cookie), ["Mine", "Of a set", "Of the recruiter", "Ours"])
      assert.deepStrictEqual(yield* namesOf(recruiter.cookie), ["Of the recruiter", "Ours"])
      assert.deepStrictEqual(yield* namesOf(stranger.cookie), [])
      const { views } = yield* viewsIn(owner.cookie)
      const { href = "" } = views.get("Mine") ?? {}
      for (const { cookie } of [recruiter, stranger]) {
        assert.strictEqual((yield* get(href, cookie)).status, 404)
        assert.strictEqual((yield* post(`${href}/delete`, cookie, [])).status, 404)
      }
      // its address tells the set
      const ofSet = views.get("Of a set")?.href ?? ""
      assert.strictEqual((yield* get(ofSet, owner.cookie)).location, `/submissions?set=${organization.set.id}`)
      assert.strictEqual((yield* get(ofSet, recruiter.cookie)).status, 404)
      const ours = views.get("Ours")?.href ?? ""
      assert.strictEqual((yield* get(ours, recruiter.cookie)).location, "/submissions?decision=advance")
      assert.notInclude((yield* viewsIn(recruiter.cookie, "?decision=advance")).text, "Delete this view")
      assert.strictEqual((yield* post(`${ours}/delete`, recruiter.cookie, [])).status, 403)
      // owners and admins delete shared views of others
      yield* post(`${views.get("Of the recruiter")?.href}/delete`, owner.cookie, [])
      assert.deepStrictEqual(yield* namesOf(recruiter.cookie), ["Ours"])
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`select action from audit_log where organization_id = ${organization.id}::int
          and record_type = 'saved_view' order by id`,
        ["share", "share", "share", "delete"].map((action) => ({ action: `saved_view.${action}` })),
      )
    }),
  )

  it.effect("need a name, and are limited, also when several are saved at once; the typed name stays", () =>
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      for (const name of [" ", "x".repeat(savedViewLimits.name + 1), "a\u0000b"]) {
        const refused = yield* save(cookie, "decision=hold", name)
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, 'details class="save-view" open')
      }
      const more = savedViewLimits.own + 3
      const sent = yield* Effect.forEach(
        Array.from({ length: more }, (_, n) => n),
        (n) => save(cookie, `q=word${n}`, `View ${n}`),
        { concurrency: "unbounded" },
      )
      assert.lengthOf(
        sent.filter(({ status }) => status === 422),
        3,
      )
      assert.strictEqual((yield* viewsIn(cookie)).views.size, savedViewLimits.own)
      const full = yield* save(cookie, "decision=hold", "One <more>", true)
      assert.include(full.text, `The view was not saved: you have ${savedViewLimits.own} views already`)
      assert.include(full.text, 'value="One &lt;more&gt;"')
    }),
  )

  it.effect("of a set that the member cannot read are refused; the typed name stays", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const other = yield* Scenario.organization({}, "Other")
      const owner = yield* signedIn(organization.id)
      const recruiter = yield* signedIn(organization.id, "recruiter")
      yield* Scenario.invited(organization, "ada@example.com")
      for (const [cookie, set] of [
        [owner.cookie, "01a22428-0000-7000-8000-000000000000"],
        [owner.cookie, other.set.id],
        [recruiter.cookie, `${organization.set.id}&decision=hold`],
      ] as const) {
        const refused = yield* save(cookie, `set=${set}`, "Typed name")
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, "The view was not saved: the interview set does not exist")
        assert.include(refused.text, 'value="Typed name"')
        assert.strictEqual((yield* viewsIn(cookie)).views.size, 0)
      }
    }),
  )

  it.effect("are removed by the erasure of the person whom they name", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization.id)
      const { subject } = yield* Scenario.invited(organization, "ada@example.com")
      yield* save(cookie, "q=ada%40example.com", "By address")
      yield* save(cookie, "decision=hold", "About Ada")
      yield* save(cookie, "q=postgres", "Others")
      yield* (yield* People).erase(operator(organization.id), subject.candidate_id)
      assert.deepStrictEqual([...(yield* viewsIn(cookie)).views.keys()], ["Others"])
    }),
  )
})
