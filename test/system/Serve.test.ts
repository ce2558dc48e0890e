/** `serve` and `migrate` as processes: start errors in one line, and graceful stops. */
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import * as cli from "../support/cli.ts"
import { schemaFiles, textsOf } from "../support/databases.ts"
import { freshDatabase } from "../support/TestDatabase.ts"

const nowhere = "postgres://user:hidden@127.0.0.1:1/nowhere"
const settings = {
  DATABASE_URL: nowhere,
  SECRET_KEY: cli.secretKey,
  EMAIL: "mailbox",
  PORT: "0",
  DRAIN_WAIT: "0 millis",
}

/** The line of an error, without help text, stack trace or secrets. */
const errorLine = ({ code, stderr, stdout }: cli.Output) => {
  assert.strictEqual(code, 1)
  assert.match(stderr, /^error: [^\n]+\n$/)
  assert.notMatch(stderr + stdout, /hidden|node_modules|\n +at /)
  return stderr.trim()
}

const without = (name: keyof typeof settings): Record<string, string> => {
  const { [name]: _, ...others } = settings
  return others
}

describe("serve", () => {
  it.live.each([
    { what: "DATABASE_URL", settings: without("DATABASE_URL"), line: /DATABASE_URL: is required: an address like/ },
    { what: "SECRET_KEY", settings: without("SECRET_KEY"), line: /SECRET_KEY: is required: base64 of 32 bytes/ },
    {
      what: "EMAIL",
      settings: without("EMAIL"),
      line: /EMAIL: is required: mailbox or smtp or sendgrid or postmark or mailgun or ses$/,
    },
    {
      what: "a valid PORT",
      settings: { ...settings, PORT: "http" },
      line: /PORT: must be a whole number from 0 to 65535$/,
    },
    {
      what: "a valid SECRET_KEY",
      settings: { ...settings, SECRET_KEY: "hidden" },
      line: /SECRET_KEY: must be base64 of 32 /,
    },
    {
      what: "a Postgres address",
      settings: { ...settings, DATABASE_URL: "mysql://hidden@x" },
      line: /DATABASE_URL: must be an address like/,
    },
    {
      what: "an address that is safe to use",
      settings: { ...settings, DATABASE_URL: "postgres://user:hidden@127.0.0.1:1/nowhere?ssl_mode=require" },
      line: /DATABASE_URL: the parameter ssl_mode is not supported: write sslmode$/,
    },
    {
      what: "a reachable database",
      settings,
      line: /^error: DATABASE_URL \(127\.0\.0\.1:1\/nowhere, as user\): .*ECONNREFUSED 127\.0\.0\.1:1\. .*right\.$/,
    },
    {
      what: "an escaped password",
      settings: { ...settings, DATABASE_URL: "postgres://user:1/hidden@127.0.0.1:1/nowhere" },
      line: /^error: DATABASE_URL: in user, password and other values, write % as %25/,
    },
  ])("does not start without $what, and reports it in one line", ({ line, settings }) =>
    Effect.gen(function* () {
      const output = yield* cli.run(settings, "serve")
      assert.match(errorLine(output), line)
      assert.strictEqual(output.stdout, "")
    }),
  )

  it.live("does not start on a port that is taken", () =>
    Effect.gen(function* () {
      const listener = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer()
          server.listen(0, () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close()),
      )
      const address = listener.address()
      const port = String(typeof address === "object" ? address?.port : address)
      const output = yield* cli.runProcess({ ...settings, DATABASE_URL: yield* freshDatabase, PORT: port }, "serve")
      const line = errorLine(output)
      assert.match(line, new RegExp(`EADDRINUSE.*:${port}: .*stop .*, or set PORT$`))
      if (process.platform === "linux") assert.include(line, `process ${process.pid} (`)
    }),
  )

  it.live.each(["SIGTERM", "SIGHUP", "SIGKILL"] as const)("ends when the npm that runs it ends by %s", (signal) =>
    Effect.gen(function* () {
      const environment = { ...settings, DATABASE_URL: yield* cli.emptyDatabase }
      const { ended, kill } = yield* cli.npm(environment, "run", "serve")
      kill(signal)
      assert.include((yield* ended).stdout, "asked to stop")
    }),
  )

  it.live.each(["SIGTERM", "SIGINT"] as const)("applies the schema, serves, and drains on %s", (signal) =>
    Effect.gen(function* () {
      const { ended, kill, url } = yield* cli.serve({ ...settings, DATABASE_URL: yield* cli.emptyDatabase })
      const ready = yield* Effect.promise(() => fetch(`${url}/health/ready`))
      assert.strictEqual(ready.status, 200)
      yield* Effect.promise(() => ready.text())
      const front = yield* Effect.promise(() => fetch(url, { redirect: "manual" }))
      assert.strictEqual(front.headers.get("location"), "/home")
      kill(signal)
      const output = yield* ended
      assert.deepStrictEqual([output.code, output.stderr], [0, ""])
      for (const line of output.stdout.trim().split("\n")) assert.isObject(JSON.parse(line))
      assert.match(output.stdout, /"EMAIL=mailbox: emails are stored in the database and not sent"/)
    }),
  )
})

