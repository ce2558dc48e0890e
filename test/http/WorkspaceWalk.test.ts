/**
 * Every route of the workspace, asked by whoever should not be answered and with whatever should not be sent. The routes
 * are those that the router was told of: one that is added tomorrow is walked tomorrow, and a route whose parameters nobody
 * here can fill makes it fail.
 */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Equal, Layer } from "effect"
import * as App from "../../src/App.ts"
import * as Api from "../support/Api.ts"
import { type Furnished, furnished, pathOf, valuesOf } from "../support/Furnished.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { type Route, Routes, recorded } from "../support/Routes.ts"
import * as Tables from "../support/Tables.ts"

/** Stands in everything that is theirs and nobody else may read. */
const mark = "Quillfeather"

class World extends Context.Service<World, { readonly own: Furnished; readonly theirs: Furnished }>()(
  "interview-invitations/test/World",
) {
  static readonly layer = Layer.effect(
    World,
    Effect.all({
      own: furnished((what) => `Our ${what} in words`),
      theirs: furnished((what) => `${mark}'s ${what} in words`),
    }),
  )
}

const stage = World.layer.pipe(
  Layer.provideMerge(Api.Server.layer),
  Layer.provide(App.serve(recorded(Layer.merge(App.api, App.pages)))),
  Layer.provideMerge(Routes.layer),
  Layer.provideMerge(Pod.layer({ settings: { ...Members.settings, MAX_BODY: "100 KiB" } })),
)

/** Not of the workspace: the API and its documentation, candidates' pages and links, what pages load, health checks. */
const others = /^\/(company|docs|openapi|health|providers|assets|i\/(?!preview\/)|o\/|c\/|unsubscribe)/

/** Asked by those who are not signed in. */
const open = /^\/(sign-(in|out)|setup|forgot-password|password\/)/

/** What a recruiter may ask for whom no access list names; each shows or changes nothing but their own. */
const everybody = new Set([
  "GET /submissions",
  "GET /submissions.csv",
  "GET /invitations",
  "GET /interview-sets",
  "GET /interview-sets/new",
  "POST /interview-sets",
])
const isForEverybody = ({ method, path }: Route) =>
  everybody.has(`${method} ${path}`) || path === "/account" || path.startsWith("/account/")

const all = Effect.map(Routes, ({ all }) => {
  const seen = new Map(all.map((route) => [`${route.method} ${route.path}`, route]))
  const routes = [...seen.values()].filter(({ path }) => !others.test(path))
  // what takes records away comes last, so that the others meet them
  const rank = ({ path }: Route) => (/\/(delete|remove|erase|end|end-others)$/.test(path) ? 1 : 0)
  return routes.toSorted((a, b) => rank(a) - rank(b))
})
const closed = Effect.map(all, (routes) => routes.filter(({ path }) => !open.test(path)))

/** All fields of all forms, each with a value that would do something. */
const fieldsFor = ({ ids }: Furnished): Record<string, string> => ({
  id: randomUUID(),
  name: "A name",
  title: "A title",
  [`title-${ids.post}`]: "A title",
  description: "A description",
  email: `${randomUUID().slice(0, 8)}@example.com`,
  role: "owner",
  access: "all",
  scopes: "read",
  status: "inactive",
  events: "interview.status.update",
  url: "https://receiver.example/other",
  confirm: "erase",
  score: "5",
  reason: "Because the answers say so.",
  evaluation_type: "interview",
  until: "2099-01-01T00:00",
  factor: "2",
  event: "interview.status.update.started",
  endpoint: ids.endpoint,
  header: "t=1,v1=00",
  body: "{}",
  contact: "help@example.com",
  privacy_contact: "privacy@example.com",
  current: "not the password",
  password: "a new and long password",
  organization: "An organization",
  code: "a code",
  session: "A".repeat(43),
  parked: "send",
  since: "24h",
  parts: "about",
  part: "about",
  position: "A role",
  set_type: "1",
  "c.0.name": "Cy",
  "c.0.email": "cy@example.com",
  "c.0.cv": "",
  table: "",
  message: "Welcome, dear candidate.",
  send: "mails",
  question: ids.question,
  go: "next",
  from: ids.set,
  next: "/submissions",
})

interface Asking extends Api.Sent {
  readonly cookie?: string | undefined
}

/** As a page of this service asks, unless headers say otherwise. */
const ask = (method: string, path: string, { cookie, headers, raw }: Asking = {}) =>
  Api.call(method, path, {
    raw,
    headers: {
      accept: "text/html",
      "x-forwarded-for": "203.0.113.250",
      ...(method === "GET" ? {} : { origin: "http://localhost:8080" }),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
  })

const formOf = (fields: Record<string, string>): Pick<Api.Sent, "raw" | "headers"> => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
})

