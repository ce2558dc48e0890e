/** `serve` with a working bucket, and with broken ones. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { credentials, s3Server } from "../port/s3Server.ts"
import * as cli from "../support/cli.ts"
import { freshDatabase } from "../support/TestDatabase.ts"

describe("serve with a bucket", () => {
  const settings = {
    SECRET_KEY: cli.secretKey,
    EMAIL: "mailbox",
    PORT: "0",
    AWS_EC2_METADATA_DISABLED: "true",
    BLOB_STORE: "s3",
    S3_BUCKET: "files.acme",
    S3_REGION: "eu-central-1",
  }

  it.live.each([
    {
      what: "credentials",
      environment: {},
      line: /^error: S3_BUCKET \(files\.acme at http.*\): cannot write an object: .*credentials/i,
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
      const output = yield* cli.runProcess(
        { ...settings, ...environment, DATABASE_URL, S3_ENDPOINT: endpoint },
        "serve",
      )
      assert.strictEqual(output.code, 1)
      assert.match(output.stderr, /^error: [^\n]+\n$/)
      assert.match(output.stderr, line)
    }),
  )

  it.live("starts with a working bucket", () =>
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
