/** The settings of the blob store. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { files } from "../../src/config/AdapterSettings.ts"

const read = (environment: Record<string, string>) =>
  Effect.provideService(files, ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))

const right = { BLOB_STORE: "s3", S3_BUCKET: "files.acme", S3_REGION: "eu-central-1" }

describe("settings of the blob store", () => {
  it.effect("default to the database, and read the settings of a bucket", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ S3_BUCKET: " " }), { store: "postgres", s3: undefined })
      const s3 = { bucket: "files.acme", region: "eu-central-1", endpoint: undefined, prefix: "", proxy: undefined }
      assert.deepStrictEqual(yield* read(right), { store: "s3", s3 })
      const optional = { S3_ENDPOINT: "http://minio:9000/", S3_PREFIX: "acme/interviews" }
      assert.deepStrictEqual(yield* read({ ...right, ...optional, BLOB_STORE: "postgres" }), {
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
  ])("are refused with: $message", ({ given, message }) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(read(given as Record<string, string>))).message, message)
    }),
  )
})
