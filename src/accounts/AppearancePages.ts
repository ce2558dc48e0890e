/** Settings → Organization → Appearance, and the route of logos. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { view } from "../files/Download.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { linesOf, numberOf, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { readUploadForm, type UploadForm } from "../platform/http/UploadForms.ts"
import type { Appearance } from "./Appearance.ts"
import { type AppearanceOutdated, Appearances, type AppearanceVersion, type TypedAppearance } from "./Appearances.ts"
import { AuditLog } from "./AuditLog.ts"
import { type AppearanceForm, appearanceHref, appearanceLabels, appearancePage } from "./pages/AppearancePage.ts"
import { type Difference, versionOf } from "./pages/OutdatedForm.ts"
import { makeSettings, type WorkspaceRequest } from "./Workspace.ts"

type Texts = Pick<AppearanceForm, "colour" | "welcome" | "sender_name" | "reply_to">

const textsOf = (saved: Omit<Appearance, "logo">): Texts => ({
  colour: saved.colour ?? "",
  welcome: saved.welcome ?? "",
  sender_name: saved.sender_name ?? "",
  reply_to: saved.reply_to ?? "",
})

const names: ReadonlyArray<readonly [keyof Texts, string]> = [
  ["colour", "Colour"],
  ["welcome", "Welcome"],
  ["sender_name", "Sender's name"],
  ["reply_to", "Address for replies"],
]

const differencesOf = (saved: Texts, own: Texts): ReadonlyArray<Difference> =>
  names
    .filter(([field]) => saved[field] !== own[field])
    .map(([field, name]) => ({ name, saved: saved[field], own: own[field] }))

export const readAppearance = ({ file, form }: UploadForm): TypedAppearance => ({
  colour: typed(form, "colour"),
  welcome: linesOf(typed(form, "welcome")),
  sender_name: typed(form, "sender_name"),
  reply_to: typed(form, "reply_to"),
  removesLogo: valueOf(form, "remove_logo") === "yes",
  file: file?.bytes,
})

/** At most nine digits; 0: never saved. */
const versionNumber = (text: string): number => (text === "0" ? 0 : numberOf(text))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const router = yield* HttpRouter.HttpRouter
    const appearances = yield* Appearances
    const auditLog = yield* AuditLog

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const saved = yield* appearances.find(member.organizationId)
      const notice = query("done") === "saved" ? { text: "Your changes were saved." } : undefined
      const form = { ...textsOf(saved), removesLogo: false, version: String(saved.version), errors: {} }
      return page(appearancePage(member, saved, form, notice), { framesFiles: true })
    })

    const save = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const uploaded = yield* readUploadForm(http)
      const own = readAppearance(uploaded)
      const version = versionOf(uploaded.form)
      const again = (saved: AppearanceVersion, rest: Pick<AppearanceForm, "errors" | "outdated">, status: number) =>
        page(appearancePage(member, saved, { ...own, version, ...rest, lostFile: own.file !== undefined }, undefined), {
          status,
          framesFiles: true,
        })
      return yield* appearances.change(member, own, versionNumber(version)).pipe(
        Effect.as(seeOther(`${appearanceHref}?done=saved`)),
        Effect.catchTags({
          Invalid: Effect.fnUntraced(function* ({ errors }) {
            const saved = yield* appearances.find(member.organizationId)
            return again(saved, { errors: fieldErrors(errors, appearanceLabels) }, 422)
          }),
          AppearanceOutdated: Effect.fnUntraced(function* (error: AppearanceOutdated) {
            const { saved } = error
            const last = yield* auditLog.last(member, "organization", String(member.organizationId))
            const differences = differencesOf(textsOf(saved), textsOf(error.own))
            // the form was sent twice
            if (differences.length === 0 && own.file === undefined && !own.removesLogo)
              return seeOther(`${appearanceHref}?done=saved`)
            const outdated = { version: String(saved.version), last, differences }
            return again(saved, { errors: {}, outdated }, 409)
          }),
        }),
      )
    })

    const showLogo = Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      const logo = yield* appearances.readLogoFile(id)
      if (logo === undefined) return HttpServerResponse.empty({ status: 404 })
      const file = { name: "logo", type: logo.mediaType, content: logo.content }
      return HttpServerResponse.setHeaders(view(file), {
        // another logo gets another id
        "cache-control": "public, max-age=31536000, immutable",
        // email programs in browsers show it on their own pages
        "cross-origin-resource-policy": "cross-origin",
      })
    })

    yield* get(appearanceHref, show)
    yield* post(appearanceHref, save)
    yield* router.add("GET", "/logos/:id", showLogo)
  }),
)
