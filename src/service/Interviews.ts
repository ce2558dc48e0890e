/**
 * The candidate's interview, by the link that the candidate holds (contract, Candidate's interview). Reading changes
 * nothing; every step is a call of its own, made by a human act.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { Config } from "../Config.ts"
import { EvaluationId } from "../domain/Ids.ts"
import { byPriority, type Question, questionModeIds } from "../domain/InterviewSet.ts"
import { displayName } from "../domain/Invitation.ts"
import type { InterviewStatus } from "../domain/Submission.ts"
import { Database } from "../repository/Database.ts"
import { Evaluations } from "../repository/Evaluations.ts"
import { InterviewSets } from "../repository/InterviewSets.ts"
import { type AnswerRow, type InterviewRow, Interviews as Repository } from "../repository/Interviews.ts"
import { Events } from "./Events.ts"
import { ids } from "./Ids.ts"
import { Links } from "./Links.ts"

/** Nothing stands behind this link: it was never made here, or it is not whole. */
export class LinkUnknown extends Schema.TaggedError<LinkUnknown>()("LinkUnknown", {}) {}

/** Where a candidate stands, as the page tells it. */
export type InterviewState = "open" | "running" | "completed" | "expired" | "cancelled" | "withdrawn"

/** The step can not be made in the state that the interview is in now. */
export class InterviewNotOpen extends Schema.TaggedError<InterviewNotOpen>()("InterviewNotOpen", {
  state: Schema.String,
}) {}

export interface InterviewView {
  readonly state: InterviewState
  readonly organizationName: string
  readonly interviewName: string
  readonly position: string | null
  readonly description: string | null
  readonly candidateName: string
  /** Minutes for this candidate, with the time factor; null: no limit. */
  readonly minutes: number | null
  /** The interview can be started until then. */
  readonly expiresAt: Date
  /** Of a running interview with a limit. */
  readonly secondsLeft: number | null
  readonly completedAt: Date | null
  /** BCP 47, the interview's first language; null: not said. */
  readonly language: string | null
  /** In the order they are asked: pre-screening first, then by priority. */
  readonly questions: ReadonlyArray<Question>
  /** What is saved, by question id. */
  readonly answers: ReadonlyMap<string, AnswerRow>
}

/** What saves while the last seconds run is still on its way when they are over. */
const grace = Duration.seconds(5)

export class Interviews extends Context.Service<
  Interviews,
  {
    readonly view: (token: string) => Effect.Effect<InterviewView, LinkUnknown>
    /** The candidate opened the link: a pointer, a key, or a form. Only the first one counts. */
    readonly initiate: (token: string) => Effect.Effect<void, LinkUnknown>
    /** Consent and start of the clock. A second start of a running interview changes nothing. */
    readonly start: (token: string) => Effect.Effect<void, LinkUnknown | InterviewNotOpen>
    /** Keeps what is written so far. */
    readonly save: (
      token: string,
      answers: ReadonlyArray<AnswerRow>,
    ) => Effect.Effect<void, LinkUnknown | InterviewNotOpen>
    /** Keeps the answers and submits: they are evaluated. A second submit changes nothing. */
    readonly finish: (
      token: string,
      answers: ReadonlyArray<AnswerRow>,
    ) => Effect.Effect<void, LinkUnknown | InterviewNotOpen>
    /** Submits what is saved of interviews whose time is over; returns how many there were. */
    readonly finishOverdue: Effect.Effect<number>
    /** Ends interviews that nobody started in time, and their invitations; returns how many there were. */
    readonly expireUnstarted: Effect.Effect<number>
  }
