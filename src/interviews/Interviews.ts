/** Interviews as candidates use them, by the token of their link. */
import { Context, Effect, Layer } from "effect"
import { renderSubmitted } from "../accounts/members/MemberEmail.ts"
import { Notifications } from "../accounts/members/Notifications.ts"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { EvaluationRepository } from "../evaluations/EvaluationRepository.ts"
import { askedOrder, type Question } from "../interview-sets/InterviewSet.ts"
import { InterviewSetRepository } from "../interview-sets/InterviewSetRepository.ts"
import { rulesOf, spokenKinds } from "../interview-sets/QuestionRules.ts"
import { FollowUps } from "../invitations/FollowUps.ts"
import { Database, isOutage } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { RecordingConsents } from "../recordings/RecordingConsents.ts"
import { RecordingRepository } from "../recordings/RecordingRepository.ts"
import { EvaluationId } from "../values/Ids.ts"
import { Events } from "../webhooks/events/Events.ts"
import type { InterviewStatus } from "../webhooks/events/WebhookEvent.ts"
import { isAnswered } from "./AnswerForm.ts"
import { AnswerRepository, type AnswerRow, type WrittenAnswer } from "./AnswerRepository.ts"
import { canImprove, retakesLeft } from "./InterviewClock.ts"
import { InterviewRepository, type InterviewRow } from "./InterviewRepository.ts"
import {
  askedQuestions,
  InterviewNotOpen,
  makeOpenInterview,
  offeredLanguages,
  pageLanguage,
  stateOf,
  viewOf,
} from "./InterviewView.ts"

export interface OpenInterview {
  readonly row: InterviewRow
  readonly questions: ReadonlyArray<Question>
}

/** In code points. */
const maxDeclineReason = 1000

/** Null: none. An unusable text does not keep a candidate from declining. */
const declineReasonOf = (text: string): string | null =>
  [...text.toWellFormed().replaceAll("\0", "").trim()].slice(0, maxDeclineReason).join("") || null

