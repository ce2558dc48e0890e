/** /openapi.json and the pages of /docs as they are served. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Duration, Effect, FileSystem, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import * as App from "../../src/App.ts"
import { requiredScopes, scopesText } from "../../src/accounts/Permissions.ts"
import { ApiDocument } from "../../src/api-reference/ApiDocument.ts"
import { evaluatedEvent, signing } from "../../src/api-reference/Examples.ts"
import { fillGuide, guidePages } from "../../src/api-reference/Guide.ts"
import type { Document } from "../../src/api-reference/OpenApiDocument.ts"
import { fillPlaceholders, placeholders } from "../../src/api-reference/Placeholders.ts"
import { Config } from "../../src/config/Config.ts"
import { typeOf } from "../../src/platform/http/ProblemApi.ts"
import { warningCodes } from "../../src/values/Warning.ts"
import { signatureHeaders, signingKey } from "../../src/webhooks/deliveries/Signature.ts"
import { blocksOf, pageAt } from "../docs/pages.ts"
import { call, Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as TestApp from "../support/TestApp.ts"

const apiUrl = "https://api.nordlicht.example"

const served = Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0", API_URL: apiUrl } })),
)

const get = (path: string, headers: Record<string, string> = {}) => call("GET", path, { headers })

const subjectPaths = guidePages.map(({ slug }) => `/docs/${slug}`)
const paths = ["/docs", ...subjectPaths]

/** The HTML of each page by path. */
const allPages = Effect.map(
  Effect.forEach(paths, (path) => Effect.map(get(path), ({ body }) => [path, String(body)] as const)),
  (pages) => new Map(pages),
)

const idsIn = (html: string): ReadonlyArray<string> => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id)

const unescaped = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

/** The path and hash of each result of a search. */
const found = (query: string) =>
  Effect.map(get(`/docs/search?q=${encodeURIComponent(query)}`), ({ body, status }) => {
    assert.strictEqual(status, 200)
    const [, list = ""] = /<ol class="results">([\s\S]*?)<\/ol>/.exec(String(body)) ?? []
    return [...list.matchAll(/<a href="([^"]+)"/g)].map(([, href = ""]) => href)
  })

