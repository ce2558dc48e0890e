/** Compares candidates of one interview set. */
import { Context, Effect, Layer } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import { byImportance } from "../interview-sets/Importance.ts"
import { askedOrder, byPriority } from "../interview-sets/InterviewSet.ts"
import { InterviewSetRepository } from "../interview-sets/InterviewSetRepository.ts"
import { chosenOptions, optionText } from "../interview-sets/OptionText.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { parseId, SubmissionId } from "../values/Ids.ts"
import { NotAllowed, NotFound } from "../values/Problem.ts"
import { answerLength, comparisonLimits } from "./ComparisonLimits.ts"
import { type ComparedRow, ComparisonRepository } from "./ComparisonRepository.ts"
import { averageRatings, visibleReviews } from "./Review.ts"
import { ReviewRepository } from "./ReviewRepository.ts"

/** `erased`: the personal data of at least one candidate were erased. */
export type ComparisonProblem = "none" | "one" | "too_many" | "several_sets" | "erased"

const problemOf = (rows: ReadonlyArray<ComparedRow>): ComparisonProblem | undefined => {
  if (rows.length === 0) return "none"
  if (rows.some((row) => row.is_erased)) return "erased"
  if (new Set(rows.map((row) => row.set_id)).size > 1) return "several_sets"
  if (rows.length > comparisonLimits.candidates) return "too_many"
  return rows.length === 1 ? "one" : undefined
}

export class Comparison extends Context.Service<Comparison>()("interview-invitations/reviews/Comparison", {
  make: Effect.gen(function* () {
    const comparisonRepository = yield* ComparisonRepository
    const interviewSetRepository = yield* InterviewSetRepository
    const reviewRepository = yield* ReviewRepository

    /** Candidates of the set that can be added to the comparison, by name. */
    const othersOf = Effect.fnUntraced(function* (member: Member, rows: ReadonlyArray<ComparedRow>) {
      const [first] = rows
      if (first === undefined || rows.length >= comparisonLimits.candidates) return []
      const others = yield* comparisonRepository.others(
        member.organizationId,
        first.set_id,
        rows.map(({ id }) => id),
      )
      return others
        .map(({ candidate, id }) => ({ id, candidate: candidateRef(candidate) }))
        .toSorted((one, other) => (one.candidate.name ?? "￿").localeCompare(other.candidate.name ?? "￿", "en"))
    })

    const compared = Effect.fnUntraced(function* (
      member: Member,
      rows: ReadonlyArray<ComparedRow>,
      set: ComparedRow["set_id"],
    ) {
      const organization = member.organizationId
      const found = yield* interviewSetRepository.find(organization, set)
      if (found === undefined) return yield* new NotFound({ record: "interview set" })
      const { iai_questions, iai_requirements } = found
      const questions = askedOrder(iai_questions).slice(0, comparisonLimits.questions)
      const requirements = byImportance(byPriority(iai_requirements)).slice(0, comparisonLimits.requirements)
      const length = answerLength(rows.length, questions.length)
      const ids = rows.map(({ id }) => id)
      const answers = yield* comparisonRepository.answers(
        organization,
        ids,
        questions.map(({ id }) => id),
        length,
      )
      const all = yield* reviewRepository.list(organization, ids)
      const hides = yield* reviewRepository.hidesReviews(organization)
      const candidates = rows.map(({ candidate, ...row }) => {
        const { hidden, others, own } = visibleReviews(
          member.id,
          all.filter((review) => review.submission_id === row.id),
          hides,
        )
        const sent = own?.sent_at == null ? others : [own, ...others]
        const { evaluation } = row
        const hasScore = evaluation !== null && (evaluation.override !== null || evaluation.score_status === "scored")
        const isScoreHidden = hasScore && !member.seesScores && own?.sent_at == null
        return {
          ...row,
          ...(isScoreHidden ? { evaluation: null } : {}),
          isScoreHidden,
          candidate: candidateRef(candidate),
          averages: averageRatings(sent),
          /** Number of reviews that are hidden until the member sends one. */
          hidden: hidden.length,
        }
      })
      return {
        candidates,
        requirements,
        moreRequirements: iai_requirements.length - requirements.length,
        questions: questions.map((question) => ({
          ...question,
          answers: rows.map(({ id, languages }) => {
            const answer = answers.find((one) => one.submission_id === id && one.question_id === question.id)
            if (answer === undefined) return undefined
            const chosen = chosenOptions(question.options, answer.option_ids)
            return { ...answer, chosen: chosen.map((option) => optionText(option, languages).title) }
          }),
        })),
        moreQuestions: iai_questions.length - questions.length,
        /** Characters shown of each answer. */
        length,
      }
    })

    /** NotFound: an id is unknown. NotAllowed: the member may not see one of the submissions. */
    const read = Effect.fn("Comparison.read")(function* (member: Member, texts: ReadonlyArray<string>) {
      const parsed = [...new Set(texts)].map((text) => parseId(SubmissionId, text))
      const ids = [...new Set(parsed.filter((id) => id !== undefined))].slice(0, comparisonLimits.ids)
      if (parsed.some((id) => id === undefined)) return yield* new NotFound({ record: "submission" })
      const found =
        ids.length === 0 ? [] : yield* comparisonRepository.submissions(member.organizationId, ids, readerOf(member))
      const rows = ids.flatMap((id) => found.find((row) => row.id === id) ?? [])
      if (rows.length < ids.length) return yield* new NotFound({ record: "submission" })
      if (rows.some((row) => !row.is_readable)) return yield* new NotAllowed({ record: "submission" })
      const problem = problemOf(rows)
      const [first] = rows
      return {
        problem,
        chosen: rows.map(({ candidate, id, is_erased, set_id, set_title }) => ({
          id,
          is_erased,
          set: { id: set_id, title: set_title },
          candidate: candidateRef(candidate),
        })),
        others: problem === undefined || problem === "one" ? yield* othersOf(member, rows) : [],
        compared:
          problem === undefined && first !== undefined ? yield* compared(member, rows, first.set_id) : undefined,
      }
    }, mayReadReplica)

    return { read }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

export type ComparisonView = Effect.Success<ReturnType<Comparison["Service"]["read"]>>
export type Compared = NonNullable<ComparisonView["compared"]>
