/** Owners and admins make reports of impact ratios, and read them. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { type Member, memberName } from "../accounts/members/Member.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { HiringStageRepository } from "../submissions/HiringStageRepository.ts"
import { HiringStageId, ImpactReportId, InterviewSetId, parseId } from "../values/Ids.ts"
import { Conflict, type FieldError, fieldError, Invalid, NotFound } from "../values/Problem.ts"
import { isAboutSame, isRevealingBeside } from "./EarlierReports.ts"
import { minCell } from "./ImpactRatios.ts"
import { type ImpactSelection, type Outcome, reportOf, totalsOf } from "./ImpactReport.ts"
import { ImpactReportRepository } from "./ImpactReportRepository.ts"
import { SelfIdentificationRepository } from "./SelfIdentificationRepository.ts"

/** As typed. */
export interface ReportRequest {
  /** Empty: all sets. */
  readonly set: string
  readonly from: string
  readonly to: string
  /** `scored`, `advanced`, or the id of a hiring stage. */
  readonly outcome: string
}

/** Many reports of slightly different choices are a way to search for single people. */
export const maxReportsPerDay = 50

/** Months that can be chosen, the last one first. */
const maxMonths = 120

const monthBefore = (month: string): string => {
  const at = new Date(`${month}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() - 1)
  return at.toISOString().slice(0, 7)
}

/** Whole months from the last one before `present` back to `first`. */
const wholeMonths = (first: string | null, present: string): ReadonlyArray<string> => {
  const months: Array<string> = []
  for (let at = monthBefore(present); first !== null && at >= first && months.length < maxMonths; at = monthBefore(at))
    months.push(at)
  return months
}

export class ImpactReports extends Context.Service<ImpactReports>()("interview-invitations/impact/ImpactReports", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const hiringStageRepository = yield* HiringStageRepository
    const ids = yield* Ids
    const repository = yield* ImpactReportRepository
    const selfIdentificationRepository = yield* SelfIdentificationRepository

    /** What a report can be about. */
    const choices = Effect.fn("ImpactReports.choices")(function* ({ organizationId }: Member) {
      const { first, present } = yield* repository.months(organizationId)
      return {
        sets: yield* repository.sets(organizationId),
        stages: yield* hiringStageRepository.list(organizationId),
        months: wholeMonths(first, present),
        present,
      }
    })

    const list = ({ organizationId }: Member) => repository.list(organizationId)

    const find = Effect.fn("ImpactReports.find")(function* ({ organizationId }: Member, text: string) {
      const id = parseId(ImpactReportId, text)
      const report = id === undefined ? undefined : yield* repository.find(organizationId, id)
      return report ?? (yield* new NotFound({ record: "report" }))
    })

    const selectionOf = Effect.fnUntraced(function* (member: Member, request: ReportRequest) {
      const { months, sets, stages } = yield* choices(member)
      const set = sets.find(({ id }) => id === parseId(InterviewSetId, request.set))
      const stage = stages.find(({ id }) => id === parseId(HiringStageId, request.outcome))
      const outcome: Outcome | undefined = (["scored", "advanced"] as const).find((one) => one === request.outcome)
      const errors: ReadonlyArray<FieldError> = [
        ...(request.set !== "" && set === undefined ? [fieldError("#/set", "not_found", "was not found")] : []),
        ...(["from", "to"] as const).flatMap((name) =>
          months.includes(request[name]) ? [] : [fieldError(`#/${name}`, "not_one_of", "must be a whole past month")],
        ),
        ...(request.from > request.to ? [fieldError("#/to", "out_of_range", "must not be before the first one")] : []),
        ...(outcome === undefined && stage === undefined
          ? [fieldError("#/outcome", "not_one_of", "must be one of the list")]
          : []),
      ]
      if (errors.length > 0) return yield* new Invalid({ errors })
      const selection: ImpactSelection = {
        set: set?.id ?? null,
        from: request.from,
        to: request.to,
        outcome: outcome ?? "stage",
        stage: outcome === undefined ? (stage?.id ?? null) : null,
      }
      return {
        selection,
        setTitle: set?.title ?? null,
        stageName: outcome === undefined ? (stage?.name ?? null) : null,
      }
    })

    /**
     * Counts, hides small numbers, and stores the report. Fails with Invalid, also for fewer than `minCell` people, and with
     * Conflict above `maxReportsPerDay`.
     */
    const make = Effect.fn("ImpactReports.make")(function* (member: Member, request: ReportRequest) {
      const { organizationId } = member
      const { selection, setTitle, stageName } = yield* selectionOf(member, request)
      yield* repository.lock(organizationId)
      if ((yield* repository.countRecent(organizationId)) >= maxReportsPerDay)
        return yield* new Conflict({
          reason: `the organization has made ${maxReportsPerDay} reports in the last 24 hours; read one of those, or try again tomorrow`,
        })
      const groups = yield* repository.groups(organizationId, selection)
      const form = yield* selfIdentificationRepository.form(organizationId)
      const own = { question: form.own_question, categories: form.own_categories }
      const earlier = yield* repository.earlier(organizationId, selection)
      const totals = totalsOf(groups)
      const ofSame = earlier.filter((one) => isAboutSame(selection, totals, one))
      const content = reportOf(groups, own, isRevealingBeside(selection, earlier), isRevealingBeside(selection, ofSame))
      if (content.people < minCell)
        return yield* new Invalid({
          errors: [fieldError("#/to", "too_few", `gives fewer than ${minCell} people: choose more months or all sets`)],
        })
      const names = { set: setTitle, stage: stageName, member: memberName(member) }
      const id = yield* ids.make(ImpactReportId)
      yield* repository.insert(organizationId, { ...selection, id, names, content })
      yield* auditLog.note(member, "organization", "make_impact_report", String(organizationId), {
        set: names.set ?? "all",
        from: selection.from,
        to: selection.to,
        outcome: names.stage ?? selection.outcome,
      })
      return id
    }, transaction)

    return { choices, list, find, make }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

export type ReportChoices = Effect.Success<ReturnType<ImpactReports["Service"]["choices"]>>
