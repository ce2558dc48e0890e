/** What the page of a submission shows, and what its parts share. */
import { type Criterion, EvaluationType, type Evidence, isByKeywords } from "../../evaluations/Evaluation.ts"
import { countOutcomes } from "../../evaluations/Score.ts"
import { byImportance } from "../../interview-sets/Importance.ts"
import type { FieldErrors } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { Decision } from "../../submissions/Decision.ts"
import { type EvaluationDetail, leadingTypes, type SubmissionDetail } from "../../submissions/SubmissionDetail.ts"
import type { EvaluationFacts } from "../../submissions/SubmissionRepository.ts"
import type { CommentId, FormId, GuestLinkId, MemberId } from "../../values/Ids.ts"
import { type AverageRating, averageRatings } from "../Review.ts"
import type { SubmissionOverview } from "../SubmissionOverviews.ts"

export interface OverrideForm {
  readonly score: string
  readonly reason: string
  readonly errors: { readonly score?: string; readonly reason?: string }
}

export interface DecisionForm {
  readonly reason: string
  readonly errors: FieldErrors
  /** The decision that waits for a confirmation, because the score has warnings. */
  readonly warned?: WarnedDecision
}

export interface WarnedDecision {
  readonly decision: Decision
  /** Sentences. */
  readonly warnings: ReadonlyArray<string>
}

export interface ReviewForm {
  /** By requirement id; "": none. */
  readonly ratings: ReadonlyMap<string, string>
  readonly note: string
  readonly mentioned: ReadonlyArray<string>
  readonly errors: FieldErrors
  /** The review was changed in another window, and both versions are shown. */
  readonly isConflict: boolean
}

export interface CommentForm {
  /** Undefined: a new comment. */
  readonly id: string | undefined
  /** The question; undefined: the submission. */
  readonly about: string | undefined
  readonly text: string
  readonly errors: FieldErrors
}

export interface TagForm {
  readonly tag: string
  readonly errors: FieldErrors
}

export interface AddressForm {
  readonly email: string
  readonly errors: FieldErrors
}

export interface ExtensionForm {
  /** As in a datetime-local input. */
  readonly until: string
  readonly factor: string
  readonly errors: FieldErrors
}

export interface PageNotice {
  readonly text: string
  readonly isError: boolean
  /** The last decision can be undone by the notice's button. */
  readonly offersUndo?: boolean
  /** Links to the next submission of the list, which gets the focus. */
  readonly offersNext?: boolean
  /** Has the address of the newest share link. */
  readonly offersLink?: boolean
}

/** What a request adds to the stored submission. */
export interface PageState {
  /** The evaluation to show; the leading one if it is unknown. */
  readonly type?: string | undefined
  /** The number of the requirement whose places in the answers are marked. */
  readonly requirement?: number | undefined
  readonly notice?: PageNotice | undefined
  readonly override?: OverrideForm | undefined
  readonly decision?: DecisionForm | undefined
  readonly review?: ReviewForm | undefined
  readonly extension?: ExtensionForm | undefined
  readonly comment?: CommentForm | undefined
  /** The folded part that is open. */
  readonly opened?: FoldedPartName | undefined
  /** The question that the form of a new comment is about at first. */
  readonly about?: string | undefined
  readonly tag?: TagForm | undefined
  readonly address?: AddressForm | undefined
  /** Of the timeline: only steps before it. */
  readonly before?: Date | undefined
}

export type FoldedPartName = "reviewers" | "share" | "invitation"

/** A requirement of the set, with its rating in the shown evaluation. */
export interface RequirementRow {
  readonly id: string
  readonly title: string
  readonly cfg_importance_id: number
  readonly criterion: Criterion | undefined
  /** Of the reviews that the member may see. */
  readonly average: AverageRating | undefined
}

/** Who reads the page: a member who may change the submission, a reviewer, or a reader of a share link, without an account. */
export type Audience = "recruiting" | "reviewer" | "guest"

