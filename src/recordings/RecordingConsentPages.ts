/** Settings → Organization → what candidates read before they record. */
import { Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { versionOf } from "../accounts/pages/OutdatedForm.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { findLanguage, type Language } from "../texts/Texts.ts"
import { type ConsentForm, consentErrorLabels, consentHref, consentPage } from "./pages/RecordingConsentPage.ts"
import { type ConsentOutdated, RecordingConsents } from "./RecordingConsents.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const auditLog = yield* AuditLog
    const organizations = yield* Organizations
    const consents = yield* RecordingConsents

    const render = Effect.fnUntraced(function* (member: Member, form: ConsentForm, status = 200) {
      return page(consentPage(member, yield* consents.list(member), form), { status })
    })

    const languageIn = Effect.fnUntraced(function* ({ organizationId }: Member, text: string | undefined) {
      const chosen: Language | undefined = findLanguage(text ?? "")
      return chosen ?? (yield* organizations.find(organizationId)).language
    })

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const language = yield* languageIn(member, query("language"))
      const saved = yield* consents.find(member.organizationId, language)
      const notice = query("done") === "saved" ? { text: "The text was saved." } : undefined
      return yield* render(member, {
        language,
        text: saved?.text ?? "",
        version: saved?.id ?? "",
        errors: {},
        notice,
      })
    })

    const save = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const sent = yield* readForm(http)
      const language = yield* languageIn(member, valueOf(sent, "language"))
      const own = { language, text: typed(sent, "text"), version: versionOf(sent) }
      return yield* consents.change(member, language, own.text, own.version).pipe(
        Effect.as(seeOther(`${consentHref(language)}&done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) => render(member, { ...own, errors: fieldErrors(errors, consentErrorLabels) }, 422),
          ConsentOutdated: Effect.fnUntraced(function* ({ saved }: ConsentOutdated) {
            const last = yield* auditLog.last(member, "organization", String(member.organizationId))
            const differences = [{ name: "Text", saved: saved?.text ?? "", own: own.text }]
            const outdated = { version: saved?.id ?? "", last, differences }
            return yield* render(member, { ...own, errors: {}, outdated }, 409)
          }),
        }),
      )
    })

    yield* get("/settings/recording-consent", show)
    yield* post("/settings/recording-consent", save)
  }),
)
