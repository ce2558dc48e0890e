/** Owners and admins keep the list of their organization's hiring stages. */
import { Context, Effect, Layer } from "effect"
import { AuditLog, changesOf } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { Database } from "../platform/database/Database.ts"
import type { Decision } from "../submissions/Decision.ts"
import { type HiringStage, stageLimits, stageNameErrors } from "../submissions/HiringStage.ts"
import { type CountedStage, HiringStageRepository } from "../submissions/HiringStageRepository.ts"
import { HiringStageId, type OrganizationId, parseId } from "../values/Ids.ts"
import { Conflict, Invalid, invalid, NotFound } from "../values/Problem.ts"
import { StageMoves } from "./StageMoves.ts"

export type StageText = Pick<HiringStage, "name" | "decision">

const outdated = new Conflict({ reason: "another member has changed the stages since you opened the page" })
const unknown = new NotFound({ record: "stage" })

export class HiringStages extends Context.Service<HiringStages>()("interview-invitations/reviews/HiringStages", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const repository = yield* HiringStageRepository
    const stageMoves = yield* StageMoves

    /** In their order. */
    const list = Effect.fn("HiringStages.list")(function* ({ organizationId }: Viewer) {
      return yield* repository.list(organizationId)
    })

    /** With the number of candidates in each. */
    const listCounted = Effect.fn("HiringStages.listCounted")(function* ({ organizationId }: Member) {
      return yield* repository.listCounted(organizationId)
    })

    const indexOf = (stages: ReadonlyArray<HiringStage>, text: string) => {
      const id = parseId(HiringStageId, text)
      return stages.findIndex((one) => one.id === id)
    }

    /** The stages of the organization, which stay the same until the transaction ends. */
    const locked = Effect.fnUntraced(function* (organization: OrganizationId) {
      yield* repository.lock(organization)
      return yield* repository.list(organization)
    })

    const checked = Effect.fnUntraced(function* (
      stages: ReadonlyArray<HiringStage>,
      { decision, name }: StageText,
      except?: HiringStageId,
    ) {
      const trimmed = name.trim()
      const errors = stageNameErrors(trimmed)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const folded = trimmed.toLowerCase()
      if (stages.some((one) => one.id !== except && one.name.toLowerCase() === folded))
        return yield* invalid("#/name", "duplicate", "is the name of another stage")
      return { name: trimmed, decision }
    })

    /** Adds a stage behind the others. Does nothing when the id exists (a form sent twice). */
    const add = Effect.fn("HiringStages.add")(function* (member: Member, id: HiringStageId, typed: StageText) {
      const stages = yield* locked(member.organizationId)
      if (yield* repository.exists(member.organizationId, id)) return
      const stage = yield* checked(stages, typed)
      if (stages.length >= stageLimits.count)
        return yield* new Conflict({ reason: `there are ${stages.length} stages already; archive one first` })
      yield* repository.insert(member.organizationId, { ...stage, id })
      yield* auditLog.note(member, "hiring_stage", "create", id, { name: stage.name, decision: stage.decision })
    }, transaction)

    /** `seen`: what the form showed. Conflict: the stage has changed since. */
    const change = Effect.fn("HiringStages.change")(function* (
      member: Member,
      text: string,
      seen: { readonly name: string; readonly decision: Decision | null },
      typed: StageText,
    ) {
      const stages = yield* locked(member.organizationId)
      const before = stages[indexOf(stages, text)]
      if (before === undefined) return yield* unknown
      const after = yield* checked(stages, typed, before.id)
      const changes = changesOf({ name: before.name, decision: before.decision }, after, ["name", "decision"])
      if (changes === undefined) return
      if (before.name !== seen.name || before.decision !== seen.decision) return yield* outdated
      yield* repository.update(member.organizationId, { ...after, id: before.id })
      yield* auditLog.note(member, "hiring_stage", "update", before.id, changes)
    }, transaction)

    /** Exchanges the places of two stages. Conflict: they are not neighbours, or no longer in this order. */
    const exchange = Effect.fn("HiringStages.exchange")(function* (
      member: Member,
      { after, before }: { readonly before: string; readonly after: string },
    ) {
      const stages = yield* locked(member.organizationId)
      const index = indexOf(stages, before)
      const [one, other] = [stages[index], stages[index + 1]]
      if (one === undefined || other === undefined || other.id !== parseId(HiringStageId, after)) return yield* outdated
      yield* repository.swap(member.organizationId, one.id, other.id)
      yield* auditLog.note(member, "hiring_stage", "reorder", other.id, { name: other.name, "now before": one.name })
    }, transaction)

    /** Its candidates go to the stage `into`, or to the columns of their state; no decision is made. Returns their number. */
    const archive = Effect.fn("HiringStages.archive")(function* (
      member: Member,
      text: string,
      into: string | undefined,
    ) {
      const stages = yield* locked(member.organizationId)
      const stage = stages[indexOf(stages, text)]
      if (stage === undefined) return yield* unknown
      const target = into === undefined ? null : stages[indexOf(stages, into)]
      if (target === undefined || target?.id === stage.id || (target?.decision ?? null) !== null)
        return yield* new Conflict({ reason: "the stage that its candidates would go to has changed: choose again" })
      yield* repository.archive(member.organizationId, stage.id)
      const candidates = yield* stageMoves.empty(member, stage.id, target)
      yield* auditLog.note(member, "hiring_stage", "archive", stage.id, {
        name: stage.name,
        candidates,
        ...(target === null || candidates === 0 ? {} : { into: target.name }),
      })
      return candidates
    }, transaction)

    const read = Effect.fn("HiringStages.read")(function* (member: Member, text: string) {
      const stages: ReadonlyArray<CountedStage> = yield* repository.listCounted(member.organizationId)
      const stage = stages[indexOf(stages, text)]
      return stage === undefined ? yield* unknown : { stage, stages }
    })

    return { list, listCounted, read, add, change, exchange, archive }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(StageMoves.layer))
}