export interface SubmissionView extends SubmissionOverview, PageState {
  readonly audience: Audience
  /** The path of the page. */
  readonly base: string
  readonly shown: EvaluationDetail | undefined
  /** The score, the outcomes and the evaluator's remarks are not shown; quotes are. */
  readonly isScoreHidden: boolean
  readonly shownFacts: EvaluationFacts | undefined
  readonly requirements: ReadonlyArray<RequirementRow>
  readonly now: Date
  /** The organization's. */
  readonly timeZone: string
  /** Id of the form that sends the invitation again. */
  readonly resend: FormId
  /** Id of the link that the form to share the submission creates. */
  readonly newLink: GuestLinkId
  /** The member is in test mode. */
  readonly isTest: boolean
  /** Id of the comment that the form creates. */
  readonly newComment: CommentId
  /** The member who reads the page; undefined: a guest. */
  readonly readBy: MemberId | undefined
}

export type Answer = SubmissionDetail["answers"][number]

/** `list`: the query string of the list that the member came from. */
type PageParameters = {
  readonly [name in "list" | "evaluation" | "done" | "requirement" | "about" | "comments"]?: string | undefined
}

const withQuery = (path: string, parameters: PageParameters): string => {
  const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined)
  const query = new URLSearchParams(given).toString()
  return `${path}${query === "" ? "" : `?${query}`}`
}

export const submissionHref = (id: string, parameters: PageParameters = {}): string =>
  withQuery(`/submissions/${id}`, parameters)

/** The address of the page itself, which keeps the list. */
export const pageHref = (
  { around, base }: Pick<SubmissionView, "around" | "base">,
  parameters: Omit<PageParameters, "list"> = {},
): string => withQuery(base, { ...parameters, list: around?.list })

/** The address of a form of the page, or of the form's `base`. The page that follows keeps the list. */
export const formHref = (
  { around, base: page }: SubmissionView,
  form: string,
  base = page,
  parameters: Omit<PageParameters, "list"> = {},
): string => withQuery(`${base}/${form}`, { ...parameters, list: around?.list })

export const evaluationsOf = ({ detail }: Pick<SubmissionOverview, "detail">): ReadonlyArray<EvaluationDetail> =>
  leadingTypes.flatMap((type) => detail.evaluations.filter(({ evaluation_type }) => evaluation_type === type))

export const isEvaluationType = (text: string | undefined): text is EvaluationType =>
  EvaluationType.literals.some((type) => type === text)

const requirementsOf = (
  { facts, reviews }: SubmissionOverview,
  shown: EvaluationDetail | undefined,
): ReadonlyArray<RequirementRow> => {
  const averages = averageRatings([...reviews.others, ...(reviews.own?.sent_at == null ? [] : [reviews.own])])
  const rated = (shown?.criteria ?? []).map((criterion) => ({
    id: criterion.requirement_id,
    title: criterion.title,
    cfg_importance_id: criterion.cfg_importance_id,
    criterion,
  }))
  const others = facts.requirements.flatMap(({ cfg_importance_id, id, title }, index) =>
    rated.some((one) => one.id === id)
      ? []
      : [
          {
            id,
            title: title.trim() || `Requirement ${index + 1}`,
            cfg_importance_id,
            criterion: undefined,
          },
        ],
  )
  return byImportance([...rated, ...others]).map((one) => ({
    ...one,
    average: averages.get(one.id),
  }))
}

export const viewOf = (
  overview: SubmissionOverview,
  state: PageState,
  request: Pick<
    SubmissionView,
    "audience" | "base" | "newComment" | "isTest" | "newLink" | "now" | "readBy" | "resend" | "timeZone"
  > & {
    readonly seesScores: boolean
  },
): SubmissionView => {
  const all = evaluationsOf(overview)
  const found = all.find(({ evaluation_type }) => evaluation_type === state.type) ?? all[0]
  const requirements = requirementsOf(overview, found)
  const criteria = requirements.flatMap(({ criterion }) => criterion ?? [])
  const shown = found === undefined ? undefined : { ...found, criteria }
  const shownFacts = overview.facts.evaluations.find((one) => one.evaluation_type === shown?.evaluation_type)
  const { seesScores, ...others } = request
  const hasScore = shown?.override != null || shown?.score_status === "scored"
  const isScoreHidden = !seesScores && hasScore && overview.reviews.own?.sent_at == null
  return { ...overview, ...state, requirements, shown, isScoreHidden, shownFacts, ...others }
}

/** The content of a question or requirement; null if it is empty or equals the title. */
export const inFull = ({ facts }: SubmissionView, id: string, title: string | null): Html | null => {
  const content = facts.contents[id]?.trim() ?? ""
  return content === "" || content === title?.trim() ? null : html`<p class="quiet written" dir="auto">${content}</p>`
}

