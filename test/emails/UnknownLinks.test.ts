/** Links that a mail program has cut or extended. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { catalogues } from "../../src/texts/Texts.ts"
import { Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const service = Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0", TRUSTED_PROXIES: "127.0.0.1/32,::1/128" } })),
)

/** Each request has its own address, so that no rate limit applies. */
let client = 0

const get = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = {}) {
  const { url } = yield* Server
  const from = `10.0.${Math.floor(++client / 250)}.${client % 250}`
  return yield* Effect.promise(async () => {
    const answer = await fetch(url + path, { redirect: "manual", headers: { ...headers, "x-forwarded-for": from } })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  })
})

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

layer(service)("links that are not whole", (it) => {
  it.effect.each([
    ...["/i", "/i/", "/i/cut", "/i/cut/", "/i/cut/questions/1", "/i/cut/more", "/i/cut/more/of/it"],
    ...["/c", "/c/", "/c/cut", "/c/cut/more", "/o", "/o/", "/o/cut/more"],
    ...["/unsubscribe", "/unsubscribe/", "/unsubscribe/cut", "/unsubscribe/cut/more"],
  ])("%s: a browser gets a page that says so", (path) =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* get(path, browser)
      assert.strictEqual(status, 404)
      assert.match(headers.get("content-type") ?? "", /^text\/html/)
      assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
      assert.include(text, catalogues.en.link.unknown)
      assert.include(text, "ask the company that invited you")
    }),
  )

  it.effect.each(["/i/", "/i/cut/more", "/c/", "/unsubscribe/", "/v1/nothing", "/nothing"])(
    "answers %s with a problem to a program",
    (path) =>
      Effect.gen(function* () {
        const { headers, status, text } = yield* get(path, { accept: "application/json" })
        assert.strictEqual(status, 404)
        assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/)
        assert.strictEqual(JSON.parse(text).status, 404)
      }),
  )

  it.effect("answers 404 to an unknown token on every link path", () =>
    Effect.gen(function* () {
      const tokens = [
        ...["%00", "%0A", "%0D%0Ax:%20y", "%E2%80%AE", "%7F", "%FF", "%ED%A0%80", "%ZZ", "%", "%5C%5Cevil.example"],
        ...["..%2F..%2Fx", "%20", "'", "A".repeat(42), "A".repeat(45), "A".repeat(2_000), `${"A".repeat(43)}%00`],
      ]
      const steps = ["", "/start", "/answers", "/finish", "/reopen", "/final", "/decline", "/review", "/state"]
      for (const token of tokens) {
        const paths = [...steps.map((step) => `/i/${token}${step}`), `/i/${token}/questions/${token}`]
        for (const path of [...paths, `/o/${token}`, `/c/${token}`, `/unsubscribe/${token}`, `/password/${token}`]) {
          const { headers, status, text } = yield* get(path, browser)
          if (path.startsWith("/o/") && status === 200) continue // the picture is the same for every token
          assert.strictEqual(status, 404, path)
          assert.isNotNull(headers.get("x-request-id"), path)
          assert.notStrictEqual(text, "", path)
        }
      }
    }),
  )

  it.effect("answers API paths with a problem, also to browsers", () =>
    Effect.gen(function* () {
      for (const path of ["/v1/nothing", "/company/integration/nothing", "/health/nothing"]) {
        assert.match((yield* get(path, browser)).headers.get("content-type") ?? "", /^application\/problem\+json/)
      }
    }),
  )

  it.effect.each(["/nothing", "/settings/nothing", "/submissions/a/b/c", "/company-x"])(
    "answers %s with a page that links to the workspace",
    (path) =>
      Effect.gen(function* () {
        const { headers, status, text } = yield* get(path, browser)
        assert.strictEqual(status, 404)
        assert.match(headers.get("content-type") ?? "", /^text\/html/)
        assert.include(text, "Page not found")
        assert.include(text, 'href="/submissions"')
      }),
  )

  it.effect.each([
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["cs, en;q=0.5, vi;q=0.7", "vi"],
    ["en;q=0.1, fr", "fr"],
    ["PT-br", "pt"],
    ["ar-EG", "ar"],
    ["es ; q=1", "es"],
    ["cs,sk", "en"],
    ["de;q=0, *", "en"],
    ["de;q=nonsense,;;,=", "en"],
    ["", "en"],
  ] as const)("Accept-Language %j: the page is in %s", ([wanted, language]) =>
    Effect.gen(function* () {
      for (const path of ["/i/cut", "/c/cut", "/unsubscribe/cut", "/unsubscribe/"]) {
        const { text } = yield* get(path, { ...browser, "accept-language": wanted })
        assert.include(text, `<html lang="${language}"${language === "ar" ? ' dir="rtl"' : ""}>`)
        assert.include(text, catalogues[language].link.unknown)
      }
    }),
  )

  it.effect("accepts a whole link with characters appended", () =>
    Effect.gen(function* () {
      const { token } = yield* Scenario.invited(yield* Scenario.organization())
      for (const more of [
        "/",
        "/more",
        "/questions",
        "/more/of/it",
        "/initiated",
        ...[".", ")", "%3E", "%20and", "./x"],
      ]) {
        const { headers, status } = yield* get(`/i/${token}${more}`, browser)
        if (status !== 200) {
          assert.strictEqual(status, 303, more)
          assert.strictEqual(headers.get("location"), `/i/${token}`)
        }
      }
      // characters of the token's alphabet would change the token
      for (const more of ["x", "-", "%2F..", "A."]) {
        const { headers, status } = yield* get(`/i/${token}${more}`, browser)
        assert.isTrue(status === 404 || headers.get("location") === `/i/${token}`, more)
      }
      assert.strictEqual((yield* get(`/i/${token}A.`, browser)).status, 404)
    }),
  )
})
