/** Settings → Organization → General. */
import { Effect, Layer } from "effect"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { definedOnly } from "../values/definedOnly.ts"
import { Organizations } from "./Organizations.ts"
import { labels, organizationHref, organizationPage } from "./pages/OrganizationPage.ts"
import { makeSettings, type WorkspaceRequest } from "./Workspace.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const organizations = yield* Organizations

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const { contact, hides_reviews, hides_scores, name, privacy_contact, requires_second_factor, time_zone } =
        yield* organizations.find(member.organizationId)
      const notice = query("done") === "saved" ? { text: "Your changes were saved." } : undefined
      const form = {
        name,
        contact: contact ?? "",
        privacy_contact: privacy_contact ?? "",
        time_zone,
        hides_reviews,
        hides_scores,
        requires_second_factor,
        errors: {},
      }
      return page(organizationPage(member, form, notice))
    })

    const save = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const change = {
        name: typed(form, "name"),
        contact: typed(form, "contact"),
        privacy_contact: typed(form, "privacy_contact"),
        hides_reviews: valueOf(form, "hides_reviews") === "yes",
        hides_scores: valueOf(form, "hides_scores") === "yes",
        requires_second_factor: valueOf(form, "requires_second_factor") === "yes",
      }
      const zone = valueOf(form, "time_zone")
      return yield* organizations.update(member, { ...change, ...definedOnly({ time_zone: zone }) }).pipe(
        Effect.as(seeOther(`${organizationHref}?done=saved`)),
        Effect.catchTag("Invalid", (invalid) => {
          const errors = fieldErrors(invalid.errors, labels)
          return Effect.succeed(
            page(organizationPage(member, { ...change, time_zone: zone ?? member.timeZone, errors }, undefined), {
              status: 422,
            }),
          )
        }),
      )
    })

    yield* get(organizationHref, show)
    yield* post(organizationHref, save)
  }),
)
