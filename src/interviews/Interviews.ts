/**
 * The candidate's interview, by the link that the candidate holds (contract, Candidate's interview). Reading changes
 * nothing; every step is a call of its own, made by a human act.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { EvaluationRepository } from "../evaluations/EvaluationRepository.ts"
import { askedOrder, type Question } from "../interview-sets/InterviewSet.ts"
import { InterviewSetRepository } from "../interview-sets/InterviewSetRepository.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { EvaluationId } from "../values/Ids.ts"
import { Events } from "../webhooks/Events.ts"
import type { InterviewStatus } from "../webhooks/WebhookEvent.ts"
import { AnswerRepository, type AnswerRow, type WrittenAnswer } from "./AnswerRepository.ts"
import { InterviewRepository, type InterviewRow } from "./InterviewRepository.ts"
import { canImprove, InterviewNotOpen, openInterview, retakesLeftOf, stateOf, viewOf } from "./InterviewView.ts"

/** What saves while the last seconds run is still on its way when they are over. */
export const grace = Duration.seconds(5)

const publish = (row: InterviewRow, ...statuses: ReadonlyArray<InterviewStatus>) =>
  Effect.flatMap(Events, (events) =>
    events.publish(
      row.organization_id,
      statuses.map((status) => ({
        subject: {
          interview_set_id: row.interview_set_id,
          candidate_id: row.candidate_id,
          candidate_email: row.candidate_email,
          invitation_id: row.invitation_id,
          submission_id: row.submission_id,
          ats_candidate_id: row.ats_candidate_id,
        },
        event: { event_type: "interview.status.update", status, interview_name: row.interview_name },
      })),
    ),
  )

/** Consent and start of the clock. A second start of a running interview changes nothing. */
const start = Effect.fn("Interviews.start")(function* (token: string) {
  const repository = yield* InterviewRepository
  const row = yield* openInterview(token)
  const state = stateOf(row)
  if (state === "running") return
  if (state !== "open") return yield* new InterviewNotOpen({ state })
  // a page may report the act and start at the same moment: whichever comes first tells of it, and holds the row
  const initiated = yield* repository.initiate(row.organization_id, row.submission_id)
  const started = yield* repository.start(row.organization_id, row.submission_id)
  if (!started) return
  yield* initiated ? publish(row, "initiated", "started") : publish(row, "started")
}, inTransaction)

const complete = Effect.fn("Interviews.complete")(function* (row: InterviewRow) {
  const repository = yield* InterviewRepository
  const evaluations = yield* EvaluationRepository
  const { improvementWindow } = yield* Config
  const window = retakesLeftOf(row) > 0 ? improvementWindow : undefined
  if (!(yield* repository.complete(row.organization_id, row.submission_id, row.attempt, window))) return
  yield* evaluations.queue(row.organization_id, {
    id: yield* newId(EvaluationId),
    submissionId: row.submission_id,
    type: "interview",
  })
  yield* publish(row, "completed")
})

const saveTo = (
  { attempt, organization_id: organization, submission_id: submission }: InterviewRow,
  given: ReadonlyArray<WrittenAnswer>,
) => Effect.flatMap(AnswerRepository, (answers) => answers.save({ organization, submission, attempt, grace }, given))

/** Whether these answers are the saved ones. */
const areSaved = Effect.fnUntraced(function* (row: InterviewRow, given: ReadonlyArray<AnswerRow>) {
  const answers = yield* AnswerRepository
  if (given.length === 0) return true
  const saved = yield* answers.list(row.organization_id, row.submission_id, row.attempt)
  return given.every(({ content, option_ids, question_id }) => {
    const one = saved.find((answer) => answer.question_id === question_id)
    return (one?.content ?? null) === content && (one?.option_ids ?? []).join("\n") === option_ids.join("\n")
  })
})

/** Reads the interview. With the number of a question, from 1, only the text of its answer is whole (AnswerRepository.list). */
const view = Effect.fn("Interviews.view")(function* (token: string, number?: number) {
  const interviewSets = yield* InterviewSetRepository
  const answers = yield* AnswerRepository
  const row = yield* openInterview(token)
  const questions = yield* interviewSets.questions(row.organization_id, row.interview_set_id)
  const whole = number === undefined ? undefined : (askedOrder(questions)[number - 1]?.id ?? null)
  const saved = yield* answers.list(row.organization_id, row.submission_id, row.attempt, whole)
  return viewOf(row, questions, saved)
})

/** An interview that a request has opened, so that its later steps need not look the link up again. */
export interface OpenInterview {
  readonly row: InterviewRow
  /** In the order they are asked. */
  readonly questions: ReadonlyArray<Question>
}

/** Opens the interview behind a link: its row and its questions, without the saved answers, which may have 10 MB. */
const open = Effect.fn("Interviews.open")(function* (token: string) {
  const interviewSets = yield* InterviewSetRepository
  const row = yield* openInterview(token)
  const questions = askedOrder(yield* interviewSets.questions(row.organization_id, row.interview_set_id))
  return { row, questions } satisfies OpenInterview
})

/** The candidate opened the link: a pointer, a key, or a form. Only the first one counts. */
const initiate = Effect.fn("Interviews.initiate")(function* (token: string) {
  const repository = yield* InterviewRepository
  const row = yield* openInterview(token)
  if (stateOf(row) !== "open") return
  if (yield* repository.initiate(row.organization_id, row.submission_id)) yield* publish(row, "initiated")
}, inTransaction)