const textOf = ({ body }: Api.Answer) => (typeof body === "string" ? body : JSON.stringify(body ?? ""))

/** What is wrong with an answer, whatever was asked: a fault of ours, a page without its headers, a way out of this site. */
const faultsOf = (answer: Api.Answer): ReadonlyArray<string> => {
  const header = (name: string) => answer.headers.get(name) ?? ""
  const type = header("content-type")
  const isPage = type.startsWith("text/html")
  const policy = header("content-security-policy")
  const wanted = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]
  const rules: ReadonlyArray<readonly [string, boolean]> = [
    [`a fault of ours: ${textOf(answer).slice(0, 200)}`, answer.status < 500],
    ["its policy", !isPage || (wanted.every((part) => policy.includes(part)) && !/unsafe|\*|https?:/.test(policy))],
    ["its referrer policy", !isPage || header("referrer-policy") === "same-origin"],
    ["nosniff", (answer.status >= 300 && !isPage) || header("x-content-type-options") === "nosniff"],
    [
      "a file that is shown",
      answer.status >= 300 || isPage || header("content-disposition").startsWith("attachment; "),
    ],
    ["it may be kept", (answer.status >= 400 && !isPage) || header("cache-control") === "no-store"],
    ["it leads away", header("location") === "" || /^\/(?![/\\])/.test(header("location"))],
  ]
  return rules.flatMap(([fault, holds]) => (holds ? [] : [fault]))
}

/** Asks, and follows where it leads as a browser does; notes in `faults` what is wrong on the way. */
const visit = Effect.fnUntraced(function* (
  faults: Array<string>,
  method: string,
  path: string,
  asking: Asking = {},
  follows = true,
) {
  const what = `${method} ${path.slice(0, 200)} ${String(asking.raw ?? "").slice(0, 200)}`
  let answer = yield* ask(method, path, asking)
  faults.push(...faultsOf(answer).map((fault) => `${what} ${answer.status}: ${fault}`))
  const first = answer.headers.get("location")
  for (let to = first, i = 0; follows && to !== null && !to.startsWith("/sign-in") && i < 3; i++) {
    answer = yield* ask("GET", to, { cookie: asking.cookie })
    faults.push(...faultsOf(answer).map((fault) => `${what}, then ${to}: ${answer.status} ${fault}`))
    to = answer.headers.get("location")
  }
  return { answer, told: `${what} ${answer.status} ${first ?? ""}`, first, text: textOf(answer) }
})

