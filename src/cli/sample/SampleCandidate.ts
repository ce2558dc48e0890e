/** The content of the sample organization: its members, sets and candidates, whom its authors invented. */
import type { Role } from "../../accounts/members/Member.ts"
import type { CreateInterviewSet } from "../../interview-sets/InterviewSet.ts"
import { backendEngineer, careNurse, salesRepresentative } from "../../interview-sets/SetTemplates.ts"
import type { Rating } from "../../reviews/Review.ts"
import type { Decision } from "../../submissions/Decision.ts"
import type { MailRefusal } from "./sampleHistory.ts"

export type MemberKey = "maya" | "tomas" | "priya" | "jonas"

interface SampleMember {
  readonly name: string
  readonly email: string
  readonly role: Role
}

export const members: Readonly<Record<MemberKey, SampleMember>> = {
  maya: { name: "Maya Lindqvist", email: "maya.lindqvist@lindhaven.test", role: "owner" },
  tomas: { name: "Tomás Herrera", email: "tomas.herrera@lindhaven.test", role: "admin" },
  priya: { name: "Priya Raman", email: "priya.raman@lindhaven.test", role: "recruiter" },
  jonas: { name: "Jonas Weber", email: "jonas.weber@lindhaven.test", role: "reviewer" },
}

export type SetKey = "engineer" | "nurse" | "sales"

const seenBy = (...keys: ReadonlyArray<MemberKey>) =>
  keys.map((key) => ({ email: members[key].email, fullname: members[key].name }))

export const sets: Readonly<Record<SetKey, CreateInterviewSet>> = {
  engineer: { ...backendEngineer.set, title: "Backend Engineer, Platform Team", com_accesses: seenBy("priya") },
  // without a time limit, a started interview stays started
  nurse: { ...careNurse.set, title: "Registered Nurse, Lindhaven House", interview_duration: null },
  sales: { ...salesRepresentative.set, title: "Sales Representative, North", com_accesses: seenBy("priya") },
}

export type StageKey = "call" | "onSite" | "offer"

/** In the order of the board. */
export const stages: Readonly<Record<StageKey, { readonly name: string; readonly decision: Decision | null }>> = {
  call: { name: "Phone call", decision: null },
  onSite: { name: "On site", decision: null },
  offer: { name: "Offer", decision: "advance" },
}

/**
 * How far a candidate has come. Each is also the state in which the sample leaves the candidate, but for `answered`:
 * answers are rated, unless `isWaiting`.
 */
export type Course =
  | "delivered"
  | "opened"
  | "clicked"
  | "initiated"
  | "started"
  | "declined"
  | "expired"
  | "withdrawn"
  | "failed"
  | "answered"
  /** Only a CV is rated. */
  | "cv"

export interface SampleAnswers {
  /** For each choice question, the places of the chosen options. */
  readonly chosen: ReadonlyArray<ReadonlyArray<number>>
  /** To the written questions, in their order; an empty one is not answered. */
  readonly written: ReadonlyArray<string>
  /** Places in `written` of answers that were said. */
  readonly spoken?: ReadonlyArray<number>
}

export interface SampleReview {
  readonly by: MemberKey
  /** Of the set's requirements, in their order; null: not rated. */
  readonly ratings: ReadonlyArray<Rating | null>
  readonly note: string
  /** The note names this colleague. */
  readonly mentions?: MemberKey
}

export interface SampleCv {
  /** Paragraphs of a PDF file; none: the file is damaged. */
  readonly lines: ReadonlyArray<string>
  /** The service goes on reading it. */
  readonly isWaiting?: boolean
}

export interface SampleCandidate {
  readonly name: string
  /** Null: the candidate has only a CV. */
  readonly email: string | null
  readonly set: SetKey
  /** When the candidate was invited. */
  readonly daysAgo: number
  readonly course: Course
  readonly answers?: SampleAnswers
  /** The answers are not rated yet. */
  readonly isWaiting?: boolean
  readonly cv?: SampleCv
  /** What the candidate asks for before the start, in time. */
  readonly moreTime?: string
  /** Why the invitation's email fails. */
  readonly refusal?: MailRefusal
  readonly reviews?: ReadonlyArray<SampleReview>
  /** Who is asked for a review, once the candidate has answered. */
  readonly asked?: MemberKey
  /** Shared by a link with a person without an account. */
  readonly isShared?: boolean
  readonly override?: { readonly by: MemberKey; readonly score: number; readonly reason: string }
  /** Where a member moved the candidate after the decision. */
  readonly stage?: { readonly by: MemberKey; readonly stage: StageKey }
  readonly decision?: { readonly by: MemberKey; readonly decision: Decision; readonly reason: string }
}