/**
 * Keeps what is written so far: for each answer the last write stands, unless its writer says what they knew and it
 * is not the newest any more. Tells the revision that each has now, and what is newer. `attempt` is the one that the
 * writer has before them; a window that is still open from an earlier one writes nothing.
 */
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
  // where it stands by now; a moment ago the time was over, or this attempt was submitted
  const repository = yield* InterviewRepository
  const now = (yield* repository.find({ _tag: "Submission", id: row.submission_id })) ?? row
  if (now.attempt !== row.attempt) return yield* new InterviewNotOpen({ state: "completed" })
  const state = stateOf(now)
  return yield* new InterviewNotOpen({ state: state === "running" ? "time_over" : state })
})

/**
 * Keeps the answers and submits: they are evaluated. A second submit changes nothing. Tells whether the answers that
 * came with it are what counts now: they are not when they came after the end, or after another submit.
 */
const finish = Effect.fn("Interviews.finish")(function* (
  token: string,
  given: ReadonlyArray<AnswerRow>,
  attempt?: number,
) {
  const row = yield* openInterview(token)
  const state = stateOf(row)
  if (state === "completed" || (attempt !== undefined && attempt < row.attempt)) {
    return { kept: yield* areSaved(row, given) }
  }
  if (state !== "running" && state !== "time_over") return yield* new InterviewNotOpen({ state })
  // out of time: what was saved before is what counts
  const kept = (yield* saveTo(row, given)) !== undefined || (yield* areSaved(row, given))
  yield* complete(row)
  return { kept }
}, inTransaction)

/** Opens the next attempt, with the answers of the one before; spends a retake. Again changes nothing. */
const reopen = Effect.fn("Interviews.reopen")(function* (token: string) {
  const repository = yield* InterviewRepository
  const answers = yield* AnswerRepository
  const evaluations = yield* EvaluationRepository
  const row = yield* openInterview(token)
  const state = stateOf(row)
  if (state === "running" && row.attempt > 1) return
  if (!canImprove(row)) return yield* new InterviewNotOpen({ state })
  const { organization_id, submission_id } = row
  const retakes = row.number_of_retakes ?? 0
  const attempt = yield* repository.reopen(organization_id, submission_id, retakes)
  if (attempt === undefined) return
  yield* answers.copy(organization_id, submission_id, attempt)
  yield* evaluations.supersede(organization_id, submission_id)
  yield* publish(row, "started")
}, inTransaction)

/** What was submitted is final: closes the improvement window. Again changes nothing. */
const final = Effect.fn("Interviews.final")(function* (token: string) {
  const repository = yield* InterviewRepository
  const evaluations = yield* EvaluationRepository
  const row = yield* openInterview(token)
  const state = stateOf(row)
  if (state !== "completed") return yield* new InterviewNotOpen({ state })
  if (yield* repository.closeWindow(row.organization_id, row.submission_id)) {
    yield* evaluations.unhold(row.organization_id, row.submission_id)
  }
}, inTransaction)

/**
 * The candidate does not want to take part. Again changes nothing. What was submitted, or is because its time is over,
 * can not be taken back so.
 */
const decline = Effect.fn("Interviews.decline")(function* (token: string) {
  const repository = yield* InterviewRepository
  const row = yield* openInterview(token)
  // it may be the first act of all, which the first one tells of
  const initiated = yield* repository.initiate(row.organization_id, row.submission_id)
  if (yield* repository.decline(row.organization_id, row.submission_id)) {
    if (initiated) yield* publish(row, "initiated")
    return
  }
  // where it stands by now: of two who decline at once, one makes the step and both are right
  const state = stateOf(yield* openInterview(token))
  if (state !== "declined") return yield* new InterviewNotOpen({ state })
}, inTransaction)

/** Submits what is saved of interviews whose time is over; returns how many there were. */
const finishOverdue = Effect.gen(function* () {
  const repository = yield* InterviewRepository
  const overdue = yield* repository.overdue(grace, 100)
  yield* Effect.forEach(
    overdue,
    ({ id }) =>
      inTransaction(
        Effect.gen(function* () {
          const row = yield* repository.find({ _tag: "Submission", id })
          if (row !== undefined && stateOf(row) === "time_over") yield* complete(row)
        }),
        // one that can not be submitted must not keep the others from it
      ).pipe(Effect.catchDefect((defect) => Effect.logError("an interview was not submitted", { id }, defect))),
    { discard: true },
  )
  return overdue.length
}).pipe(Effect.withSpan("Interviews.finishOverdue"))

/** Ends interviews that nobody started in time, and their invitations; returns how many there were. */
const expireUnstarted = Effect.flatMap(InterviewRepository, (repository) => repository.expire(500))

const useCases = {
  view,
  open,
  initiate,
  start,
  save,
  finish,
  reopen,
  final,
  decline,
  finishOverdue,
  expireUnstarted,
}

export class Interviews extends Context.Service<Interviews, Methods<typeof useCases>>()(
  "interview-invitations/interviews/Interviews",
) {
  static readonly layer = Layer.effect(
    Interviews,
    methods(
      [
        AnswerRepository,
        Config,
        Database,
        EvaluationRepository,
        Events,
        Ids,
        InterviewRepository,
        InterviewSetRepository,
        EmailLinks,
      ],
      useCases,
    ),
  ).pipe(Layer.provide(Ids.layer))
}
