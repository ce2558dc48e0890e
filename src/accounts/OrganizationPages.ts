/** Settings → Organization → General. */
import { Effect, Layer } from "effect"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { numberOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { definedOnly } from "../values/definedOnly.ts"
import { AuditLog } from "./AuditLog.ts"
import type { OrganizationRow } from "./OrganizationRepository.ts"
import { Organizations } from "./Organizations.ts"
import {
  labels,
  type OrganizationFields,
  type OrganizationForm,
  organizationHref,
  organizationPage,
} from "./pages/OrganizationPage.ts"
import { type Difference, versionOf } from "./pages/OutdatedForm.ts"
import { makeSettings, type WorkspaceRequest } from "./Workspace.ts"

const fieldsOf = (row: OrganizationRow): OrganizationFields => ({
  name: row.name,
  contact: row.contact ?? "",
  privacy_contact: row.privacy_contact ?? "",
  time_zone: row.time_zone,
  language: row.language,
  confirms_receipt: row.confirms_receipt,
  hides_reviews: row.hides_reviews,
  hides_scores: row.hides_scores,
  requires_second_factor: row.requires_second_factor,
})

const names: ReadonlyArray<readonly [keyof OrganizationFields, string]> = [
  ["name", "Name"],
  ["contact", "Contact"],
  ["privacy_contact", "Contact for personal data"],
  ["time_zone", "Time zone"],
  ["language", "Language"],
  ["confirms_receipt", "Confirm receipt"],
  ["hides_reviews", "Hide other members' reviews"],
  ["hides_scores", "Hide scores"],
  ["requires_second_factor", "Require a second factor"],
]

const textOf = (value: string | boolean): string => (typeof value === "string" ? value : value ? "Yes" : "No")

const differencesOf = (saved: OrganizationFields, own: OrganizationFields): ReadonlyArray<Difference> =>
  names
    .filter(([field]) => saved[field] !== own[field])
    .map(([field, name]) => ({ name, saved: textOf(saved[field]), own: textOf(own[field]) }))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const auditLog = yield* AuditLog
    const organizations = yield* Organizations

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const row = yield* organizations.find(member.organizationId)
      const notice = query("done") === "saved" ? { text: "Your changes were saved." } : undefined
      return page(organizationPage(member, { ...fieldsOf(row), version: String(row.version), errors: {} }, notice))
    })

    const save = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const [zone, language] = [valueOf(form, "time_zone"), valueOf(form, "language")]
      const own = {
        name: typed(form, "name"),
        contact: typed(form, "contact"),
        privacy_contact: typed(form, "privacy_contact"),
        time_zone: zone ?? member.timeZone,
        language: language ?? "en",
        confirms_receipt: valueOf(form, "confirms_receipt") === "yes",
        hides_reviews: valueOf(form, "hides_reviews") === "yes",
        hides_scores: valueOf(form, "hides_scores") === "yes",
        requires_second_factor: valueOf(form, "requires_second_factor") === "yes",
      }
      const version = versionOf(form)
      const again = (rest: Pick<OrganizationForm, "errors" | "outdated">, status: number) =>
        page(organizationPage(member, { ...own, version, ...rest }, undefined), { status })
      const given = {
        ...own,
        time_zone: zone,
        language,
        version: numberOf(version),
      }
      return yield* organizations.update(member, definedOnly(given)).pipe(
        Effect.as(seeOther(`${organizationHref}?done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) => Effect.succeed(again({ errors: fieldErrors(errors, labels) }, 422)),
          OrganizationOutdated: Effect.fnUntraced(function* ({ saved }) {
            const last = yield* auditLog.last(member, "organization", String(member.organizationId))
            const differences = differencesOf(fieldsOf(saved), own)
            // the form was sent twice
            if (differences.length === 0) return seeOther(`${organizationHref}?done=saved`)
            return again({ errors: {}, outdated: { version: String(saved.version), last, differences } }, 409)
          }),
        }),
      )
    })

    yield* get(organizationHref, show)
    yield* post(organizationHref, save)
  }),
)
