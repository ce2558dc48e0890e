/** Members tag candidates; owners and admins keep the list of their organization's tags. Tags send nothing to the candidate. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import { mostCounted } from "../submissions/SubmissionSearch.ts"
import { cleanTag, type TagRef, tagErrors, tagKey, tagLimits } from "../submissions/Tag.ts"
import { TagRepository } from "../submissions/TagRepository.ts"
import { parseId, type SubmissionId, TagId } from "../values/Ids.ts"
import { Conflict, Invalid, invalid, NotFound } from "../values/Problem.ts"
import { maxSelected } from "./Decisions.ts"

export type TagRefusal = "unknown" | "erased" | "full" | "held" | "not_held"

/** After the candidate's name. */
export const tagRefusalText: Readonly<Record<TagRefusal, string>> = {
  unknown: "the candidate was deleted, or you have no access to it",
  erased: "the candidate's personal data was erased",
  full: `the candidate has ${tagLimits.ofSubmission} tags already; remove one first`,
  held: "the candidate has the tag already",
  not_held: "the candidate does not have the tag",
}

export interface TagOutcome {
  /** The tag's name. */
  readonly tag: string
  readonly done: ReadonlyArray<SubmissionId>
  readonly refused: ReadonlyArray<{ readonly submission: SubmissionId; readonly refusal: TagRefusal }>
}

const unknown = new NotFound({ record: "tag" })
const tooMany = new Conflict({
  reason: `there are ${tagLimits.ofOrganization} tags already; choose one of them, or remove one in the settings`,
})
const outdated = new Conflict({ reason: "another member has renamed the tag since you opened the page" })

const refuse = (refusal: TagRefusal) =>
  refusal === "unknown" ? new NotFound({ record: "submission" }) : new Conflict({ reason: tagRefusalText[refusal] })

const checked = Effect.fnUntraced(function* (typed: string, pointer = "#/tag") {
  const name = cleanTag(typed)
  const errors = tagErrors(pointer, name)
  return errors.length > 0 ? yield* new Invalid({ errors }) : name
})

