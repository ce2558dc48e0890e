/** Forms on the page of a submission that decide about it and review it. */
import { Effect, Layer, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { joinReasons } from "../accounts/Reasons.ts"
import { localPath, makeWorkspace, showScoresHref, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { type Form, linesOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Decision } from "../submissions/Decision.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { MemberId, parseId } from "../values/Ids.ts"
import { Decisions } from "./Decisions.ts"
import { type Rating, readRating } from "./Review.ts"
import { Reviews } from "./Reviews.ts"
import { makeRenderSubmission, toPage, toSubmission } from "./SubmissionPages.ts"

/** Equals no stored version, so the form is treated as outdated. */
const noVersion = -1

export const versionOf = (form: Form): number => {
  const text = valueOf(form, "changes") ?? ""
  return /^\d{1,9}$/.test(text) ? Number(text) : noVersion
}

/** Characters of a typed text that are kept; exceeds the limit of every field. */
const maxShown = 20_000

export const textOf = (form: Form, name: string): string =>
  linesOf(valueOf(form, name) ?? "")
    .slice(0, maxShown)
    .toWellFormed()

const isDecision = Schema.is(Decision)

const prefix = "rating."

/** The form of a review: `chosen` as sent, `ratings` those that are valid. */
export const readReview = (form: Form) => {
  const chosen = new Map(
    form.flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [])),
  )
  const ratings = Object.fromEntries(
    [...chosen].flatMap(([id, value]): ReadonlyArray<readonly [string, Rating]> => {
      const rating = readRating(value)
      return rating === undefined ? [] : [[id, rating]]
    }),
  )
  const mentioned = form.flatMap(([name, value]) => (name === "mention" ? (parseId(MemberId, value) ?? []) : []))
  return { chosen, ratings, note: textOf(form, "note"), mentioned, changes: versionOf(form) }
}

export const reviewLabels = { note: "The note", ratings: "The review", mentioned: "The mention" }

const json = (status: number, body: object) => HttpServerResponse.jsonUnsafe(body, { status })

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action } = yield* makeWorkspace
    const renderSubmission = yield* makeRenderSubmission

    const decisions = yield* Decisions
    const reviews = yield* Reviews
    const submissions = yield* Submissions

    const decide = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      const value = valueOf(form, "decision")
      const written = textOf(form, "reason")
      const reason = value === "reject" ? joinReasons(textOf(form, "common"), written) : written
      const again = (text: string, status: number) =>
        renderSubmission(
          request,
          submission,
          { decision: { reason, errors: {} }, notice: { text, isError: true } },
          status,
        )
      if (value !== "none" && !isDecision(value)) return yield* again("Choose Advance, Hold or Reject.", 422)
      const decision = value === "none" ? null : value
      const knowsWarnings = valueOf(form, "knows") === value
      return yield* decisions
        .decide(member, submission, versionOf(form), {
          decision,
          reason,
          knowsWarnings,
          isBesideAnswers: true,
        })
        .pipe(
          Effect.as(toPage(request, submission, { done: decision === null ? "cleared" : "decided" })),
          Effect.catchTags({
            Conflict: ({ reason: conflict }) => again(`The decision was not saved: ${conflict}.`, 409),
            DecisionWarned: ({ warnings }) =>
              renderSubmission(
                request,
                submission,
                { decision: { reason, errors: {}, ...(decision === null ? {} : { warned: { decision, warnings } }) } },
                409,
              ),
            Invalid: ({ errors }) => {
              const shown = fieldErrors(errors, { reason: "The reason" })
              const message = shown["reason"] ?? shown[""] ?? "Shorten the reason."
              return renderSubmission(
                request,
                submission,
                { decision: { reason, errors: { "decision-reason": message } } },
                422,
              )
            },
          }),
        )
    })

    const undo = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      return yield* decisions.undo(member, submission, versionOf(form)).pipe(
        Effect.as(toPage(request, submission, { done: "undone" })),
        Effect.catchTag("Conflict", ({ reason }) =>
          renderSubmission(
            request,
            submission,
            { notice: { text: `The decision was not undone: ${reason}.`, isError: true } },
            409,
          ),
        ),
      )
    })

    const review = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.requireReadable(member, param("id"))
      const { changes, chosen, mentioned, note, ratings } = readReview(form)
      const isSent = valueOf(form, "do") !== "draft"
      const typed = { ratings: chosen, note, mentioned, errors: {}, isConflict: false }
      return yield* reviews.save(member, submission, { ratings, note, mentioned, changes, isSent }).pipe(
        Effect.as(toPage(request, submission, { done: isSent ? "reviewed" : "draft" })),
        Effect.catchTags({
          Conflict: ({ reason }) =>
            renderSubmission(
              request,
              submission,
              {
                review: { ...typed, isConflict: true },
                notice: { text: `Your review was not saved: ${reason}.`, isError: true },
              },
              409,
            ),
          Invalid: (invalid) => {
            const errors = fieldErrors(invalid.errors, reviewLabels)
            return renderSubmission(request, submission, { review: { ...typed, errors } }, 422)
          },
        }),
      )
    })

    /** Saves the draft while the member types (submission/draft.js). 409: with the stored review, unless the person was erased. */
    const saveDraft = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.requireReadable(member, param("id"))
      const { changes, note, ratings } = readReview(form)
      return yield* reviews.save(member, submission, { ratings, note, mentioned: [], changes, isSent: false }).pipe(
        Effect.map((stored) => json(200, { changes: stored })),
        Effect.catchTags({
          Conflict: ({ reason }) =>
            Effect.map(reviews.own(member, submission), (own) =>
              json(
                409,
                own === undefined || own.sent_at !== null
                  ? { reason: `${reason}: copy what you typed, then reload the page` }
                  : { reason, changes: own.changes, note: own.note, ratings: own.ratings },
              ),
            ),
          Invalid: ({ errors }) =>
            Effect.succeed(
              json(422, { reason: `Not saved. ${Object.values(fieldErrors(errors, reviewLabels)).join(" ")}` }),
            ),
        }),
      )
    })

    const showScores = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const back = localPath(valueOf(yield* readForm(http), "back")) ?? "/submissions"
      yield* reviews.showScores(member)
      return seeOther(back)
    })

    yield* action(showScoresHref, showScores, () => "/submissions")

    const submission = "/submissions/:id"
    yield* action(`${submission}/decision`, decide, toSubmission)
    yield* action(`${submission}/decision/undo`, undo, toSubmission)
    yield* action(`${submission}/review`, review, toSubmission)
    yield* action(`${submission}/review/draft`, saveDraft, toSubmission)
  }),
)
