/** Settings → Organization → Impact ratios → Voluntary questions. */
import { Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { versionOf } from "../accounts/pages/OutdatedForm.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { linesOf, numberOf, readForm, typed, valuesOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import {
  type QuestionForm,
  questionDifferences,
  questionErrorLabels,
  voluntaryQuestionPage,
  voluntaryQuestionsHref,
} from "./pages/VoluntaryQuestionPage.ts"
import { readCategories, selfIdentificationLists } from "./SelfIdentification.ts"
import { VoluntaryQuestions } from "./VoluntaryQuestions.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const auditLog = yield* AuditLog
    const voluntaryQuestions = yield* VoluntaryQuestions

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const { version, ...saved } = yield* voluntaryQuestions.find(member)
      const notice = query("done") === "saved" ? { text: "Your changes were saved." } : undefined
      return page(voluntaryQuestionPage(member, { ...saved, version: String(version), errors: {}, notice }))
    })

    const save = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const sent = yield* readForm(http)
      const asks = valuesOf(sent, "asks")
      const own = {
        asks: selfIdentificationLists.filter((list) => asks.includes(list)),
        text: linesOf(typed(sent, "text")).trim(),
        own_question: typed(sent, "own_question").trim(),
        own_categories: readCategories(typed(sent, "own_categories")),
      }
      const version = versionOf(sent)
      const again = (rest: Pick<QuestionForm, "errors" | "outdated">, status: number) =>
        page(voluntaryQuestionPage(member, { ...own, version, ...rest }), { status })
      return yield* voluntaryQuestions.change(member, own, numberOf(version || "0")).pipe(
        Effect.as(seeOther(`${voluntaryQuestionsHref}?done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) => Effect.succeed(again({ errors: fieldErrors(errors, questionErrorLabels) }, 422)),
          QuestionsOutdated: Effect.fnUntraced(function* ({ saved }) {
            const last = yield* auditLog.last(member, "organization", String(member.organizationId))
            const differences = questionDifferences(saved, own)
            return again({ errors: {}, outdated: { version: String(saved.version), last, differences } }, 409)
          }),
        }),
      )
    })

    yield* get(voluntaryQuestionsHref, show)
    yield* post(voluntaryQuestionsHref, save)
  }),
)
