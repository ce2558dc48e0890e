/** What swaps did to the scores of submissions, and the sums of an audit. */
import type { EvaluationResult } from "../evaluations/Evaluation.ts"
import type { SubmissionId } from "../values/Ids.ts"
import { type Swap, type SwapKind, swaps } from "./Swap.ts"

/** Audits in the list, newest first. */
export const maxListed = 100

/** Moves on the page of an audit, the largest first. */
export const maxMoves = 200

/** Of a requirement. Scores out of 10; null: not rated. */
export interface Move {
  readonly requirement_id: string
  readonly title: string
  readonly before: number | null
  readonly after: number | null
  /** The requirement asks for what was swapped. */
  readonly is_asked: boolean
}

/** One swap of one submission. Scores are the submission's, out of 10. */
export interface SwapOutcome {
  readonly swap: string
  readonly before: number | null
  readonly after: number | null
  readonly moves: ReadonlyArray<Move>
}

export interface SubmissionOutcome {
  readonly submission_id: SubmissionId
  /** Name and version of the evaluator; null: nothing was evaluated. */
  readonly evaluator: string | null
  readonly evaluations: number
  /** Two evaluations of the unchanged texts: the requirements whose scores differ. */
  readonly noise: ReadonlyArray<Move>
  /** Only swaps that change the texts. */
  readonly swaps: ReadonlyArray<SwapOutcome>
}

/** `changed`: submissions in which a requirement moved that does not ask for what was swapped. */
export interface SwapTotals {
  readonly swap: string
  readonly tested: number
  readonly changed: number
  /** Submissions in which only requirements moved that ask for it. */
  readonly asked: number
  /** Largest move of a requirement that does not ask for it, without sign. */
  readonly largest: number
  /** Sum of the moves of the submissions' scores, with their signs, over `scored` submissions. */
  readonly sum: number
  readonly scored: number
}

export interface RequirementTotals {
  readonly requirement_id: string
  readonly title: string
  readonly swap: string
  readonly is_asked: boolean
  readonly moved: number
  readonly largest: number
}

/** Only numbers, and the titles of requirements. */
export interface AuditContent {
  readonly submissions: number
  /** Their texts were deleted, or could not be computed. */
  readonly not_computed: number
  readonly evaluations: number
  /** Submissions whose two evaluations of the same texts differ, and the largest difference of a requirement. */
  readonly noisy: number
  readonly noise: number
  readonly swaps: ReadonlyArray<SwapTotals>
  readonly requirements: ReadonlyArray<RequirementTotals>
}

export const swapsOf = (kinds: ReadonlyArray<SwapKind>): ReadonlyArray<Swap> =>
  swaps.filter(({ kind }) => kinds.includes(kind))

export const emptyContent = (kinds: ReadonlyArray<SwapKind>): AuditContent => ({
  submissions: 0,
  not_computed: 0,
  evaluations: 0,
  noisy: 0,
  noise: 0,
  swaps: swapsOf(kinds).map(({ id }) => ({
    swap: id,
    tested: 0,
    changed: 0,
    asked: 0,
    largest: 0,
    sum: 0,
    scored: 0,
  })),
  requirements: [],
})

/** Scores have one decimal. */
const rounded = (number: number): number => Math.round(number * 1000) / 1000

const sizeOf = ({ after, before }: Pick<Move, "before" | "after">): number =>
  before === null || after === null ? 0 : rounded(Math.abs(after - before))

const largestOf = (moves: ReadonlyArray<Move>): number => Math.max(0, ...moves.map(sizeOf))

/**
 * The requirements whose score after a swap is outside of those before it, of which there may be several because
 * evaluators may differ from one time to the next.
 */
