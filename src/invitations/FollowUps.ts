/** Emails to candidates after an interview: receipts, and letters about decisions. */
import { Context, Effect, Layer } from "effect"
import { logoOf } from "../accounts/Appearance.ts"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { SuppressionRepository } from "../emails/SuppressionRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { letterTexts } from "../texts/Letters.ts"
import { type Language, languageOf } from "../texts/Texts.ts"
import { EmailId, type OrganizationId, parseId, type SubmissionId } from "../values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"
import { type LetterDecision, type LetterDelay, type LetterText, leavesAt, letterErrors } from "./FollowUp.ts"
import { FollowUpRepository, type FollowUpView } from "./FollowUpRepository.ts"
import { renderLetter } from "./FollowUpTemplate.ts"

/** `suggested`: each candidate gets the suggested text in the language of the candidate's pages. */
export type LetterContent = LetterText | "suggested"

export interface LetterOrder {
  readonly letter: LetterContent
  readonly decision: LetterDecision
  readonly delay: LetterDelay
}

/** The letter of the first of several candidates who get it in a language. */
export interface SharedPreview extends RenderedEmail {
  readonly language: Language
  readonly count: number
  /** Null: the candidate has none. */
  readonly recipient: string | null
}

export interface LetterOutcome {
  readonly written: ReadonlyArray<SubmissionId>
  readonly skipped: ReadonlyArray<{ readonly submission: SubmissionId; readonly reason: string }>
}

const trimmed = ({ subject, text }: LetterText): LetterText => ({
  subject: subject.trim(),
  text: text.replaceAll("\r\n", "\n").trim(),
})

/** Why the candidate gets no letter; undefined: nothing keeps it. */
const refusalOf = (
  { decision: current, email, has_letter }: FollowUpView,
  decision: LetterDecision,
  suppressed: ReadonlySet<string>,
): string | undefined => {
  if (email === null) return "the candidate has no email address"
  if (current !== decision) return "the decision has changed"
  if (suppressed.has(email)) return "the address has unsubscribed"
  return has_letter ? "an email about a decision is waiting already: undo it first" : undefined
}

