/** The organization's answers to what candidates need (interviews/Accommodations.ts). */
import { DateTime, Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import {
  type AccommodationAnswer,
  cleanAccommodationText,
  findNeeds,
  grantedFactors,
  usualFactor,
} from "../interviews/Accommodation.ts"
import { Accommodations } from "../interviews/Accommodations.ts"
import type { Notice } from "../platform/http/FormControls.ts"
import { readForm, typed, valueOf, valuesOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import {
  accommodationListPage,
  accommodationsHref,
  answerHref,
  type RefusedAnswer,
} from "./pages/AccommodationListPage.ts"

const notices: Readonly<Record<string, Notice>> = {
  granted: { text: "Granted. The candidate gets an email." },
  declined: { text: "Declined. The candidate gets an email." },
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page } = yield* makeWorkspace
    const accommodations = yield* Accommodations

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const rows = yield* accommodations.list(member)
      return page(
        accommodationListPage(member, rows, yield* DateTime.nowAsDate, { notice: notices[query("done") ?? ""] }),
      )
    })

    const refuse = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      text: string,
      refused: RefusedAnswer,
      status: number,
    ) {
      const rows = yield* accommodations.list(member)
      const notice = { text, isError: true }
      return page(accommodationListPage(member, rows, yield* DateTime.nowAsDate, { notice, refused }), { status })
    })

    const answer = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member } = request
      const form = yield* readForm(http)
      const step = valueOf(form, "do")
      const isGranted = step === "grant"
      const needs = findNeeds(valuesOf(form, "need"))
      const seen = valueOf(form, "answered") || null
      const factor = grantedFactors.find((one) => String(one) === valueOf(form, "factor"))
      const refused = { id: valueOf(form, "request") ?? "", text: typed(form, "text"), granted: needs, factor }
      const text = cleanAccommodationText(refused.text)
      if (text === undefined) return yield* refuse(request, "Not sent: the sentence is too long.", refused, 422)
      if ((isGranted && needs.length === 0) || (!isGranted && step !== "decline"))
        return yield* refuse(request, "Not sent: choose what you grant, or decline.", refused, 422)
      const given: AccommodationAnswer = {
        granted: isGranted ? needs : [],
        timeFactor: isGranted && needs.includes("time") ? (factor ?? usualFactor) : null,
        text,
      }
      return yield* accommodations.answer(member, refused.id, given, seen).pipe(
        Effect.as(seeOther(`${accommodationsHref}?done=${isGranted ? "granted" : "declined"}`)),
        Effect.catchTag("Conflict", ({ reason }) => refuse(request, `Not sent: ${reason}.`, refused, 409)),
      )
    })

    yield* get(accommodationsHref, show)
    yield* action(answerHref, answer, () => accommodationsHref)
  }),
)
