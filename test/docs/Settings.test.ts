/** Checks that docs/settings.md lists exactly the settings that the code reads, with their defaults. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as Config from "../../src/config/Config.ts"
import { type ConfigInvalid, together } from "../../src/config/SettingReaders.ts"
import { table } from "../../src/config/SettingsTable.ts"
import { exchangeOnline, providerSettings } from "../support/ProviderSettings.ts"
import { settingsPage, settingsTables } from "./settings.ts"

const ofServer = together({
  urls: Config.databaseUrls,
  replicaUrl: Config.replicaUrl,
  dataDir: Config.dataDir,
  settings: Config.settings,
})

const everything = together({ server: ofServer, move: Config.moveUrls })

const namesRead = Effect.fnUntraced(function* <A>(
  environment: Record<string, string>,
  settings: Effect.Effect<A, ConfigInvalid>,
) {
  const given = ConfigProvider.fromEnvRecord(environment)
  const names = new Set<string>()
  const provider = ConfigProvider.make((path) => {
    names.add(path.join("_"))
    return given.load(path)
  })
  yield* Effect.provideService(settings, ConfigProvider.ConfigProvider, provider)
  return names
})

const required = {
  DATABASE_URL: "postgres://a:b@postgres/c",
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  EMAIL: "smtp",
  EMAIL_FROM: "jobs@acme.example",
  SMTP_URL: "smtp://localhost:25",
  MOVE_TARGET_URL: "postgres://a:b@postgres/d",
}

/** Settings that make further settings required or read. */
const chosen = {
  BOUNCE_IMAP_URL: "imaps://user:password@localhost",
  ...{ EVALUATOR: "model", MODEL_URL: "http://localhost:11434/v1", MODEL_NAME: "some" },
  ...{ EMBEDDINGS_URL: "http://localhost:11434/v1", EMBEDDINGS_NAME: "some" },
  ...{ BLOB_STORE: "s3", S3_BUCKET: "files", S3_REGION: "us-east-1" },
  ...{ OIDC_ISSUER: "https://login.acme.example", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" },
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
}

const rows: ReadonlyArray<readonly [name: string, row: { readonly default?: string; readonly otherwise?: string }]> =
  Object.values(table).flatMap((section) => Object.entries(section))

describe("docs/settings.md", () => {
  it("is what npm run docs writes", () =>
    assert.strictEqual(settingsPage().written.trim(), settingsTables().trim(), "run npm run docs"))

  it.effect("lists exactly the settings that the code reads", () =>
    Effect.gen(function* () {
      const names = new Set<string>()
      for (const settings of [chosen, exchangeOnline, ...Object.values(providerSettings)]) {
        for (const name of yield* namesRead({ ...required, ...settings }, everything)) names.add(name)
      }
      assert.deepStrictEqual([...names].toSorted(), rows.map(([name]) => name).toSorted())
    }),
  )

  it.effect("marks exactly the settings without which nothing starts as required", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(namesRead({}, ofServer))
      assert.deepStrictEqual(
        message.split("\n").map((line) => line.split(":")[0]),
        rows.flatMap(([name, { otherwise }]) => (otherwise === "required" ? [name] : [])),
      )
      for (const [name, row] of rows) assert.isDefined(row.default ?? row.otherwise, name)
    }),
  )
})
