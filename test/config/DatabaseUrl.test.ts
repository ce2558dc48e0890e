/** Addresses of databases: which parameters of libpq are read, and which are refused by name. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted, Result } from "effect"
import * as Config from "../../src/config/Config.ts"
import { readDatabaseUrl, tlsOf, urlsOf } from "../../src/config/DatabaseUrl.ts"

const directory = mkdtempSync(join(tmpdir(), "interview-url-"))
const [ca, key] = ["ca.pem", "key.pem"].map((name) => join(directory, name))
for (const file of [ca, key]) writeFileSync(file ?? "", "content")
afterAll(() => rmSync(directory, { recursive: true }))

const read = (url: string) => readDatabaseUrl(Redacted.make(url))
const urls = (url: string) => urlsOf(Result.getOrThrow(read(url))).map((one) => Redacted.value(one))
const refusal = (url: string) => Result.getOrThrow(Result.flip(read(url)))
const tls = (query: string, url = "postgres://a:b@c/d") => tlsOf(Result.getOrThrow(read(`${url}${query}`)))

describe("The address of a database", () => {
  it.each([
    ["postgres://a:b@one/d", ["postgres://a:b@one:5432/d"]],
    ["postgres://a:b@[::1]:1,two/d", ["postgres://a:b@[::1]:1/d", "postgres://a:b@two:5432/d"]],
    // Cloud SQL
    ["postgres://a:b@/d?host=/cloudsql/p:r:i", ["postgres://a:b@%2Fcloudsql%2Fp%3Ar%3Ai:5432/d"]],
    ["postgresql:///d?host=/cloudsql/p:r:i&user=a&password=b", ["postgres://a:b@%2Fcloudsql%2Fp%3Ar%3Ai:5432/d"]],
    ["postgres://a:b@%2Fvar%2Frun/d", ["postgres://a:b@%2Fvar%2Frun:5432/d"]],
    ["postgres:///?dbname=d&host=one,two&port=1,2", ["postgres://one:1/d", "postgres://two:2/d"]],
    ["postgres:///d?host=one,two&port=6432", ["postgres://one:6432/d", "postgres://two:6432/d"]],
    ["postgres://a:p%40%2F%3F%23%25@c/d", ["postgres://a:p%40%2F%3F%23%25@c:5432/d"]],
    ["postgres://a:p@ss@c/d", ["postgres://a:p%40ss@c:5432/d"]],
    [
      "postgres://a@c/d?options=endpoint%3Dep-1%20-c%20geqo%3Doff&application_name=x",
      ["postgres://a@c:5432/d?options=endpoint%3Dep-1%20-c%20geqo%3Doff&application_name=x"],
    ],
  ])("%s", (url, expected) => {
    assert.deepStrictEqual(urls(url), expected)
    // the URLs are read like those that were given
    for (const one of expected) assert.deepStrictEqual(urls(one), [one])
  })

  it.each([
    ["", false],
    ["?sslmode=disable", false],
    ["?sslmode=prefer", undefined],
    ["?ssl=true", {}],
    ["?sslmode=require", {}],
    ["?sslmode=verify-ca", {}],
    ["?sslmode=require&sslrootcert=system", {}],
    [`?sslmode=verify-full&sslrootcert=${ca}`, { ca: "content" }],
    [
      `?sslmode=require&sslcert=${ca}&sslkey=${key}&sslpassword=p&ssl_min_protocol_version=TLSv1.3`,
      { cert: "content", key: "content", passphrase: "p", minVersion: "TLSv1.3" },
    ],
  ] as const)("encrypts as %s says", (query, expected) => {
    assert.deepStrictEqual(tls(query), expected)
  })

  it("checks no name with verify-ca and an own authority, and does not encrypt Unix sockets", () => {
    const { checkServerIdentity } = Object(tls(`?sslmode=verify-ca&sslrootcert=${ca}`))
    assert.isUndefined(checkServerIdentity("another.example"))
    assert.isFalse(tls("?sslmode=require&host=/cloudsql/p:r:i", "postgres://a:b@/d"))
  })

  it.each([
    ["?ssl=1", "the parameter ssl has a value that is not supported: write ssl=true, which means sslmode=require"],
    ["?ssl_mode=require", "the parameter ssl_mode is not supported: write sslmode"],
    ["?sslMode=require", "the parameter sslMode is not supported: write sslmode"],
    ["?tls=yes", "the parameter tls is not supported"],
    [
      "?sslmode=no-verify",
      "the parameter sslmode has a value that is not supported: use disable, allow, prefer, require",
    ],
    [
      "?ssl=true&sslmod=require&conect_timeout=5",
      "the parameter sslmod is not supported: write sslmode; the parameter conect_timeout is not supported: write connect_timeout",
    ],
    ["?sslmode=require&ssl=true", "the parameter sslmode is given twice"],
    ["?sslrootcert=/etc/ca.pem", "the parameter sslrootcert needs sslmode=require or verify-ca or verify-full"],
    ["?sslmode=require&sslrootcert=/none/ca.pem", "the parameter sslrootcert: ENOENT"],
    [`?sslmode=require&sslcert=${ca}`, "sslcert and sslkey need each other"],
    ["?channel_binding=require", "the parameter channel_binding has a value that is not supported: the driver"],
    ["?pgbouncer=true", "the parameter pgbouncer is not supported: set DATABASE_DIRECT_URL instead"],
    ["?schema=cell", "the parameter schema is not supported: set DATABASE_SCHEMA instead"],
    ["?connection_limit=5", "the parameter connection_limit is not supported: set DATABASE_POOL instead"],
    ["?service=x", "the parameter service is not supported"],
    ["?hostaddr=10.0.0.1", "the parameter hostaddr is not supported"],
    ["?host=other", "the host is given twice"],
    ["?port=99999", "the port must be from 1 to 65535, not 99999"],
    ["?connect_timeout=soon", "the parameter connect_timeout has a value that is not supported"],
    ...["sslcrl", "keepalives_count", "min_protocol_version"].map((name) => [
      `?${name}=1&ssl=1`,
      `the parameter ${name} is not supported; the parameter ssl has`,
    ]),
  ])("is refused with %s", (query = "", message = "") => {
    assert.include(refusal(`postgres://a:b@c/d${query}`), message)
  })

  it.each([
    "a:p/secret@c/d",
    "a:p#secret@c/d",
    "a:p?secret@c/d",
    "a:secret%@c/d",
    "a:p[secret@c/d",
    "a:1?secret=1@c/d",
    "a:b@1?secret=1@c/d",
  ])("is refused with an unescaped character in the password, and the error says what to write: %s", (text) => {
    const message = text.includes("[") ? urls(`postgres://${text}`)[0] : refusal(`postgres://${text}`)
    if (text.includes("[")) assert.strictEqual(message, "postgres://a:p%5Bsecret@c:5432/d")
    else assert.match(message ?? "", /^in user, password and other values, write % as %25.*# as %23$/)
  })

  it.effect.each<readonly [string, string, string]>([
    ["DATABASE_URL", "standby", "target_session_attrs must be any or read-write or primary"],
    ["DATABASE_DIRECT_URL", "read-only", "target_session_attrs must be any or read-write or primary"],
    ["DATABASE_REPLICA_URL", "primary", "target_session_attrs must be any or read-only or standby or prefer-standby"],
  ])("%s refuses target_session_attrs=%s", ([name, target, why]) =>
    Effect.gen(function* () {
      const environment = {
        DATABASE_URL: "postgres://a@b/c",
        [name]: `postgres://a@b/c?target_session_attrs=${target}`,
      }
      const { message } = yield* Effect.flip(Effect.andThen(Config.databaseUrls, Config.replicaUrl)).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
      )
      assert.strictEqual(message, `${name}: ${why}`)
    }),
  )
})
