/** The pictures of docs/workspace.md: each exists, is small and has a text, and every page of the workspace has one. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { pictures } from "../pictures/pictures.ts"
import * as Walk from "../support/Walk.ts"
import { pageAt } from "./pages.ts"

const folder = join(import.meta.dirname, "../../docs/pictures")

/** Bytes of all of them: each clone of the repository has them. */
const maxSize = 1_500_000

it("the guide shows every picture once, each with a text, and the folder has no other and is small", () => {
  const shown = [...pageAt("docs/workspace.md").matchAll(/!\[([^\]]*)\]\(pictures\/([\w-]+)\.webp\)/g)]
  const names = pictures.map(({ name }) => name).toSorted()
  assert.deepStrictEqual(shown.map(([, , name = ""]) => name).toSorted(), names)
  for (const [, text = "", name] of shown) assert.isAbove(text.length, 20, name)
  const files = readdirSync(folder)
  assert.deepStrictEqual(files.toSorted(), names.map((name) => `${name}.webp`).toSorted())
  const contents = files.map((file) => readFileSync(join(folder, file)))
  for (const content of contents) assert.strictEqual(content.toString("latin1", 8, 12), "WEBP")
  assert.isBelow(
    contents.reduce((sum, { length }) => sum + length, 0),
    maxSize,
  )
})

/** Without a picture: redirects, files, pages of the preview after its first, and pages like a pictured one. */
const without = new Set([
  "/settings",
  "/settings/integrations",
  "/settings/recording-consent",
  "/person-reviews",
  "/settings/candidate-rights",
  "/settings/counterfactual-audit",
  "/settings/counterfactual-audit/:id",
  "/settings/counterfactual-audit/:id/annex",
  "/settings/counterfactual-audit/:id/csv",
  "/settings/counterfactual-audit/:id/delete",
  "/settings/counterfactual-audit/:id/moves/:submission/:swap",
  "/settings/impact-ratios",
  "/settings/notices",
  "/settings/oversight",
  "/settings/queues",
  "/settings/integrations/requests",
  "/settings/integrations/requests/:id",
  "/test-mode",
  "/settings/impact-ratios/:id",
  "/settings/impact-ratios/:id/csv",
  "/settings/impact-ratios/questions",
  "/settings/audit.csv",
  "/settings/audit.xlsx",
  "/settings/webhooks/:id/deliveries",
  "/settings/webhooks/:id/deliveries/:delivery",
  "/settings/integrations/hiring-systems/:id",
  "/settings/integrations/hiring-systems/access",
  "/settings/integrations/hiring-systems/:id/grant",
  "/invitations",
  "/invitations/:id",
  "/interview-sets/:id/invite/:form",
  "/interview-sets/:id/invite/:draft/edit",
  "/interview-sets/:id/invite/:draft/check",
  "/interview-sets/:id/invite/:draft/email/frame",
  "/submissions/views/:id",
  "/interview-sets/:id/draft",
  "/interview-sets/:id/trials",
  "/interview-sets/:id/trials/:trial",
  "/interview-sets/:id/trials/:trial/csv",
  "/i/preview/:id/questions/:number",
  "/i/preview/:id/review",
  "/i/preview/:id/decline",
  "/submissions.csv",
  "/submissions.xlsx",
  "/submissions/:id/files/:attempt/:question",
  "/submissions/:id/cv",
  "/submissions/:id/recordings/:recording",
  "/submissions/:id/recordings/:recording/captions",
  "/submissions/:id/timeline",
  "/settings/webhooks/channels/new",
  "/settings/webhooks/:id/edit",
  "/settings/webhooks/:id/secret",
  "/settings/webhooks/:id/test/:form",
  "/settings/webhooks/:id/rehearsals/:rehearsal",
  // with hashes that differ in each run
  "/settings/record",
  "/submissions/:id/record",
])

layer(Walk.stageWith({}))("pictures", (test) => {
  test.effect("show every page of the workspace, except for files and steps of forms", () =>
    Effect.gen(function* () {
      const of = (wanted: string) =>
        Effect.map(Walk.closed, (all) => all.flatMap(({ method, path }) => (method === wanted ? [path] : [])))
      const [routes, forms] = [yield* of("GET"), new Set(yield* of("POST"))]
      const pictured = new Set(pictures.map(({ route }) => route))
      assert.deepStrictEqual(
        routes.filter((path) => !pictured.has(path) && !forms.has(path) && !without.has(path)),
        [],
        "add a picture to test/pictures/pictures.ts and docs/workspace.md, or name the page in `without`",
      )
      for (const path of [...pictured, ...without]) assert.include(routes, path, "there is no such page any more")
    }),
  )
})