layer(served, { excludeTestServices: true })("Documentation", (it) => {
  it.effect("/openapi.json has valid signatures of its example", () =>
    Effect.gen(function* () {
      const { components, webhooks } = (yield* get("/openapi.json")).body as Document
      const examples = webhooks["interviewEvaluationUpdate"]?.post?.requestBody?.content["application/json"]?.examples
      const signed = signatureHeaders({
        eventId: evaluatedEvent.event_id,
        timestamp: signing.timestamp,
        body: Buffer.from(JSON.stringify(examples?.["scored"]?.value)),
        keys: [signingKey(signing.secret)],
      })
      const shown = Object.values(components.parameters).map(({ example, name }) => [name.toLowerCase(), example])
      assert.deepInclude(Object.fromEntries(shown), signed)
    }),
  )

  it.effect("/openapi.json contains API_URL and needs no API key", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* get("/openapi.json")
      const document = body as Document
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.strictEqual(document.openapi, "3.1.0")
      assert.deepStrictEqual(document.servers, [{ url: apiUrl }])
      assert.include(document.info.description, `(${apiUrl}/docs)`)
      assert.notMatch(JSON.stringify(document), /\{(?:api_url|x?_?webhook_|rate_limit|max_body|held_|invit)/)
    }),
  )

  it.effect("document, pages and Scalar's script are revalidated by ETag", () =>
    Effect.gen(function* () {
      for (const path of ["/openapi.json", "/docs/reference", "/docs/scalar.js", ...paths]) {
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

  it.effect(
    "the pages have the content security policy of all pages, no inline script or style, and at most 80 KB",
    () =>
      Effect.gen(function* () {
        for (const path of [...paths, "/docs/search?q=invite", "/docs/nothing"]) {
          const { body, headers, status } = yield* get(path)
          const html = String(body)
          assert.strictEqual(status, path === "/docs/nothing" ? 404 : 200)
          assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
          assert.strictEqual(
            headers.get("content-security-policy"),
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          )
          assert.notMatch(html, /<script>|<img|<iframe|\sstyle=|<style|\son[a-z]+="/)
          for (const [, address = ""] of html.matchAll(/<(?!a\b)[^>]*?\s(?:src|href|action)="([^"]*)"/g)) {
            assert.match(address, /^(\/(?!\/)|#|data:,$)/, path)
          }
          assert.isAtMost(Buffer.byteLength(html), 80 * 1024, path)
          assert.notMatch(html, /\{(?:api_url|webhook_|rate_limit|max_body|held_|invit)/)
          assert.isNull(headers.get("set-cookie"))
        }
      }),
  )

  it.effect("only /docs/reference allows inline styles, for Scalar, which contacts no other host", () =>
    Effect.gen(function* () {
      const { body, headers } = yield* get("/docs/reference")
      assert.strictEqual(
        headers.get("content-security-policy"),
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      )
      assert.notMatch(String(body), /<script>|<img|<iframe|\sstyle=|<style|\son[a-z]+="/)
      assert.notInclude(String((yield* get("/docs")).body), "Test requests")
      // the API is on another origin, and sends no CORS headers
      const script = String((yield* get("/docs/scalar.js")).body)
      assert.include(script.slice(-1_000), '"hideTestRequestButton":true')
    }),
  )

  it.effect("the pages show this service's settings", () =>
    Effect.gen(function* () {
      const pages = yield* allPages
      assert.include(pages.get("/docs"), `${apiUrl}/company/integration/me/v1`)
      assert.include(pages.get("/docs/api"), "<td>600 a minute</td>")
    }),
  )

  it.effect("each operation has its method, path, scope, parameters and errors on one page", () =>
    Effect.gen(function* () {
      const document = (yield* get("/openapi.json")).body as Document
      const pages = yield* allPages
      const scopes: Array<string> = []
      let operations = 0
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { operationId, parameters, responses, summary }] of Object.entries(item)) {
          operations += 1
          const places = [...pages].filter(([, html]) => idsIn(html).includes(operationId))
          assert.lengthOf(places, 1, operationId)
          const [[page, html] = ["", ""]] = places
          const [, section = ""] = html.split(new RegExp(`(?=<section class="operation">\\s*<h2 id="${operationId}">)`))
          const text = unescaped(section.slice(0, section.indexOf("</section>")))
          assert.include(text, summary)
          assert.include(text, `${method.toUpperCase()} ${path}`)
          scopes.push(/Scope: (\w+(?: or \w+)*)/.exec(text)?.[1] ?? "")
          for (const parameter of parameters) {
            const name = "name" in parameter ? parameter.name : (parameter.$ref.split("/").at(-1) ?? "")
            assert.include(text, name, `${page} ${operationId}`)
          }
          for (const status of Object.keys(responses)) {
            assert.match(text, new RegExp(`${status.startsWith("2") ? "Response " : ""}${status}\\b`), operationId)
          }
          assert.include(section, "<details open><summary>curl</summary>")
        }
      }
      assert.isAtLeast(operations, 20)
      assert.sameMembers(scopes, Object.values(requiredScopes).map(scopesText))
    }),
  )

  it.effect("each webhook and each schema that is not a whole body has one table", () =>
    Effect.gen(function* () {
      const document = (yield* get("/openapi.json")).body as Document
      const all = [...(yield* allPages).values()].flatMap(idsIn)
      const count = (name: string) => all.filter((id) => id === name).length
      for (const name of Object.keys(document.webhooks)) assert.strictEqual(count(name), 1, name)
      for (const [name, { properties }] of Object.entries(document.components.schemas)) {
        assert.strictEqual(count(name), properties?.["results"] === undefined ? 1 : 0, name)
      }
    }),
  )

  it.effect("the pages show every heading and every block of code of their file", () =>
    Effect.gen(function* () {
      const pages = yield* allPages
      for (const { slug } of guidePages) {
        const html = pages.get(`/docs/${slug}`) ?? ""
        const shown = unescaped(html)
        const text = pageAt(`docs/${slug}.md`)
        for (const [, title = ""] of text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm))
          assert.include(shown, title)
        for (const { code, language } of blocksOf(slug, text)) {
          const isExample = language === "sh" && code.startsWith("curl ") && !code.includes("\ncurl ")
          if (!isExample) assert.include(shown, code.trimEnd().replaceAll("http://localhost:8080", apiUrl), slug)
        }
      }
      const quickstart = pages.get("/docs/quickstart") ?? ""
      assert.lengthOf([...quickstart.matchAll(/<div class="samples">/g)], 5)
    }),
  )

  it.effect("only links to settings and files outside of the guide become text", () =>
    Effect.gen(function* () {
      const [, list = ""] = String((yield* get("/docs/api")).body).split('id="lists"')
      assert.include(list, 'of <a href="/docs/events">events</a> stay valid')
      const all = [...(yield* allPages).values()].join("\n").replaceAll(/<pre>[\s\S]*?<\/pre>/g, "")
      const left = unescaped(all).match(
        /.{0,40}(?:\]\(|\w\.md\b|<!--|(?<!\*)\*\*(?!\*)|<\/?(?:details|summary)>).{0,20}/g,
      )
      assert.isNull(left)
    }),
  )

  it.effect("ids are unique on a page, and every link has a target", () =>
    Effect.gen(function* () {
      const pages = yield* allPages
      for (const [path, html] of pages) {
        const ids = idsIn(html)
        assert.deepStrictEqual(
          ids.filter((id, index) => ids.indexOf(id) !== index),
          [],
          path,
        )
        for (const [, href = ""] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
          const [target = "", id] = href.split("#")
          const linked = target === "" ? path : target
          if (/^https:/.test(linked)) continue
          if (!linked.startsWith("/docs") || linked === "/docs/reference") {
            assert.include(["/docs/reference", "/openapi.json"], linked, path)
            continue
          }
          assert.isTrue(pages.has(linked), `${path}: ${href}`)
          if (id !== undefined) assert.include(idsIn(pages.get(linked) ?? ""), id, `${path}: ${href}`)
        }
      }
    }),
  )

  it.effect("tables have no empty header, and headings skip no level", () =>
    Effect.gen(function* () {
      for (const [path, html] of yield* allPages) {
        for (const [, header = ""] of html.matchAll(/<th\b[^>]*>([\s\S]*?)<\/th>/g))
          assert.isNotEmpty(unescaped(header), path)
        const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
        assert.strictEqual(levels[0], 1, path)
        for (const [index, level] of levels.entries()) {
          assert.isAtMost(level, (levels[index - 1] ?? 0) + 1, path)
          if (index > 0) assert.isAbove(level, 1, path)
        }
      }
    }),
  )

  it.effect("Next leads from the first subject to the last, and Previous back", () =>
    Effect.gen(function* () {
      const pages = yield* allPages
      const follow = (path: string | undefined, rel: string): ReadonlyArray<string> => {
        if (path === undefined) return []
        const [, next] = new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(pages.get(path) ?? "") ?? []
        return [path, ...follow(next, rel)]
      }
      assert.deepStrictEqual(follow(subjectPaths[0], "next"), subjectPaths)
      assert.deepStrictEqual(follow(subjectPaths.at(-1), "prev"), subjectPaths.toReversed())
    }),
  )

  it.effect("the search finds operations, fields, error codes and headings; titles come first", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* found("extend"))[0], "/docs/invitations#extendInvitation")
      assert.strictEqual((yield* found("  Candidate   INVITE "))[0], "/docs/quickstart#3-invite-a-candidate")
      assert.include(yield* found("POST /company/integration/interview/set"), "/docs/interview-sets#createInterviewSet")
      assert.include(yield* found("cfg_importance_id"), "/docs/interview-sets#CreateRequirement")
      assert.include(yield* found("idempotency_key_reused"), "/docs/errors#problems")
      assert.include(yield* found("interview.evaluation.update"), "/docs/webhooks#what-each-event-means")
      assert.strictEqual((yield* found("InvitationStatusEvent"))[0], "/docs/webhooks#InvitationStatusEvent")
      assert.deepStrictEqual(yield* found("webhook zebra"), [])
    }),
  )

  it.effect("type of each problem opens the documentation of its error", () =>
    Effect.gen(function* () {
      const me = "/company/integration/me/v1"
      const answers = [yield* get(me), yield* get("/nowhere"), yield* call("DELETE", me)]
      const given = answers.map(({ body }) => body as { readonly code: string; readonly type: string })
      assert.deepStrictEqual(
        given.map(({ code }) => code),
        ["unauthorized", "not_found", "method_not_allowed"],
      )
      const document = (yield* get("/openapi.json")).body as Document
      const all = document.components.schemas["Problem"]?.properties?.["code"]?.enum?.map(String) ?? []
      assert.isAtLeast(all.length, 15)
      const types = [...all.map((code) => ({ code, type: typeOf(code) })), ...given]
      const codes = types.map(({ code, type }) => {
        const { hash, pathname } = new URL(type, "https://api.example")
        assert.strictEqual(hash, `#${code}`)
        return { code, page: pathname }
      })
      for (const { code, page } of codes) {
        const { body, status } = yield* get(page)
        assert.strictEqual(status, 200)
        assert.include(idsIn(String(body)), code)
      }
    }),
  )

  it.effect("the page of errors describes the codes of warnings", () =>
    Effect.gen(function* () {
      const [, text = ""] = String((yield* get("/docs/errors")).body).split('id="codes-of-warnings"')
      for (const code of warningCodes) assert.include(text, `<code>${code}</code>`)
    }),
  )

  it.effect("the search keeps the query, escapes it, and limits queries and results", () =>
    Effect.gen(function* () {
      const html = (query: string) =>
        Effect.map(get(`/docs/search?q=${encodeURIComponent(query)}`), ({ body, status }) => {
          assert.strictEqual(status, 200)
          return String(body)
        })
      const hostile = yield* html('"><script>alert(1)</script>')
      assert.notInclude(hostile, "<script>alert")
      assert.include(hostile, 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
      assert.include(hostile, "Nothing found")
      assert.include(yield* html("(a+)+$ [ \\"), "Nothing found")
      assert.include(yield* html("expires_at"), "<mark>expires_at</mark>")
      assert.include(yield* html(""), "Enter a word")
      assert.include(yield* html("e"), "These are the first 30.")
      const long = yield* html("é".repeat(1_000))
      assert.include(long, `value="${"é".repeat(100)}"`)
      assert.include(String((yield* get("/docs/search?q=%ff%00%ud800")).body), "Nothing found")
      assert.include(String((yield* get("/docs/search")).body), "Enter a word")
    }),
  )
})

