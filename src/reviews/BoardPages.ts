/** The board of an interview set, at /interview-sets/<id>/board, and moves of its candidates. */
import { DateTime, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { Organizations } from "../accounts/Organizations.ts"
import { joinReasons } from "../accounts/Reasons.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { boardHref, moveHref, setsHref } from "../interview-sets/pages/SetLabels.ts"
import { shortHashOf } from "../platform/crypto/ShortHash.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { type Form, linesOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { html } from "../platform/http/Html.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { isBoardColumn, parseBoardPlace } from "../submissions/HiringStage.ts"
import { decidedNames, nameOf } from "../submissions/pages/SubmissionLabels.ts"
import { SetFigures } from "../submissions/SetFigures.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { HiringStageId, parseId, SubmissionId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { Boards } from "./Boards.ts"
import { type BoardNotice, boardPage, type MoveForm, movePage, seenOf } from "./pages/BoardPage.ts"
import { type MoveTarget, noVersion, StageMoves } from "./StageMoves.ts"

const countOf = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : noVersion)

/** What the page saw: `stage_changes.decision_changes`. */
const parseSeen = (text: string) => {
  const [changes, decisionChanges] = text.split(".")
  return { changes: countOf(changes), decisionChanges: countOf(decisionChanges) }
}

