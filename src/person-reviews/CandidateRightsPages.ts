/** Settings → Organization → Candidates' rights. */
import { Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { versionOf } from "../accounts/pages/OutdatedForm.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { numberOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { findResultPage } from "./CandidateRights.ts"
import { CandidateRightsSettings } from "./CandidateRightsSettings.ts"
import {
  candidateRightsHref,
  candidateRightsPage,
  type RightsForm,
  rightsDifferences,
  rightsErrorLabels,
} from "./pages/CandidateRightsPage.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const auditLog = yield* AuditLog
    const settings = yield* CandidateRightsSettings

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const { person_review_days, version, ...saved } = yield* settings.find(member)
      const notice = query("done") === "saved" ? { text: "Your changes were saved." } : undefined
      const form = { ...saved, days: String(person_review_days), version: String(version), errors: {}, notice }
      return page(candidateRightsPage(member, form))
    })

    const save = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const sent = yield* readForm(http)
      const days = typed(sent, "person_review_days").trim()
      const own = {
        person_review_days: /^\d{1,4}$/.test(days) ? Number(days) : Number.NaN,
        result_page: findResultPage(valueOf(sent, "result_page")) ?? "off",
        result_shows_score: valueOf(sent, "result_shows_score") === "yes",
      }
      const version = versionOf(sent)
      const again = (rest: Pick<RightsForm, "errors" | "outdated">, status: number) =>
        page(candidateRightsPage(member, { ...own, days, version, ...rest }), { status })
      return yield* settings.change(member, own, numberOf(version || "0")).pipe(
        Effect.as(seeOther(`${candidateRightsHref}?done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) => Effect.succeed(again({ errors: fieldErrors(errors, rightsErrorLabels) }, 422)),
          RightsOutdated: Effect.fnUntraced(function* ({ saved }) {
            const last = yield* auditLog.last(member, "organization", String(member.organizationId))
            const differences = rightsDifferences(saved, own)
            return again({ errors: {}, outdated: { version: String(saved.version), last, differences } }, 409)
          }),
        }),
      )
    })

    yield* get(candidateRightsHref, show)
    yield* post(candidateRightsHref, save)
  }),
)
