/** Previews an invite: what it would do with each entry, and the email that it would send. Changes nothing. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { Viewer } from "../accounts/Viewer.ts"
import { sampleCandidate } from "../candidates/Candidate.ts"
import {
  changesOf,
  type Entry,
  entryOf,
  hasOnlyCv,
  personsOf,
  type ValueChange,
} from "../candidates/CandidateIdentity.ts"
import { CandidateRepository } from "../candidates/CandidateRepository.ts"
import { Config } from "../config/Config.ts"
import type { InterviewSet } from "../interview-sets/InterviewSet.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { Ids } from "../platform/NewIds.ts"
import type { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { isAnswerable, type SubmissionStatus } from "../submissions/Submission.ts"
import { SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import { type Language, languageOf } from "../texts/Texts.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import { CandidateId, InterviewSetId, InvitationId, type OrganizationId, SubmissionId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { renderInvitation, replyToOf } from "./InvitationEmailTemplate.ts"
import { isInterviewed } from "./Invite.ts"
import { type DraftEntry, type EntryError, entryErrors, type InviteDraft, type Origin } from "./InviteDraft.ts"
import { type CandidateStanding, InviteRepository } from "./InviteRepository.ts"

/** What an invite does with an entry. */
export type EntryPlan =
  | { readonly _tag: "Invited" }
  /** The link is shown; no email is sent. */
  | { readonly _tag: "Linked" }
  | { readonly _tag: "CvEvaluated" }
  /** Has an open invitation; `other`: at another address. */
  | { readonly _tag: "InvitedBefore"; readonly status: InvitationStatus; readonly other: string | undefined }
  /** Has a submission without an invitation, or its CV only. */
  | { readonly _tag: "AddedBefore"; readonly isCv: boolean }
  | { readonly _tag: "Finished"; readonly status: SubmissionStatus }
  | { readonly _tag: "Unsubscribed" }
  | { readonly _tag: "Repeated"; readonly first: Origin }
  | { readonly _tag: "Wrong"; readonly errors: ReadonlyArray<EntryError> }

export interface CheckedEntry extends DraftEntry {
  readonly plan: EntryPlan
  /** Values of the stored candidate that the invite replaces. */
  readonly changes: ReadonlyArray<ValueChange>
}

/** `ok`: something is sent or evaluated; `skipped`: nothing is; `wrong`: the entry must be corrected or left out. */
export const outcomeOf = ({ plan: { _tag } }: CheckedEntry): "ok" | "skipped" | "wrong" => {
  if (_tag === "Wrong") return "wrong"
  return _tag === "Invited" || _tag === "Linked" || _tag === "CvEvaluated" ? "ok" : "skipped"
}

/** Entries that an invite takes: it stores new values of candidates who were invited before. */
export const isTaken = ({ plan: { _tag } }: CheckedEntry): boolean =>
  _tag !== "Wrong" && _tag !== "Unsubscribed" && _tag !== "Repeated"

interface StoredPerson {
  readonly isSuppressed: boolean
  readonly changes: ReadonlyArray<ValueChange>
  readonly standing: (flow: "interview" | "cv") => CandidateStanding | undefined
}

const unknownPerson: StoredPerson = { isSuppressed: false, changes: [], standing: () => undefined }

const planOf = (
  set: Pick<InterviewSet, "set_type">,
  entry: Entry,
  { isSuppressed, standing }: Pick<StoredPerson, "isSuppressed" | "standing">,
  send: boolean,
): EntryPlan => {
  const isInterview = isInterviewed(set, entry)
  const current = standing("interview") ?? (isInterview ? undefined : standing("cv"))
  if (!isInterview) {
    return current === undefined ? { _tag: "CvEvaluated" } : { _tag: "AddedBefore", isCv: true }
  }
  if (!send) return current === undefined ? { _tag: "Linked" } : { _tag: "AddedBefore", isCv: false }
  if (current?.invitation != null) {
    const { email, status } = current.invitation
    const isSame = foldAddress(email) === foldAddress(entry.fields.email ?? "")
    return { _tag: "InvitedBefore", status, other: isSame ? undefined : email }
  }
  if (current !== undefined && !isAnswerable(current.status)) return { _tag: "Finished", status: current.status }
  return isSuppressed ? { _tag: "Unsubscribed" } : { _tag: "Invited" }
}

export interface EmailPreview {
  readonly recipient: string
  readonly isSample: boolean
  readonly sender: string
  readonly replyTo: string | null
  readonly language: Language
  readonly subject: string
  readonly text: string
  readonly html: string
}

