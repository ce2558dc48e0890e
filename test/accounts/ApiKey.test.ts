/** The format of API keys, and the validation of their fields (docs/api.md). */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { CreateApiKey, format, masked, parse, UpdateApiKey } from "../../src/accounts/api-keys/ApiKey.ts"
import { fieldErrorsOf } from "../../src/values/ValidationErrors.ts"

const prefixes = Schema.String.check(Schema.isPattern(/^iv_live_[a-z0-9]{8}$/))
const byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const bytes = Schema.Array(byte).check(Schema.isMinLength(32), Schema.isMaxLength(32))
// the last character has two unused bits
const place = Schema.Union([Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 59 })), Schema.Literal(59)])
const replacement = Schema.Union([Schema.String, Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]$/))])

describe("the value of a key", () => {
  it.prop("is parsed into the formatted parts", [prefixes, bytes], ([prefix, secret]) => {
    const value = format(prefix, Uint8Array.from(secret))
    assert.match(value, /^iv_live_[a-z0-9]{8}\.[A-Za-z0-9_-]{43}$/)
    assert.deepStrictEqual(parse(value), { prefix, secret: Uint8Array.from(secret) })
  })

  it.prop("is rejected in any other spelling", [prefixes, bytes, place, replacement], ([prefix, secret, at, by]) => {
    const value = format(prefix, Uint8Array.from(secret))
    const altered = value.slice(0, at) + by + value.slice(at + 1)
    const read = parse(altered)
    // each secret has one spelling
    if (read !== undefined) assert.strictEqual(format(read.prefix, read.secret), altered)
  })

  it.prop(
    "is shown without its secret, in a format that does not authenticate",
    [prefixes, bytes],
    ([prefix, secret]) => {
      const shown = masked(prefix)
      assert.strictEqual(shown, `${prefix}.****`)
      assert.isTrue(format(prefix, Uint8Array.from(secret)).startsWith(shown.slice(0, -4)))
      assert.isUndefined(parse(shown))
    },
  )

  it("rejects unused bits in the last character", () => {
    const value = format("iv_live_ab12cd34", new Uint8Array(32))
    assert.isTrue(value.endsWith("A"))
    for (const last of "BCD") assert.isUndefined(parse(value.slice(0, -1) + last))
    assert.isUndefined(parse(`${value}\n`))
  })
})

const created = Schema.decodeUnknownResult(CreateApiKey, { errors: "all" })
const updated = Schema.decodeUnknownResult(UpdateApiKey, { errors: "all" })
const errorsOf = (read: Result.Result<unknown, Schema.SchemaError>) =>
  Result.isFailure(read) ? fieldErrorsOf(read.failure.issue).map(({ code, pointer }) => `${pointer} ${code}`) : []

describe("a request to create or change a key", () => {
  it("may omit every field", () => {
    assert.deepStrictEqual(created({}), Result.succeed({}))
    assert.deepStrictEqual(updated({}), Result.succeed({}))
  })

  it("removes repeated scopes, trims texts, and reads blank texts as null", () => {
    const fields = { name: " ATS ", description: " \n ", scopes: ["read", "create_set", "read"] }
    const read = { name: "ATS", description: null, scopes: ["read", "create_set"] as const }
    assert.deepStrictEqual(created({ ...fields, expires_at: null }), Result.succeed({ ...read, expires_at: null }))
    assert.deepStrictEqual(updated({ ...fields, status: "inactive" }), Result.succeed({ ...read, status: "inactive" }))
    assert.deepStrictEqual(updated({ name: null }), Result.succeed({ name: null }))
  })

  it("returns all validation errors at once", () => {
    assert.deepStrictEqual(
      errorsOf(created({ name: "\0", description: "\ud800", scopes: ["read", "write"], expires_at: "soon" })),
      ["#/name unstorable_text", "#/description unstorable_text", "#/scopes/1 not_one_of", "#/expires_at invalid_date"],
    )
    assert.deepStrictEqual(errorsOf(updated({ name: 1, scopes: null, status: "expired" })), [
      "#/name wrong_type",
      "#/scopes wrong_type",
      "#/status not_one_of",
    ])
  })

  it("limits texts in code points", () => {
    assert.deepStrictEqual(errorsOf(created({ name: "🔑".repeat(250), description: "🔑".repeat(2000) })), [])
    for (const read of [created, updated]) {
      assert.deepStrictEqual(errorsOf(read({ name: "x".repeat(251), description: "x".repeat(2001) })), [
        "#/name too_long",
        "#/description too_long",
      ])
    }
  })

  it("accepts existing days, and times with a zone", () => {
    for (const [text, expected] of [
      ["2030-01-31", "2030-01-31T00:00:00.000Z"],
      ["2028-02-29T18:00Z", "2028-02-29T18:00:00.000Z"],
      ["2030-01-31T18:00:00.5Z", "2030-01-31T18:00:00.500Z"],
      ["2030-01-31T00:30:00+02:00", "2030-01-30T22:30:00.000Z"],
    ]) {
      assert.deepStrictEqual(created({ expires_at: text }), Result.succeed({ expires_at: new Date(expected ?? "") }))
    }
    for (const text of [
      ...[
        "",
        "30",
        "2030",
        "2030-01",
        "31.01.2030",
        "2030-1-31",
        "2030-01-31 18:00",
        "2030-01-31T18:00",
        " 2030-01-31",
      ],
      ...["2030-02-30", "2029-02-29T00:00Z", "2030-13-01", "2030-01-31T25:00Z", "2030-01-31T18:00+99:00"],
    ]) {
      assert.deepStrictEqual(errorsOf(created({ expires_at: text })), ["#/expires_at invalid_date"], text)
    }
  })
})