export class Tags extends Context.Service<Tags>()("interview-invitations/reviews/Tags", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* TagRepository
    const submissionRepository = yield* SubmissionRepository

    /** By name. */
    const list = Effect.fn("Tags.list")(({ organizationId }: Viewer) => repository.list(organizationId))

    /** With the number of candidates, up to `mostCounted`. */
    const listCounted = Effect.fn("Tags.listCounted")(({ organizationId }: Member) =>
      repository.listCounted(organizationId, mostCounted),
    )

    /** By any spelling of its name. */
    const named = Effect.fn("Tags.named")(({ organizationId }: Member, typed: string) =>
      repository.findNamed(organizationId, typed),
    )

    /** Needs a transaction. The tag of that name if another member has just added it. */
    const create = Effect.fnUntraced(function* (member: Member, name: string) {
      yield* repository.lock(member.organizationId)
      const all = yield* repository.list(member.organizationId)
      const existing = all.find((one) => tagKey(one.name) === tagKey(name))
      if (existing !== undefined) return existing
      if (all.length >= tagLimits.ofOrganization) return yield* tooMany
      const tag: TagRef = { id: yield* ids.make(TagId), name }
      yield* repository.insert(member.organizationId, tag)
      yield* auditLog.note(member, "tag", "create", tag.id, { name })
      return tag
    })

    /** Locks the submissions, finds the tag, and judges each submission. Needs a transaction. */
    const judge = Effect.fnUntraced(function* (
      member: Member,
      chosen: ReadonlyArray<SubmissionId>,
      find: Effect.Effect<TagRef | undefined>,
      refusalOf: (count: number, isHeld: boolean) => TagRefusal | undefined,
    ) {
      const of = [...new Set(chosen)].slice(0, maxSelected)
      const rows = yield* submissionRepository.lockForDecision(member.organizationId, of, member)
      // after the locks: it sees a tag that another request has just added to one of the submissions
      const tag = yield* find
      const found = new Map(rows.map((row) => [row.submission_id, row]))
      const held = new Map(
        (yield* repository.held(member.organizationId, [...found.keys()], tag?.id)).map((one) => [
          one.submission_id,
          one,
        ]),
      )
      const judged = of.map((submission) => {
        const row = found.get(submission)
        if (row === undefined) return { submission, refusal: "unknown" as const }
        if (row.is_erased) return { submission, refusal: "erased" as const }
        const { count, is_held } = held.get(submission) ?? { count: 0, is_held: false }
        return { submission, refusal: refusalOf(count, is_held) }
      })
      return {
        tag,
        done: judged.flatMap(({ refusal, submission }) => (refusal === undefined ? [submission] : [])),
        refused: judged.flatMap(({ refusal, submission }) => (refusal === undefined ? [] : [{ submission, refusal }])),
      }
    })

    /** Needs a transaction. */
    const noteChange = Effect.fnUntraced(function* (
      member: Member,
      action: "tag" | "untag",
      tag: TagRef,
      done: ReadonlyArray<SubmissionId>,
    ) {
      yield* submissionRepository.setChanged(member.organizationId, done)
      yield* auditLog.noteAll(
        member,
        "submission",
        action,
        done.map((submission) => [submission, { tag: tag.name }]),
      )
    })

    /**
     * Adds a tag, which may be new, to at most `maxSelected` submissions; a refused one does not affect the others. Invalid: the
     * name. Conflict: the organization has too many tags.
     */
    const addAll = Effect.fn("Tags.addAll")(function* (
      member: Member,
      chosen: ReadonlyArray<SubmissionId>,
      typed: string,
    ) {
      const { organizationId } = member
      const name = yield* checked(typed)
      const held = repository.findNamed(organizationId, name, { hold: true })
      const { done, refused, ...judged } = yield* judge(member, chosen, held, (count, isHeld) => {
        if (isHeld) return "held"
        return count >= tagLimits.ofSubmission ? "full" : undefined
      })
      if (done.length === 0) return { tag: judged.tag?.name ?? name, done, refused } satisfies TagOutcome
      const tag = judged.tag ?? (yield* create(member, name))
      yield* repository.addTo(organizationId, tag.id, done)
      yield* noteChange(member, "tag", tag, done)
      return { tag: tag.name, done, refused } satisfies TagOutcome
    }, transaction)

    /** Removes a tag from at most `maxSelected` submissions. Invalid: there is no such tag. */
    const removeAll = Effect.fn("Tags.removeAll")(function* (
      member: Member,
      chosen: ReadonlyArray<SubmissionId>,
      typed: string,
    ) {
      const name = yield* checked(typed)
      const tag = yield* repository.findNamed(member.organizationId, name, { hold: true })
      if (tag === undefined) return yield* invalid("#/tag", "not_found", "does not exist")
      return yield* removeFrom(member, chosen, tag)
    }, transaction)

    /** Needs a transaction. */
    const removeFrom = Effect.fnUntraced(function* (member: Member, chosen: ReadonlyArray<SubmissionId>, tag: TagRef) {
      const { done, refused } = yield* judge(member, chosen, Effect.succeed(tag), (_, isHeld) =>
        isHeld ? undefined : "not_held",
      )
      if (done.length > 0) {
        yield* repository.removeFrom(member.organizationId, tag.id, done)
        yield* noteChange(member, "untag", tag, done)
      }
      return { tag: tag.name, done, refused } satisfies TagOutcome
    })

    /** Does nothing when the submission has the tag. Conflict: a limit, or the candidate was erased. */
    const add = Effect.fn("Tags.add")(function* (member: Member, submission: SubmissionId, typed: string) {
      const { refused } = yield* addAll(member, [submission], typed)
      for (const { refusal } of refused) if (refusal !== "held") return yield* refuse(refusal)
    }, transaction)

    /** Does nothing when the submission does not have the tag. */
    const remove = Effect.fn("Tags.remove")(function* (member: Member, submission: SubmissionId, text: string) {
      const id = parseId(TagId, text)
      const tag = id === undefined ? undefined : yield* repository.find(member.organizationId, id)
      if (tag === undefined) return
      const { refused } = yield* removeFrom(member, [submission], tag)
      for (const { refusal } of refused) if (refusal !== "not_held") return yield* refuse(refusal)
    }, transaction)

    /** A tag that no candidate has yet. */
    const define = Effect.fn("Tags.define")(function* (member: Member, typed: string) {
      const name = yield* checked(typed, "#/name")
      if ((yield* repository.findNamed(member.organizationId, name)) !== undefined)
        return yield* invalid("#/name", "duplicate", "exists already")
      yield* create(member, name)
    }, transaction)

    const read = Effect.fn("Tags.read")(function* (member: Member, text: string) {
      const id = parseId(TagId, text)
      return (yield* listCounted(member)).find((one) => one.id === id) ?? (yield* unknown)
    })

    /** `seen`: the name that the form showed; undefined: any. Conflict: it has changed since. */
    const rename = Effect.fn("Tags.rename")(function* (
      member: Member,
      text: string,
      seen: string | undefined,
      typed: string,
    ) {
      yield* repository.lock(member.organizationId)
      const all = yield* repository.list(member.organizationId)
      const id = parseId(TagId, text)
      const before = all.find((one) => one.id === id)
      if (before === undefined) return yield* unknown
      const name = yield* checked(typed, "#/name")
      if (all.some((one) => one.id !== before.id && tagKey(one.name) === tagKey(name)))
        return yield* invalid("#/name", "duplicate", "is the name of another tag")
      if (name === before.name) return
      if (seen !== undefined && before.name !== seen) return yield* outdated
      yield* repository.rename(member.organizationId, { id: before.id, name })
      yield* auditLog.note(member, "tag", "update", before.id, {
        before: { name: before.name },
        after: { name },
      })
    }, transaction)

    /** Also from all candidates. `seen` as in `rename`. */
    const discard = Effect.fn("Tags.discard")(function* (member: Member, text: string, seen: string | undefined) {
      const id = parseId(TagId, text)
      yield* repository.lock(member.organizationId)
      const tag = id === undefined ? undefined : yield* repository.find(member.organizationId, id)
      if (tag === undefined) return yield* unknown
      if (seen !== undefined && tag.name !== seen) return yield* outdated
      yield* repository.remove(member.organizationId, tag.id)
      yield* auditLog.note(member, "tag", "delete", tag.id, { name: tag.name })
    }, transaction)

    return { list, listCounted, named, add, addAll, remove, removeAll, define, read, rename, discard }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
