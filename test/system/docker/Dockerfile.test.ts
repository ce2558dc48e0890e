/** Builds the image without a container engine, checks its files, and runs it as an unprivileged user. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as cli from "../../support/cli.ts"
import { filesIn, type Image, replay } from "./replay.ts"

const root = join(import.meta.dirname, "../../..")
const node = join(root, "node_modules/node/bin/node")

/** An unprivileged user; without root the image runs as the tests' user. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const Packages = Schema.fromJsonString(
  Schema.Struct({
    packages: Schema.Record(
      Schema.String,
      Schema.Struct({ dev: Schema.optionalKey(Schema.Boolean), optional: Schema.optionalKey(Schema.Boolean) }),
    ),
  }),
)
const locked = () =>
  Object.entries(Schema.decodeUnknownSync(Packages)(readFileSync(join(root, "package-lock.json"), "utf8")).packages)

let directory = ""
let image: Image

// npm's cache holds the packages since `npm ci`
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interview-image-"))
  chmodSync(directory, 0o755)
  image = await replay(root, directory)
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

describe("the image", () => {
  it("holds runtime files only", () => {
    const files = filesIn(image.root)
    const inApp = (path: string) => join(image.workdir, path).slice(1)
    assert.deepStrictEqual(
      [...new Set(files.map((file) => file.split("/").slice(0, 2).join("/")))],
      ["node_modules", "package.json", "sql", "src"].map(inApp),
    )
    const own = files.filter((file) => !file.includes("node_modules/"))
    for (const file of own)
      assert.notMatch(file, /(^|\/)(test|tests|\.git|\.ci|\.env[^/]*|\.npmrc|[^/]*\.(test\.ts|key|pem|log|md))(\/|$)/)
    assert.deepStrictEqual(
      own.filter((file) => file.startsWith(inApp("sql/"))).map((file) => file.slice(inApp("sql/").length)),
      filesIn(join(root, "sql")),
    )
    assert.strictEqual(image.user, "node")
    assert.match(image.base, /^node:\d+-.*slim$/)
  })

  it("has the packages of production alone", () => {
    const packages = locked().filter(([path]) => path !== "")
    for (const [path, { dev }] of packages)
      if (dev === true) assert.isFalse(existsSync(join(app(), path)), `${path} is for development`)
    for (const [path, { dev, optional }] of packages)
      if (dev !== true && optional !== true) assert.isTrue(existsSync(join(app(), path)), `${path} is missing`)
  })

  it.live("serves as an unprivileged user, writes no file, passes its health check, and exits with 0", () =>
    Effect.gen(function* () {
      const settings = {
        DATABASE_URL: yield* cli.emptyDatabase,
        SECRET_KEY: cli.secretKey,
        EMAIL: "mailbox",
        PORT: "0",
      }
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => start(image.command, settings)),
        (running) => Effect.sync(() => running.kill("SIGKILL")),
      )
      const end = ended(child)
      const port = yield* Effect.promise(
        () =>
          new Promise<string>((resolve) => {
            child.stdout?.on("data", (text) => {
              const [, found] = /listening on http:\/\/[^"]*:(\d+)/.exec(String(text)) ?? []
              if (found !== undefined) resolve(found)
            })
            child.on("close", () => resolve("1"))
          }),
      )
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

  it.live("has lazily loaded packages: password hashes, the CV reader's child process, the S3 SDK", () =>
    Effect.gen(function* () {
      const program = `
        import { existsSync } from "node:fs"
        import { hash, verify } from "@node-rs/argon2"
        import { Effect } from "effect"
        import * as ChildCvReader from "./src/cv/ChildCvReader.ts"
        import { CvReader } from "./src/cv/CvReader.ts"
        if (!(await verify(await hash("a password"), "a password"))) throw new Error("argon2")
        if (!existsSync("/bin/sh")) throw new Error("no shell for the limits of a child")
        const { S3Client } = await import("@aws-sdk/client-s3")
        new S3Client({ region: "eu-central-1" }).destroy()
        const file = new TextEncoder().encode("Ada Lovelace, ada@example.com. Four years of PostgreSQL at a bank.")
        const read = Effect.flatMap(CvReader, (reader) => reader.read(file))
        const { text } = await Effect.runPromise(read.pipe(Effect.provide(ChildCvReader.layer())))
        console.log(text)`
      const { code, output } = yield* Effect.promise(() =>
        ended(start(["node", "--input-type=module-typescript", "--eval", program])),
      )
      assert.strictEqual(code, 0, output)
      assert.include(output, "Four years of PostgreSQL")
    }),
  )
})
