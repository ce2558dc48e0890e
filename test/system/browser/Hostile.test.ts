/**
 * Hostile input on every page of the workspace, in Chromium on a phone: it is shown as text, does not run and does not
 * change the layout. The pages are the registered routes.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../../src/App.ts"
import { Server } from "../../support/Api.ts"
import { furnished, pathOf, valuesOf } from "../../support/Furnished.ts"
import * as Members from "../../support/Members.ts"
import * as Pod from "../../support/Pod.ts"
import { passingTime } from "../../support/passingTime.ts"
import { Routes, recorded } from "../../support/Routes.ts"
import { testMail } from "../../support/TestMail.ts"
import { Chromium, missing, origin, visitor } from "./chromium.ts"

/** A word without breaks, and texts that would run, end a tag or attribute, or reverse the following text. */
const attacks = [
  "<script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  "'-alert(1)-'",
  "</textarea></title></pre></option><svg onload=alert(1)>",
  "javascript:alert(1)",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what other template languages would fill
  "${alert(1)}{{alert(1)}}<%=alert(1)%>",
  "&lt;b&gt;&#60;script>",
  "\u202Egnp.exe",
  "W".repeat(5000),
].join(" ")
/** Ends with a mark, so that text that a page appends inline is found. */
const say = (_: string, maxLength: number) =>
  `${[...attacks]
    .slice(0, maxLength - 1)
    .join("")
    .trim()}¶`

/** A link without a place to break a line. */
const contact = `https://help.example/"><script>alert(1)</script>?${"W".repeat(1500)}`

const evaluate: NonNullable<Pod.Ports["evaluate"]> = (input) =>
  Effect.map(Pod.strong(input), (evaluation) => ({
    ...evaluation,
    evaluator: say("evaluator", 200),
    model: say("model", 200),
    summary: say("summary", 6000),
    strengths: [say("strength", 6000)],
    gaps: [say("gap", 6000)],
    recommendations: [say("recommendation", 6000)],
    ratings: evaluation.ratings.map((rating) =>
      "level" in rating ? { ...rating, rationale: say("rationale", 6000) } : rating,
    ),
  }))

const receive: NonNullable<Pod.Ports["receive"]> = () =>
  Effect.succeed({
    _tag: "Answered",
    status: 302,
    body: attacks,
    truncated: true,
    location: "javascript:alert(1)",
    durationMs: 7,
  })

const stage = Chromium.layer.pipe(
  Layer.provideMerge(Server.layer),
  Layer.provide(App.serve(recorded(Layer.merge(App.api, App.pages)))),
  Layer.provideMerge(Routes.layer),
  Layer.provideMerge(Pod.layer({ evaluate, receive, settings: { ...Members.settings, APP_URL: origin } })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

/** Routes outside the workspace, or no pages. */
const others =
  /^\/(company|docs|openapi|health|providers|assets|colours|logos|shared\/|i\/(?!preview\/)|o\/|c\/|unsubscribe|notifications\/|password\/|test-mode\/mail\/)/

/**
 * Violations on the current page: elements made by an attack, links that run, a page wider than the screen, and text
 * that follows an unclosed direction override. Elements that show input as written (.written, pre) count as one text.
 */
const violationsOf = `(() => {
  const violations = []
  for (const element of document.querySelectorAll("img[src='x'], svg[onload], script:not([src]), [onerror], a[href^='javascript:' i]")) {
    violations.push("made by an attack: " + element.outerHTML.slice(0, 80))
  }
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    violations.push("scrolls sideways: " + wide.slice(0, 3).map((one) => one.parentElement.tagName + "." + one.parentElement.className + " > " + one.tagName + "." + one.className).join(", "))
  }
  const ends = (element) => {
    const { display, unicodeBidi } = getComputedStyle(element)
    return display !== "inline" && display !== "contents" || /isolate|plaintext/.test(unicodeBidi)
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    if (!node.data.includes("\\u202e") || node.parentElement.closest("option, textarea, script, style, pre, .written")) continue
    let block = node.parentElement
    while (!ends(block)) block = block.parentElement
    const range = document.createRange()
    range.setStartAfter(node)
    range.setEndAfter(block.lastChild)
    const rest = (node.data.split("¶").slice(1).join("") + range.toString()).trim()
    if (rest !== "") violations.push("turned around: " + rest.slice(0, 60) + " in " + block.tagName + "." + block.className)
  }
  return [...new Set(violations)]
})()`

describe.skipIf(missing !== undefined)(["hostile texts in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage, { timeout: "120 seconds" })((it) => {
    it.effect("are texts on every page of the workspace, and fit on a phone", () =>
      Effect.gen(function* () {
        const { ids, organization, owner, tokens } = yield* furnished(say)
        const inTest = yield* testMail(organization, owner.email, say)
        const post = (path: string, fields: Record<string, string>) =>
          Effect.map(passingTime(Members.post(path, owner.cookie, fields)), ({ status, text }) =>
            assert.strictEqual(status, 303, text.slice(-3000)),
          )
        // also writes the texts to the audit log
        yield* post("/settings/organization", { name: say("", 199), contact, privacy_contact: contact })
        yield* post(`/projects/${ids.project}`, { name: say("", 249) })
        yield* post(`/settings/integrations/api-keys/${ids.key}`, {
          ...{ name: say("", 249), description: say("", 1999), status: "active", access: "all" },
        })
        yield* post("/account/name", { name: say("", 199) })

        const { all } = yield* Routes
        const paths = all.flatMap(({ method, path }) =>
          method === "GET" && !others.test(path) ? [pathOf(path, valuesOf(path, ids))] : [],
        )
        const pagePaths = [
          ...new Set(paths),
          ...["cv", "interview", "holistic"].map((type) => `/submissions/${ids.submission}?evaluation=${type}`),
          `/interview-sets?q=${encodeURIComponent(say("", 200))}`,
          `/settings/people?q=${encodeURIComponent(say("", 200))}`,
          `/settings/audit?record=${encodeURIComponent(say("", 100))}`,
          `/sign-in?next=${encodeURIComponent(attacks)}`,
          `/test-mode/mail/${inTest.id}`,
          ...Object.values(tokens).map((token) => `/i/${token}`),
        ]
        const visit = yield* visitor({ viewport: { width: 360, height: 740 } })
        const page = yield* Effect.promise(() => visit.newPage())
        const violations: Array<string> = []
        let shown = 0
        page.on("dialog", (dialog) => {
          violations.push(`a dialog: ${dialog.message()}`)
          void dialog.dismiss()
        })
        for (const path of pagePaths) {
          const { cookie } = path.startsWith("/test-mode") ? inTest : owner
          const answer = yield* Members.get(path, cookie)
          if (!answer.headers.get("content-type")?.startsWith("text/html")) continue
          const [name = "", value = ""] = cookie.split("=")
          const isOpen = path.startsWith("/sign-in")
          yield* Effect.promise(async () => {
            await visit.clearCookies()
            if (!isOpen) await visit.addCookies([{ name, value, url: origin }])
            await page.goto(path)
            await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
            for (const violation of await page.evaluate<ReadonlyArray<string>>(violationsOf))
              violations.push(`${path}: ${violation}`)
            if (await page.evaluate<boolean>("document.body.innerText.includes('<script>alert(1)</script>')")) shown++
          })
        }
        assert.deepStrictEqual(violations, [])
        assert.isAbove(shown, 20)
      }),
    )
  })
})
