/** Every route of the workspace with invalid input: no 500 and no logged error (test/support/Walk.ts). */
import { assert, layer } from "@effect/vitest"
import { Effect, Equal } from "effect"
import { furnished, pathOf, valuesOf } from "../support/Furnished.ts"
import * as Tables from "../support/Tables.ts"
import { partOf } from "../support/thorough.ts"
import { type Asking, all, closed, fieldsFor, formOf, stage, visit, World } from "../support/Walk.ts"

layer(stage, { timeout: "120 seconds", excludeTestServices: true })("every route of the workspace", (it) => {
  it.effect("answers unknown paths and methods", () =>
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
      for (const [turn, { method, path }] of (yield* all).entries()) {
        const values = { token: "x", ...valuesOf(path, own.ids) }
        const sent = method === "GET" ? {} : formOf(fieldsFor(own))
        for (const name of [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)) {
          for (const value of partOf(named, turn)) {
            const to = pathOf(path, { ...values, [name]: value })
            const { answer, first, told } = yield* visit(faults, method, to, { ...sent, cookie }, false)
            if (![400, 404, 422].includes(answer.status) && first === null) faults.push(told)
          }
        }
        for (const other of partOf(["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"], turn)) {
          const { answer, told } = yield* visit(faults, other, pathOf(path, values), { cookie })
          if (![404, 405].includes(answer.status)) faults.push(told)
        }
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(yield* Tables.writes, before)
    }),
  )

  it.effect("accepts valid forms", () =>
    Effect.gen(function* () {
      // its own organization, because it removes records that other tests need
      const spare = yield* furnished((what) => `A spare ${what} in words`)
      const idle: Array<string> = []
      const faults: Array<string> = []
      // /sample/remove is for the sample organization only: test/sample/Samples.test.ts
      const forms = (yield* closed).filter(({ method, path }) => method === "POST" && path !== "/sample/remove")
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
      assert.isAtMost(idle.length, forms.length / 2, idle.join("\n"))
    }),
  )

  it.effect("answers any query", () =>
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
      for (const [turn, { method, path }] of (yield* all).entries()) {
        if (method !== "GET") continue
        const to = pathOf(path, { token: "x", ...valuesOf(path, own.ids) })
        if (path.includes(":") && (yield* visit(faults, "GET", to, { cookie }, false)).first !== null) continue
        const look = Effect.fnUntraced(function* (query: string, expected: ReadonlyArray<number>) {
          const { answer, text, told } = yield* visit(faults, "GET", `${to}?${query}`, { cookie })
          if (/function |\[object|native code/.test(text)) faults.push(`${told} shows what it is made of`)
          if (!expected.includes(answer.status)) faults.push(told)
        })
        const usual = /:token|callback|continue|setup|sign-out|sign-in\/(code|passkey)/.test(path)
          ? [200, 303, 404, 422, 429]
          : path === "/interview-sets/new"
            ? [200, 404]
            : [200]
        for (const value of partOf(values, turn)) yield* look(names.map((name) => `${name}=${value}`).join("&"), usual)
        for (const end of partOf(ends, turn))
          for (const order of ["newest", "best"]) yield* look(`order=${order}&cursor=${end}`, usual)
        for (const set of ["x", id, "%00"]) yield* look(`set=${set}`, [...usual, 404])
      }
      assert.deepStrictEqual(faults, [])
    }),
  )

  it.effect("answers any form", () =>
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
      ]
      for (const [turn, { method, path }] of (yield* all).entries()) {
        if (method === "GET") continue
        const to = pathOf(path, { token: "x", ...valuesOf(path, own.ids) })
        for (const body of [...partOf(bodies, turn), last]) {
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
