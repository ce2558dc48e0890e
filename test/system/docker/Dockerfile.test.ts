/** Builds the image without a container engine, checks its files, and runs it as an unprivileged user. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { guidePages } from "../../../src/api-reference/Guide.ts"
import { pdf } from "../../port/cvFiles/pdf.ts"
import * as cli from "../../support/cli.ts"
import { execute } from "../../support/databases.ts"
import { urlIn } from "../../support/Processes.ts"
import { amount } from "../../support/thorough.ts"
import { servesWithEverySetting } from "../everySetting.ts"
import { hiringSystemWith, journey, waitFor } from "../package/journey.ts"
import { filesIn, type Identity, type Image, replay } from "./replay.ts"

const root = join(import.meta.dirname, "../../..")
const node = join(root, "node_modules/node/bin/node")

/** An unprivileged user; without root the image runs as the tests' user. */
const nobody: Identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

let directory = ""
let image: Image

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interview-image-"))
  chmodSync(directory, 0o755)
  // npm's cache holds the packages since `npm ci`
  image = await replay(root, directory, { packages: amount(join(root, "node_modules"), undefined), user: nobody })
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const app = () => join(image.root, image.workdir)

/** Starts a command with the image's files and environment, and this machine's `node`. It has no writable directory. */
const start = (command: ReadonlyArray<string>, environment: Record<string, string> = {}): ChildProcess => {
  const [program = "", ...args] = command
  assert.strictEqual(program, "node")
  return spawn(node, args, {
    cwd: app(),
    env: { PATH: dirname(node), HOME: "/nonexistent", TMPDIR: "/nonexistent", ...image.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...nobody,
  })
}

const ended = async (child: ChildProcess) => {
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text))
  const [code] = await once(child, "close")
  return { code: Number(code ?? -1), output }
}

/** Returns the URL on which the process listens. */
const listening = (child: ChildProcess) =>
  Effect.callback<string>((resume) => {
    let output = ""
    const take = (text: string) => {
      output += text
      const url = urlIn(output)
      if (url !== undefined) resume(Effect.succeed(url))
    }
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", take)
    child.on("close", () => resume(Effect.die(new Error(`the image ended: ${output}`))))
  })

