/** An order: an interview that a hiring system ordered, and the state that is reported. */
import type { EvaluationType } from "../evaluations/Evaluation.ts"
import type { SubmissionStatus } from "../submissions/Submission.ts"
import type {
  ConnectionId,
  InterviewSetId,
  InvitationId,
  OrderId,
  OrganizationId,
  SubmissionId,
} from "../values/Ids.ts"
import type { HiringSystem } from "./HiringSystem.ts"

/**
 * - `undeliverable`: the invitation email failed.
 * - `completed`: submitted; the evaluation is queued, or the candidate can still improve the answers.
 */
export type OrderState =
  | "invited"
  | "undeliverable"
  | "started"
  | "completed"
  | "evaluated"
  | "declined"
  | "cancelled"
  | "expired"

/** `evaluation`: the newest published evaluation of the first type that has one: holistic, interview, CV. */
export interface OrderFacts {
  readonly id: OrderId
  /** The order's id in the hiring system. */
  readonly external_id: string
  readonly organization_id: OrganizationId
  readonly connection_id: ConnectionId
  readonly submission_id: SubmissionId
  /** The id that the hiring system was given: the submission's, or the order's for further orders of one submission. */
  readonly given_id: OrderId | SubmissionId
  /** The submission's newest invitation; null: it has none. */
  readonly invitation_id: InvitationId | null
  /** When the hiring system cancelled the order. Cancelled orders are not reported. */
  readonly cancelled_at: string | null
  readonly callback_url: string | null
  readonly set_title: string
  /** The candidate's names, the longest first, for removing them from texts. */
  readonly names: ReadonlyArray<string>
  readonly status: SubmissionStatus
  readonly declined_at: string | null
  readonly started_at: string | null
  readonly completed_at: string | null
  /** When the interview was declined, cancelled or expired. */
  readonly ended_at: string | null
  readonly has_failed_mail: boolean
  readonly evaluation: { readonly score: number | null; readonly at: string; readonly type: EvaluationType } | null
}

export const stateOf = ({ cancelled_at, declined_at, evaluation, has_failed_mail, status }: OrderFacts): OrderState => {
  if (cancelled_at !== null) return "cancelled"
  switch (status) {
    case "withdrawn":
      return declined_at === null ? "cancelled" : "declined"
    case "expired":
      return "expired"
    case "completed":
    case "evaluated":
      // a CV may be evaluated long before the answers
      return evaluation === null || evaluation.type === "cv" ? "completed" : "evaluated"
    case "started":
      return "started"
    default:
      return has_failed_mail ? "undeliverable" : "invited"
  }
}

/** The score to report. Null: there is none yet, or the interview was not scored. */
export const scoreOf = (facts: OrderFacts): number | null =>
  stateOf(facts) === "evaluated" ? (facts.evaluation?.score ?? null) : null

/** Begins the external id of an order whose person was erased; a hash of the former id follows (PersonRepository). */
export const erasedPrefix = "erased "

/** An order, as shown on its submission's page. */
export interface SubmissionOrder {
  readonly id: OrderId
  readonly connection: string
  readonly system: HiringSystem
  /** An email address. */
  readonly ordered_by: string | null
  /** The job's name in the hiring system. */
  readonly job: string | null
  readonly profile_url: string | null
  /** ISO 8601, UTC. */
  readonly created_at: string
  readonly cancelled_at: string | null
}

/** An order, as a connector reads it from its hiring system. */
export interface NewOrder {
  /** The order's id in the hiring system. A repeated order with the same id gets the first one's answer. */
  readonly external_id: string
  /**
   * Reports name this id and are sent with the operator's credentials, which are the same for all organizations: an order with the id
   * of another organization's is refused, because its reports would change that one.
   */
  readonly isReportedAsPartner?: true
  /** The invitation is reported, too: the hiring system shows what a report has, such as buttons. */
  readonly isReportedAtOnce?: true
  readonly interview_set_id: InterviewSetId
  readonly candidate: {
    readonly email: string
    readonly firstname: string
    readonly lastname: string
    readonly cv_link: string | null
  }
  readonly callback_url: string | null
  /** Hosts that `callback_url` may have, besides those of HIRING_SYSTEM_HOSTS. */
  readonly callback_hosts: ReadonlyArray<string>
  readonly profile_url: string | null
  /** An email address. */
  readonly ordered_by: string | null
  /** The job's name in the hiring system. */
  readonly job: string | null
}
