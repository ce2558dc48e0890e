/** The examples of /docs, as the pages show them: each language sends the same request, and the service accepts it. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { codeSamples, type Language, languages } from "../../src/api-reference/CodeSamples.ts"
import { guidePages } from "../../src/api-reference/Guide.ts"
import type { Document } from "../../src/api-reference/OpenApiDocument.ts"
import { blocks } from "../docs/pages.ts"
import { account, call, keyOf, Server } from "../support/Api.ts"
import { listen } from "../support/listen.ts"
import * as Pod from "../support/Pod.ts"
import { missing, python } from "../system/quickstart/python.ts"

const root = join(import.meta.dirname, "../..")
const apiUrl = "https://api.nordlicht.example"
const run = promisify(execFile)

type Sample = Readonly<Record<Language, string>>

interface Sent {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly key: string
  readonly hasIdempotencyKey: boolean
  readonly isJson: boolean
  readonly body: unknown
}

const served = Server.layer.pipe(
  Layer.provide(App.serve(App.api)),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0", API_URL: apiUrl } })),
)

const unescaped = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

/** Texts that a shell or a program could read as code. */
const hostile = codeSamples(
  {
    operationId: "createInterviewSet",
    method: "POST",
    path: "/company/integration/interview/set/v1",
    ids: {},
    body: {
      title: `It's $HOME, \`id\` $(id) "x" \\ \\n ' ''`,
      description: "line\n\ttab\u2028 ü 😀 {title} </pre>&lt;",
      position: null,
      iai_questions: [],
      metadata: { "a.b": "", constructor: "x" },
    },
    hasIdempotencyKey: true,
  },
  apiUrl,
)

const samplesIn = (html: string): ReadonlyArray<Sample> =>
  [...html.matchAll(/<div class="samples">([\s\S]*?<\/details>)\n<\/div>/g)].map(([, block = ""]) => {
    const texts = [...block.matchAll(/<summary>(\w+)<\/summary><div class="code"><pre>([\s\S]*?)<\/pre>/g)]
    const found = new Map(texts.map(([, language = "", text = ""]) => [language, unescaped(text)]))
    assert.deepStrictEqual([...found.keys()], [...languages])
    return {
      curl: found.get("curl") ?? "",
      Python: found.get("Python") ?? "",
      TypeScript: found.get("TypeScript") ?? "",
    }
  })

/** The samples of all pages, and the hostile one. */
const allSamples = Effect.gen(function* () {
  const paths = ["/docs", ...guidePages.map(({ slug }) => `/docs/${slug}`)]
  const pages = yield* Effect.forEach(paths, (path) => call("GET", path))
  const shown = pages.flatMap(({ body }) => samplesIn(String(body)))
  assert.isAtLeast(shown.length, 28)
  return [...shown, hostile]
})