export class FollowUps extends Context.Service<FollowUps>()("interview-invitations/invitations/FollowUps", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { time, transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const ids = yield* Ids
    const repository = yield* FollowUpRepository
    const submissionRepository = yield* SubmissionRepository
    const submissions = yield* Submissions
    const suppressionRepository = yield* SuppressionRepository

    const logo = ({ appearance }: FollowUpView) => {
      const own = appearance === null ? undefined : logoOf(appearance)
      return own === undefined ? undefined : { ...own, href: emailLinks.absolute(own.href) }
    }

    /** Call it in the transaction that completes the interview. */
    const confirmReceipt = Effect.fn("FollowUps.confirmReceipt")(function* (
      organization: OrganizationId,
      submission: SubmissionId,
    ) {
      yield* repository.queueReceipt(organization, submission, yield* ids.make(EmailId))
    })

    /** A text to begin with, in the language of the candidate's pages. */
    const suggestion = Effect.fn("FollowUps.suggestion")(function* (
      { organizationId }: Member,
      submission: SubmissionId,
      decision: LetterDecision,
    ) {
      const [view] = yield* repository.views(organizationId, [submission])
      const language = languageOf(view?.languages ?? [])
      return { language, ...letterTexts[language][decision] } satisfies LetterText & { readonly language: Language }
    })

    /** The letter as the candidate would get it. Fails with Invalid. */
    const preview = Effect.fn("FollowUps.preview")(function* (member: Member, text: string, letter: LetterText) {
      const id = yield* submissions.require(member, text)
      const [view] = yield* repository.views(member.organizationId, [id])
      if (view === undefined) return yield* new NotFound({ record: "submission" })
      const own = trimmed(letter)
      const errors = letterErrors(own)
      if (errors.length > 0) return yield* new Invalid({ errors })
      return { recipient: view.email, ...renderLetter(view, own, logo(view)) }
    })

    /** A text that was written must be valid. */
    const contentOf = Effect.fnUntraced(function* (letter: LetterContent, decision: LetterDecision) {
      if (letter === "suggested")
        return ({ languages }: FollowUpView): LetterText => letterTexts[languageOf(languages)][decision]
      const own = trimmed(letter)
      const errors = letterErrors(own)
      return errors.length > 0 ? yield* new Invalid({ errors }) : (): LetterText => own
    })

    /**
     * The letter as the first of the candidates would get it; a suggested one in each language that they have. `chosen`:
     * submissions that the member may see. Fails with Invalid.
     */
    const previews = Effect.fn("FollowUps.previews")(function* (
      { organizationId }: Member,
      chosen: ReadonlyArray<SubmissionId>,
      decision: LetterDecision,
      letter: LetterContent,
    ) {
      const textOf = yield* contentOf(letter, decision)
      const found = yield* repository.views(organizationId, chosen)
      const views = chosen.flatMap((id) => found.find((one) => one.submission_id === id) ?? [])
      const groups =
        letter === "suggested" ? [...Map.groupBy(views, ({ languages }) => languageOf(languages)).values()] : [views]
      return groups.flatMap((group): ReadonlyArray<SharedPreview> => {
        const [first] = group
        if (first === undefined) return []
        const rendered = renderLetter(first, textOf(first), logo(first))
        return [{ language: languageOf(first.languages), count: group.length, recipient: first.email, ...rendered }]
      })
    })

    /** Queues the letter for each submission with the decision. Fails with Invalid. */
    const write = Effect.fn("FollowUps.write")(function* (
      member: Member,
      chosen: ReadonlyArray<SubmissionId>,
      { decision, delay, letter }: LetterOrder,
    ) {
      const textOf = yield* contentOf(letter, decision)
      // waits for concurrent decisions, and makes them wait
      yield* submissionRepository.lockForDecision(member.organizationId, chosen, member)
      const views = yield* repository.views(member.organizationId, chosen)
      const addresses = views.flatMap(({ email }) => email ?? [])
      const suppressed = yield* suppressionRepository.among(member.organizationId, addresses)
      const judged = views.map((view) => ({ view, reason: refusalOf(view, decision, suppressed) }))
      const accepted = judged.flatMap(({ reason, view }) => (reason === undefined ? [view] : []))
      const dueAt = leavesAt(delay, yield* time, member.timeZone)
      const letters = yield* Effect.forEach(accepted, (view) =>
        Effect.map(ids.make(EmailId), (id) => ({
          id,
          submission_id: view.submission_id,
          kind: `decision_${decision}` as const,
          recipient: view.email ?? "",
          ...renderLetter(view, textOf(view), logo(view)),
        })),
      )
      yield* repository.queueLetters(member.organizationId, letters, dueAt)
      yield* auditLog.noteAll(
        member,
        "submission",
        "write",
        letters.map(({ submission_id }) => [submission_id, { leaves_at: dueAt.toISOString() }]),
      )
      return {
        written: letters.map(({ submission_id }) => submission_id),
        skipped: judged.flatMap(({ reason, view }) =>
          reason === undefined ? [] : [{ submission: view.submission_id, reason }],
        ),
      } satisfies LetterOutcome
    }, transaction)

    /** Conflict: it has left, is being sent, or was undone. */
    const undo = Effect.fn("FollowUps.undo")(function* (member: Member, text: string, letter: string) {
      const submission = yield* submissions.require(member, text)
      const id = parseId(EmailId, letter)
      const isUndone = id !== undefined && (yield* repository.cancelLetter(member.organizationId, submission, id))
      if (!isUndone) return yield* new Conflict({ reason: "the email has left, is being sent, or was undone before" })
      yield* auditLog.note(member, "submission", "undo_letter", submission)
    }, transaction)

    /** Undoes the letters that still wait; returns the submissions that had one. */
    const undoAll = Effect.fn("FollowUps.undoAll")(function* (member: Member, chosen: ReadonlyArray<SubmissionId>) {
      const undone = yield* repository.cancelLetters(member.organizationId, chosen)
      yield* auditLog.noteAll(
        member,
        "submission",
        "undo_letter",
        undone.map((submission) => [submission, {}]),
      )
      return undone
    }, transaction)

    const letters = ({ organizationId }: Member, submission: SubmissionId) =>
      repository.letters(organizationId, submission)

    return { confirmReceipt, suggestion, preview, previews, write, undo, undoAll, letters }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(Submissions.layer))
}
