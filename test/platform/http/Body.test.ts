/** Bodies with common mistakes: too large, too deep, in another coding, with special keys. */
import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { maxFieldErrors } from "../../../src/values/ValidationErrors.ts"
import * as Api from "../../support/Api.ts"
import * as Contract from "../../support/Contract.ts"

const { createSet } = Api.paths
const body = '{"title":"x"}'
const mebibytes = 2 ** 21

const requirement = (attributes: string) => `{"title":"x","iai_requirements":[{"attributes":${attributes}}]}`

layer(Api.layer({ settings: { RATE_LIMIT: "0" } }), { excludeTestServices: true })("Body", (it) => {
  /** Sends a body; bytes have no Content-Type by default. */
  const post = Effect.fnUntraced(function* (
    raw: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) {
    const { key } = yield* Api.account
    return yield* Api.call("POST", createSet, { key, raw, headers })
  })
  const json = { "content-type": "application/json" }

  const created = Effect.fnUntraced(function* (raw: string | Uint8Array<ArrayBuffer>, headers = json) {
    const answer = yield* post(raw, headers)
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    return (answer.body as { readonly results: Api.Row }).results
  })

  /** The validation errors of a refused body. */
  const errorsOf = Effect.fnUntraced(function* (raw: string) {
    return Contract.problem(yield* post(raw, json), 422, "validation_failed").errors ?? []
  })

  it.effect("uses the last value of a duplicate key", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* created('{"title":1,"position":"a","title":"x","position":"b"}'), {
        title: "x",
        position: "b",
      })
      assert.deepInclude(yield* created('{"title":"x","position":"a","position":null}'), { position: null })
    }),
  )

  it.effect("treats __proto__ and the like as ordinary keys", () =>
    Effect.gen(function* () {
      const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"":[]}'
      const set = yield* created(requirement(`{"a":${text},${text.slice(1)}`))
      const [kept] = set["iai_requirements"] as ReadonlyArray<Api.Row>
      assert.deepStrictEqual(kept?.["attributes"], JSON.parse(`{"a":${text},${text.slice(1)}`))
      assert.include(Object.keys(kept?.["attributes"] as object), "__proto__")
      const top = `{"__proto__":{"title":"no","polluted":true},"constructor":{"title":"no"},"title":"x","toString":1}`
      assert.deepInclude(yield* created(top), { title: "x", position: null })
      assert.notProperty({}, "polluted")
      assert.deepInclude(yield* errorsOf('{"__proto__":{"title":"x"}}'), {
        pointer: "#/title",
        code: "required",
        message: "is required",
      })
    }),
  )

  it.effect("ends a pointer before a key that it cannot contain", () =>
    Effect.gen(function* () {
      const at = "#/iai_requirements/0/attributes"
      for (const [attributes, pointers] of [
        ['{"\\ud800":1e400}', [at]],
        ['{"a":{"\\udfff":"\\u0000"}}', [`${at}/a`]],
        ['{"a/b~c %":"\\ud800"}', [`${at}/a~1b~0c%20%25`]],
        ['{"\\u0000":1}', [at]],
        // a response does not contain megabytes of keys
        [`{"a":{"${"k".repeat(100_000)}":"\\u0000"}}`, [`${at}/a`]],
      ] as const) {
        const errors = yield* errorsOf(requirement(attributes))
        assert.sameOrderedMembers(
          errors.map(({ pointer }) => pointer),
          [...pointers],
        )
      }
    }),
  )

  it.effect("refuses JSON that is too deep or has too many values before decoding", () =>
    Effect.gen(function* () {
      const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
      const tooLarge = (what: string) => [
        { pointer: "#", code: "too_large" as const, message: `must have at most ${what}` },
      ]
      for (const levels of [5_000, 100_000]) {
        assert.deepStrictEqual(yield* errorsOf(nested(levels)), tooLarge("64 levels"))
        assert.deepStrictEqual(yield* errorsOf(requirement(`{"a":${nested(levels)}}`)), tooLarge("64 levels"))
      }
      const many = `{"title":"x","iai_questions":[${"[],".repeat(690_000)}[]]}`
      assert.isAbove(many.length, 2_000_000)
      assert.deepStrictEqual(yield* errorsOf(many), tooLarge("20000 values"))
      const list = (length: number) => requirement(`{"a":[${"1,".repeat(length - 1)}1]}`)
      assert.deepStrictEqual(yield* errorsOf(list(20_000)), tooLarge("20000 values"))
      yield* created(list(19_000))
      const items = (length: number) => `{"title":"x","iai_questions":[${"{},".repeat(length - 1)}{}]}`
      assert.lengthOf(yield* errorsOf(items(500)), maxFieldErrors)
    }),
  )

  it.effect("accepts a body of exactly MAX_BODY bytes", () =>
    Effect.gen(function* () {
      const text = (bytes: number) => `{"title":"x","description":"${"x".repeat(bytes - 30)}"}`
      assert.lengthOf(text(mebibytes), mebibytes)
      const set = yield* created(text(mebibytes))
      assert.strictEqual(String(set["description"]).length, mebibytes - 30)
      Contract.problem(yield* post(text(mebibytes + 1), json), 413, "body_too_large")
      // bytes, not characters
      Contract.problem(yield* post(text(mebibytes).replace("xx", "\u20ac"), json), 413, "body_too_large")
    }),
  )

  it.effect("returns 400 for bodies that are not JSON in UTF-8", () =>
    Effect.gen(function* () {
      const utf16 = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"))
      for (const raw of [
        "",
        " ",
        "\ufeff",
        "{\u00a0}",
        new Uint8Array(Buffer.from('{"title":"\xff"}', "latin1")),
        // half of a surrogate pair as UTF-8; an overlong form; a truncated sequence
        new Uint8Array([...Buffer.from('{"title":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
        new Uint8Array([...Buffer.from('{"title":"'), 0xc0, 0xaf, ...Buffer.from('"}')]),
        new Uint8Array([...Buffer.from('"'), 0xf0, 0x9f]),
        utf16(body),
        utf16(`\ufeff${body}`),
        new Uint8Array(gzipSync(body)),
      ]) {
        Contract.problem(yield* post(raw, json), 400, "bad_request")
      }
      assert.deepInclude(yield* created(`\ufeff${body}`), { title: "x" })
    }),
  )

  it.effect("returns 415 for bodies that are not sent as plain application/json in UTF-8", () =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode(body)
      for (const headers of [
        {},
        { "content-type": "" },
        { "content-type": "text/json" },
        { "content-type": "application/jsonp" },
        { "content-type": "application/problem+json" },
        { "content-type": "application/json; charset=iso-8859-1" },
        { "content-type": "application/json; charset=utf-16" },
        { "content-type": "application/json, application/json" },
        { "content-type": "multipart/form-data; boundary=x" },
        { ...json, "content-encoding": "gzip" },
        { ...json, "content-encoding": "br" },
        { ...json, "content-encoding": "identity, gzip" },
      ]) {
        const sent = "content-encoding" in headers ? new Uint8Array(gzipSync(body)) : bytes
        Contract.problem(yield* post(sent, headers), 415, "unsupported_media_type")
      }
      for (const type of [
        "application/json;charset=utf-8",
        'APPLICATION/JSON ;\t Charset = "UTF-8" ',
        "application/json; charset=utf8",
        "application/json;",
      ]) {
        assert.deepInclude(yield* created(body, { "content-type": type }), { title: "x" })
      }
      assert.deepInclude(yield* created(body, { ...json, "content-encoding": "Identity" }), { title: "x" })
    }),
  )
})
