/** Settings → Organization → General: its name, and whom candidates may ask. GET and POST /settings/organization. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { readForm, typed } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Organizations } from "./Organizations.ts"
import { labels, organizationHref, organizationPage } from "./pages/OrganizationPage.ts"
import { fieldErrors } from "./pages/SettingsParts.ts"
import { makeSettings } from "./SettingsFrame.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const organizations = yield* Organizations
    const { get, page, post } = yield* makeSettings

    yield* router.add(
      "GET",
      organizationHref,
      get(({ member, query }) =>
        Effect.map(organizations.find(member.organizationId), ({ contact, name, privacy_contact }) => {
          const notice = query("done") === "saved" ? { text: "What you changed was saved." } : undefined
          const form = { name, contact: contact ?? "", privacy_contact: privacy_contact ?? "", faults: {} }
          return page(organizationPage(member, form, notice))
        }),
      ),
    )

    yield* router.add(
      "POST",
      organizationHref,
      post(({ member, request }) =>
        Effect.gen(function* () {
          const form = yield* readForm(request)
          const shown = {
            name: typed(form, "name"),
            contact: typed(form, "contact"),
            privacy_contact: typed(form, "privacy_contact"),
          }
          return yield* organizations.update(member.organizationId, shown, member.id).pipe(
            Effect.as(seeOther(`${organizationHref}?done=saved`)),
            Effect.catchTag("Invalid", ({ errors }) => {
              const faults = fieldErrors(errors, labels)
              return Effect.succeed(page(organizationPage(member, { ...shown, faults }, undefined), { status: 422 }))
            }),
          )
        }),
      ),
    )
  }),
)
