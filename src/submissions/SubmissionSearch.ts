/** What the list of submissions shows: filters and an order, read from and written to a query string. */
import { Schema } from "effect"
import { seesAllScores, type Viewer } from "../accounts/Viewer.ts"
import { ScoreStatus } from "../evaluations/Score.ts"
import { InterviewSetId, parseId, TagId } from "../values/Ids.ts"
import { Decision } from "./Decision.ts"
import { type BoardPlace, parseBoardPlace } from "./HiringStage.ts"
import { InvitationStatus } from "./InvitationStatus.ts"
import { milestones, SubmissionStatus } from "./Submission.ts"

/**
 * A status, or a part of one: `waiting` submitted, neither reviewed nor decided; `being_evaluated` submitted, with a queued
 * evaluation; `evaluation_waits` the same, until the days of the candidate's notice are over; `invitation_failed` no email has reached the candidate; `declined` withdrawn by the candidate;
 * `cv_unreadable` only the CV is evaluated, and it could not be read: such a submission does not wait for a review.
 */
export const SubmissionState = Schema.Literals([
  ...SubmissionStatus.literals,
  "waiting",
  "being_evaluated",
  "evaluation_waits",
  "invitation_failed",
  "declined",
  "cv_unreadable",
])
export type SubmissionState = typeof SubmissionState.Type

/**
 * `last_active`: by the candidate's last act, or the invitation. `best` and `weakest` list scores without warnings first, then
 * those with warnings.
 *
 * Orders by a time, score or requirements list only submissions with that value (`hidden` in SubmissionListPage.ts).
 */
export const SubmissionOrder = Schema.Literals([
  "last_active",
  "first_active",
  "newest",
  "oldest",
  "last_submitted",
  "first_submitted",
  "best",
  "weakest",
  "last_decided",
  "first_decided",
  "a_to_z",
  "z_to_a",
  "first_status",
  "last_status",
  "most_met",
  "fewest_met",
  "last_reviewed",
  "first_reviewed",
])
export type SubmissionOrder = typeof SubmissionOrder.Type

export type OrderBy =
  | "active"
  | "created"
  | "submitted"
  | "best"
  | "weakest"
  | "decided"
  | "candidate"
  | "status"
  | "met"
  | "reviewed"

/** What each order sorts by, and the order of the same column in the other direction. */
export const orders: Readonly<
  Record<
    SubmissionOrder,
    {
      readonly by: OrderBy
      readonly isDescending: boolean
      readonly reverse: SubmissionOrder
    }
  >
> = {
  last_active: { by: "active", isDescending: true, reverse: "first_active" },
  first_active: { by: "active", isDescending: false, reverse: "last_active" },
  newest: { by: "created", isDescending: true, reverse: "oldest" },
  oldest: { by: "created", isDescending: false, reverse: "newest" },
  last_submitted: { by: "submitted", isDescending: true, reverse: "first_submitted" },
  first_submitted: { by: "submitted", isDescending: false, reverse: "last_submitted" },
  best: { by: "best", isDescending: true, reverse: "weakest" },
  weakest: { by: "weakest", isDescending: false, reverse: "best" },
  last_decided: { by: "decided", isDescending: true, reverse: "first_decided" },
  first_decided: { by: "decided", isDescending: false, reverse: "last_decided" },
  a_to_z: { by: "candidate", isDescending: false, reverse: "z_to_a" },
  z_to_a: { by: "candidate", isDescending: true, reverse: "a_to_z" },
  first_status: { by: "status", isDescending: false, reverse: "last_status" },
  last_status: { by: "status", isDescending: true, reverse: "first_status" },
  most_met: { by: "met", isDescending: true, reverse: "fewest_met" },
  fewest_met: { by: "met", isDescending: false, reverse: "most_met" },
  last_reviewed: { by: "reviewed", isDescending: true, reverse: "first_reviewed" },
  first_reviewed: { by: "reviewed", isDescending: false, reverse: "last_reviewed" },
}

const [, ...reachedMilestones] = milestones

/** A milestone that an interview has reached; every interview has reached the first. */
export const ReachedMilestone = Schema.Literals(reachedMilestones)
export type ReachedMilestone = typeof ReachedMilestone.Type

