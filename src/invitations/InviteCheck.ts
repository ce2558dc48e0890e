/** Previews an invite: what it would do with each entry, and the email that it would send. Changes nothing. */
import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import type { Viewer } from "../accounts/Viewer.ts"
import { fullName, sampleCandidate } from "../candidates/Candidate.ts"
import { changesOf, entryOf, hasId, personsOf, type ValueChange } from "../candidates/CandidateIdentity.ts"
import { Config } from "../config/Config.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { NoticeGifts } from "../notices/NoticeGifts.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { previewInvitation } from "./InvitationPreview.ts"
import { Invite } from "./Invite.ts"
import { type DraftEntry, draftEntries, type InviteDraft, noTable, type Origin, tableOf } from "./InviteDraft.ts"
import { type EntryError, entryErrors } from "./InviteDraftErrors.ts"
import type { InviteAction } from "./InvitePlan.ts"
import { InviteRepository } from "./InviteRepository.ts"

/** What an invite of the form does with an entry. */
export type EntryPlan =
  | InviteAction
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
  _tag !== "Wrong" && _tag !== "Refused" && _tag !== "Repeated"

/** Entries that are searched for the candidate of a preview. */
const maxTyped = 50

export class InviteCheck extends Context.Service<InviteCheck>()("interview-invitations/invitations/InviteCheck", {
  make: Effect.gen(function* () {
    const { appUrl, invitationExpires, outboundAllow } = yield* Config
    const interviewSets = yield* InterviewSets
    const invite = yield* Invite
    const noticeGifts = yield* NoticeGifts
    const repository = yield* InviteRepository

    /** Returns the entries with their outcomes, in the same order. */
    const check = Effect.fn("InviteCheck.check")(function* (
      viewer: Viewer,
      setId: string,
      all: ReadonlyArray<DraftEntry>,
      send: boolean,
    ) {
      const { set } = yield* interviewSets.read(viewer, setId)
      const isCvSet = set.set_type === 2
      const errors = entryErrors(all, isCvSet, outboundAllow)
      const right = all.flatMap((one, at) =>
        errors[at]?.length === 0 ? [{ ...one, at, entry: entryOf(one.entry, outboundAllow) }] : [],
      )
      const { indexOf } = personsOf(
        right.map(({ entry }) => entry),
        isCvSet,
      )
      // of the entries of one person, the one with an id in the hiring system is sent, else the first
      const sent = new Map<number, (typeof right)[number]>()
      right.forEach((one, i) => {
        const before = sent.get(indexOf[i] ?? -1)
        if (before === undefined || (!hasId(before.entry) && hasId(one.entry))) sent.set(indexOf[i] ?? -1, one)
      })
      const persons = [...sent.values()]
      const entries = persons.map(({ entry }) => entry)
      const plans = yield* invite.plan(
        viewer,
        { id: InterviewSetId.make(set.id), set_type: set.set_type },
        entries,
        send,
      )
      const checked = new Map<number, Pick<CheckedEntry, "changes" | "plan">>()
      persons.forEach(({ at, entry }, i) => {
        const { action, stored } = plans[i] ?? {}
        if (action === undefined) return
        const isUnchanged = stored === undefined || action._tag === "Refused"
        checked.set(at, { plan: action, changes: isUnchanged ? [] : changesOf(stored, entry.fields) })
      })
      right.forEach(({ at }, i) => {
        const first = sent.get(indexOf[i] ?? -1)?.origin
        if (first !== undefined && !checked.has(at)) checked.set(at, { plan: { _tag: "Repeated", first }, changes: [] })
      })
      return all.map((one, at): CheckedEntry => {
        const wrong: EntryPlan = { _tag: "Wrong", errors: errors[at] ?? [] }
        return { ...one, ...(checked.get(at) ?? { plan: wrong, changes: [] }) }
      })
    })

    /** Notices whose days are not over for candidates who are invited to the set now. */
    const periods = Effect.fn("InviteCheck.periods")(function* ({ organizationId }: Viewer, set: InterviewSetId) {
      return (yield* noticeGifts.preview(organizationId, set)).periods
    })

    /** The invitation that `entry` would get, with example links; undefined `entry`: that of a sample candidate. */
    const preview = Effect.fn("InviteCheck.preview")(function* (
      viewer: Viewer,
      setId: string,
      { message }: Pick<InviteDraft, "message">,
      entry: DraftEntry["entry"] | undefined,
    ) {
      const { set } = yield* interviewSets.read(viewer, setId)
      const sender = yield* repository.sender(viewer.organizationId, InterviewSetId.make(set.id))
      if (sender === undefined) return yield* new NotFound({ record: "interview set" })
      const now = yield* Clock.currentTimeMillis
      const { hasNotice } = yield* noticeGifts.preview(viewer.organizationId, InterviewSetId.make(set.id))
      return previewInvitation({
        hasNotice,
        sender,
        candidate: entry === undefined ? sampleCandidate : entryOf(entry, outboundAllow).fields,
        isSample: entry === undefined,
        message,
        expiresAt: new Date(now + Duration.toMillis(invitationExpires)),
        appUrl,
      })
    })

    /** Whose email a form shows while it is typed: the first candidate with an address, else the first with a name. */
    const firstTyped = (draft: InviteDraft, isCvSet: boolean): DraftEntry["entry"] | undefined => {
      const table = tableOf(draft)
      const entries = draftEntries(
        draft,
        Result.getOrElse(table, () => noTable),
      ).slice(0, maxTyped)
      const hasAddress = (one: DraftEntry) =>
        Boolean(one.entry.email) && entryErrors([one], isCvSet, outboundAllow)[0]?.length === 0
      const found =
        entries.find(hasAddress) ?? entries.find(({ entry }) => fullName(entryOf(entry, outboundAllow).fields) !== "")
      return found?.entry
    }

    return { check, firstTyped, periods, preview }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide([InterviewSets.layer, Invite.layer]))
}