/** The attempt that the shown evaluation is about. */
export const attemptOf = ({ facts, shownFacts }: SubmissionView): number => shownFacts?.attempt ?? facts.attempt

/** The evaluations that the shown one combines; the shown one itself if it is not holistic. */
export const partsOf = ({ detail, shown }: SubmissionView): ReadonlyArray<EvaluationDetail> =>
  detail.evaluations.filter(({ evaluation_type }) =>
    shown?.evaluation_type === "holistic" ? evaluation_type !== "holistic" : evaluation_type === shown?.evaluation_type,
  )

/** True if the keyword evaluator made the score or a part of it. */
export const isKeywordMatch = (view: SubmissionView): boolean =>
  view.shown?.score_status === "scored" && partsOf(view).some(({ evaluator }) => isByKeywords(evaluator))

export const numberName = (view: SubmissionView): string => (isKeywordMatch(view) ? "keyword match" : "score")

/** The reason why no requirement was rated; null if some were rated or the reasons differ. */
export const commonReason = ({ criteria }: EvaluationDetail): string | null => {
  const [first] = criteria
  const isCommon = criteria.every(({ rationale, score }) => score === null && rationale === first?.rationale)
  return isCommon ? (first?.rationale ?? null) : null
}

/** For readers: evaluators' own names have a version. */
export const evaluatorName = (evaluator: string | null): string =>
  evaluator === null ? "no evaluator" : isByKeywords(evaluator) ? "keyword match" : evaluator

/** Links to the texts that were evaluated. */
export const toRead = (view: SubmissionView): Html => {
  const types = partsOf(view).map(({ evaluation_type }) => evaluation_type)
  if (!types.includes("interview")) return html`<a href="#cv">read the CV</a>`
  const answers = html`<a href="#answers">read the answers</a>`
  return types.includes("cv") ? html`${answers} and <a href="#cv">the CV</a>` : answers
}

/** True if the candidate can still improve the answers. */
export const isPreliminary = ({ now, shown }: SubmissionView): boolean =>
  shown !== undefined && shown.held_until !== null && new Date(shown.held_until) > now

/** What a reader must know beside a number: who overrode it, how it was made, and that it can change. */
export const scoreMarks = (view: SubmissionView, isOverride: boolean): Html => {
  const marks = [
    isOverride ? "overridden" : isKeywordMatch(view) ? "keyword match" : null,
    isPreliminary(view) ? "preliminary" : null,
  ].filter((one) => one !== null)
  return html`${marks.map((mark) => html` <span class="tag">${mark}</span>`)}`
}

/** Allows line breaks only after commas. */
export const counted = (criteria: ReadonlyArray<Criterion>): string =>
  countOutcomes(criteria).replaceAll(/(?<!,) /g, "\u00a0")

/** Why the CV could not be fetched or read; undefined: it did not fail. */
export const cvFailure = ({ facts }: SubmissionView): string | undefined =>
  facts.cv?.state === "failed" ? (facts.cv.error ?? "The CV could not be read.") : undefined

/** The CV alone is evaluated, and it could not be fetched or read. */
export const isOnlyCvUnreadable = (view: Pick<SubmissionView, "facts">): boolean =>
  view.facts.flow === "cv" && view.facts.cv?.state === "failed"

/** There is neither an answer nor the text of a CV to review. */
export const isUnanswered = ({ detail, facts }: Pick<SubmissionView, "detail" | "facts">): boolean =>
  detail.answers.length === 0 && !facts.cv?.text?.trim()

export const answerId = (attempt: number, question: string): string => `answer-${attempt}-${question}`

/** The id of a quote's place in an answer or the CV. */
export const quoteId = (requirement: number, quote: number): string => `quote-${requirement}-${quote}`

/** True if the text of the evidence's source has the quote, so its place has an id. */
export const isPlaced = (view: SubmissionView, { question_id, quote, source }: Evidence): boolean => {
  if (source === "cv") return view.facts.cv?.text?.includes(quote) ?? false
  const answer = view.detail.answers.find((one) => one.attempt === attemptOf(view) && one.question_id === question_id)
  return (
    answer !== undefined &&
    [answer.content, ...answer.options.map(({ title }) => title)].some((text) => text?.includes(quote))
  )
}
