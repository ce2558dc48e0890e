/** Settings of files, and errors of `serve` about the bucket. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { files } from "../../src/config/AdapterSettings.ts"
import { credentials, s3Server } from "../port/s3Server.ts"
import * as cli from "../support/cli.ts"
import { freshDatabase } from "../support/TestDatabase.ts"

const read = (environment: Record<string, string>) =>
  Effect.provideService(files, ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))

const right = { BLOB_STORE: "s3", S3_BUCKET: "files.acme", S3_REGION: "eu-central-1" }

describe("settings of files", () => {
  it.effect("are not needed for the database, and few for a bucket", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ S3_BUCKET: " " }), { store: "postgres", s3: undefined })
      const s3 = { bucket: "files.acme", region: "eu-central-1", endpoint: undefined, prefix: "" }
      assert.deepStrictEqual(yield* read(right), { store: "s3", s3 })
      const there = { S3_ENDPOINT: "http://minio:9000/", S3_PREFIX: "acme/interviews" }
      assert.deepStrictEqual(yield* read({ ...right, ...there, BLOB_STORE: "postgres" }), {
        store: "postgres",
        s3: { ...s3, endpoint: "http://minio:9000", prefix: "acme/interviews/" },
      })
    }),
  )

  it.effect.each([
    { given: { BLOB_STORE: "s3" }, message: "S3_BUCKET, S3_REGION: are required with BLOB_STORE=s3" },
    { given: { S3_BUCKET: "files" }, message: "S3_REGION: is required with S3_BUCKET" },
    { given: { BLOB_STORE: "disk" }, message: "BLOB_STORE: must be postgres or s3" },
    { given: { ...right, S3_BUCKET: "s3://files" }, message: "S3_BUCKET: must be the name of a bucket" },
    { given: { ...right, S3_REGION: "Frankfurt!" }, message: "S3_REGION: must be a region like eu-central-1" },
    {
      given: { ...right, S3_ENDPOINT: "https://user:hidden@s3.example" },
      message: "S3_ENDPOINT: must be an http or https address without user, path and query",
    },
    {
      given: { ...right, S3_PREFIX: "/a//b" },
      message: "S3_PREFIX: must be letters, digits, and / between them, like interviews/",
    },
  ])("that are wrong are reported: $message", ({ given, message }) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(read(given as Record<string, string>))).message, message)
    }),
  )
})

describe("serve with a bucket", () => {
  const settings = {
    SECRET_KEY: cli.secretKey,
    EMAIL: "mailbox",
    PORT: "0",
    AWS_EC2_METADATA_DISABLED: "true",
    ...right,
  }

  it.live.each([
    {
      what: "credentials",
      environment: {},
      line: /^error: S3_BUCKET \(files\.acme at http.*\): can not keep an object: .*credentials/i,
    },
    {
      what: "a bucket of that name",
      environment: credentials,
      line: /^error: S3_BUCKET \(files\.acme at .*: NoSuchBucket/,
    },
  ])("does not start without $what, and reports it in one line", ({ environment, line }) =>
    Effect.gen(function* () {
      const { endpoint } = yield* s3Server
      const DATABASE_URL = yield* freshDatabase
      const output = yield* cli.run({ ...settings, ...environment, DATABASE_URL, S3_ENDPOINT: endpoint }, "serve")
      assert.strictEqual(output.code, 1)
      assert.match(output.stderr, /^error: [^\n]+\n$/)
      assert.match(output.stderr, line)
    }),
  )

  it.live("starts with a usable bucket", () =>
    Effect.gen(function* () {
      const { bucket, endpoint } = yield* s3Server
      const DATABASE_URL = yield* freshDatabase
      const place = { S3_BUCKET: bucket, S3_ENDPOINT: endpoint }
      const { ended, kill } = yield* cli.serve({ ...settings, ...credentials, ...place, DATABASE_URL })
      kill("SIGTERM")
      assert.strictEqual((yield* ended).code, 0)
    }),
  )
})
