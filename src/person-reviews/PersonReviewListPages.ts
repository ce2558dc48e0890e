/** Members answer candidates who ask for a person (PersonReviews.ts). */
import { DateTime, Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import type { Notice } from "../platform/http/FormControls.ts"
import { readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { cleanPersonReviewText } from "./PersonReview.ts"
import { PersonReviews } from "./PersonReviews.ts"
import { findAnswer } from "./pages/PersonReviewLabels.ts"
import {
  personReviewAnswerHref,
  personReviewListPage,
  personReviewsHref,
  type RefusedAnswer,
} from "./pages/PersonReviewListPage.ts"

const answered: Notice = { text: "Answered. The candidate gets an email." }

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page } = yield* makeWorkspace
    const personReviews = yield* PersonReviews

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const rows = yield* personReviews.list(member)
      const notice = query("done") === "answered" ? answered : undefined
      return page(personReviewListPage(member, rows, yield* DateTime.nowAsDate, { notice }))
    })

    const refuse = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      error: string,
      sent: Omit<RefusedAnswer, "error">,
      status: number,
    ) {
      const rows = yield* personReviews.list(member)
      const refused = { ...sent, error }
      return page(personReviewListPage(member, rows, yield* DateTime.nowAsDate, { notice: undefined, refused }), {
        status,
      })
    })

    const answer = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member } = request
      const form = yield* readForm(http)
      const outcome = findAnswer(valueOf(form, "outcome"))
      const refused = { id: valueOf(form, "person_review") ?? "", text: typed(form, "text"), outcome }
      const text = cleanPersonReviewText(refused.text)
      if (text === undefined) return yield* refuse(request, "Not sent: the sentence is too long.", refused, 422)
      if (outcome === undefined) return yield* refuse(request, "Not sent: choose an answer.", refused, 422)
      return yield* personReviews.answer(member, refused.id, { outcome, text }).pipe(
        Effect.as(seeOther(`${personReviewsHref}?done=answered`)),
        Effect.catchTag("Conflict", ({ reason }) => refuse(request, `Not sent: ${reason}.`, refused, 409)),
      )
    })

    yield* get(personReviewsHref, show)
    yield* action(personReviewAnswerHref, answer, () => personReviewsHref)
  }),
)