describe("the image", () => {
  it("holds runtime files only", () => {
    const files = filesIn(image.root)
    const inApp = (path: string) => join(image.workdir, path).slice(1)
    assert.deepStrictEqual(
      [...new Set(files.map((file) => file.split("/").slice(0, 2).join("/")))],
      [".compile-cache", "docs", "node_modules", "package.json", "sql", "src"].map(inApp),
    )
    const own = files.filter((file) => !file.includes("node_modules/"))
    for (const file of own)
      assert.notMatch(file, /(^|\/)(test|tests|\.git|\.ci|\.env[^/]*|\.npmrc|[^/]*\.(test\.ts|key|pem|log))(\/|$)/)
    assert.sameMembers(
      own.filter((file) => file.endsWith(".md")),
      guidePages.map(({ slug }) => inApp(`docs/${slug}.md`)),
    )
    assert.deepStrictEqual(
      own.filter((file) => file.startsWith(inApp("sql/"))).map((file) => file.slice(inApp("sql/").length)),
      filesIn(join(root, "sql")),
    )
    assert.strictEqual(image.user, "node")
    assert.match(image.base, /^node:\d+-.*slim$/)
  })

  const acceptsCompiled = async () => {
    const command = [...image.command.slice(0, -1), "--version"]
    const { code, output } = await ended(start(command, { NODE_DEBUG_NATIVE: "COMPILE_CACHE" }))
    assert.strictEqual(code, 0, output)
    assert.match(output, /code cache for [^\n]*src\/main\.js[^\n]* was accepted/, output)
  }

  it("has its compiled code, which another process of the image reads", acceptsCompiled)

  it("has its compiled code also where no file may be written", async () => {
    const cache = join(app(), image.environment["NODE_COMPILE_CACHE"] ?? "")
    const paths = [cache, ...readdirSync(cache, { recursive: true }).map((path) => join(cache, String(path)))]
    const modes = paths.map((path) => [path, statSync(path).mode] as const)
    for (const [path, mode] of modes) chmodSync(path, mode & ~0o222)
    try {
      await acceptsCompiled()
    } finally {
      for (const [path, mode] of modes) chmodSync(path, mode)
    }
  })

  it("has only native packages: the bundle contains the others", () => {
    assert.deepStrictEqual(readdirSync(join(app(), "node_modules")), ["@node-rs"])
  })

  it.live("serves with every setting set, with a proxy and without one", () =>
    Effect.gen(function* () {
      const serve = Effect.fnUntraced(function* (settings: Record<string, string>) {
        const child = yield* Effect.acquireRelease(
          Effect.sync(() => start(image.command, settings)),
          (running) => Effect.sync(() => running.kill("SIGKILL")),
        )
        return yield* listening(child)
      })
      yield* Effect.all(
        [
          servesWithEverySetting(serve),
          servesWithEverySetting(({ OUTBOUND_PROXY: _, ...settings }) => serve(settings)),
        ],
        { concurrency: 2 },
      )
    }),
  )

  it.live("serves as an unprivileged user, writes no file, passes its health check, and exits with 0", () =>
    Effect.gen(function* () {
      const settings = {
        DATABASE_URL: yield* cli.emptyDatabase,
        SECRET_KEY: cli.secretKey,
        EMAIL: "mailbox",
        PORT: "0",
        DRAIN_WAIT: "0",
      }
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => start(image.command, settings)),
        (running) => Effect.sync(() => running.kill("SIGKILL")),
      )
      const end = ended(child)
      const { port } = new URL(yield* listening(child))
      const check = (at: string) => Effect.promise(() => ended(start(image.healthcheck, { PORT: at })))
      assert.strictEqual((yield* check("1")).code, 1, "unhealthy when no server listens")
      assert.strictEqual((yield* check(port)).code, 0)
      assert.isNull(child.exitCode, "it runs")
      child.kill("SIGTERM")
      const { code, output } = yield* Effect.promise(() => end)
      assert.strictEqual(code, 0, output)
      assert.notMatch(output, /EACCES|EROFS|ENOENT/)
    }),
  )

  it.live(
    "runs commands, hashes a password, invites, reads a PDF as CV, evaluates, sends webhooks, serves pages and assets",
    () =>
      Effect.gen(function* () {
        const file = yield* Effect.promise(() =>
          pdf((document) => document.text("Grace Hopper. Tuned PostgreSQL queries with indexes for six years.")),
        )
        const system = yield* hiringSystemWith(file)
        const database = yield* cli.emptyDatabase
        const settings = {
          DATABASE_URL: database,
          SECRET_KEY: cli.secretKey,
          EMAIL: "mailbox",
          OUTBOUND_ALLOW: "127.0.0.0/8",
          PORT: "0",
          DRAIN_WAIT: "0",
        }
        const command = (...args: ReadonlyArray<string>) =>
          Effect.promise(async () => {
            const { code, output } = await ended(start([...image.command.slice(0, -1), ...args], settings))
            assert.strictEqual(code, 0, output)
            return output
          })
        yield* command("migrate")
        yield* command("organization", "create", "--name", "Acme")
        const password = join(directory, "owner-password")
        writeFileSync(password, "a long password")
        const owner = ["--email", "owner@acme.example", "--role", "owner", "--password-file", password]
        yield* command("member", "create", "--organization", "1", ...owner)
        yield* command("webhook", "create", "--organization", "1", "--url", system.url)
        const { value: key } = JSON.parse(yield* command("key", "create", "--organization", "1", "--json"))

        const pod = yield* Effect.acquireRelease(
          Effect.sync(() => start(image.command, settings)),
          (running) => Effect.sync(() => running.kill("SIGKILL")),
        )
        const end = ended(pod)
        const url = yield* listening(pod)
        const { detail, events } = yield* journey(url, key, `${system.url}/cv.pdf`)
        assert.include(detail, "Tuned PostgreSQL queries with indexes for six years.")
        yield* waitFor(async () => (events.every((event) => system.events.includes(event)) ? true : undefined))

        const get = (path: string) =>
          Effect.promise(async () => {
            const response = await fetch(url + path)
            assert.strictEqual(response.status, 200, path)
            return response.text()
          })
        const [asset = ""] = /\/assets\/[^"]+\/style\.css/.exec(yield* get("/sign-in")) ?? []
        assert.include(yield* get(asset), "font")
        assert.include(yield* get("/docs"), "openapi")
        assert.include(yield* get("/docs/webhooks"), "What each event means")

        // makes the next request fail unexpectedly
        yield* execute(database, "alter table interview_set rename to missing")
        const headers = { "x-api-key": key }
        const failed = yield* Effect.promise(() =>
          fetch(`${url}/company/integration/hiring/interview-sets/v1`, { headers }),
        )
        assert.strictEqual(failed.status, 500)
        pod.kill("SIGTERM")
        const { code, output } = yield* Effect.promise(() => end)
        assert.strictEqual(code, 0, output)
        // stack traces name positions in the sources
        const [, line = 0] = /\/src\/interview-sets\/InterviewSets\.ts:(\d+):/.exec(output) ?? []
        const source = readFileSync(join(root, "src/interview-sets/InterviewSets.ts"), "utf8")
        assert.include(source.split("\n")[Number(line) - 1], '"InterviewSets.list"', output)
        assert.notMatch(output, /EACCES|EROFS|ENOENT/)
      }),
    120_000,
  )
})
