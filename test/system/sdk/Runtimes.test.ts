/** Runs the compiled SDK on Node 20, with web globals only as in edge runtimes, and in a browser. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { createContext, runInContext } from "node:vm"
import { afterAll, assert, beforeAll, layer } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "rolldown"
import { evaluatedEvent } from "../../../src/api-reference/Examples.ts"
import { signatureHeaders, signingKey } from "../../../src/webhooks/deliveries/Signature.ts"
import * as Api from "../../support/Api.ts"
import { Chromium, missing } from "../browser/chromium.ts"

const root = join(import.meta.dirname, "../../..")
const modules = join(root, "node_modules")
const directory = mkdtempSync(join(tmpdir(), "interview-sdk-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const run = (program: string, args: ReadonlyArray<string>) =>
  promisify(execFile)(program, [...args], { cwd: directory }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${args.join(" ")}: ${error.stdout}${error.stderr}`)
    },
  )

/** The first Node 20 in PATH; undefined without one. */
const findNode20 = async (): Promise<string | undefined> => {
  for (const place of (process.env["PATH"] ?? "").split(delimiter)) {
    const node = join(place, "node")
    if (/^v20\./.test(await run(node, ["--version"]).catch(() => ""))) return node
  }
  return undefined
}
const node20 = await findNode20()

/** Bundles for browsers; fails on an import of a Node module or of a package. */
const bundle = async (entry: string, name: string, format: "esm" | "iife") => {
  const file = join(directory, name)
  await build({
    input: join(directory, entry),
    cwd: directory,
    platform: "browser",
    transform: { target: "es2022" },
    output: { file, format, name: "sdk", minify: true },
    onLog: (_, { message }) => {
      throw new Error(message)
    },
  })
  return { text: readFileSync(file, "utf8"), size: statSync(file).size }
}

beforeAll(async () => {
  // without Node's types and with the es2022 library, so that newer APIs and Node's are compile errors
  const compilerOptions = {
    ...{ target: "es2022", lib: ["es2022", "dom", "dom.iterable"], types: [], strict: true, declaration: true },
    ...{ module: "nodenext", rewriteRelativeImportExtensions: true, exactOptionalPropertyTypes: true },
    ...{ rootDir: join(root, "src/sdk"), outDir: "package/dist" },
  }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: [join(root, "src/sdk")] }))
  await run(join(modules, ".bin/tsc"), ["-p", "tsconfig.json", "--pretty", "false"])
  const exports = { "./sdk": "./dist/Sdk.js", "./sdk/webhooks": "./dist/VerifyWebhook.js" }
  const manifest = { name: "interview-invitations", type: "module", exports }
  writeFileSync(join(directory, "package/package.json"), JSON.stringify(manifest))
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  mkdirSync(join(directory, "node_modules"))
  symlinkSync("../package", join(directory, "node_modules/interview-invitations"))
  cpSync(join(import.meta.dirname, "program.js"), join(directory, "program.js"))
})

const input = Effect.gen(function* () {
  const { url } = yield* Api.Server
  const { key: apiKey } = yield* Api.account
  const secret = "whsec_0123456789abcdef"
  const body = JSON.stringify(evaluatedEvent)
  const timestamp = Math.floor(Date.now() / 1000)
  const keys = [signingKey(secret)]
  const headers = signatureHeaders({ eventId: evaluatedEvent.event_id, timestamp, body: Buffer.from(body), keys })
  return JSON.stringify({ url, apiKey, webhook: { body, headers, secret } })
})

const expected = [
  "need_interview",
  ["ada@example.com"],
  true,
  "validation_failed",
  "interview.evaluation.update",
  "mismatch",
]

layer(Api.layer(), { excludeTestServices: true })("The sdk", (it) => {
  it.effect.skipIf(node20 === undefined)("runs on Node 20 (skipped: there is no Node 20 in PATH)", () =>
    Effect.gen(function* () {
      const given = yield* input
      const script = `import { journey } from "./program.js"
        process.stdout.write(process.version + "\\n" + JSON.stringify(await journey(${given})))`
      writeFileSync(join(directory, "node20.js"), script)
      const [version = "", output = ""] = (yield* Effect.promise(() => run(node20 ?? "", ["node20.js"]))).split("\n")
      assert.match(version, /^v20\./)
      assert.deepStrictEqual(JSON.parse(output), expected)
    }),
  )

  it.effect("runs in a context with web globals only", () =>
    Effect.gen(function* () {
      const given = yield* input
      const { text } = yield* Effect.promise(() => bundle("program.js", "edge.js", "iife"))
      const globals = {
        ...{ AbortController, AbortSignal, crypto, fetch, Headers, TextDecoder, TextEncoder, URL, URLSearchParams },
        ...{ clearTimeout, setTimeout },
      }
      const context = createContext(globals)
      const output = yield* Effect.promise(
        (): Promise<string> => runInContext(`${text}\nsdk.journey(${given}).then(JSON.stringify)`, context),
      )
      assert.deepStrictEqual(JSON.parse(output), expected)
    }),
  )

  it.effect.skipIf(missing !== undefined)("runs in Chromium, on a page of the API's origin", () =>
    Effect.gen(function* () {
      const given = yield* input
      const { url } = yield* Api.Server
      const { text } = yield* Effect.promise(() => bundle("program.js", "browser.js", "iife"))
      const browser = yield* Chromium
      const output = yield* Effect.promise(async () => {
        const page = await browser.newPage()
        // the API sends no CORS headers
        await page.goto(`${url}/openapi.json`)
        return page.evaluate(`(() => { ${text}\nreturn sdk.journey(${given}) })()`)
      })
      assert.deepStrictEqual(output, expected)
    }).pipe(Effect.provide(Chromium.layer)),
  )

  it.effect("is smaller than 16.5 kB minified, and its webhook verification than 3 kB", () =>
    Effect.promise(async () => {
      const sdk = await bundle("package/dist/Sdk.js", "sdk.js", "esm")
      const webhooks = await bundle("package/dist/VerifyWebhook.js", "webhooks.js", "esm")
      assert.isBelow(sdk.size, 16_500)
      assert.isBelow(webhooks.size, 3_000)
    }),
  )
})