export class Interviews extends Context.Service<Interviews>()("interview-invitations/interviews/Interviews", {
  make: Effect.gen(function* () {
    const answerRepository = yield* AnswerRepository
    const { improvementWindow } = yield* Config
    const { transaction } = yield* Database
    const openInterview = yield* makeOpenInterview
    const evaluationRepository = yield* EvaluationRepository
    const events = yield* Events
    const followUps = yield* FollowUps
    const ids = yield* Ids
    const interviewRepository = yield* InterviewRepository
    const interviewSetRepository = yield* InterviewSetRepository
    const emailLinks = yield* EmailLinks
    const notifications = yield* Notifications
    const recordingConsents = yield* RecordingConsents
    const recordingRepository = yield* RecordingRepository

    const publish = (row: InterviewRow, ...statuses: ReadonlyArray<InterviewStatus>) =>
      events.publish(
        row.organization_id,
        statuses.map((status) => ({
          subject: row,
          event: { event_type: "interview.status.update", status, interview_name: row.interview_name },
        })),
      )

    /** Of the pages and later emails; without effect for a language that the set does not offer. */
    const chooseLanguage = Effect.fn("Interviews.chooseLanguage")(function* (token: string, text: string) {
      const row = yield* openInterview(token)
      const language = offeredLanguages(row).find((one) => one === text)
      if (language !== undefined)
        yield* interviewRepository.setLanguage(row.organization_id, row.submission_id, language)
    })

    /** The candidate's consent. Does nothing in a running interview. */
    const start = Effect.fn("Interviews.start")(function* (token: string) {
      const row = yield* openInterview(token)
      const state = stateOf(row)
      if (state === "running") return
      if (state !== "open") return yield* new InterviewNotOpen({ state })
      // of concurrent calls, one publishes "initiated"
      const initiated = yield* interviewRepository.initiate(row.organization_id, row.submission_id)
      const started = yield* interviewRepository.start(row.organization_id, row.submission_id)
      if (!started) return
      yield* initiated ? publish(row, "initiated", "started") : publish(row, "started")
    }, transaction)

    /** Members who may see the submission, once: not after a retake. */
    const notifyReaders = Effect.fnUntraced(function* (row: InterviewRow) {
      if (row.attempt > 1) return
      const { interview_name, organization_id, organization_name, submission_id } = row
      const readers = yield* interviewRepository.readers(organization_id, submission_id)
      yield* notifications.notify(
        organization_id,
        "interview_submitted",
        readers,
        { kind: "submitted", submissions: [submission_id] },
        (unsubscribeUrl) =>
          renderSubmitted({
            organization: organization_name,
            interview: interview_name,
            url: emailLinks.submission(submission_id),
            unsubscribeUrl,
          }),
      )
    })

    const complete = Effect.fn("Interviews.complete")(function* (row: InterviewRow) {
      const window = retakesLeft(row) > 0 ? improvementWindow : undefined
      if (!(yield* interviewRepository.complete(row.organization_id, row.submission_id, row.attempt, window))) return
      yield* evaluationRepository.queue(row.organization_id, {
        id: yield* ids.make(EvaluationId),
        submissionId: row.submission_id,
        type: "interview",
      })
      yield* publish(row, "completed")
      yield* followUps.confirmReceipt(row.organization_id, row.submission_id)
      yield* notifyReaders(row)
    })

    const saveTo = (
      { attempt, organization_id: organization, submission_id: submission }: InterviewRow,
      given: ReadonlyArray<WrittenAnswer>,
    ) => answerRepository.save({ organization, submission, attempt }, given)

    const areSaved = Effect.fnUntraced(function* (row: InterviewRow, given: ReadonlyArray<AnswerRow>) {
      if (given.length === 0) return true
      const saved = yield* answerRepository.list(row.organization_id, row.submission_id, row.attempt)
      return given.every(({ content, option_ids, question_id }) => {
        const one = saved.find((answer) => answer.question_id === question_id)
        return (one?.content ?? null) === content && (one?.option_ids ?? []).join("\n") === option_ids.join("\n")
      })
    })

    /** With `number` (from 1), the texts of other answers are "…". */
    const view = Effect.fn("Interviews.view")(function* (token: string, number?: number) {
      const row = yield* openInterview(token)
      const questions = yield* interviewSetRepository.questions(row.organization_id, row.interview_set_id)
      const whole = number === undefined ? undefined : (askedOrder(questions)[number - 1]?.id ?? null)
      const saved = yield* answerRepository.list(row.organization_id, row.submission_id, row.attempt, whole)
      const isSpoken = questions.some((question) => spokenKinds(rulesOf(question)).length > 0)
      const consent = isSpoken ? yield* recordingConsents.find(row.organization_id, pageLanguage(row)) : undefined
      return viewOf(row, questions, saved, consent ?? null)
    })

    /** Omits the answers, which can have 10 MB. */
    const open = Effect.fn("Interviews.open")(function* (token: string) {
      const row = yield* openInterview(token)
      const questions = askedQuestions(
        row,
        yield* interviewSetRepository.questions(row.organization_id, row.interview_set_id),
      )
      return { row, questions } satisfies OpenInterview
    })

    /** Recordings of the question so far; 0 for one that is not answered by recordings. */
    const takesOf = Effect.fn("Interviews.takesOf")(function* (token: string, question: Question) {
      if (spokenKinds(rulesOf(question)).length === 0) return 0
      const { attempt, organization_id: organization, submission_id: submission } = yield* openInterview(token)
      return yield* recordingRepository.takes({ organization, submission, attempt }, question.id)
    })

    const initiate = Effect.fn("Interviews.initiate")(function* (token: string) {
      const row = yield* openInterview(token)
      if (stateOf(row) !== "open") return
      if (yield* interviewRepository.initiate(row.organization_id, row.submission_id)) yield* publish(row, "initiated")
    }, transaction)

    /** Skips answers with an outdated `known`. Fails for an earlier `attempt`. */
    const save = Effect.fn("Interviews.save")(function* (
      { row }: Pick<OpenInterview, "row">,
      given: ReadonlyArray<WrittenAnswer>,
      attempt?: number,
    ) {
      if (attempt !== undefined && attempt !== row.attempt) {
        return yield* new InterviewNotOpen({ state: "completed" })
      }
      const result = yield* saveTo(row, given)
      if (result !== undefined) return result
      const now = (yield* interviewRepository.find({ _tag: "Submission", id: row.submission_id })) ?? row
      if (now.attempt !== row.attempt) return yield* new InterviewNotOpen({ state: "completed" })
      const state = stateOf(now)
      return yield* new InterviewNotOpen({ state: state === "running" ? "time_over" : state })
    })

    const lacksAnswers = Effect.fnUntraced(function* (row: InterviewRow) {
      const questions = yield* interviewSetRepository.questions(row.organization_id, row.interview_set_id)
      const required = questions.filter((question) => rulesOf(question).isRequired)
      if (required.length === 0) return false
      const saved = yield* answerRepository.list(row.organization_id, row.submission_id, row.attempt)
      const answered = new Set(saved.filter(isAnswered).map(({ question_id }) => question_id))
      return !required.every(({ id }) => answered.has(id))
    })

    /**
     * Submits the answers and queues their evaluation. Repeatable. `kept` false: these answers came too late. `isIncomplete`:
     * they were saved and not submitted, because a required question has no answer while there is time.
     */
    const finish = Effect.fn("Interviews.finish")(function* (
      token: string,
      given: ReadonlyArray<AnswerRow>,
      attempt?: number,
    ) {
      const row = yield* openInterview(token)
      const state = stateOf(row)
      if (state === "completed" || (attempt !== undefined && attempt < row.attempt)) {
        return { kept: yield* areSaved(row, given), isIncomplete: false }
      }
      if (state !== "running" && state !== "time_over") return yield* new InterviewNotOpen({ state })
      const kept = (yield* saveTo(row, given)) !== undefined || (yield* areSaved(row, given))
      if (state === "running" && (yield* lacksAnswers(row))) return { kept, isIncomplete: true }
      yield* complete(row)
      return { kept, isIncomplete: false }
    }, transaction)

    /** Copies the answers. Does nothing while a retake is running. */
    const reopen = Effect.fn("Interviews.reopen")(function* (token: string) {
      const row = yield* openInterview(token)
      const state = stateOf(row)
      if (state === "running" && row.attempt > 1) return
      if (!canImprove(row)) return yield* new InterviewNotOpen({ state })
      const { organization_id, submission_id } = row
      const attempt = yield* interviewRepository.reopen(organization_id, submission_id, row.attempt)
      if (attempt === undefined) return
      yield* answerRepository.copy(organization_id, submission_id, attempt)
      yield* evaluationRepository.supersede(organization_id, submission_id)
      yield* publish(row, "started")
    }, transaction)

    /** The candidate gives up the retakes that are left. */
    const declareFinal = Effect.fn("Interviews.declareFinal")(function* (token: string) {
      const row = yield* openInterview(token)
      const state = stateOf(row)
      if (state !== "completed") return yield* new InterviewNotOpen({ state })
      if (yield* interviewRepository.closeWindow(row.organization_id, row.submission_id)) {
        yield* evaluationRepository.unhold(row.organization_id, row.submission_id)
      }
    }, transaction)

    /** Fails once answers were submitted or the time is over. */
    const decline = Effect.fn("Interviews.decline")(function* (token: string, reason = "") {
      const row = yield* openInterview(token)
      const isKnown = yield* interviewRepository.lockPerson(row.organization_id, row.submission_id)
      // declining can be the first action
      const initiated = yield* interviewRepository.initiate(row.organization_id, row.submission_id)
      if (
        yield* interviewRepository.decline(
          row.organization_id,
          row.submission_id,
          isKnown ? declineReasonOf(reason) : null,
        )
      ) {
        if (initiated) yield* publish(row, "initiated")
        return
      }
      const state = stateOf(yield* openInterview(token))
      if (state !== "declined") return yield* new InterviewNotOpen({ state })
    }, transaction)

    /** Submits interviews whose time and grace are over. */
    const finishOverdue = Effect.gen(function* () {
      const overdue = yield* interviewRepository.overdue(100)
      const finished = yield* Effect.forEach(overdue, ({ id }) =>
        transaction(
          Effect.gen(function* () {
            const row = yield* interviewRepository.find({ _tag: "Submission", id })
            if (row !== undefined && stateOf(row) === "time_over") yield* complete(row)
          }),
        ).pipe(
          Effect.as(1),
          Effect.catchDefect((defect) =>
            isOutage(defect)
              ? Effect.die(defect)
              : Effect.as(Effect.logError("an interview was not submitted", { id }, defect), 0),
          ),
        ),
      )
      // a step that returns more than 0 runs again at once: an interview that always fails must not repeat it
      return finished.reduce<number>((sum, one) => sum + one, 0)
    }).pipe(Effect.withSpan("Interviews.finishOverdue"))

    /** Ends the deadline of an interview that has not begun. Repeatable. */
    const expireNow = Effect.fn("Interviews.expireNow")(function* (token: string) {
      const { organization_id, submission_id } = yield* openInterview(token)
      if (yield* interviewRepository.expireNow(organization_id, submission_id)) return
      const state = stateOf(yield* openInterview(token))
      if (state !== "expired") return yield* new InterviewNotOpen({ state })
    }, transaction)

    const expireUnstarted = interviewRepository.expire(500)

    return {
      view,
      open,
      takesOf,
      chooseLanguage,
      initiate,
      start,
      save,
      finish,
      reopen,
      declareFinal,
      decline,
      finishOverdue,
      expireNow,
      expireUnstarted,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide([FollowUps.layer, RecordingConsents.layer]))
}
