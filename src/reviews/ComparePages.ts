/** The comparison of candidates, at /submissions/compare?ids=<id>,<id>, with the decision about each. */
import { Effect, Layer, Schema } from "effect"
import { makeWorkspace, queryOf, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { type Form, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Decision } from "../submissions/Decision.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { Comparison } from "./Comparison.ts"
import { comparisonLimits } from "./ComparisonLimits.ts"
import { Decisions } from "./Decisions.ts"
import { type ComparisonNotice, compareBase, compareHref, comparePage } from "./pages/ComparePage.ts"
import { versionOf } from "./ReviewPages.ts"
import { toSubmission } from "./SubmissionPages.ts"

const idsOf = ({ http }: WorkspaceRequest, name: string): ReadonlyArray<string> =>
  queryOf(http)
    .getAll(name)
    .flatMap((text) => text.toLowerCase().split(","))
    .filter((id) => id !== "")

const isDecision = Schema.is(Decision)

/** By the query parameters `decided` and `undone`. */
const noticeOf = ({ query }: WorkspaceRequest): ComparisonNotice | undefined => {
  const [decided, undone] = [query("decided"), query("undone")]
  if (decided !== undefined) return { _tag: "Decided", submission: decided }
  return undone === undefined ? undefined : { _tag: "Undone", submission: undone }
}

/** Ids of the compared candidates, as a form sends them. */
const sentIds = (form: Form): ReadonlyArray<string> => (valueOf(form, "ids") ?? "").split(",").filter((id) => id !== "")

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page } = yield* makeWorkspace
    const comparison = yield* Comparison
    const decisions = yield* Decisions
    const submissions = yield* Submissions

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const ids = idsOf(request, "ids")
      // a candidate chosen in the form
      const added = idsOf(request, "add").filter((id) => !ids.includes(id))
      if (added.length > 0)
        return seeOther(`/submissions/compare?ids=${[...ids, ...added].slice(0, comparisonLimits.ids).join(",")}`)
      const view = yield* comparison.read(request.member, ids)
      const isAnswered = view.problem === undefined || view.problem === "none" || view.problem === "one"
      return page(comparePage(request.member, view, noticeOf(request)), { status: isAnswered ? 200 : 422 })
    })

    const refuse = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      ids: ReadonlyArray<string>,
      text: string,
    ) {
      return page(comparePage(member, yield* comparison.read(member, ids), { _tag: "Refused", text }), { status: 409 })
    })

    const decide = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const ids = sentIds(form)
      const submission = yield* submissions.require(request.member, request.param("id"))
      const decision = valueOf(form, "decision")
      if (!isDecision(decision)) return seeOther(compareHref(ids))
      const { compared } = yield* comparison.read(request.member, ids)
      const current = compared?.candidates.find(({ id }) => id === submission)?.decision
      // pressed again, the button of the current decision keeps its reason
      const reason = current?.decision === decision ? (current.reason ?? "") : ""
      const knowsWarnings = valueOf(form, "knows") === decision
      return yield* decisions
        .decide(request.member, submission, versionOf(form), {
          decision,
          reason,
          knowsWarnings,
          isBesideAnswers: true,
        })
        .pipe(
          Effect.as(seeOther(`${compareHref(ids)}&decided=${submission}`)),
          Effect.catchTags({
            Conflict: (conflict) => refuse(request, ids, `The decision was not saved: ${conflict.reason}.`),
            Invalid: () => refuse(request, ids, "The decision was not saved: shorten its reason."),
            DecisionWarned: Effect.fnUntraced(function* ({ warnings }) {
              const view = yield* comparison.read(request.member, ids)
              const warned = { _tag: "Warned", submission, decision, warnings } as const
              return page(comparePage(request.member, view, warned), { status: 409 })
            }),
          }),
        )
    })

    const undo = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const ids = sentIds(form)
      const submission = yield* submissions.require(request.member, request.param("id"))
      return yield* decisions.undo(request.member, submission, versionOf(form)).pipe(
        Effect.as(seeOther(`${compareHref(ids)}&undone=${submission}`)),
        Effect.catchTag("Conflict", ({ reason }) => refuse(request, ids, `The decision was not undone: ${reason}.`)),
      )
    })

    yield* get(compareBase, show)
    yield* action("/submissions/:id/compared/decision", decide, toSubmission)
    yield* action("/submissions/:id/compared/undo", undo, toSubmission)
  }),
)