layer(stage, { timeout: "120 seconds" })("the workspace, route by route,", (it) => {
  it.effect("is known: its routes are found, and each parameter can be filled", () =>
    Effect.gen(function* () {
      const routes = yield* closed
      const { own } = yield* World
      assert.isAbove(routes.length, 100)
      for (const { path } of routes) pathOf(path, valuesOf(path, own.ids))
      const paths = routes.map(({ path }) => path)
      assert.includeMembers(paths, ["/submissions", "/account", "/settings/audit", "/i/preview/:id"])
    }),
  )

  it.effect("asks for a sign-in, and does nothing before", () =>
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

  it.effect("takes no form from a page of another site, nor one that does not say where it is from", () =>
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
        }
      }
      assert.deepStrictEqual(yield* Tables.writes, before)
    }),
  )

  it.effect("refuses a recruiter what no access list gives them", () =>
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
        // what everybody reads: whose workspace it is, who they are, and which projects a set may belong to
        const rest = text.replaceAll(new RegExp(`${mark}(&#39;|')s (organization|member|project) in words`, "g"), "")
        if (rest.includes(mark)) faults.push(`${told} shows ${rest.slice(rest.indexOf(mark), rest.indexOf(mark) + 60)}`)
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.rowsOf(theirs.organization), before)
    }),
  )

  it.effect("knows no record of another organization", () =>
    Effect.gen(function* () {
      const { own, theirs } = yield* World
      const { cookie } = own.owner
      const faults: Array<string> = []
      const before = yield* Tables.rowsOf(theirs.organization)
      for (const { method, path } of yield* closed) {
        if (!path.includes(":")) continue
        // the parent is one's own, the record below it is not
        const mixed = { ...valuesOf(path, theirs.ids), id: valuesOf(path, own.ids)["id"] ?? "" }
        const isBelow = /:(post|delivery|question)/.test(path)
        for (const values of [valuesOf(path, theirs.ids), ...(isBelow ? [mixed] : [])]) {
          const sent = method === "GET" ? {} : formOf(fieldsFor(theirs))
          const { answer, first, text, told } = yield* visit(faults, method, pathOf(path, values), { ...sent, cookie })
          // a step on what is below leads to one's own parent; what was removed before is told on the list
          const isToOwn = method === "GET" && first !== null && values === mixed && answer.status === 200
          if (answer.status !== 404 && !first?.endsWith("?done=gone") && !isToOwn) faults.push(told)
          if (text.includes(mark)) faults.push(`${told} shows theirs`)
        }
      }
      // what names records elsewhere than in the path
      for (const { method, path } of yield* closed) {
        if (path.includes(":") || method !== "GET") continue
        if ((yield* visit(faults, "GET", path, { cookie }, false)).first !== null) continue
        for (const value of [...Object.values(theirs.ids), mark]) {
          const others = ["project", "endpoint", "who", "record", "q"].map((name) => `${name}=${value}`).join("&")
          for (const query of [`set=${value}`, `from=${value}`, others]) {
            const { text, told } = yield* visit(faults, "GET", `${path}?${query}`, { cookie })
            if (text.includes(`${mark}&#39;s`)) faults.push(`${told} shows theirs`)
          }
        }
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.rowsOf(theirs.organization), before)
    }),
  )

  it.effect("has an answer to paths that name nothing, and to methods that it does not take", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const { cookie } = own.owner
      const faults: Array<string> = []
      const before = yield* Tables.writes
      const named = [
        ...["x", "0", "-1", "99999999999999999999", "1e9", "2147483648", "%00", "a%00b", "%0d%0aset-cookie:%20a=b"],
        ...["%ff", "%c0%ae", "%ed%a0%80", "%zz", "%", "..%2f..%2f", "%2f%2fevil.example", "%5c%5cevil.example", "%25"],
        ...["constructor", "__proto__", "00000000-0000-0000-0000-000000000000", "'--", "%E2%80%AE", "a".repeat(99)],
        ...["a".repeat(10_000), `00000000-0000-0000-0000-000000000000%00`],
      ]
      for (const { method, path } of yield* all) {
        const values = { token: "x", ...valuesOf(path, own.ids) }
        const sent = method === "GET" ? {} : formOf(fieldsFor(own))
        for (const name of [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)) {
          for (const value of named) {
            const to = pathOf(path, { ...values, [name]: value })
            const { answer, first, told } = yield* visit(faults, method, to, { ...sent, cookie }, false)
            if (![400, 404, 422].includes(answer.status) && first === null) faults.push(told)
          }
        }
        for (const other of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
          const { answer, told } = yield* visit(faults, other, pathOf(path, values), { cookie })
          if (![404, 405].includes(answer.status)) faults.push(told)
        }
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.writes, before)
    }),
  )

  it.effect("does what these forms say for whoever may send them", () =>
    Effect.gen(function* () {
      // one of its own: the other tests need what this one takes away
      const spare = yield* furnished((what) => `A spare ${what} in words`)
      const idle: Array<string> = []
      const faults: Array<string> = []
      const forms = (yield* closed).filter(({ method }) => method === "POST")
      for (const { method, path } of forms) {
        const before = yield* Tables.writes
        const to = pathOf(path, valuesOf(path, spare.ids))
        const { answer, told } = yield* visit(faults, method, to, {
          ...formOf(fieldsFor(spare)),
          cookie: spare.owner.cookie,
        })
        if ([403, 404].includes(answer.status)) faults.push(told)
        if (Equal.equals(before, yield* Tables.writes)) idle.push(path)
      }
      assert.deepStrictEqual(faults, [])
      assert.isBelow(idle.length, forms.length / 2, idle.join("\n"))
    }),
  )

  it.effect("has an answer to every query", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const { cookie } = own.owner
      const faults: Array<string> = []
      const names = [
        ...["done", "count", "page", "order", "status", "score", "q", "state", "from", "to", "type", "who", "record"],
        ...["before", "since", "event", "endpoint", "attempt", "evaluation", "part", "project", "review", "next"],
      ]
      const values = [
        ...[
          "",
          "constructor",
          "__proto__",
          "%00",
          "a%00b",
          "%ff",
          "%ed%a0%80",
          "%zz",
          "99999999999999999999",
          "-1",
          "1e400",
        ],
        ...["0000-01-01", "0000-01-01T00:00", "9999-12-31", "9999-12-31T23:59", "2026-02-31", "999999999999999999"],
        ...[
          "'%22--",
          "%F0%9F%98%80".repeat(20),
          "a".repeat(300),
          "%26%7C!()*:<->%5C'",
          "%2F%09/evil.example",
          "//evil.example",
        ],
      ]
      const id = "00000000-0000-0000-0000-000000000000"
      const cursors = ["9999-12-31T23:59:59.999999Z", "0000-01-01T00:00:00.000000Z", "0001-01-01T00:00:00.000000Z"].map(
        (at) => Buffer.from(`${at} ${id}`).toString("base64url"),
      )
      const ends = [...cursors, `99.9~${id}`, `0~${id}`, "a", "%00", "constructor", "a".repeat(7000)]
      for (const { method, path } of yield* all) {
        if (method !== "GET") continue
        const to = pathOf(path, { token: "x", ...valuesOf(path, own.ids) })
        if (path.includes(":") && (yield* visit(faults, "GET", to, { cookie }, false)).first !== null) continue
        const look = Effect.fnUntraced(function* (query: string, expected: ReadonlyArray<number>) {
          const { answer, text, told } = yield* visit(faults, "GET", `${to}?${query}`, { cookie })
          if (/function |\[object|native code/.test(text)) faults.push(`${told} shows what it is made of`)
          if (!expected.includes(answer.status)) faults.push(told)
        })
        const usual = /:token|callback|continue|setup|sign-out/.test(path)
          ? [200, 303, 404, 422, 429]
          : path === "/interview-sets/new"
            ? [200, 404]
            : [200]
        for (const value of values) yield* look(names.map((name) => `${name}=${value}`).join("&"), usual)
        for (const end of ends)
          for (const order of ["newest", "best"]) yield* look(`order=${order}&cursor=${end}`, usual)
        for (const set of ["x", id, "%00"]) yield* look(`set=${set}`, [...usual, 404])
      }
      assert.deepStrictEqual(faults, [])
    }),
  )

  it.effect("has an answer to every form", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const { cookie } = own.owner
      const faults: Array<string> = []
      const type = (value: string, raw: string | Uint8Array<ArrayBuffer>): Asking => ({
        raw,
        headers: { "content-type": value },
      })
      const form = "application/x-www-form-urlencoded"
      const usual = fieldsFor(own)
      const last = formOf(usual)
      const spoiled = (value: (old: string) => string): Asking =>
        formOf(
          Object.fromEntries(
            Object.entries(fieldsFor(own)).map(([name, old]) => [name, name === "id" ? old : value(old)]),
          ),
        )
      const bodies: ReadonlyArray<Asking> = [
        type(form, ""),
        type(form, "=&&&===&%"),
        type(form, "a".repeat(200_000)),
        type(
          form,
          Object.keys(usual)
            .map((name) => `${name}=%ff%00%ed%a0%80%zz`)
            .join("&"),
        ),
        type(
          form,
          new Uint8Array(
            Buffer.concat([Buffer.from("name="), Buffer.from([0xff, 0xfe, 0, 0xc0, 0xae]), Buffer.from("&title=x")]),
          ),
        ),
        type(form, Array.from({ length: 3 }, () => new URLSearchParams(usual).toString()).join("&")),
        type(form, Array.from({ length: 9000 }, (_, i) => `a${i}=`).join("&")),
        type(form, Array.from({ length: 3000 }, () => "events=a&scopes=b&q.0.title=c").join("&")),
        type(
          form,
          "__proto__=a&constructor=b&q.__proto__.title=c&q.0.__proto__=d&c.0.__proto__=e&do=__proto__&parts=constructor",
        ),
        type("application/json", JSON.stringify(usual)),
        type("text/plain", "name=x"),
        type(
          "multipart/form-data; boundary=x",
          '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--x--\r\n',
        ),
        type("multipart/form-data", "x"),
        spoiled((old) => `\0${old}\0`),
        spoiled((old) => `${old}\uFFFE\u202E`),
        spoiled(() => "constructor"),
        spoiled(() => "__proto__"),
        spoiled(() => "99999999999999999999"),
        spoiled(() => "-1"),
        spoiled(() => "1e400"),
        spoiled(() => "+275760-09-13T00:00:00.000Z"),
        spoiled(() => "0000-01-01T00:00"),
        spoiled(() => "x".repeat(700)),
        { ...formOf({ ...usual, name: "x".repeat(60_000) }) },
        {
          ...formOf({
            ...usual,
            reason: "\u{1F600}".repeat(6_000),
            message: "x\n".repeat(6000),
            body: "\0".repeat(9000),
          }),
        },
        ...["add q", "q.add", "up.q.0", "down.q.9999999", "remove.q.-1", "constructor", "add", "up q 1e9"].map(
          (press) => formOf({ ...usual, do: press }),
        ),
        last,
      ]
      for (const { method, path } of yield* all) {
        if (method === "GET") continue
        const to = pathOf(path, { token: "x", ...valuesOf(path, own.ids) })
        for (const body of bodies) {
          const asking = { ...body, cookie: path === "/sign-out" ? undefined : cookie }
          yield* visit(faults, method, to, asking, body.raw === last.raw)
        }
      }
      for (const path of ["/sign-in", "/account/name", "/settings/members", "/projects", "/interview-sets"]) {
        const { answer } = yield* visit(faults, "POST", path, { ...type(form, "a".repeat(200_000)), cookie })
        assert.strictEqual(answer.status, 413, path)
      }
      assert.deepStrictEqual(faults, [])
    }),
  )
})