describe("Placeholders", () => {
  it.effect("have the values of this service's settings", () =>
    Effect.gen(function* () {
      const config = yield* Config
      const own = yield* placeholders({ ...config, webhookTimeout: Duration.seconds(1), rateLimit: 0 })
      assert.deepInclude(own, { webhook_timeout: "1 second", rate_limit: "none", max_body: "2 MiB" })
      assert.strictEqual(
        own["webhook_retry_times"],
        "There are up to 6 attempts: retries follow 2, 4, 8, 16 and 32 minutes after the previous attempt (plus up to 10 %).",
      )
      const retry = (times: number) =>
        Effect.map(
          placeholders({ ...config, webhookRetry: { first: Duration.minutes(40), cap: Duration.hours(2), times } }),
          ({ webhook_retry_times }) => webhook_retry_times,
        )
      assert.strictEqual(yield* retry(0), "There are no retries.")
      assert.strictEqual(
        yield* retry(3),
        "There are up to 4 attempts: retries follow 40 minutes, 80 minutes and 2 hours after the previous attempt (plus up to 10 %).",
      )
      assert.include(yield* retry(1), "retries follow 40 minutes after")
      assert.include(yield* retry(20), "21 attempts")
      assert.include(yield* retry(20), "and so on, at most 2 hours apart")
      assert.strictEqual(fillPlaceholders('{"a":"{max_body} {id} {toString}"}', own), '{"a":"2 MiB {id} {toString}"}')
    }).pipe(Effect.provide(TestApp.config())),
  )

  it.effect("are the values of the guides when no setting is changed", () =>
    Effect.gen(function* () {
      const values = yield* placeholders(yield* Config)
      let count = 0
      for (const { slug } of guidePages) {
        const text = pageAt(`docs/${slug}.md`)
        for (const [, shown = "", name = ""] of text.matchAll(/\[([^\]]+)\]\(settings\.md\s+"(\w+)"\)/g)) {
          count += 1
          assert.strictEqual(shown.replaceAll(/\s+/g, " "), values[name.toLowerCase()], `${slug}: ${name}`)
          assert.include(pageAt("docs/settings.md"), `| \`${name}\` |`)
        }
        assert.notInclude(fillGuide(text, values, apiUrl), "(settings.md")
      }
      assert.isAtLeast(count, 15)
    }).pipe(Effect.provide(TestApp.config())),
  )

  it("fill in nothing else", () => {
    assert.strictEqual(fillPlaceholders("{unknown} {id}", {}), "{unknown} {id}")
  })
})

describe("Document", () => {
  it.effect("is made by the next request when its first reader could not read the guide", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      let isBroken = true
      const readFileString: typeof fs.readFileString = (...args) =>
        isBroken ? Effect.die("too many open files") : fs.readFileString(...args)
      const files = Layer.succeed(FileSystem.FileSystem, { ...fs, readFileString })
      const built = yield* Layer.build(Layer.provide(ApiDocument.layer(Api), files))
      const { read } = Context.get(built, ApiDocument)
      assert.include(JSON.stringify(yield* Effect.exit(read)), "too many open files")
      isBroken = false
      const document = yield* read
      assert.include(document.json, "openapi")
      assert.strictEqual(yield* read, document)
    }).pipe(Effect.scoped, Effect.provide([TestApp.config(), NodeServices.layer])),
  )

  it("does not mention the workspace", () => {
    assert.notMatch(JSON.stringify(OpenApi.fromApi(Api)), /workspace/i)
  })
})
