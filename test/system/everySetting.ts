/** A pod with every setting: what it loads only for some of them is there. */
import { generateKeyPairSync } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import type { Name } from "../../src/config/SettingsTable.ts"
import { credentials, s3Server } from "../port/s3Server.ts"
import * as Collector from "../support/Collector.ts"
import { emptyDatabase, secretKey } from "../support/cli.ts"
import { waitFor } from "./package/journey.ts"

/**
 * Every setting, with a value other than its default, except those in test/config/Config.test.ts. Empty: set by the test, or not
 * read by `serve`.
 */
export const everySetting = {
  DATABASE_URL: "",
  SECRET_KEY: `${secretKey},${secretKey}`,
  EMAIL: "sendgrid",
  API_URL: "https://api.acme.example",
  APP_URL: "https://interviews.acme.example",
  PORT: "0",
  HOST: "127.0.0.1",
  ROLES: "worker,api",
  DRAIN_WAIT: "0",
  KEEP_ALIVE: "90 seconds",
  DATABASE_POOL: "5",
  MOVE_TARGET_URL: "",
  MOVE_SOURCE_URL: "",
  TRUSTED_PROXIES: "10.0.0.0/8,::1",
  OUTBOUND_ALLOW: "127.0.0.0/8",
  HIRING_SYSTEM_PARTNERS: '{"kombo": {"region": "eu"}}',
  HIRING_SYSTEM_HOSTS: "127.0.0.1:9000",
  MAX_BODY: "1 MiB",
  LOG_LEVEL: "Debug",
  LOG_FORMAT: "pretty",
  RATE_LIMIT: "60",
  REQUEST_LOG_DAYS: "14",
  INVITE_MAX_CANDIDATES: "10",
  INVITATION_EXPIRES: "10 days",
  INVITATION_REMINDER: "none",
  IMPROVEMENT_WINDOW: "0",
  HELD_EVENTS_INTERVAL: "1 minute",
  EMAIL_FROM: "Acme <jobs@acme.example>",
  SMTP_URL: "smtp://user:password@127.0.0.1:9",
  SMTP_TLS: "required",
  SMTP_CA_FILE: "",
  BOUNCE_IMAP_URL: "imaps://user:password@127.0.0.1:9/INBOX",
  BOUNCE_IMAP_DONE: "Done",
  SMTP_OAUTH_TENANT: "",
  SMTP_OAUTH_CLIENT_ID: "",
  SMTP_OAUTH_CLIENT_SECRET: "",
  SENDGRID_API_KEY: "SG.key",
  SENDGRID_EVENTS_KEY: "",
  SES_REGION: "eu-central-1",
  SES_CONFIGURATION_SET: "interviews",
  SES_TOPIC_ARN: "arn:aws:sns:eu-central-1:123456789012:interviews",
  MAILGUN_API_KEY: "a-key",
  MAILGUN_DOMAIN: "mg.acme.example",
  MAILGUN_REGION: "eu",
  MAILGUN_EVENTS_KEY: "a-key-of-webhooks",
  POSTMARK_TOKEN: "a-token",
  POSTMARK_STREAM: "interviews",
  POSTMARK_EVENTS_SECRET: "a-secret-of-webhooks",
  WEBHOOK_RETRY_FIRST: "1 minute",
  WEBHOOK_RETRY_CAP: "1 hour",
  WEBHOOK_RETRY_TIMES: "3",
  WEBHOOK_TIMEOUT: "5 seconds",
  WEBHOOK_DEACTIVATE_AFTER: "5",
  OUTBOUND_PROXY: "http://user:secret@127.0.0.1:3128",
  WEBHOOK_PROBE_FIRST: "1 minute",
  WEBHOOK_PROBE_FOR: "1 day",
  WEBHOOK_CONCURRENCY: "10",
  WEBHOOK_ENDPOINT_CONCURRENCY: "2",
  WEBHOOK_SECRET_OVERLAP: "1 hour",
  WEBHOOK_RETENTION: "10 days",
  EVALUATOR: "model",
  MODEL_URL: "http://127.0.0.1:9/v1",
  MODEL_NAME: "a-model",
  MODEL_KEY: "a-key",
  EMBEDDINGS_URL: "http://127.0.0.1:9/v1",
  EMBEDDINGS_NAME: "a-model",
  EMBEDDINGS_KEY: "a-key",
  TRANSCRIBE_URL: "http://localhost:9/v1",
  TRANSCRIBE_NAME: "whisper",
  TRANSCRIBE_KEY: "a-key",
  RECORDING_MAX_SIZE: "100 MiB",
  RECORDINGS_WARN_SIZE: "1 TiB",
  BLOB_STORE: "s3",
  S3_BUCKET: "",
  S3_REGION: "us-east-1",
  S3_ENDPOINT: "",
  S3_PREFIX: "interviews/",
  OIDC_ISSUER: "http://localhost:9/",
  OIDC_CLIENT_ID: "interviews",
  OIDC_CLIENT_SECRET: "a secret",
  OIDC_NAME: "Acme",
  OIDC_EMAIL: "trusted",
  OIDC_PASSWORDS: "off",
  DATABASE_DIRECT_URL: "",
  DATABASE_REPLICA_URL: "",
  DATABASE_SCHEMA: "interviews",
  CV_OCR: "on",
  METRICS_TOKEN: "a-token-of-the-scraper-0123456789",
  OTEL_EXPORTER_OTLP_ENDPOINT: "",
  OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20key",
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_SERVICE_NAME: "interviews",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
  OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
  OTEL_TRACES_SAMPLER_ARG: "1",
  OTEL_SDK_DISABLED: "false",
  DATA_DIR: "",
} satisfies Record<Name, string>

/** `serve` starts a pod with settings, and returns its URL. */
export const servesWithEverySetting = Effect.fnUntraced(function* (
  serve: (settings: Record<string, string>) => Effect.Effect<string, never, Scope.Scope>,
) {
  const bucket = yield* s3Server
  const collector = yield* Collector.start
  const events = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey
  const pod = yield* serve({
    ...Object.fromEntries(Object.entries(everySetting).filter(([, value]) => value !== "")),
    DATABASE_URL: yield* emptyDatabase,
    S3_BUCKET: bucket.bucket,
    S3_ENDPOINT: bucket.endpoint,
    SENDGRID_EVENTS_KEY: events.export({ format: "der", type: "spki" }).toString("base64"),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...credentials,
  })
  const ready = yield* Effect.promise(() => fetch(`${pod}/health/ready`))
  assert.match(yield* Effect.promise(() => ready.text()), /^\{"status":"ready",(?!.*"email")/)
  const headers = { authorization: `Bearer ${everySetting.METRICS_TOKEN}` }
  const metrics = yield* Effect.promise(async () => (await fetch(`${pod}/metrics`, { headers })).text())
  assert.include(metrics, `interview_build_info{version="${packageJson.version}"`)
  yield* waitFor(async () => (collector.spans().length > 0 ? true : undefined))
  assert.strictEqual(collector.resource()["service.version"], packageJson.version)
})