export class InviteCheck extends Context.Service<InviteCheck>()("interview-invitations/invitations/InviteCheck", {
  make: Effect.gen(function* () {
    const candidateRepository = yield* CandidateRepository
    const { appUrl, invitationExpires, outboundAllow } = yield* Config
    const ids = yield* Ids
    const interviewSets = yield* InterviewSets
    const inviteRepository = yield* InviteRepository
    const submissionRepository = yield* SubmissionRepository

    const storedPersonsOf = Effect.fnUntraced(function* (
      organization: OrganizationId,
      set: InterviewSetId,
      persons: ReadonlyArray<Entry>,
    ) {
      const links = persons.flatMap((entry) => (hasOnlyCv(entry) && entry.cv_link !== null ? [entry.cv_link] : []))
      const byLink =
        links.length === 0
          ? new Map<string, CandidateId>()
          : yield* submissionRepository.candidatesByCvLink(organization, set, links)
      const rows = yield* Effect.forEach(persons, (entry) =>
        Effect.map(ids.make(CandidateId), (id) => ({
          ...entry.fields,
          id: (hasOnlyCv(entry) ? byLink.get(entry.cv_link ?? "") : undefined) ?? id,
        })),
      )
      const matches = yield* candidateRepository.match(organization, rows)
      const stored = matches.flatMap(({ id }) => (id === undefined ? [] : [id]))
      const standings = yield* inviteRepository.standings(organization, set, stored)
      const byCandidate = new Map(standings.map((one) => [`${one.flow} ${one.candidate_id}`, one]))
      return matches.map(({ id, isSuppressed, stored: before }, i): StoredPerson => {
        const fields = persons[i]?.fields
        return {
          isSuppressed,
          changes: before === undefined || fields === undefined ? [] : changesOf(before, fields),
          standing: (flow) => byCandidate.get(`${flow} ${id}`),
        }
      })
    })

    /** Returns the entries with their outcomes, in the same order. */
    const check = Effect.fn("InviteCheck.check")(function* (
      viewer: Viewer,
      setId: string,
      all: ReadonlyArray<DraftEntry>,
      send: boolean,
    ) {
      const { set } = yield* interviewSets.read(viewer, setId)
      const errors = entryErrors(all, set.set_type === 2, outboundAllow)
      const right = all.flatMap((one, at) =>
        errors[at]?.length === 0 ? [{ at, entry: entryOf(one.entry, outboundAllow) }] : [],
      )
      const isCvSet = set.set_type === 2
      const { indexOf } = personsOf(
        right.map(({ entry }) => entry),
        isCvSet,
      )
      // the first entry of a person is sent, the others are not
      const firstOf = new Map<number, number>()
      indexOf.forEach((person, i) => {
        if (person !== undefined && !firstOf.has(person)) firstOf.set(person, i)
      })
      const firsts = [...firstOf.values()].flatMap((i) => right[i] ?? [])
      const storedPersons = yield* storedPersonsOf(
        viewer.organizationId,
        InterviewSetId.make(set.id),
        firsts.map(({ entry }) => entry),
      )
      const checked = new Map<number, Pick<CheckedEntry, "changes" | "plan">>()
      firsts.forEach(({ at, entry }, i) => {
        const stored = storedPersons[i] ?? unknownPerson
        const plan = planOf(set, entry, stored, send)
        checked.set(at, { plan, changes: plan._tag === "Unsubscribed" ? [] : stored.changes })
      })
      right.forEach(({ at }, i) => {
        const first = right[firstOf.get(indexOf[i] ?? -1) ?? -1]
        const origin = first === undefined ? undefined : all[first.at]?.origin
        if (first === undefined || first.at === at || origin === undefined) return
        checked.set(at, { plan: { _tag: "Repeated", first: origin }, changes: [] })
      })
      return all.map((one, at): CheckedEntry => {
        const wrong: EntryPlan = { _tag: "Wrong", errors: errors[at] ?? [] }
        return { ...one, ...(checked.get(at) ?? { plan: wrong, changes: [] }) }
      })
    })

    /** The invitation that `entry` would get, with example links; undefined `entry`: that of a sample candidate. */
    const preview = Effect.fn("InviteCheck.preview")(function* (
      viewer: Viewer,
      setId: string,
      draft: Pick<InviteDraft, "message">,
      entry: DraftEntry["entry"] | undefined,
    ) {
      const { set } = yield* interviewSets.read(viewer, setId)
      const id = InterviewSetId.make(set.id)
      const sender = yield* inviteRepository.sender(viewer.organizationId, id)
      if (sender === undefined) return yield* new NotFound({ record: "interview set" })
      const fields = entry === undefined ? sampleCandidate : entryOf(entry, outboundAllow).fields
      const now = yield* Clock.currentTimeMillis
      const view = {
        ...sender,
        ...fields,
        id: yield* ids.make(InvitationId),
        organization_id: viewer.organizationId,
        interview_set_id: id,
        submission_id: yield* ids.make(SubmissionId),
        submission_status: "need_interview" as const,
        answer_until: null,
        candidate_id: yield* ids.make(CandidateId),
        email: fields.email ?? "",
        message: draft.message,
        status: "pending" as const,
        expires_at: new Date(now + Duration.toMillis(invitationExpires)),
        expired: false,
      }
      const links = { interviewUrl: `${appUrl}/i/example`, unsubscribeUrl: `${appUrl}/unsubscribe/example` }
      const { html, subject, text } = renderInvitation(view, links)
      return {
        recipient: view.email,
        isSample: entry === undefined,
        sender: sender.organization_name,
        replyTo: replyToOf(sender.organization_contact),
        language: languageOf(sender.languages),
        subject,
        text,
        html,
      } satisfies EmailPreview
    })

    return { check, preview }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide([Ids.layer, InterviewSets.layer]))
}
