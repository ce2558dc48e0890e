/**
 * Members save searches of the list of submissions under a name, for themselves or for all members, and choose its columns.
 */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { Ids } from "../platform/NewIds.ts"
import { queryOf, queryText, type SubmissionSearch } from "../submissions/SubmissionSearch.ts"
import { parseId, SavedViewId } from "../values/Ids.ts"
import { Conflict, Invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import {
  listColumnsOf,
  mayDelete,
  type SavedView,
  savedViewErrors,
  savedViewLimits,
  usualColumns,
} from "./SavedView.ts"
import { SavedViewRepository } from "./SavedViewRepository.ts"

const unknown = new NotFound({ record: "view" })

const mayOpen = (member: Member, view: SavedView): boolean => view.is_shared || view.member_id === member.id

export class SavedViews extends Context.Service<SavedViews>()("interview-invitations/reviews/SavedViews", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* SavedViewRepository

    /** The member's own views and the shared ones, by name. */
    const list = Effect.fn("SavedViews.list")(function* (member: Member) {
      return yield* repository.list(member.organizationId, member.id, readerOf(member))
    }, mayReadReplica)

    const read = Effect.fn("SavedViews.read")(function* (member: Member, text: string) {
      const id = parseId(SavedViewId, text)
      const view = id === undefined ? undefined : yield* repository.find(member.organizationId, id, readerOf(member))
      return view !== undefined && mayOpen(member, view) ? view : yield* unknown
    })

    /** Returns the view's id. Replaces the member's view of the same name. Conflict: there are too many. NotFound: the set. */
    const save = Effect.fn("SavedViews.save")(function* (
      member: Member,
      typed: { readonly name: string; readonly search: SubmissionSearch; readonly isShared: boolean },
    ) {
      const name = typed.name.trim()
      const errors = savedViewErrors(name)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const set = typed.search.set
      if (set !== undefined && !(yield* repository.mayReadSet(member.organizationId, set, readerOf(member))))
        return yield* new NotFound({ record: "interview_set" })
      const others = yield* repository.lock(member.organizationId, member.id, name)
      if (others.own >= savedViewLimits.own)
        return yield* new Conflict({ reason: `you have ${others.own} views already; delete one first` })
      if (typed.isShared && others.shared >= savedViewLimits.shared)
        return yield* new Conflict({ reason: `there are ${others.shared} shared views already; delete one first` })
      const id = yield* repository.save(member.organizationId, {
        id: yield* ids.make(SavedViewId),
        name,
        query: queryText(queryOf(typed.search)),
        interview_set_id: set ?? null,
        is_shared: typed.isShared,
        member_id: member.id,
      })
      if (typed.isShared) yield* auditLog.note(member, "saved_view", "share", id)
      return id
    }, transaction)

    /** Does nothing when the view was deleted before. */
    const remove = Effect.fn("SavedViews.remove")(function* (member: Member, text: string) {
      const view = yield* read(member, text)
      if (!mayDelete(member, view)) return yield* new NotAllowed({ record: "view" })
      yield* repository.remove(member.organizationId, [view.id])
      if (view.is_shared) yield* auditLog.note(member, "saved_view", "delete", view.id)
      return view
    }, transaction)

    /** The columns of the list that the member sees. */
    const columns = Effect.fn("SavedViews.columns")(function* ({ id, organizationId }: Member) {
      const chosen = yield* repository.columns(organizationId, id)
      return chosen === null ? usualColumns : listColumnsOf(chosen)
    }, mayReadReplica)

    /** Ignores unknown names. */
    const chooseColumns = Effect.fn("SavedViews.chooseColumns")(function* (
      { id, organizationId }: Member,
      names: ReadonlyArray<string>,
    ) {
      yield* repository.setColumns(organizationId, id, listColumnsOf(names))
    })

    return { list, read, save, remove, columns, chooseColumns }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
