/** What a soak stands on: an organization as an operator makes it, by commands, and an interview set. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Schema } from "effect"
import { secretKey } from "../support/Processes.ts"

const root = join(import.meta.dirname, "../..")

/** A CV for `cv_link`. */
export const sampleCv = (
  whose: string,
) => `<!doctype html><html lang="en"><head><title>Grace Hopper</title></head><body><h1>Grace Hopper</h1>
<p>grace-${whose}@example.com</p>
<p>2019 to 2025: backend engineer. I ran PostgreSQL in production for six years and read query plans every week.</p></body></html>`

/** Settings of pods and commands alike: retries come within seconds, so that a soak ends. */
export const settings = {
  SECRET_KEY: secretKey,
  EMAIL: "mailbox",
  OUTBOUND_ALLOW: "127.0.0.0/8",
  RATE_LIMIT: "0",
  WEBHOOK_RETRY_FIRST: "1 second",
  WEBHOOK_RETRY_CAP: "4 seconds",
  WEBHOOK_TIMEOUT: "2 seconds",
  WEBHOOK_DEACTIVATE_AFTER: "1000000000",
  DRAIN_WAIT: "500 millis",
}

/** Deliveries have so many attempts with these settings. */
export const attempts = 6

const decode = <A>(schema: Schema.Codec<A, unknown>) => Schema.decodeUnknownEffect(Schema.fromJsonString(schema))

const command = Effect.fnUntraced(function* <A>(
  schema: Schema.Codec<A, unknown>,
  databaseUrl: string,
  ...args: ReadonlyArray<string>
) {
  const { stdout } = yield* Effect.promise(() =>
    promisify(execFile)(join(root, "node_modules/.bin/node"), [join(root, "src/main.ts"), ...args, "--json"], {
      env: { PATH: "/usr/bin:/bin", ...settings, DATABASE_URL: databaseUrl },
    }),
  )
  return yield* decode(schema)(stdout)
})

const Id = Schema.Struct({ id: Schema.Union([Schema.String, Schema.Number]) })
const Key = Schema.Struct({ value: Schema.String })

/** An organization with an API key and one webhook for each address. */
export const organization = Effect.fnUntraced(function* (databaseUrl: string, webhooks: ReadonlyArray<string>) {
  const { id } = yield* command(Id, databaseUrl, "organization", "create", "--name", "Soak")
  const own = ["--organization", String(id)]
  const { value } = yield* command(Key, databaseUrl, "key", "create", ...own, "--name", "soak")
  for (const url of webhooks) yield* command(Id, databaseUrl, "webhook", "create", ...own, "--url", url)
  return { apiKey: value }
})

const Created = Schema.Struct({ results: Schema.Struct({ id: Schema.String }) })

/** An interview set, made through the API. */
export const interviewSet = Effect.fnUntraced(function* (pod: string, apiKey: string) {
  const text = yield* Effect.promise(async () => {
    const answer = await fetch(`${pod}/company/integration/interview/set/v1`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        title: "Backend Engineer",
        iai_questions: [
          { content: "Tell us about a system that you ran.", question_mode: "interview", question_type: "text" },
        ],
        iai_requirements: [{ title: "PostgreSQL", cfg_importance_id: 273 }],
      }),
    })
    return answer.text()
  })
  return (yield* decode(Created)(text)).results.id
})
