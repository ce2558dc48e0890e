/** The workspace in Chromium: as a recruiter uses it, without scripts, on paper, on a phone, by night. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Pod from "../support/Pod.ts"
import * as Workspace from "../support/Workspace.ts"
import { Chromium, missing, origin, visitor } from "./chromium.ts"
import { look } from "./looks.ts"

const stage = Chromium.layer.pipe(
  Layer.provideMerge(Server.layer),
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ evaluate: Dossier.evaluate, settings: { PORT: "0", APP_URL: origin } })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

describe.skipIf(missing !== undefined)(["workspace in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage)((it) => {
    it.effect("looks", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* Workspace.member(organization)
        const visit = yield* visitor()
        const page = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          await page.goto(`/submissions/${submission}`)
          await look(page, "w1-sign-in")
          await page.getByLabel("E-mail address").fill(email)
          await page.getByLabel("Password").fill(Workspace.password)
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor()
          await look(page, "w2-submission")
          await page.goto("/submissions")
          await look(page, "w3-list")
        })
        assert.isDefined(submission)
      }),
    )
  })
})