>()("interview-invitations/service/Interviews") {
  static readonly layer = Layer.effect(
    Interviews,
    Effect.gen(function* () {
      const { improvementWindow } = yield* Config
      const { transaction } = yield* Database
      const evaluations = yield* Evaluations
      const events = yield* Events
      const interviewSets = yield* InterviewSets
      const links = yield* Links
      const newId = yield* ids
      const repository = yield* Repository

      const open = Effect.fn("Interviews.open")(function* (token: string) {
        const key = links.open(token)
        const row = key === undefined ? undefined : yield* repository.find(key)
        return row === undefined ? yield* new LinkUnknown() : row
      })

      const publish = (row: InterviewRow, ...statuses: ReadonlyArray<InterviewStatus>) =>
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
        )

      const start = Effect.fn("Interviews.start")(function* (token: string) {
        const row = yield* open(token)
        const state = stateOf(row)
        if (state === "running") return
        if (state !== "open") return yield* new InterviewNotOpen({ state })
        const minutes = minutesOf(row)
        // a page may report the act and start at the same moment: whichever comes first tells of it, and holds the row
        const initiated = yield* repository.initiate(row.organization_id, row.submission_id)
        const started = yield* repository.start(
          row.organization_id,
          row.submission_id,
          minutes === null ? undefined : Duration.minutes(minutes),
        )
        if (!started) return
        yield* initiated ? publish(row, "initiated", "started") : publish(row, "started")
      }, transaction)

      const complete = Effect.fn("Interviews.complete")(function* (row: InterviewRow) {
        const retakes = row.number_of_retakes ?? 0
        // the first attempt is no retake
        const window = retakes - (row.attempt - 1) > 0 ? improvementWindow : undefined
        if (!(yield* repository.complete(row.organization_id, row.submission_id, window))) return
        yield* evaluations.queue(row.organization_id, {
          id: yield* newId(EvaluationId),
          submissionId: row.submission_id,
          type: "interview",
        })
        yield* publish(row, "completed")
      })

      return Interviews.of({
        view: Effect.fn("Interviews.view")(function* (token) {
          const row = yield* open(token)
          const set = yield* interviewSets.find(row.organization_id, row.interview_set_id)
          const answers = yield* repository.answers(row.organization_id, row.submission_id, row.attempt)
          const isInterview = (question: Question) =>
            question.cfg_question_mode_id === questionModeIds.interview ? 1 : 0
          return {
            state: stateOf(row),
            organizationName: row.organization_name,
            interviewName: row.interview_name,
            position: row.position,
            description: row.description,
            candidateName: displayName({
              name: row.candidate_name,
              firstname: row.candidate_firstname,
              lastname: row.candidate_lastname,
              email: row.candidate_email,
            }),
            minutes: minutesOf(row),
            expiresAt: row.expires_at,
            secondsLeft: row.seconds_left,
            completedAt: row.completed_at,
            language: row.languages[0] ?? null,
            questions: byPriority(set?.iai_questions ?? []).toSorted((a, b) => isInterview(a) - isInterview(b)),
            answers: new Map(answers.map((answer) => [answer.question_id, answer])),
          }
        }),
        initiate: Effect.fn("Interviews.initiate")(function* (token) {
          const row = yield* open(token)
          if (stateOf(row) !== "open") return
          if (yield* repository.initiate(row.organization_id, row.submission_id)) yield* publish(row, "initiated")
        }, transaction),
        start,
        save: Effect.fn("Interviews.save")(function* (token, answers) {
          const row = yield* open(token)
          const saved = yield* repository.save(row.organization_id, row.submission_id, answers, grace)
          if (!saved) return yield* new InterviewNotOpen({ state: stateOf(row) })
        }),
        finish: Effect.fn("Interviews.finish")(function* (token, answers) {
          const row = yield* open(token)
          const state = stateOf(row)
          if (state === "completed") return
          if (state !== "running") return yield* new InterviewNotOpen({ state })
          // out of time: what was saved before is what counts
          yield* repository.save(row.organization_id, row.submission_id, answers, grace)
          yield* complete(row)
        }, transaction),
        finishOverdue: Effect.gen(function* () {
          const overdue = yield* repository.overdue(grace, 100)
          yield* Effect.forEach(
            overdue,
            ({ id }) =>
              transaction(
                Effect.gen(function* () {
                  const row = yield* repository.find({ _tag: "Submission", id })
                  if (row !== undefined) yield* complete(row)
                }),
                // one that can not be submitted must not keep the others from it
              ).pipe(Effect.catchDefect((defect) => Effect.logError("an interview was not submitted", { id }, defect))),
            { discard: true },
          )
          return overdue.length
        }).pipe(Effect.withSpan("Interviews.finishOverdue")),
        expireUnstarted: repository.expire(500),
      })
    }),
  )
}

const minutesOf = (row: InterviewRow): number | null =>
  row.interview_duration === null ? null : Math.ceil(row.interview_duration * Number(row.time_factor))

const stateOf = (row: InterviewRow): InterviewState => {
  switch (row.status) {
    case "completed":
    case "evaluated":
      return "completed"
    case "withdrawn":
      // taking the invitation back withdraws the submission
      return row.invitation_status === "cancelled" ? "cancelled" : "withdrawn"
    case "started":
      return "running"
    case "expired":
      return "expired"
    default:
      if (row.invitation_status === "cancelled") return "cancelled"
      return row.expired || row.invitation_status === "expired" ? "expired" : "open"
  }
}
