/**
 * Access to every route of the workspace. Takes the routes from the router, and fails for a new route whose parameters it
 * has no values for.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Api from "../support/Api.ts"
import { pathOf, valuesOf } from "../support/Furnished.ts"
import type { Route } from "../support/Routes.ts"
import * as Tables from "../support/Tables.ts"
import { testMail } from "../support/TestMail.ts"
import { all, closed, fieldsFor, formOf, mark, stage, visit, World } from "../support/Walk.ts"

/** The routes open to a recruiter who is on no access list. */
const openToAll = new Set([
  "GET /home",
  "GET /accommodations",
  "GET /accommodations/answer",
  // those of sets that the recruiter may not see are refused: test/interviews/Accommodations.test.ts
  "POST /accommodations/answer",
  "GET /person-reviews",
  "GET /person-reviews/answer",
  // those of sets that the recruiter may not see are refused: test/person-reviews/PersonReviews.test.ts
  "POST /person-reviews/answer",
  "GET /submissions",
  "GET /submissions.csv",
  "GET /submissions.xlsx",
  "GET /submissions/assigned",
  "GET /submissions/compare",
  // only of rows that the recruiter sees: test/reviews/SelectedSubmissions.test.ts
  "POST /submissions/compare",
  ...["assign", "decide", "undo", "write", "move", "tag", "resend", "export"].flatMap((name) => [
    `GET /submissions/${name}`,
    `POST /submissions/${name}`,
  ]),
  "GET /submissions/columns",
  "POST /submissions/columns",
  "GET /submissions/views",
  "POST /submissions/views",
  // shared views, of which the recruiter sees no rows of other sets: test/reviews/SavedViews.test.ts
  "GET /submissions/views/:id",
  "GET /submissions/views/:id/delete",
  "GET /invitations",
  "GET /interview-sets",
  "GET /interview-sets/new",
  "GET /interview-sets/templates",
  "POST /interview-sets",
  // the member's own drafts; those of a set that the member may not see are refused: test/interview-sets/SetDrafts.test.ts
  "GET /interview-sets/drafts",
  "POST /interview-sets/drafts",
  "GET /interview-sets/drafts/delete",
  "POST /interview-sets/drafts/delete",
  "GET /message-templates",
  "POST /message-templates",
  "GET /message-templates/new",
  "GET /message-templates/:id",
  // in live mode, they lead to the page of test mode: test/test-mode/TestMode.test.ts
  ...["", "/enter", "/leave"].map((path) => `GET /test-mode${path}`),
  "POST /test-mode/enter",
  "POST /test-mode/leave",
  "GET /i/preview/draft",
  "POST /i/preview/draft",
])
const isForEverybody = ({ method, path }: Route) =>
  openToAll.has(`${method} ${path}`) || path === "/account" || path.startsWith("/account/")

/** Of a submission only when it is assigned to the reviewer. */
const openToReviewers = new Set([
  "/home",
  "/submissions/assigned",
  "/submissions/:id",
  "/submissions/:id/cv",
  "/submissions/:id/files/:attempt/:question",
  "/submissions/:id/recordings/:recording",
  "/submissions/:id/recordings/:recording/captions",
  "/submissions/:id/review",
  "/submissions/:id/review/draft",
  "/test-mode/leave",
])
const isOfAccount = (path: string) =>
  path === "/account" || (path.startsWith("/account/") && path !== "/account/show-scores")

