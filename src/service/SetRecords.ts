/** Interview sets in the workspace: what members look at and change, within what each may see. */
import { Context, Effect, Equal, Layer, Option, Schema } from "effect"
import { foldAddress } from "../domain/EmailAddress.ts"
import { InterviewSetId, type QuestionId, type RequirementId } from "../domain/Ids.ts"
import { askedOrder, byPriority, type CreateInterviewSet, type InterviewSet } from "../domain/InterviewSet.ts"
import type { Member } from "../domain/Member.ts"
import { type Page, type PageRequest, pageOf } from "../domain/Page.ts"
import { Conflict, type Invalid, invalid, NotAllowed, NotFound } from "../domain/Problem.ts"
import { readerOf } from "../domain/Viewer.ts"
import { wordsOf } from "../domain/Words.ts"
import { AuditLog } from "../repository/AuditLog.ts"
import { Database } from "../repository/Database.ts"
import { InterviewSets as Sets } from "../repository/InterviewSets.ts"
import {
  SetRecords as Repository,
  type SetLine,
  type SetStanding,
  type SpokenLanguage,
} from "../repository/SetRecords.ts"
import { changesOf, notes } from "./Audit.ts"
import { makeBuild } from "./sets/Build.ts"

/** A set with how far it is used. */
export interface SetRecord {
  readonly set: InterviewSet
  readonly standing: SetStanding
}

/** Which sets are listed: in use or archived, with words as somebody typed them. */
export interface SetSearch {
  readonly text: string
  readonly archived: boolean
}

/** What is asked and required as it is to be, with the ids of what was there before. */
export interface SetChange {
  readonly request: CreateInterviewSet
  readonly questions: ReadonlyArray<QuestionId | undefined>
  readonly requirements: ReadonlyArray<RequirementId | undefined>
}

const unknown = new NotFound({ record: "interview set" })
const readId = Schema.decodeUnknownOption(InterviewSetId)

/** In the order that people see: another order of what is stored changes nothing. */
const listed = ({ iai_questions, iai_requirements }: InterviewSet) => ({
  questions: askedOrder(iai_questions),
  requirements: byPriority(iai_requirements),
})

/** What candidates were asked and are rated by: fixed as soon as one has started. */
const fixed = (set: InterviewSet) => ({
  ...listed(set),
  interview_duration: set.interview_duration,
  number_of_retakes: set.number_of_retakes,
  cfg_lingual_ids: set.cfg_lingual_ids,
})

/** Lists are told as JSON, so that what equals is equal. */
const told = (set: InterviewSet) => ({
  title: set.title,
  position: set.position,
  set_type: set.set_type,
  description: set.description,
  interview_duration: set.interview_duration,
  number_of_retakes: set.number_of_retakes,
  cfg_lingual_ids: set.cfg_lingual_ids.join(", "),
  priority: set.priority,
  project: set.com_project_id,
  access: set.com_accesses.map(({ email }) => email).join(", "),
})
const toldFields = [
  "title",
  "position",
  "set_type",
  "description",
  "interview_duration",
  "number_of_retakes",
  "cfg_lingual_ids",
  "priority",
  "project",
  "access",
] as const

/** A recruiter stands on the access list of a set that they make or change: who does not would lose sight of it. */
const withOwnAccess = (member: Member, request: CreateInterviewSet): CreateInterviewSet => {
  const reader = readerOf(member)
  const accesses = request.com_accesses ?? []
  return reader === undefined || accesses.some(({ email }) => foldAddress(email) === foldAddress(reader))
    ? request
    : { ...request, com_accesses: [...accesses, { email: reader, fullname: member.name }] }
}

export class SetRecords extends Context.Service<
  SetRecords,
  {
    /** Newest first. */
    readonly list: (member: Member, search: SetSearch, page: PageRequest) => Effect.Effect<Page<SetLine>>
    /** The newest sets in use, for a choice; more are found by their own pages. */
    readonly choices: (
      member: Member,
    ) => Effect.Effect<ReadonlyArray<{ readonly id: InterviewSetId; readonly title: string }>>
    /** `id` as somebody wrote it. */
    readonly read: (member: Member, id: string) => Effect.Effect<SetRecord, NotFound | NotAllowed>
    /** With the id that its form was given: sent twice, it is one. */
    readonly create: (
      member: Member,
      id: InterviewSetId,
      request: CreateInterviewSet,
    ) => Effect.Effect<InterviewSetId, Invalid | Conflict>
    /**
     * What is asked and required changes only while nobody has started and no CV is rated or waits to be: whatever is
     * rated is rated by what stands when it is queued; the type only while nobody was
     * invited. The rest changes always.
     */
    readonly change: (
      member: Member,
      id: string,
      change: SetChange,
    ) => Effect.Effect<void, Invalid | Conflict | NotFound | NotAllowed>
    readonly archive: (member: Member, id: string, archived: boolean) => Effect.Effect<void, NotFound | NotAllowed>
    readonly languages: Effect.Effect<ReadonlyArray<SpokenLanguage>>
  }
