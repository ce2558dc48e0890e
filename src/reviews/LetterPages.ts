/** A letter to the candidate about a decision: written, previewed, sent with a delay, undone until it has left. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { defaultDelay, type LetterDecision, letterDecisions, letterLimits, readDelay } from "../invitations/FollowUp.ts"
import { FollowUps } from "../invitations/FollowUps.ts"
import { MessageTemplates } from "../invitations/MessageTemplates.ts"
import { fieldErrors, type Notice } from "../platform/http/FormControls.ts"
import { linesOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import type { Decision } from "../submissions/Decision.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { type LetterForm, type LetterPreview, letterHref, letterPage } from "./pages/LetterPage.ts"
import { makeRenderSubmission, toPage, toSubmission } from "./SubmissionPages.ts"

const letterLabels = { subject: "The subject", text: "The text" }

export const letterDecisionOf = (decision: Decision | null): LetterDecision | undefined =>
  letterDecisions.find((one) => one === decision)

const read = (text: string | undefined, most: number): string => (text ?? "").slice(0, 4 * most).toWellFormed()

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeWorkspace
    const followUps = yield* FollowUps
    const messageTemplates = yield* MessageTemplates
    const renderSubmission = yield* makeRenderSubmission
    const submissions = yield* Submissions

    /** Without a decision that has letters, members see the submission. */
    const subject = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      const { detail, facts } = yield* submissions.read(member, param("id"))
      const decision = facts.is_erased ? undefined : letterDecisionOf(detail.decision.decision)
      return { detail, decision }
    })

    const render = Effect.fnUntraced(function* (
      { member, query }: WorkspaceRequest,
      {
        decision,
        detail,
      }: { readonly decision: LetterDecision } & Pick<Effect.Success<ReturnType<typeof subject>>, "detail">,
      form: Omit<LetterForm, "templates" | "list">,
      rest: { readonly status?: number; readonly preview?: LetterPreview; readonly notice?: Notice } = {},
    ) {
      const templates = yield* messageTemplates.list(member, decision)
      const { language } = yield* followUps.suggestion(member, detail.id, decision)
      const document = letterPage(
        member,
        { detail, decision, language },
        { ...form, templates, list: query("list")?.slice(0, 2000) },
        rest,
      )
      return page(document, { status: rest.status ?? 200 })
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { decision, detail } = yield* subject(request)
      if (decision === undefined) return seeOther(toSubmission(request))
      const wanted = request.query("template")
      const templates = yield* messageTemplates.list(request.member, decision)
      const template = templates.find(({ id }) => id === wanted) ?? templates[0]
      const suggestion = template ?? (yield* followUps.suggestion(request.member, detail.id, decision))
      const form = {
        subject: suggestion.subject,
        text: suggestion.text,
        delay: defaultDelay,
        template: template?.id ?? "",
        errors: {},
      }
      // a template may have become invalid
      const preview = yield* followUps
        .preview(request.member, request.param("id"), form)
        .pipe(Effect.catchTag("Invalid", () => Effect.undefined))
      return yield* render(request, { detail, decision }, form, preview === undefined ? {} : { preview })
    })

    const send = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const { decision, detail } = yield* subject(request)
      if (decision === undefined) return seeOther(toSubmission(request))
      const sent = yield* readForm(request.http)
      const form = {
        subject: read(valueOf(sent, "subject"), letterLimits.subject),
        text: linesOf(read(valueOf(sent, "text"), letterLimits.text)),
        delay: readDelay(valueOf(sent, "delay")),
        template: valueOf(sent, "template") ?? "",
        errors: {},
      }
      // the page was opened before another decision
      const isOther = valueOf(sent, "decision") !== decision
      const about = { detail, decision }
      const refused = (text: string) =>
        render(request, about, form, { status: 409, notice: { text: `Not sent: ${text}.`, isError: true } })
      if (isOther) return yield* refused("the decision has changed since you opened the page")
      const invalid = (errors: LetterForm["errors"]) => render(request, about, { ...form, errors }, { status: 422 })
      if (valueOf(sent, "do") !== "send") {
        return yield* followUps.preview(member, param("id"), form).pipe(
          Effect.flatMap((preview) => render(request, about, form, { preview })),
          Effect.catchTag("Invalid", ({ errors }) => invalid(fieldErrors(errors, letterLabels))),
        )
      }
      return yield* followUps.write(member, [detail.id], { letter: form, decision, delay: form.delay }).pipe(
        Effect.flatMap(({ skipped }) => {
          const [first] = skipped
          return first === undefined
            ? Effect.succeed(toPage(request, detail.id, { done: "written" }))
            : refused(first.reason)
        }),
        Effect.catchTag("Invalid", ({ errors }) => invalid(fieldErrors(errors, letterLabels))),
      )
    })

    const undo = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const letter = valueOf(yield* readForm(request.http), "letter") ?? ""
      const submission = yield* submissions.require(member, param("id"))
      return yield* followUps.undo(member, submission, letter).pipe(
        Effect.as(toPage(request, submission, { done: "unwritten" })),
        Effect.catchTag("Conflict", ({ reason }) =>
          renderSubmission(request, submission, { notice: { text: `Not undone: ${reason}.`, isError: true } }, 409),
        ),
      )
    })

    yield* get(letterHref(":id"), show)
    yield* post(letterHref(":id"), send)
    yield* action(`${letterHref(":id")}/undo`, undo, toSubmission)
  }),
)