/** What curl would send: a function in its place prints its arguments, as the shell reads them. */
const sentByCurl = async (command: string): Promise<Sent> => {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`
  const { stdout } = await run("sh", ["-c", script], { env: { API_KEY: "k.secret" } })
  const words = stdout.split("\0").slice(0, -1)
  const headers = new Headers()
  let url = ""
  let method: string | undefined
  let data: string | undefined
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    if (word === "-sS") continue
    if (!word.startsWith("-")) {
      assert.strictEqual(url, "")
      url = word
      continue
    }
    index += 1
    const value = words[index] ?? ""
    if (word === "-X") method = value
    else if (word === "-d") data = value
    else if (word === "-o") assert.isNotEmpty(value)
    else if (word === "-H") headers.append(...(value.split(": ") as [string, string]))
    else assert.fail(word)
  }
  const { origin, pathname, search } = new URL(url)
  assert.strictEqual(origin, apiUrl)
  return {
    method: method ?? (data === undefined ? "GET" : "POST"),
    path: pathname + search,
    key: headers.get("x-api-key") ?? "",
    hasIdempotencyKey: headers.has("idempotency-key"),
    isJson: headers.get("content-type") === "application/json",
    body: data === undefined ? undefined : JSON.parse(data),
  }
}

/** A server that records requests and answers with an empty page. */
const recorder = Effect.gen(function* () {
  const sent: Array<Sent> = []
  const url = yield* listen(
    createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      const { headers, method = "", url: path = "" } = request
      sent.push({
        method,
        path,
        key: String(headers["x-api-key"]),
        hasIdempotencyKey: headers["idempotency-key"] !== undefined,
        isJson: headers["content-type"] === "application/json",
        body: text === "" ? undefined : JSON.parse(text),
      })
      const type = /\/(?:recording|file|cv)\/v1/.test(path) ? "video/webm" : "application/json"
      response.writeHead(200, { "content-type": type }).end('{"results":[],"next_cursor":null}')
    }),
  )
  return { sent, url }
})

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "samples-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true })),
)

const environment = { PATH: "/usr/bin:/bin", API_KEY: "k.secret" }

/** Runs each file of the list in one Python process. */
const runAll = `import json, runpy, sys
for path in json.load(sys.stdin):
    runpy.run_path(path)`

layer(served, { excludeTestServices: true })("The examples of /docs", (it) => {
  it.effect("in curl are requests that the service accepts", () =>
    Effect.gen(function* () {
      const document = (yield* call("GET", "/openapi.json")).body as Document
      const { key, organization } = yield* account
      const space = yield* (yield* Organizations).openTestSpace(operator(organization))
      const { key: testKey } = yield* keyOf(space)
      const missing = new Set(
        Object.entries(document.paths).flatMap(([path, item]) =>
          Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
        ),
      )
      for (const { curl } of yield* allSamples) {
        const { body, isJson, key: sentKey, method, path } = yield* Effect.promise(() => sentByCurl(curl))
        assert.strictEqual(sentKey, "k.secret")
        assert.strictEqual(isJson, body !== undefined)
        const used = path.includes("/test/v1/") ? testKey : key
        const answer = yield* call(method, path, { key: used, ...(body === undefined ? {} : { json: body }) })
        const { detail, errors = [] } = answer.body as { detail?: string; errors?: ReadonlyArray<{ code: string }> }
        // ids of the examples are not those of a record here
        const isUnknown =
          (answer.status === 404 && detail?.startsWith("no such ")) ||
          (answer.status === 422 && errors.every(({ code }) => code === "not_found"))
        const isFine = answer.status < 300 || isUnknown
        assert.isTrue(isFine, `${curl}\n${answer.status} ${JSON.stringify(answer.body)}`)
        for (const operation of missing) {
          const [expected = "", template = ""] = operation.split(" ")
          const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[0-9a-f-]+")}$`)
          if (method === expected && pattern.test(path.split("?")[0] ?? "")) missing.delete(operation)
        }
      }
      assert.deepStrictEqual([...missing], [])
    }),
  )

  it.effect.skipIf(missing !== undefined)(
    `in Python send the same requests as in curl${missing === undefined ? "" : `: ${missing}`}`,
    () =>
      Effect.gen(function* () {
        const samples = yield* allSamples
        const { sent, url } = yield* recorder
        const place = yield* directory
        yield* Effect.promise(async () => {
          const files = samples.map((_, index) => join(place, `sample_${index}.py`))
          for (const [index, { Python }] of samples.entries()) {
            await writeFile(files[index] ?? "", Python.replace(apiUrl, url))
          }
          const running = run(python ?? "", ["-c", runAll], { env: environment })
          running.child.stdin?.end(JSON.stringify(files))
          await running
          for (const [index, { curl }] of samples.entries()) {
            assert.deepStrictEqual(sent[index], await sentByCurl(curl), curl)
          }
          assert.lengthOf(sent, samples.length)
        })
      }).pipe(Effect.scoped),
  )

  it.effect("in TypeScript compile with the SDK, and send the same requests as in curl", () =>
    Effect.gen(function* () {
      const samples = yield* allSamples
      const { sent, url } = yield* recorder
      const place = yield* directory
      const own = blocks.flatMap(({ code, language, path }) =>
        path === "docs/sdk.md" && language === "ts" ? [code] : [],
      )
      assert.isAtLeast(own.length, 3)
      const modules = {
        "@interview-invitations/sdk": join(root, "src/sdk/Sdk.ts"),
        "@interview-invitations/sdk/webhooks": join(root, "src/sdk/VerifyWebhook.ts"),
      }
      yield* Effect.promise(async () => {
        await writeFile(join(place, "package.json"), '{"type":"module"}')
        const config = {
          extends: join(root, "tsconfig.json"),
          compilerOptions: {
            paths: Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, [path]])),
            typeRoots: [join(root, "node_modules/@types")],
          },
          include: ["*.ts"],
          exclude: [],
        }
        await writeFile(join(place, "tsconfig.json"), JSON.stringify(config))
        const texts = [...samples.map(({ TypeScript }) => TypeScript), ...own]
        for (const [index, text] of texts.entries()) await writeFile(join(place, `sample-${index}.ts`), text)
        const tsc = join(root, "node_modules/typescript/bin/tsc")
        await run(process.execPath, [tsc, "-p", place]).catch(({ stdout }) => assert.fail(stdout))

        const imports: Array<string> = []
        for (const [index, { TypeScript }] of samples.entries()) {
          const program = TypeScript.replace(apiUrl, url).replace(
            '"@interview-invitations/sdk"',
            JSON.stringify(pathToFileURL(modules["@interview-invitations/sdk"])),
          )
          await writeFile(join(place, `run-${index}.mjs`), program)
          imports.push(`await import("./run-${index}.mjs")`)
        }
        await writeFile(join(place, "run.mjs"), imports.join("\n"))
        await run(process.execPath, [join(place, "run.mjs")], { env: environment })
        for (const [index, { curl }] of samples.entries()) {
          assert.deepStrictEqual(sent[index], await sentByCurl(curl), curl)
        }
        assert.lengthOf(sent, samples.length)
      })
    }).pipe(Effect.scoped),
  )
})

describe("The examples", () => {
  it("have short values in one line and others in several", () => {
    const { Python, TypeScript, curl } = hostile
    assert.include(curl, '"metadata": {"a.b": "", "constructor": "x"}\n}\'')
    assert.include(Python, '        "position": None,\n        "iai_questions": [],\n')
    assert.include(TypeScript, '  metadata: { "a.b": "", constructor: "x" },\n})\n')
  })
})
