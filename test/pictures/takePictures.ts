/**
 * Takes the pictures of docs/workspace.md (`npm run pictures`): the sample organization on a fixed day, in Chromium, as WebP. A
 * second run takes the same pictures, as far as Chromium draws the same.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { fillSample } from "../../src/cli/sample/SampleFilling.ts"
import { memberEmail } from "../../src/dev/pages/HomePage.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"
import { visitor } from "../system/browser/chromium.ts"
import * as stage from "../system/browser/stage.ts"
import { pictures } from "./pictures.ts"

const folder = join(import.meta.dirname, "../../docs/pictures")

/** Of WebP, from 0 to 100: texts stay sharp. */
const quality = 60

const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }

describe("pictures", () => {
  layer(stage.layer, { timeout: "300 seconds" })((it) => {
    it.effect("are taken", () =>
      Effect.gen(function* () {
        const { id } = yield* Scenario.organization()
        yield* Workspace.member(id, memberEmail)
        yield* fillSample("https://hiring.example/webhooks")
        const visit = yield* visitor({ reducedMotion: "reduce", viewport: sizes.desktop })
        yield* Effect.promise(async () => {
          mkdirSync(folder, { recursive: true })
          const names = new Set(pictures.map(({ name }) => `${name}.webp`))
          for (const file of readdirSync(folder)) if (!names.has(file)) rmSync(join(folder, file))
          const page = await visit.newPage()
          await page.goto("/")
          await page.getByRole("button", { name: "Open the sample" }).click()
          await page.waitForLoadState()
          const chromium = await visit.newCDPSession(page)
          for (const { isDark = false, isPhone = false, name, reach } of pictures) {
            await page.setViewportSize(isPhone ? sizes.phone : sizes.desktop)
            await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" })
            await reach(page).catch((why: unknown) =>
              Promise.reject(new Error(`${name} was not reached`, { cause: why })),
            )
            await page.getByRole("heading", { level: 1 }).waitFor()
            await page.waitForLoadState("networkidle")
            await page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")
            const { data } = await chromium.send("Page.captureScreenshot", { format: "webp", quality })
            writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, "base64"))
          }
        })
      }),
    )
  })
})
