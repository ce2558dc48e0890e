/** What members typed into the form of a set and have not saved: stored while they type, for each member. */
import { Context, Data, Effect, Layer } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { Database } from "../platform/database/Database.ts"
import { storable } from "../values/Fields.ts"
import type { InterviewSetId } from "../values/Ids.ts"
import { Conflict } from "../values/Problem.ts"
import { type DraftContent, SetDraftRepository, type StoredDraft } from "./SetDraftRepository.ts"

export const draftLimits = {
  /** Of a member. */
  drafts: 50,
  /** On the page of sets. */
  listed: 20,
} as const

/** The draft was saved, or deleted, in another window since the form was rendered. */
export class DraftOutdated extends Data.TaggedError("DraftOutdated")<{
  /** Undefined: it was deleted. */
  readonly stored: StoredDraft | undefined
}> {}

const storableDraft = ({ fields, title, version }: DraftContent): DraftContent => ({
  title: storable(title),
  version: storable(version),
  fields: fields.map(([name, value]) => [name, storable(value)]),
})

export class SetDrafts extends Context.Service<SetDrafts>()("interview-invitations/interview-sets/SetDrafts", {
  make: Effect.gen(function* () {
    const { transaction } = yield* Database
    const repository = yield* SetDraftRepository

    const keyOf = ({ id, organizationId }: Member, set: InterviewSetId) => ({
      organization: organizationId,
      member: id,
      set,
    })

    /** The member's own, newest first. */
    const list = Effect.fn("SetDrafts.list")(function* (member: Member) {
      return yield* repository.list(member.organizationId, member.id, readerOf(member), draftLimits.listed)
    })

    const find = Effect.fn("SetDrafts.find")(function* (member: Member, set: InterviewSetId) {
      return yield* repository.find(keyOf(member, set))
    })

    /**
     * `changes`: of the draft when the form was rendered, 0 if there was none. Returns the new number. Conflict: the member has too
     * many drafts.
     */
    const save = Effect.fn("SetDrafts.save")(function* (
      member: Member,
      set: InterviewSetId,
      content: DraftContent,
      changes: number,
    ) {
      const key = keyOf(member, set)
      const isSaved =
        changes === 0
          ? yield* repository.insert(key, storableDraft(content), draftLimits.drafts)
          : yield* repository.replace(key, storableDraft(content), changes)
      if (isSaved) return changes + 1
      const stored = yield* repository.find(key)
      if (changes > 0 || stored !== undefined) return yield* new DraftOutdated({ stored })
      return yield* new Conflict({ reason: `you have ${draftLimits.drafts} drafts already: delete one first` })
    }, transaction)

    /** After its set was saved: deletes the draft, unless another window has changed it. */
    const settle = Effect.fn("SetDrafts.settle")(function* (member: Member, set: InterviewSetId, changes: number) {
      yield* repository.remove(keyOf(member, set), changes)
    })

    const remove = Effect.fn("SetDrafts.remove")(function* (member: Member, set: InterviewSetId) {
      yield* repository.remove(keyOf(member, set), null)
    })

    return { list, find, save, settle, remove }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