layer(stage, { timeout: "120 seconds" })("every workspace route", (it) => {
  it.effect("has values for its parameters", () =>
    Effect.gen(function* () {
      const routes = yield* closed
      const { own } = yield* World
      assert.isAbove(routes.length, 100)
      for (const { path } of routes) pathOf(path, valuesOf(path, own.ids))
      const paths = routes.map(({ path }) => path)
      assert.includeMembers(paths, ["/submissions", "/account", "/settings/audit", "/i/preview/:id"])
    }),
  )

  it.effect("shows every page to an owner", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const { cookie } = own.owner
      const faults: Array<string> = []
      const before = yield* Tables.rowsOf(own.organization)
      for (const { method, path } of yield* closed) {
        if (method !== "GET") continue
        const { answer, told } = yield* visit(faults, method, pathOf(path, valuesOf(path, own.ids)), { cookie })
        if (answer.status !== 200) faults.push(told)
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.rowsOf(own.organization), before)
    }),
  )

  it.effect("requires sign-in and changes nothing without it", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const faults: Array<string> = []
      const before = yield* Tables.writes
      const cookies = [undefined, "session=", `session=${"A".repeat(43)}`, "session=%00", `session=${"A".repeat(9000)}`]
      for (const { method, path } of yield* closed) {
        const to = pathOf(path, valuesOf(path, own.ids))
        for (const cookie of cookies) {
          const sent = method === "GET" ? {} : formOf(fieldsFor(own))
          const { answer, first, told } = yield* visit(faults, method, to, { ...sent, cookie }, false)
          if (answer.status !== 303 || !/^\/sign-in(\?next=|$)/.test(first ?? "")) faults.push(told)
        }
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.writes, before)
    }),
  )

  it.effect("refuses forms from another site or without an origin", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const ways: ReadonlyArray<Record<string, string>> = [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "http://localhost:8081" },
        { origin: "http://localhost:8080.evil.example" },
        { origin: "http://localhost:8080", "sec-fetch-site": "cross-site" },
        { origin: "http://localhost:8080", "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        {},
      ]
      const before = yield* Tables.writes
      for (const { method, path } of yield* all) {
        if (method === "GET") continue
        const to = pathOf(path, { token: "x", ...valuesOf(path, own.ids) })
        const { headers, raw } = formOf(fieldsFor(own))
        for (const way of ways) {
          const sent = { ...headers, accept: "text/html", cookie: own.owner.cookie, ...way }
          const answer = yield* Api.call(method, to, { raw, headers: sent })
          assert.strictEqual(answer.status, 403, `${method} ${to} ${JSON.stringify(way)}`)
          assert.isEmpty(answer.headers.getSetCookie())
        }
      }
      assert.deepStrictEqual(yield* Tables.writes, before)
    }),
  )

  it.effect("refuses records to a recruiter who is on no access list", () =>
    Effect.gen(function* () {
      const { theirs } = yield* World
      const { cookie } = theirs.stranger
      const faults: Array<string> = []
      const before = yield* Tables.rowsOf(theirs.organization)
      for (const route of yield* closed) {
        const { method, path } = route
        if (isForEverybody(route) && method === "POST") continue
        const sent = method === "GET" ? {} : formOf(fieldsFor(theirs))
        const to = pathOf(path, valuesOf(path, theirs.ids))
        const { answer, text, told } = yield* visit(faults, method, to, { ...sent, cookie })
        if (answer.status !== (isForEverybody(route) ? 200 : 403)) faults.push(told)
        // every member sees the organization, their own address, the projects of sets, stages, tags, templates and shared views
        const rest = text.replaceAll(
          new RegExp(
            `${mark}(&#39;|')s (organization|member|project|stage|tag|template|template text|view)( in words|…)`,
            "g",
          ),
          "",
        )
        if (rest.includes(mark)) faults.push(`${told} shows ${rest.slice(rest.indexOf(mark), rest.indexOf(mark) + 60)}`)
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.rowsOf(theirs.organization), before)
    }),
  )

  it.effect("opens only what is assigned to a reviewer, and refuses every other page and form", () =>
    Effect.gen(function* () {
      const { theirs } = yield* World
      const { cookie } = theirs.reviewer
      const faults: Array<string> = []
      const before = yield* Tables.rowsOf(theirs.organization)
      for (const { method, path } of yield* closed) {
        const isOpen = openToReviewers.has(path) || isOfAccount(path)
        if (isOpen && method === "POST") continue
        const sent = method === "GET" ? {} : formOf({ ...fieldsFor(theirs), selected: `${theirs.ids.submission}:1` })
        const to = pathOf(path, valuesOf(path, theirs.ids))
        const { answer, told } = yield* visit(faults, method, to, { ...sent, cookie })
        if (answer.status !== (isOpen ? 200 : 403)) faults.push(told)
        if (!path.startsWith("/submissions/:id")) continue
        const others = pathOf(path, { ...valuesOf(path, theirs.ids), id: theirs.unassigned })
        const unassigned = yield* visit(faults, method, others, { ...sent, cookie })
        if (unassigned.answer.status !== 403) faults.push(unassigned.told)
        if (unassigned.text.includes(`${mark}&#39;s candidate`)) faults.push(`${unassigned.told} names the candidate`)
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.rowsOf(theirs.organization), before)
    }),
  )

  it.effect("shows an email of test mode only to owners and admins of its organization, in test mode", () =>
    Effect.gen(function* () {
      const { own, theirs } = yield* World
      const inTest = yield* testMail(own.organization, own.owner.email, (what) => `Our ${what} in words`)
      const others = yield* testMail(theirs.organization, theirs.owner.email, (what) => `Their ${what}`)
      const faults: Array<string> = []
      const href = `/test-mode/mail/${inTest.id}`
      const cases = [
        ["/test-mode", inTest.cookie, 200, true],
        [href, inTest.cookie, 200, true],
        [href, others.cookie, 404, false],
        [href, own.owner.cookie, 404, false],
        [href, own.stranger.cookie, 404, false],
        [href, own.reviewer.cookie, 403, false],
        [`${href}/links/0`, inTest.cookie, 404, false],
        [`${href}/links/0`, others.cookie, 404, false],
        ...["..%2Fx", "%00", "%E2%80%AE", "a%20b", "A".repeat(65)].map(
          (id) => [`/test-mode/mail/${id}`, inTest.cookie, 404, false] as const,
        ),
      ] as const
      for (const [path, cookie, status, shows] of cases) {
        const { answer, text, told } = yield* visit(faults, "GET", path, { cookie })
        if (answer.status !== status || text.includes("subject in words") !== shows) faults.push(told)
      }
      const { first } = yield* visit(faults, "GET", href)
      assert.match(first ?? "", /^\/sign-in/)
      assert.deepStrictEqual(faults, [])
    }),
  )

  it.effect("returns 404 for malformed path parameters", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const { cookie } = own.owner
      const faults: Array<string> = []
      for (const { method, path } of yield* closed) {
        if (!path.includes(":")) continue
        for (const value of ["..%2Fx", "%00", "%E2%80%AE", "a%20b", "A".repeat(65)]) {
          const sent = method === "GET" ? {} : formOf(fieldsFor(own))
          const { answer, told } = yield* visit(faults, method, path.replaceAll(/:\w+/g, value), { ...sent, cookie })
          if (answer.status !== 404) faults.push(told)
        }
      }
      assert.deepStrictEqual(faults, [])
    }),
  )

  it.effect("returns 404 for records of another organization", () =>
    Effect.gen(function* () {
      const { own, theirs } = yield* World
      const { cookie } = own.owner
      const faults: Array<string> = []
      const before = yield* Tables.rowsOf(theirs.organization)
      for (const { method, path } of yield* closed) {
        if (!path.includes(":")) continue
        // own parent, foreign child
        const mixed = { ...valuesOf(path, theirs.ids), id: valuesOf(path, own.ids)["id"] ?? "" }
        const isBelow = /:(post|delivery|question)/.test(path)
        for (const values of [valuesOf(path, theirs.ids), ...(isBelow ? [mixed] : [])]) {
          const sent = method === "GET" ? {} : formOf(fieldsFor(theirs))
          const { answer, first, text, told } = yield* visit(faults, method, pathOf(path, values), { ...sent, cookie })
          // a step on a child redirects to the own parent, or to the list when it was removed
          const isToOwn = method === "GET" && first !== null && values === mixed && answer.status === 200
          if (answer.status !== 404 && !first?.endsWith("?done=gone") && !isToOwn) faults.push(told)
          if (text.includes(mark)) faults.push(`${told} shows theirs`)
        }
      }
      // ids in queries
      for (const { method, path } of yield* closed) {
        if (path.includes(":") || method !== "GET") continue
        if ((yield* visit(faults, "GET", path, { cookie }, false)).first !== null) continue
        for (const value of [...Object.values(theirs.ids), mark]) {
          const others = ["project", "endpoint", "who", "record", "q"].map((name) => `${name}=${value}`).join("&")
          const isOfSet = value === theirs.ids.set || value === mark
          for (const query of isOfSet ? [`set=${value}`, `from=${value}`, others] : [others]) {
            const { text, told } = yield* visit(faults, "GET", `${path}?${query}`, { cookie })
            if (text.includes(`${mark}&#39;s`)) faults.push(`${told} shows theirs`)
          }
        }
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.rowsOf(theirs.organization), before)
    }),
  )
})