describe("npm start", () => {
  it.live("with PORT=0 prints the address that it got, and its webhooks and links use it", () =>
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "interview-start-"))),
        (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
      )
      const DATABASE_URL = yield* cli.emptyDatabase
      const { ended, kill, url } = yield* cli.serve({ DATABASE_URL, DATA_DIR: directory, PORT: "0" }, "start")
      const { port } = new URL(url)
      const page = yield* Effect.promise(() => fetch(`http://localhost:${port}/receiver`))
      assert.strictEqual(page.status, 200)
      const [receiver] = yield* textsOf(DATABASE_URL, "select url from webhook_endpoint where organization_id = 1")
      assert.strictEqual(receiver, `http://127.0.0.1:${port}/receiver`)
      kill("SIGINT")
      yield* ended
    }),
  )
})

/** The first page of `npm start`, once `isShown` is true of it. */
const firstPage = (url: string, isShown: (page: string) => boolean) =>
  Effect.promise(async () => (await fetch(url)).text()).pipe(
    Effect.filterOrFail(isShown),
    Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 400 }),
  )

const isReady = (page: string) => page.includes(`action="/try/sample/remove"`)

describe("the sample of npm start", () => {
  it.live(
    "is filled in the background, again if that was interrupted, connected to each start's port, and not after its removal",
    () =>
      Effect.gen(function* () {
        const directory = yield* Effect.acquireRelease(
          Effect.promise(() => mkdtemp(join(tmpdir(), "interview-start-"))),
          (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
        )
        const DATABASE_URL = yield* cli.emptyDatabase
        const start = () => cli.serve({ DATABASE_URL, DATA_DIR: directory, PORT: "0" }, "start")
        const stop = ({ ended, kill }: Effect.Success<ReturnType<typeof start>>) =>
          Effect.andThen(
            Effect.sync(() => kill("SIGINT")),
            ended,
          )
        const samples = textsOf(DATABASE_URL, "select count(*)::text from organization where sample = 'ready'")

        const interrupted = yield* start()
        yield* firstPage(interrupted.url, (page) => page.includes("being filled"))
        const stopped = yield* stop(interrupted)
        assert.strictEqual(stopped.code, 0)
        assert.notInclude(stopped.stdout + stopped.stderr, "not filled")
        assert.deepStrictEqual(yield* samples, ["0"])

        const filling = yield* start()
        yield* firstPage(filling.url, isReady)
        assert.deepStrictEqual(
          yield* textsOf(DATABASE_URL, "select count(*)::text from submission s where s.organization_id <> 1"),
          ["40"],
        )
        assert.include((yield* stop(filling)).stdout, "The sample is ready: 40 candidates")

        const next = yield* start()
        yield* firstPage(next.url, isReady)
        const url = `http://127.0.0.1:${new URL(next.url).port}/receiver/sample`
        yield* textsOf(DATABASE_URL, "select url from webhook_endpoint where name = 'Hiring system'").pipe(
          Effect.filterOrFail(([address]) => address === url),
          Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 }),
        )
        const origin = new URL(next.url).origin
        yield* Effect.promise(() => fetch(`${origin}/try/sample/remove`, { method: "POST", headers: { origin } }))
        assert.strictEqual((yield* stop(next)).code, 0)

        const last = yield* start()
        assert.include(yield* firstPage(last.url, () => true), "sample add")
        yield* stop(last)
        assert.deepStrictEqual(yield* samples, ["0"])
      }),
    180_000,
  )
})

describe("migrate", () => {
  it.live("applies the schema once; a second run applies nothing", () =>
    Effect.gen(function* () {
      const environment = { DATABASE_URL: yield* cli.emptyDatabase }
      const first = yield* cli.runProcess(environment, "migrate")
      assert.deepStrictEqual(
        { ...first, stdout: first.stdout.split(/[ ,\n]+/) },
        {
          code: 0,
          stdout: ["applied", ...schemaFiles, ""],
          stderr: "",
        },
      )
      const second = yield* cli.runProcess(environment, "migrate")
      assert.deepStrictEqual(second, { code: 0, stdout: "the schema is up to date\n", stderr: "" })
    }),
  )

  it.live("requires DATABASE_URL and a reachable database", () =>
    Effect.gen(function* () {
      assert.include(
        errorLine(yield* cli.runProcess({}, "migrate")),
        "error: DATABASE_URL: is required: an address like",
      )
      assert.match(errorLine(yield* cli.runProcess({ DATABASE_URL: nowhere }, "migrate")), /ECONNREFUSED/)
    }),
  )
})