export interface SubmissionSearch {
  /** Word prefixes. All must be in the candidate's names and addresses, in the set's title and role, or in the answers. */
  readonly text: string
  readonly set: InterviewSetId | undefined
  readonly state: SubmissionState | undefined
  /** The column of the board. */
  readonly stage: BoardPlace | undefined
  readonly tag: TagId | undefined
  /** With or without a knock-out answer; undefined: any. */
  readonly knockOut: "yes" | "no" | undefined
  readonly reached: ReachedMilestone | undefined
  readonly score: ScoreStatus | undefined
  readonly decision: Decision | "undecided" | undefined
  /** Reviewed by the member who searches. */
  readonly reviewed: "by_me" | "not_by_me" | undefined
  /** The status of the newest invitation. */
  readonly invitation: InvitationStatus | undefined
  readonly order: SubmissionOrder
}

/** In characters. */
const maxText = 200

const isState = Schema.is(SubmissionState)
const isReached = Schema.is(ReachedMilestone)
const isScore = Schema.is(ScoreStatus)
const isDecision = Schema.is(Schema.Literals([...Decision.literals, "undecided"]))
const isReviewed = Schema.is(Schema.Literals(["by_me", "not_by_me"]))
const isKnockOut = Schema.is(Schema.Literals(["yes", "no"]))
const isInvitation = Schema.is(InvitationStatus)
const isOrder = Schema.is(SubmissionOrder)

/** The order of the list unless another is chosen. */
export const usualOrder = "last_active" satisfies SubmissionOrder

/** Orders that would reveal scores. */
export const byScores: ReadonlyArray<OrderBy> = ["best", "weakest", "met"]

/** Without orders and filters by scores that the viewer does not see: they would reveal them. */
export const visibleSearch = (viewer: Viewer, search: SubmissionSearch): SubmissionSearch =>
  seesAllScores(viewer)
    ? search
    : { ...search, score: undefined, order: byScores.includes(orders[search.order].by) ? usualOrder : search.order }

/** Reads the parameters of the list's address; ignores unknown values. */
export const searchOf = (query: (name: string) => string | null | undefined): SubmissionSearch => {
  const known = <A>(name: string, isKnown: (value: unknown) => value is A): A | undefined => {
    const value = query(name)
    return isKnown(value) ? value : undefined
  }
  return {
    text: (query("q") ?? "").slice(0, maxText).trim().toWellFormed(),
    set: parseId(InterviewSetId, query("set")),
    state: known("status", isState),
    stage: parseBoardPlace(query("stage") ?? undefined),
    tag: parseId(TagId, query("tag")),
    knockOut: known("knock_out", isKnockOut),
    reached: known("reached", isReached),
    score: known("score", isScore),
    decision: known("decision", isDecision),
    reviewed: known("reviewed", isReviewed),
    invitation: known("invitation", isInvitation),
    order: known("order", isOrder) ?? usualOrder,
  }
}

/** The search of a link's `list` parameter, which holds the query string of the list. */
export const searchOfList = (list: string): SubmissionSearch => {
  const parameters = new URLSearchParams(list.slice(0, 4000))
  return searchOf((name) => parameters.get(name))
}

/** Larger counts are shown as "999+": counting all of 100,000 rows takes longer than reading a page of them. */
export const mostCounted = 1000

export type QueryParameters = ReadonlyArray<readonly [name: string, value: string]>

/** The parameters of the list's address, in a fixed order, without those that have no effect. */
export const queryOf = ({
  decision,
  invitation,
  knockOut,
  order,
  reached,
  reviewed,
  score,
  set,
  stage,
  state,
  tag,
  text,
}: SubmissionSearch): QueryParameters =>
  [
    ["q", text || undefined] as const,
    ["set", set] as const,
    ["status", state] as const,
    ["stage", stage] as const,
    ["tag", tag] as const,
    ["knock_out", knockOut] as const,
    ["reached", reached] as const,
    ["score", score] as const,
    ["decision", decision] as const,
    ["reviewed", reviewed] as const,
    ["invitation", invitation] as const,
    ["order", order === usualOrder ? undefined : order] as const,
  ].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))

export const queryText = (parameters: QueryParameters): string =>
  new URLSearchParams(Object.fromEntries(parameters)).toString()

/** The address of the list, also of a `list` parameter: `listHref(searchOfList(list))`. */
export const listHref = (search: SubmissionSearch): string => {
  const text = queryText(queryOf(search))
  return text === "" ? "/submissions" : `/submissions?${text}`
}