>()("interview-invitations/service/SetRecords") {
  static readonly layer = Layer.effect(
    SetRecords,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const build = yield* makeBuild
      const note = notes(yield* AuditLog, "interview_set")
      const records = yield* Repository
      const sets = yield* Sets

      const read = Effect.fn("SetRecords.read")(function* (member: Member, text: string) {
        const id = Option.getOrUndefined(readId(text))
        if (id === undefined) return yield* unknown
        const standing = yield* records.standing(member.organizationId, id, readerOf(member))
        if (standing === undefined) return yield* unknown
        if (!standing.readable) return yield* new NotAllowed({ record: "interview set" })
        const set = yield* sets.find(member.organizationId, id)
        return set === undefined ? yield* unknown : { set, standing }
      })

      return SetRecords.of({
        list: Effect.fn("SetRecords.list")(function* (member, { archived, text }, page) {
          const filter = { archived, words: wordsOf(text), reader: readerOf(member) }
          const rows = yield* records.list(member.organizationId, filter, page)
          return pageOf("interview-sets", rows, page.limit, ({ position: _, ...line }) => line)
        }),
        choices: (member) => records.choices(member.organizationId, readerOf(member), 100),
        read,
        create: Effect.fn("SetRecords.create")(function* (member, id, request) {
          const organization = member.organizationId
          yield* records.hold(organization, id)
          if ((yield* sets.find(organization, id)) !== undefined) return id
          if (yield* records.isTaken(id)) {
            return yield* new Conflict({ reason: "the form was made for a set that is gone: begin again" })
          }
          const set = yield* build(organization, withOwnAccess(member, request), { id })
          yield* sets.insert(organization, set)
          yield* note(organization, member.id, "create", id, { title: set.title })
          return id
        }, transaction),
        change: Effect.fn("SetRecords.change")(function* (member, text, { questions, request, requirements }) {
          const organization = member.organizationId
          const { set: known } = yield* read(member, text)
          yield* records.hold(organization, known.id)
          const { set: before, standing } = yield* read(member, text)
          const own = new Set<string>([...before.iai_questions, ...before.iai_requirements].map(({ id }) => id))
          const kept = <A extends string>(ids: ReadonlyArray<A | undefined>) =>
            ids.map((id) => (id !== undefined && own.delete(id) ? id : undefined))
          const after = yield* build(organization, withOwnAccess(member, request), {
            id: before.id,
            questions: kept(questions),
            requirements: kept(requirements),
          })
          if (standing.used && after.set_type !== before.set_type) {
            return yield* invalid("#/set_type", "fixed", "can not change any more: candidates were invited to it")
          }
          if (standing.rated && !Equal.equals(fixed(before), fixed(after))) {
            return yield* new Conflict({
              reason:
                "a candidate has begun or sent a CV in the meantime, so what is asked and required stays as it is: duplicate the set to change it",
            })
          }
          yield* records.replace(organization, after, standing.rated)
          const changes = changesOf(told(before), told(after), toldFields)
          const was = listed(before)
          const is = listed(after)
          const asked = Equal.equals(was.questions, is.questions) ? {} : { questions: after.iai_questions.length }
          const required = Equal.equals(was.requirements, is.requirements)
            ? {}
            : { requirements: after.iai_requirements.length }
          const detail = { ...changes, ...asked, ...required }
          if (Object.keys(detail).length > 0) yield* note(organization, member.id, "update", before.id, detail)
        }, transaction),
        archive: Effect.fn("SetRecords.archive")(function* (member, text, archived) {
          const { set } = yield* read(member, text)
          if (yield* records.archive(member.organizationId, set.id, archived)) {
            yield* note(member.organizationId, member.id, archived ? "archive" : "unarchive", set.id, {
              title: set.title,
            })
          }
        }, transaction),
        languages: records.languages,
      })
    }),
  )
}