export const movesOf = (
  before: ReadonlyArray<EvaluationResult>,
  after: EvaluationResult,
  asked: ReadonlySet<string>,
): ReadonlyArray<Move> => {
  const known = before.map(({ criteria }) => new Map(criteria.map((one) => [one.requirement_id, one.score])))
  return after.criteria.flatMap(({ requirement_id, score, title }): ReadonlyArray<Move> => {
    const scores = known.map((byId) => byId.get(requirement_id) ?? null)
    const numbers = scores.filter((one) => one !== null)
    const isWithin =
      score === null
        ? scores.includes(null)
        : numbers.length > 0 && score >= Math.min(...numbers) && score <= Math.max(...numbers)
    return isWithin
      ? []
      : [{ requirement_id, title, before: scores[0] ?? null, after: score, is_asked: asked.has(requirement_id) }]
  })
}

const withSwap = (totals: SwapTotals, { after, before, moves }: SwapOutcome): SwapTotals => {
  const unasked = moves.filter(({ is_asked }) => !is_asked)
  const isScored = before !== null && after !== null
  return {
    ...totals,
    tested: totals.tested + 1,
    changed: totals.changed + (unasked.length > 0 ? 1 : 0),
    asked: totals.asked + (unasked.length === 0 && moves.length > 0 ? 1 : 0),
    largest: Math.max(totals.largest, largestOf(unasked)),
    sum: isScored ? rounded(totals.sum + after - before) : totals.sum,
    scored: totals.scored + (isScored ? 1 : 0),
  }
}

const withMoves = (
  requirements: ReadonlyArray<RequirementTotals>,
  outcomes: ReadonlyArray<SwapOutcome>,
): ReadonlyArray<RequirementTotals> => {
  const byKey = new Map(requirements.map((one) => [`${one.swap} ${one.requirement_id}`, one]))
  for (const { moves, swap } of outcomes) {
    for (const move of moves) {
      const { is_asked, requirement_id, title } = move
      const key = `${swap} ${requirement_id}`
      const known = byKey.get(key) ?? { requirement_id, title, swap, is_asked, moved: 0, largest: 0 }
      byKey.set(key, { ...known, moved: known.moved + 1, largest: Math.max(known.largest, sizeOf(move)) })
    }
  }
  return [...byKey.values()]
}

/** Adds a submission; undefined: it could not be computed. */
export const withSubmission = (content: AuditContent, outcome: SubmissionOutcome | undefined): AuditContent => {
  if (outcome === undefined)
    return { ...content, submissions: content.submissions + 1, not_computed: content.not_computed + 1 }
  const bySwap = new Map(outcome.swaps.map((one) => [one.swap, one]))
  return {
    submissions: content.submissions + 1,
    not_computed: content.not_computed,
    evaluations: content.evaluations + outcome.evaluations,
    noisy: content.noisy + (outcome.noise.length > 0 ? 1 : 0),
    noise: Math.max(content.noise, largestOf(outcome.noise)),
    swaps: content.swaps.map((totals) => {
      const one = bySwap.get(totals.swap)
      return one === undefined ? totals : withSwap(totals, one)
    }),
    requirements: withMoves(content.requirements, outcome.swaps),
  }
}

/** The swaps of one kind together: a submission counts once for each of them. */
export const totalsOf = (content: AuditContent, kind: SwapKind): Omit<SwapTotals, "swap"> | undefined => {
  const ids = new Set(swapsOf([kind]).map(({ id }) => id))
  const own = content.swaps.filter(({ swap }) => ids.has(swap))
  if (own.length === 0) return undefined
  const sum = (key: "tested" | "changed" | "asked" | "sum" | "scored") =>
    rounded(own.reduce((total, one) => total + one[key], 0))
  return {
    tested: sum("tested"),
    changed: sum("changed"),
    asked: sum("asked"),
    largest: Math.max(...own.map(({ largest }) => largest)),
    sum: sum("sum"),
    scored: sum("scored"),
  }
}

/** Null: no submission had a score before and after. */
export const meanOf = ({ scored, sum }: Pick<SwapTotals, "scored" | "sum">): number | null =>
  scored === 0 ? null : sum / scored