const targetOf = (form: Form): MoveTarget | undefined => {
  const to = valueOf(form, "to")
  if (to === "reject")
    return { _tag: "Reject", reason: joinReasons(typed(form, "common"), linesOf(typed(form, "reason"))) }
  const place = parseBoardPlace(to)
  if (place === undefined) return undefined
  return isBoardColumn(place) ? { _tag: "Column", column: place } : { _tag: "Stage", id: place }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeWorkspace
    const boards = yield* Boards
    const organizations = yield* Organizations
    const setFigures = yield* SetFigures
    const stageMoves = yield* StageMoves
    const submissions = yield* Submissions

    const cardOf = Effect.fnUntraced(function* ({ member }: WorkspaceRequest, set: string, text: string) {
      const id = parseId(SubmissionId, text)
      const [found] = id === undefined ? [] : yield* submissions.among(member, [id])
      return found?.interview_set.id === set ? found : undefined
    })

    /** The notice that a redirect's `moved` and `changes` ask for; none when the candidate was moved again since. */
    const noticeOf = Effect.fnUntraced(function* (request: WorkspaceRequest, set: string) {
      const { query } = request
      if (query("done") === "undone") return { text: "The move was undone.", isError: false } satisfies BoardNotice
      const moved = query("moved")
      if (moved === undefined) return undefined
      const card = yield* cardOf(request, set, moved)
      const seen = query("seen") ?? ""
      if (card === undefined || seenOf(card) !== seen) return undefined
      const { decision } = card.decision
      const place = card.stage === null ? "out of the stages" : html`to <bdi>${card.stage.name}</bdi>`
      const changed = query("decided") === undefined ? null : decision === null ? "cleared" : decidedNames[decision]
      return {
        text: html`<bdi>${nameOf(card.candidate)}</bdi>: ${query("stayed") === undefined ? html`moved ${place}` : null}${
          changed === null ? null : html`${query("stayed") === undefined ? ". " : null}Decision: ${changed}`
        }.`,
        isError: false,
        undo: {
          href: `${moveHref(set, card.id)}/undo`,
          fields: { seen, from: query("from") ?? "", ...(changed === null ? {} : { decided: "yes" }) },
        },
      } satisfies BoardNotice
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest, error?: string) {
      const { http, member, param } = request
      const board = yield* boards.read(member, param("id"))
      const tag = `"${shortHashOf(board)}"`
      // board.js polls whether candidates were moved
      if (error === undefined && http.headers["if-none-match"] === tag) return HttpServerResponse.empty({ status: 304 })
      const notice =
        error === undefined ? yield* noticeOf(request, board.set.id) : { text: error, isError: true as const }
      const count = yield* setFigures.count(member, board.set.id)
      const now = yield* DateTime.nowAsDate
      const response = page(boardPage(member, board, { count, notice, now, tag }), {
        status: error === undefined ? 200 : 409,
      })
      return error === undefined ? HttpServerResponse.setHeader(response, "etag", tag) : response
    })

    const one = Effect.fnUntraced(function* (request: WorkspaceRequest, form: MoveForm, status = 200) {
      const { member, param } = request
      const { set, stages } = yield* boards.read(member, param("id"))
      const card = yield* cardOf(request, set.id, param("submission"))
      if (card === undefined) return yield* new NotFound({ record: "submission" })
      const { home, place } = yield* stageMoves.standing(member, card.id)
      const submission = { id: card.id, name: nameOf(card.candidate), place, home, seen: seenOf(card) }
      const { reject_reasons: rejectReasons } = yield* organizations.reasons(member)
      return page(movePage(member, { rejectReasons, set, stages, submission }, form), { status })
    })

    const showOne = (request: WorkspaceRequest) =>
      one(request, {
        to: request.query("to") ?? "",
        reason: "",
        errors: {},
        error: undefined,
        isOfSubmission: request.query("back") === "submission",
      })

    const move = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, param } = request
      const form = yield* readForm(http)
      const set = param("id")
      const card = yield* cardOf(request, set, param("submission"))
      if (card === undefined) yield* boards.read(member, set)
      const submission = yield* submissions.require(member, param("submission"))
      const isOfBoard = valueOf(form, "on") === "board"
      const target = targetOf(form)
      const shown = {
        to: valueOf(form, "to") ?? "",
        reason: target?._tag === "Reject" ? target.reason : linesOf(typed(form, "reason")),
        isOfSubmission: valueOf(form, "back") === "submission",
      }
      const refuse = (error: string) =>
        isOfBoard ? show(request, error) : one(request, { ...shown, errors: {}, error }, 409)
      if (card === undefined) return yield* new NotFound({ record: "submission" })
      if (target === undefined)
        return isOfBoard
          ? yield* show(request, "Not moved: choose a column.")
          : yield* one(request, { ...shown, errors: { to: "Choose where the candidate goes." }, error: undefined }, 422)
      const knowsWarnings = valueOf(form, "knows") === shown.to
      return yield* stageMoves
        .move(member, submission, parseSeen(typed(form, "seen")), target, {
          knowsWarnings,
          // the form was opened from the page with the answers
          isBesideAnswers: shown.isOfSubmission,
        })
        .pipe(
          Effect.map(({ changes, decisionChanges, from }) => {
            if (shown.isOfSubmission) return seeOther(`/submissions/${submission}#decision`)
            const query = new URLSearchParams({
              moved: submission,
              seen: `${changes}.${decisionChanges ?? parseSeen(typed(form, "seen")).decisionChanges}`,
              from: from?.id ?? "",
              ...(decisionChanges === undefined ? {} : { decided: "yes" }),
              ...(target._tag === "Reject" ? { stayed: "yes" } : {}),
            })
            return seeOther(`${boardHref(set)}?${query}#c${submission}`)
          }),
          Effect.catchTags({
            Conflict: ({ reason }) => refuse(`${nameOf(card.candidate)} was not moved: ${reason}.`),
            DecisionWarned: ({ warnings }) => one(request, { ...shown, errors: {}, error: undefined, warnings }, 409),
            Invalid: ({ errors }) =>
              one(request, { ...shown, errors: fieldErrors(errors, { reason: "The reason" }), error: undefined }, 422),
          }),
        )
    })

    const undo = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, param } = request
      const form = yield* readForm(http)
      const set = param("id")
      const { changes, decisionChanges } = parseSeen(typed(form, "seen"))
      const from = typed(form, "from")
      const stage = from === "" ? null : parseId(HiringStageId, from)
      if (stage === undefined) return seeOther(boardHref(set))
      const isDecided = valueOf(form, "decided") !== undefined
      return yield* stageMoves
        .undo(member, param("submission"), {
          changes,
          decisionChanges: isDecided ? decisionChanges : undefined,
          from: stage,
        })
        .pipe(
          Effect.as(seeOther(`${boardHref(set)}?done=undone#c${param("submission")}`)),
          Effect.catchTag("Conflict", ({ reason }) => show(request, `The move was not undone: ${reason}.`)),
        )
    })

    const board = `${setsHref}/:id/board` as const
    yield* get(board, (request) => show(request))
    yield* get(`${board}/:submission`, showOne)
    yield* post(`${board}/:submission`, move)
    yield* action(`${board}/:submission/undo`, undo, ({ param }) => boardHref(param("id")))
  }),
)
