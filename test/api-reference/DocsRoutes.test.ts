/** The API's documentation as it is served: the document for programs, the page for people. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import * as App from "../../src/App.ts"
import { filledIn, numbers } from "../../src/api-reference/DocsNumbers.ts"
import type { Document } from "../../src/api-reference/document/Document.ts"
import { docsPage } from "../../src/api-reference/pages/DocsPage.ts"
import { markdown } from "../../src/api-reference/pages/Markdown.ts"
import { Config } from "../../src/config/Config.ts"
import { renderDocument } from "../../src/platform/http/Document.ts"
import { call, Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as TestApp from "../support/TestApp.ts"

const apiUrl = "https://api.nordlicht.example"

const served = Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0", API_URL: apiUrl } })),
)

const get = (path: string, headers: Record<string, string> = {}) => call("GET", path, { headers })

const openApi = Effect.map(get("/openapi.json"), ({ body }) => body as Document)
const page = Effect.map(get("/docs"), ({ body }) => String(body))

const text = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

layer(served, { excludeTestServices: true })("Documentation", (it) => {
  it.effect("/openapi.json names the address of the API, and no key is needed to read it", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* get("/openapi.json")
      const document = body as Document
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.strictEqual(document.openapi, "3.1.0")
      assert.deepStrictEqual(document.servers, [{ url: apiUrl }])
      assert.include(document.info.description, `${apiUrl}/company/integration/interview/set/v1`)
      assert.notMatch(JSON.stringify(document), /\{(?:api_url|webhook_|rate_limit|max_body|held_|invit)/)
    }),
  )

  it.effect("both are asked for again only when they have changed", () =>
    Effect.gen(function* () {
      for (const path of ["/openapi.json", "/docs"]) {
        const first = yield* get(path)
        const etag = first.headers.get("etag") ?? ""
        assert.match(etag, /^"[\w-]{22}"$/)
        assert.strictEqual(first.headers.get("cache-control"), "no-cache")
        for (const known of [etag, `"other", W/${etag}`]) {
          const again = yield* get(path, { "if-none-match": known })
          assert.strictEqual(again.status, 304)
          assert.isUndefined(again.body)
          assert.strictEqual(again.headers.get("etag"), etag)
        }
        assert.strictEqual((yield* get(path, { "if-none-match": '"other"' })).status, 200)
        assert.strictEqual((yield* call("HEAD", path)).status, 200)
      }
    }),
  )

  it.effect("/docs shows every operation, parameter, field, status, problem and webhook", () =>
    Effect.gen(function* () {
      const document = yield* openApi
      const html = yield* page
      const shown = text(html)
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { operationId, responses, summary }] of Object.entries(item)) {
          const id = operationId.replace(".", "-")
          const [, article = ""] = html.split(`<article class="operation" id="${id}">`)
          const words = text(article.split("</article>")[0] ?? "")
          for (const each of [summary, `${method.toUpperCase()} ${path}`, `${apiUrl}${path.split("{")[0]}`]) {
            assert.include(words, each)
          }
          for (const status of Object.keys(responses)) assert.include(words, status, `${operationId} ${status}`)
          assert.include(html, `<a href="#${id}">`)
        }
      }
      for (const name of Object.keys(document.webhooks)) assert.include(html, `id="${name.replaceAll(".", "-")}"`)
      for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
        for (const field of Object.keys(properties)) assert.include(html, `<code>${field}</code>`, name)
      }
      for (const { content = {} } of Object.values(document.components.responses)) {
        for (const { examples = {} } of Object.values(content)) {
          for (const { value } of Object.values(examples)) assert.include(shown, JSON.stringify(value, null, 2))
        }
      }
    }),
  )

  it.effect("/docs asks nobody else for anything, and needs no script", () =>
    Effect.gen(function* () {
      const { headers } = yield* get("/docs")
      const html = yield* page
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src 'self'; /)
      assert.notMatch(html, /<script|<img|<iframe|\sstyle=|<style|\son[a-z]+="/)
      for (const [, address = ""] of html.matchAll(/\s(?:src|href|action)="([^"]*)"/g)) {
        assert.match(address, /^(#|\/(?!\/)|data:,$)/)
      }
      const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = ""]) => href)
      assert.lengthOf(styles, 2)
      for (const href of styles) {
        const { body, status } = yield* get(href)
        assert.strictEqual(status, 200)
        assert.notMatch(String(body), /@import|url\(/)
      }
      assert.isBelow(Buffer.byteLength(html), 320_000)
    }),
  )

  it.effect("/docs leads nowhere in vain: every anchor is there, once", () =>
    Effect.gen(function* () {
      const html = yield* page
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id)
      assert.deepStrictEqual(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        [],
      )
      const targets = [...html.matchAll(/\shref="#([^"]*)"/g)].map(([, id = ""]) => id)
      assert.isAbove(targets.length, 50)
      for (const target of targets) assert.include(ids, target)
      assert.strictEqual(html.match(/<h1[ >]/g)?.length, 1)
      assert.strictEqual(html.match(/<main[ >]/g)?.length, 1)
      assert.notMatch(html, /\[object|undefined|NaN|\{api_url\}/)
    }),
  )
})

describe("Documentation page", () => {
  it.effect("tells the numbers of this service", () =>
    Effect.gen(function* () {
      const config = yield* Config
      const own = yield* numbers({ ...config, webhookTimeout: Duration.seconds(1), rateLimit: 0 })
      assert.deepInclude(own, { webhook_timeout: "1 second", rate_limit: "none", max_body: "2 MiB" })
      assert.strictEqual(
        own["webhook_retries"],
        "There are up to 6 attempts, the later ones 2, 4, 8, 16 and 32 minutes after the one before (and up to 10 % more).",
      )
      const retry = (times: number) =>
        Effect.map(
          numbers({ ...config, webhookRetry: { first: Duration.minutes(40), cap: Duration.hours(2), times } }),
          ({ webhook_retries }) => webhook_retries,
        )
      assert.strictEqual(yield* retry(0), "There is no other attempt.")
      assert.strictEqual(
        yield* retry(3),
        "There are up to 4 attempts, the later ones 40 minutes, 80 minutes and 2 hours after the one before (and up to 10 % more).",
      )
      assert.include(yield* retry(1), "the later ones 40 minutes after")
      assert.include(yield* retry(20), "21 attempts")
      assert.include(yield* retry(20), "and so on, at most 2 hours apart")
      assert.strictEqual(filledIn('{"a":"{max_body} {id} {toString}"}', own), '{"a":"2 MiB {id} {toString}"}')
    }).pipe(Effect.provide(TestApp.config())),
  )

  it("speaks of nothing that is not there", () => {
    assert.notMatch(JSON.stringify(OpenApi.fromApi(Api)), /workspace/i)
  })

  it("what the document says can not become markup", async () => {
    const hostile = `</pre></code><script>alert(1)</script>"'&`
    const schema = {
      type: "object",
      properties: { [hostile]: { type: "string", description: hostile, enum: [hostile] } },
    }
    const media = {
      "application/json": { schema, examples: { [hostile]: { summary: hostile, value: { [hostile]: hostile } } } },
    }
    const operation = {
      operationId: "x.y",
      tags: [hostile],
      summary: hostile,
      description: `${hostile}\n\n| ${hostile} |\n|---|\n| \`${hostile}\` |\n\n- **${hostile}**\n\n## ${hostile}`,
      security: [],
      parameters: [{ name: hostile, in: "query", required: true, description: hostile, schema }],
      requestBody: { required: true, content: media },
      responses: { 200: { description: hostile, content: media } },
    }
    const document: Document = {
      openapi: "3.1.0",
      info: { title: hostile, version: hostile, summary: hostile, description: hostile, license: { name: "" } },
      servers: [{ url: hostile }],
      tags: [{ name: hostile, description: hostile }],
      paths: { [`/${hostile}`]: { post: operation } },
      webhooks: { [hostile]: { post: operation } },
      components: { schemas: { Problem: schema }, securitySchemes: {}, parameters: {}, headers: {}, responses: {} },
    }
    const html = renderDocument(docsPage(document), (name) => `/assets/${name}`)
    assert.include(html, "&lt;script&gt;")
    assert.notInclude(html, "<script>")
  })

  it("renders the Markdown that the document uses", () => {
    const rendered = String(
      markdown(
        "## A `b`\n\nOne\ntwo **three** [four](#five).\n\n- x\n  y\n- z\n\n2. last\n\n| A | |\n|---|---|\n| `b` | c |\n\n```sh\na <b\n\n  c\n```\nafter",
      ),
    )
    assert.strictEqual(
      rendered.replaceAll(/\n+/g, "\n").trim(),
      [
        '<h2 id="a-b"><a href="#a-b">A `b`</a></h2>',
        '<p>One two <strong>three</strong> <a href="#five">four</a>.</p>',
        "<ul><li>x y</li><li>z</li></ul>",
        '<ol start="2"><li>last</li></ol>',
        '<div class="table"><table>',
        '<thead><tr><th scope="col">A</th><th scope="col"></th></tr></thead>',
        "<tbody><tr><td><code>b</code></td><td>c</td></tr>",
        "</tbody></table></div>",
        "<pre>a &lt;b",
        "  c</pre>",
        "<p>after</p>",
      ].join("\n"),
    )
  })

  it("its style sheet names only colours that both schemes have", async () => {
    const read = (name: string) => readFile(join(import.meta.dirname, "../../src/platform/http/assets", name), "utf8")
    const [own, shared] = await Promise.all([read("docs.css"), read("style/base.css")])
    for (const [, name] of own.matchAll(/var\((--[a-z-]+)\)/g)) assert.include(shared, `${name}:`)
    assert.notMatch(own.split("@media print")[0] ?? "", /#[0-9a-f]{3,6}\b|rgb\(/)
  })
})
