/**
 * What is done with selected rows of the list of submissions: decide, undo, assign, move to a stage, tag, resend, export,
 * compare.
 */
import { Effect, Layer, Schema, Stream } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { joinReasons } from "../accounts/Reasons.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import {
  type LetterDecision,
  type LetterDelay,
  letterDecisions,
  letterDelays,
  readDelay,
} from "../invitations/FollowUp.ts"
import { FollowUps, type LetterContent, type SharedPreview } from "../invitations/FollowUps.ts"
import { whyNotResend } from "../invitations/Invitation.ts"
import { Invitations } from "../invitations/Invitations.ts"
import type { MessageTemplate } from "../invitations/MessageTemplate.ts"
import { MessageTemplates } from "../invitations/MessageTemplates.ts"
import { shortHashOf } from "../platform/crypto/ShortHash.ts"
import { type FieldErrors, fieldErrors, hasErrors } from "../platform/http/FormControls.ts"
import { FormIdempotency } from "../platform/http/FormIdempotency.ts"
import { type Form, formIds, linesOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { Decision } from "../submissions/Decision.ts"
import { decisionNames } from "../submissions/pages/SubmissionLabels.ts"
import { isSubmitted } from "../submissions/Submission.ts"
import { queryOf, queryText, searchOfList } from "../submissions/SubmissionSearch.ts"
import { type NamedSubmission, Submissions } from "../submissions/Submissions.ts"
import { tagKey } from "../submissions/Tag.ts"
import { FormId, MemberId, parseId, SubmissionId } from "../values/Ids.ts"
import { Assignments } from "./Assignments.ts"
import { candidateRange, comparisonLimits } from "./ComparisonLimits.ts"
import {
  Decisions,
  maxMatching,
  maxSelected,
  needsConfirmation,
  type Refusal,
  refusalText,
  type Selected,
} from "./Decisions.ts"
import { HiringStages } from "./HiringStages.ts"
import {
  assignQuestionPage,
  decisionQuestionPage,
  letterQuestionPage,
  moveQuestionPage,
  resendQuestionPage,
  shownWarnings,
  tagQuestionPage,
} from "./pages/SelectionPage.ts"
import { tagLabels } from "./pages/TagPage.ts"
import { type Kind, kinds, type Result, resultOf } from "./SelectionOutcome.ts"
import { moveRefusalText, noVersion, StageMoves } from "./StageMoves.ts"
import { csvColumns, csvLine } from "./SubmissionCsv.ts"
import { href, makeShowList, queryOfList, table } from "./SubmissionListPages.ts"
import { Tags, tagRefusalText } from "./Tags.ts"

/** Decisions about more submissions than this need a confirmation page. */
const maxUnconfirmed = 20

/** What a member confirms who has seen the warnings of these scores; "yes": there are none. */
const seenWarnings = (lines: ReadonlyArray<NamedSubmission>): string => {
  const warned = lines.filter((line) => shownWarnings(line).length > 0)
  return warned.length === 0 ? "yes" : shortHashOf(warned.map((line) => [line.id, shownWarnings(line)]))
}

/** Also needed for rejections, for all that match a search, for scores with warnings, and when candidates have not answered. */
const isAsked = ({ isEvery, lines, selected }: Selection, decision: Decision | null): boolean =>
  isEvery ||
  decision === "reject" ||
  selected.length > maxUnconfirmed ||
  (decision !== null && lines.some(({ status_text }) => !isSubmitted(status_text))) ||
  lines.some((line) => needsConfirmation(decision, shownWarnings(line)))

/** The page that asks for a stage also sends `stage_changes` back. */
interface SelectedRow extends Selected {
  readonly stageChanges: number | undefined
}

const parseSelected = (value: string): ReadonlyArray<SelectedRow> => {
  const [, id, changes, stageChanges] = /^([0-9a-f-]{36}):(\d{1,9})(?::(\d{1,9}))?$/.exec(value) ?? []
  const submission = parseId(SubmissionId, id)
  return submission === undefined
    ? []
    : [
        {
          submission,
          changes: Number(changes),
          stageChanges: stageChanges === undefined ? undefined : Number(stageChanges),
        },
      ]
}

interface Selection {
  readonly form: Form
  readonly formId: FormId
  readonly list: string
  readonly values: ReadonlyArray<string>
  readonly selected: ReadonlyArray<SelectedRow>
  /** All that match the list's search were chosen instead of rows. */
  readonly isEvery: boolean
  /** The selected submissions that exist and that the member may see, in the order of the selection. */
  readonly lines: ReadonlyArray<NamedSubmission>
}

/** Without the selected candidates who have not submitted answers. */
const onlySubmitted = (selection: Selection): Selection => {
  const lines = selection.lines.filter(({ status_text }) => isSubmitted(status_text))
  const kept = new Set<string>(lines.map(({ id }) => id))
  const selected = selection.selected.filter(({ submission }) => kept.has(submission))
  const values = selected.map(({ changes, submission }) => `${submission}:${changes}`)
  return { ...selection, lines, selected, values }
}

/** Returns an error text; undefined if the number of selected rows is allowed. */
const errorOf = ({ isEvery, selected }: Selection): string | undefined => {
  if (selected.length === 0) return isEvery ? "No submissions match any more." : "Select at least one row."
  if (isEvery)
    return selected.length > maxMatching
      ? `More than ${maxMatching} submissions match. Choose more filters, then select all again.`
      : undefined
  return selected.length > maxSelected ? `Select at most ${maxSelected} rows.` : undefined
}

/** Names who decided after the list was opened. */
const refusalOf = (refusal: Refusal, submission: NamedSubmission | undefined): string => {
  if (refusal !== "changed" || submission === undefined) return refusalText[refusal]
  const { decided_by, decision } = submission.decision
  return `${decided_by?.name ?? "another member"} ${decision === null ? "cleared the decision" : `chose “${decisionNames[decision]}”`} after you opened the list`
}

const isDecision = Schema.is(Decision)

/** The chosen email to the candidates; undefined: none. */
const contentOf = (
  templates: ReadonlyArray<MessageTemplate>,
  choice: string | undefined,
): MessageTemplate | "suggested" | undefined =>
  choice === "suggested" ? "suggested" : templates.find(({ id }) => id === choice)

const choiceOf = (content: MessageTemplate | "suggested" | undefined): string =>
  content === undefined || content === "suggested" ? (content ?? "") : content.id

const removedTemplate = "Choose the email again: the template was removed meanwhile."

const leavesOf = (delay: LetterDelay): string => letterDelays.find(([one]) => one === delay)?.[1] ?? ""

const notAllowed = "you have no access to it"

const notAssigned = "they are asked already, have no access to the interview set, or the candidate was erased"

const toResult = (list: string, kind: Kind, form: FormId) => {
  const parameters = new URLSearchParams(list)
  parameters.set("done", kind)
  parameters.set("form", form)
  return seeOther(`${href}?${parameters}`)
}

const noInvitation = "the candidate has no invitation"

/** As far as the list knows; the resend itself refuses what is found under its lock. */
const whyNotResendLine = ({ declined_at, invitation, status_text }: NamedSubmission): string | undefined =>
  invitation === null
    ? noInvitation
    : whyNotResend({
        status: invitation.status,
        failure_reason: invitation.failure_reason,
        submission_status: status_text,
        declined: declined_at !== null,
        expired: false,
        replaced: false,
      })

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, page, post } = yield* makeWorkspace
    const assignments = yield* Assignments
    const decisions = yield* Decisions
    const formIdOf = yield* formIds
    const emailLinks = yield* EmailLinks
    const formIdempotency = yield* FormIdempotency
    const followUps = yield* FollowUps
    const ids = yield* Ids
    const messageTemplates = yield* MessageTemplates
    const interviewSets = yield* InterviewSets
    const invitations = yield* Invitations
    const organizations = yield* Organizations
    const hiringStages = yield* HiringStages
    const show = yield* makeShowList
    const stageMoves = yield* StageMoves
    const submissions = yield* Submissions
    const tags = yield* Tags

    const readSelection = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const formId = yield* formIdOf(form)
      const list = typed(form, "list")
      const common = { form, formId, list }
      if (valueOf(form, "every") !== undefined) {
        const lines = [
          ...(yield* Stream.runCollect(submissions.searchAll(member, searchOfList(list), maxMatching + 1))),
        ]
        const selected = lines.map(({ decision_changes, id }) => ({
          submission: id,
          changes: decision_changes,
          stageChanges: undefined,
        }))
        return { ...common, isEvery: true, values: [], selected, lines } satisfies Selection
      }
      const selected = form.flatMap(([name, value]) => (name === "selected" ? parseSelected(value) : []))
      const chosen = selected.map(({ submission }) => submission)
      const found = yield* submissions.among(member, chosen.slice(0, maxSelected))
      return {
        ...common,
        isEvery: false,
        values: selected.map(({ changes, submission }) => `${submission}:${changes}`),
        selected,
        lines: chosen.flatMap((id) => found.find((one) => one.id === id) ?? []),
      } satisfies Selection
    })

    /** None for a template that has become invalid. */
    const previewsOf = (
      member: Member,
      lines: ReadonlyArray<NamedSubmission>,
      decision: LetterDecision,
      content: LetterContent,
    ) =>
      followUps
        .previews(
          member,
          lines.slice(0, maxSelected).map(({ id }) => id),
          decision,
          content,
        )
        .pipe(Effect.catchTag("Invalid", () => Effect.succeed<ReadonlyArray<SharedPreview>>([])))

    /** Shows the list again, with the selection and the typed reason. */
    const refuse = (request: WorkspaceRequest, { form, list, values }: Selection, error: string) =>
      show(request, queryOfList(list), { selected: values, reason: typed(form, "reason"), error })

    /**
     * Performs a form once, and leads to its result. A page of the browser's history can be sent again with other rows, or
     * another choice: then it is another form. `isChosen`: a result is of this choice. `run`: as of FormIdempotency.
     */
    const performOnce = Effect.fnUntraced(function* <E, R>(
      { member }: WorkspaceRequest,
      { formId, list, selected }: Selection,
      {
        isChosen = () => true,
        kind,
        run = "once",
        work,
      }: {
        readonly kind: Kind
        readonly work: Effect.Effect<Result, E, R>
        readonly isChosen?: (result: Result) => boolean
        readonly run?: "once" | "run"
      },
    ) {
      const perform = (form: FormId) => formIdempotency[run](member, form, kinds[kind], work)
      const shown = (form: FormId) => toResult(list, kind, form)
      if (yield* perform(formId)) return shown(formId)
      const sent = yield* formIdempotency.find(member, formId, kinds[kind])
      const answer = sent?._tag === "Answered" ? sent.answer : undefined
      const before = new Set([...(answer?.done ?? []), ...(answer?.refused ?? [])].map(({ submission }) => submission))
      const now = new Set(selected.map(({ submission }) => submission))
      const isSame =
        answer !== undefined && isChosen(answer) && before.size === now.size && [...now].every((id) => before.has(id))
      // without an answer, it is still running
      if (isSame || (sent !== undefined && answer === undefined)) return shown(formId)
      const another = yield* ids.make(FormId)
      yield* perform(another)
      return shown(another)
    })

    const decide = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const sent = yield* readSelection(request)
      // a button of the page that confirms: asks again, about those who have submitted
      const narrowed = valueOf(sent.form, "submitted")
      const selection = narrowed === undefined || sent.isEvery ? sent : onlySubmitted(sent)
      const { form, formId, isEvery, lines, list, selected, values } = selection
      // after the decision the search may match others
      if (isEvery && (yield* formIdempotency.find(member, formId, kinds.decided)) !== undefined)
        return toResult(list, "decided", formId)
      const error = errorOf(selection)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const previewed = valueOf(form, "preview")
      const choice = valueOf(form, "decision") ?? previewed ?? narrowed
      const decision = choice === "clear" ? null : isDecision(choice) ? choice : undefined
      const written = linesOf(typed(form, "reason"))
      const reason = decision === "reject" ? joinReasons(typed(form, "common"), written) : written
      const { reject_reasons: rejectReasons } = yield* organizations.reasons(member)
      const kind = letterDecisions.find((one) => one === decision)
      const templates = kind === undefined ? [] : yield* messageTemplates.list(member, kind)
      const content = contentOf(templates, valueOf(form, "template"))
      const delay = readDelay(valueOf(form, "delay"))
      const previews =
        previewed === undefined || content === undefined || kind === undefined
          ? []
          : yield* previewsOf(member, lines, kind, content)
      const isRemoved = kind !== undefined && typed(form, "template") !== "" && content === undefined
      const letter = kind === undefined ? undefined : { templates, template: choiceOf(content), delay, previews }
      const confirmed = valueOf(form, "confirmed")
      const warnings = seenWarnings(lines)
      const version = isEvery ? shortHashOf([selected, warnings]) : warnings
      const hasChanged = confirmed !== undefined && confirmed !== version
      const question = {
        decision,
        reason,
        rejectReasons,
        letter,
        formId,
        list,
        selected: values,
        isEvery,
        version,
        hasChanged,
      }
      const ask = (errors: FieldErrors, status = 200) =>
        Effect.succeed(
          page(decisionQuestionPage(member, { ...question, errors }, lines), {
            status,
            showsMail: previews.length > 0,
          }),
        )
      if (
        previewed !== undefined ||
        narrowed !== undefined ||
        decision === undefined ||
        hasChanged ||
        (confirmed === undefined && isAsked(selection, decision))
      )
        return yield* ask({})
      if (isRemoved) return yield* ask({ template: removedTemplate }, 422)
      const work = Effect.gen(function* () {
        const { decided, refused } = yield* decisions.decideAll(member, selected, {
          decision,
          reason,
          // the page that confirms has named them
          knowsWarnings: confirmed !== undefined,
        })
        const letters =
          kind === undefined || content === undefined || decided.length === 0
            ? undefined
            : yield* followUps.write(member, decided, { letter: content, decision: kind, delay })
        const changesOf = new Map(selected.map(({ changes, submission }) => [submission, changes]))
        return {
          decision,
          done: decided.map((submission) => ({ submission, changes: (changesOf.get(submission) ?? 0) + 1 })),
          refused: [
            ...refused.map(({ refusal, submission }) => ({
              submission,
              reason: refusalOf(
                refusal,
                lines.find(({ id }) => id === submission),
              ),
            })),
            ...(letters?.skipped ?? []).map(({ reason: why, submission }) => ({
              submission,
              reason: `the decision was saved, but no email is sent: ${why}`,
            })),
          ],
          ...(letters === undefined ? {} : { letters: { count: letters.written.length, leaves: leavesOf(delay) } }),
        }
      })
      const isChosen = (result: Result) => result.decision === decision
      return yield* performOnce(request, selection, { kind: "decided", work, isChosen }).pipe(
        Effect.catchTag("Invalid", ({ errors }) => ask(fieldErrors(errors, { reason: "The reason" }), 422)),
      )
    })

    const undo = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const formId = yield* formIdOf(form)
      const list = typed(form, "list")
      const of = valueOf(form, "of") ?? ""
      const written = yield* formIdempotency.find(member, of, kinds.written)
      if (written?._tag === "Answered") {
        const submissionsOf = written.answer.done.map(({ submission }) => submission)
        const unwrite = Effect.map(followUps.undoAll(member, submissionsOf), (undone) =>
          resultOf(
            submissionsOf.map((submission) => ({
              submission,
              reason: undone.includes(submission)
                ? undefined
                : "the email has left, is being sent, or was undone before",
            })),
          ),
        )
        yield* formIdempotency.once(member, formId, kinds.unwritten, unwrite)
        return toResult(list, "unwritten", formId)
      }
      const sent = yield* formIdempotency.find(member, of, kinds.decided)
      if (sent?._tag !== "Answered") return seeOther(list === "" ? href : `${href}?${new URLSearchParams(list)}`)
      const { answer } = sent
      const work = Effect.map(decisions.undoAll(member, answer.done), ({ decided, refused }) => ({
        decision: null,
        done: decided.map((submission) => ({ submission, changes: 0 })),
        refused: refused.map(({ refusal, submission }) => ({ submission, reason: refusalText[refusal] })),
      }))
      yield* formIdempotency.once(member, formId, kinds.undone, work)
      return toResult(list, "undone", formId)
    })

    /** Writes to the candidates of a decision that was made without an email. */
    const write = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const formId = yield* formIdOf(form)
      const list = typed(form, "list")
      const of = valueOf(form, "of") ?? ""
      const decided = yield* formIdempotency.find(member, of, kinds.decided)
      const answer = decided?._tag === "Answered" ? decided.answer : undefined
      const kind = letterDecisions.find((one) => one === answer?.decision)
      if (answer === undefined || kind === undefined)
        return seeOther(list === "" ? href : `${href}?${new URLSearchParams(list)}`)
      const lines = yield* submissions.among(
        member,
        answer.done.slice(0, maxSelected).map(({ submission }) => submission),
      )
      const templates = yield* messageTemplates.list(member, kind)
      const choice = valueOf(form, "template")
      const found = contentOf(templates, choice)
      const content = found ?? templates[0] ?? "suggested"
      const delay = readDelay(valueOf(form, "delay"))
      const ask = Effect.fnUntraced(function* (errors: FieldErrors, status = 200) {
        const previews = hasErrors(errors) ? [] : yield* previewsOf(member, lines, kind, content)
        const letter = { templates, template: choiceOf(content), delay, previews }
        const question = { formId, list, selected: [], version: "yes", decision: kind, of, letter, errors }
        return page(letterQuestionPage(member, question, lines), { status, showsMail: previews.length > 0 })
      })
      if (valueOf(form, "confirmed") === undefined || valueOf(form, "preview") !== undefined) return yield* ask({})
      if (choice !== undefined && found === undefined) return yield* ask({ template: removedTemplate }, 422)
      const chosen = lines.map(({ id }) => id)
      const work = Effect.map(
        followUps.write(member, chosen, { letter: content, decision: kind, delay }),
        ({ skipped, written }): Result => ({
          decision: null,
          done: written.map((submission) => ({ submission, changes: 0 })),
          refused: skipped,
          letters: { count: written.length, leaves: leavesOf(delay) },
        }),
      )
      return yield* formIdempotency.once(member, formId, kinds.written, work).pipe(
        Effect.as(toResult(list, "written", formId)),
        Effect.catchTag("Invalid", ({ errors }) => ask(fieldErrors(errors, { template: "The email" }), 422)),
      )
    })

    const resend = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const selection = yield* readSelection(request)
      const error = errorOf(selection)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const { form: sent, formId, isEvery, lines, list, selected } = selection
      if (isEvery && selected.length > maxSelected)
        return yield* refuse(
          request,
          selection,
          `Send at most ${maxSelected} invitations again at once. Choose more filters, or select rows.`,
        )
      // the page names each candidate, so the rows are chosen from here on
      const values = selected.map(({ changes, submission }) => `${submission}:${changes}`)
      if (valueOf(sent, "confirmed") === undefined) {
        const skipped = new Map(
          lines.flatMap((line) => {
            const reason = whyNotResendLine(line)
            return reason === undefined ? [] : [[line.id, reason] as const]
          }),
        )
        const kept = selected.flatMap(({ submission }, i) => (skipped.has(submission) ? [] : (values[i] ?? [])))
        return page(resendQuestionPage(member, { formId, list, selected: kept, skipped, version: "yes" }, lines))
      }
      const resendOne = (submission: SubmissionId) => {
        const invitation = lines.find((line) => line.id === submission)?.invitation
        if (invitation === undefined || invitation === null) return Effect.succeed({ submission, reason: noInvitation })
        return invitations.resend(member, invitation.id).pipe(
          Effect.as({ submission, reason: undefined }),
          Effect.catchTags({
            Conflict: ({ reason }) => Effect.succeed({ submission, reason }),
            NotAllowed: () => Effect.succeed({ submission, reason: notAllowed }),
            NotFound: () => Effect.succeed({ submission, reason: "the invitation no longer exists" }),
          }),
        )
      }
      // each in a transaction of its own: a resend locks the invitation and its set
      const work = Effect.map(
        Effect.forEach(new Set(selected.map(({ submission }) => submission)), resendOne),
        resultOf,
      )
      return yield* performOnce(request, selection, { kind: "resent", work, run: "run" })
    })

    /** Which of the chosen colleagues may see a submission, the service decides. */
    const assign = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const selection = yield* readSelection(request)
      const error = errorOf(selection)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const { form: sent, formId, isEvery, list, lines, selected, values } = selection
      const candidates = lines.map((line) => line.id)
      const colleagues = sent.flatMap(([name, value]) => (name === "member" ? (parseId(MemberId, value) ?? []) : []))
      const version = isEvery ? shortHashOf(selected) : "yes"
      const confirmed = valueOf(sent, "confirmed")
      const hasChanged = isEvery && confirmed !== undefined && confirmed !== version
      if (confirmed === undefined || hasChanged || colleagues.length === 0) {
        const all = yield* assignments.assignable(member, candidates)
        const errors = confirmed === undefined || hasChanged ? {} : { member: "Choose at least one colleague." }
        const question = { formId, list, selected: values, version, isEvery, hasChanged, colleagues, errors }
        return page(assignQuestionPage(member, question, lines, all), { status: hasErrors(errors) ? 422 : 200 })
      }
      const work = Effect.gen(function* () {
        const added = yield* assignments.assign(member, candidates, colleagues)
        return resultOf(
          selected.map(({ submission }) => ({
            submission,
            reason: added.includes(submission) ? undefined : notAssigned,
          })),
        )
      })
      return yield* performOnce(request, selection, { kind: "assigned", work })
    })

    /** Asks for the stage, then moves. All that match become rows on that page. */
    const move = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const selection = yield* readSelection(request)
      const { form, formId, isEvery, lines, list, selected } = selection
      const error =
        errorOf(selection) ??
        (isEvery && selected.length > maxSelected
          ? `Move at most ${maxSelected} candidates at once. Choose more filters, or select rows.`
          : undefined)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const stages = yield* hiringStages.list(member)
      const warnings = seenWarnings(lines)
      const ask = (errors: FieldErrors, status = 200) => {
        const values = lines.map(
          ({ decision_changes, id, stage_changes }) => `${id}:${decision_changes}:${stage_changes}`,
        )
        const question = { formId, list, selected: values, version: warnings, to: typed(form, "to"), errors }
        return page(moveQuestionPage(member, question, stages, lines), { status })
      }
      const confirmed = valueOf(form, "confirmed")
      if (confirmed === undefined) return ask({})
      if (confirmed !== warnings)
        return ask({ to: "Not moved: the warnings of a score have changed meanwhile. Read them, then move." }, 409)
      const stage = stages.find(({ id }) => id === valueOf(form, "to"))
      if (stage === undefined) return ask({ to: "Choose a stage." }, 422)
      const seen = selected.map(({ changes, stageChanges, submission }) => ({
        submission,
        changes: stageChanges ?? noVersion,
        decisionChanges: changes,
      }))
      const work = Effect.map(
        stageMoves.moveAll(member, seen, { _tag: "Stage", id: stage.id }, { knowsWarnings: true }),
        ({ moved, refused }): Result => ({
          decision: null,
          stage: stage.name,
          done: moved.map(({ changes, submission }) => ({ submission, changes })),
          refused: refused.map(({ refusal, submission }) => ({ submission, reason: moveRefusalText[refusal] })),
        }),
      )
      const isChosen = (result: Result) => result.stage === stage.name
      return yield* performOnce(request, selection, { kind: "moved", work, isChosen }).pipe(
        Effect.catchTags({
          Conflict: ({ reason }) => Effect.succeed(ask({ to: `Not moved: ${reason}.` }, 409)),
          Invalid: ({ errors }) => Effect.succeed(ask(fieldErrors(errors, { reason: "The reason" }), 422)),
        }),
      )
    })

    /** Asks for the tag, then adds or removes it. All that match become rows on that page. */
    const tag = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const selection = yield* readSelection(request)
      const { form, formId, isEvery, lines, list, selected } = selection
      const error =
        errorOf(selection) ??
        (isEvery && selected.length > maxSelected
          ? `Tag at most ${maxSelected} candidates at once. Choose more filters, or select rows.`
          : undefined)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const typedTag = (valueOf(form, "tag") ?? "").toWellFormed()
      const known = yield* tags.list(member)
      const ask = (errors: FieldErrors, status = 200) => {
        const values = lines.map(({ decision_changes, id }) => `${id}:${decision_changes}`)
        const question = { formId, list, selected: values, version: "yes", tag: typedTag, errors }
        return page(tagQuestionPage(member, question, known, lines), { status })
      }
      if (valueOf(form, "confirmed") === undefined) return ask({})
      const isRemoved = valueOf(form, "do") === "remove"
      const candidates = selected.map(({ submission }) => submission)
      const work = Effect.map(
        isRemoved ? tags.removeAll(member, candidates, typedTag) : tags.addAll(member, candidates, typedTag),
        ({ done, refused, tag: name }): Result => ({
          decision: null,
          tag: name,
          done: done.map((submission) => ({ submission, changes: 0 })),
          refused: refused.map(({ refusal, submission }) => ({ submission, reason: tagRefusalText[refusal] })),
        }),
      )
      const kind = isRemoved ? "untagged" : "tagged"
      const isChosen = (result: Result) => tagKey(result.tag ?? "") === tagKey(typedTag)
      return yield* performOnce(request, selection, { kind, work, isChosen }).pipe(
        Effect.catchTags({
          Conflict: ({ reason }) => Effect.succeed(ask({ tag: `Not added: ${reason}.` }, 409)),
          Invalid: ({ errors }) => Effect.succeed(ask(fieldErrors(errors, tagLabels), 422)),
        }),
      )
    })

    const exportSelected = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const selection = yield* readSelection(request)
      const type = valueOf(selection.form, "type") === "xlsx" ? "xlsx" : "csv"
      if (selection.isEvery) return seeOther(`${href}.${type}?${queryText(queryOf(searchOfList(selection.list)))}`)
      const error = errorOf(selection)
      if (error !== undefined) return yield* refuse(request, selection, error)
      const [set, ...others] = new Set(selection.lines.map(({ interview_set }) => interview_set.id))
      const isOne = set !== undefined && others.length === 0
      const columns = csvColumns(isOne ? (yield* interviewSets.read(request.member, set)).set : undefined)
      const rows = selection.lines.map((one) => csvLine(columns, emailLinks, one))
      return table(request, type, columns, Stream.fromIterable(rows))
    })

    const compare = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const selection = yield* readSelection(request)
      const { lines } = selection
      const sets = new Set(lines.map(({ interview_set }) => interview_set.id))
      if (lines.length < 2 || lines.length > comparisonLimits.candidates || sets.size > 1)
        return yield* refuse(
          request,
          selection,
          `To compare, select ${candidateRange} candidates of one interview set.`,
        )
      return seeOther(`${href}/compare?ids=${lines.map(({ id }) => id).join(",")}`)
    })

    yield* post(`${href}/compare`, compare)
    const forms = { assign, decide, undo, write, move, resend, tag, export: exportSelected }
    for (const [name, submit] of Object.entries(forms)) {
      yield* action(`${href}/${name}`, submit, () => href)
    }
  }),
)
