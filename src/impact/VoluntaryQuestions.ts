/** Owners and admins choose which voluntary questions candidates get after their interview. */
import { Context, Data, Effect, Layer } from "effect"
import { AuditLog, changesOf } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { Database } from "../platform/database/Database.ts"
import { Invalid } from "../values/Problem.ts"
import { type SelfIdentificationForm, selfIdentificationErrors } from "./SelfIdentification.ts"
import { type SavedForm, SelfIdentificationRepository } from "./SelfIdentificationRepository.ts"

/** The questions have changed since the form was opened. */
export class QuestionsOutdated extends Data.TaggedError("QuestionsOutdated")<{ readonly saved: SavedForm }> {}

export class VoluntaryQuestions extends Context.Service<VoluntaryQuestions>()(
  "interview-invitations/impact/VoluntaryQuestions",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const repository = yield* SelfIdentificationRepository

      const find = ({ organizationId }: Pick<Member, "organizationId">) => repository.form(organizationId)

      /** `seen`: the version that the member saw. Fails with Invalid and QuestionsOutdated. */
      const change = Effect.fn("VoluntaryQuestions.change")(function* (
        member: Member,
        next: SelfIdentificationForm,
        seen: number,
      ) {
        const organization = member.organizationId
        const errors = selfIdentificationErrors(next)
        if (errors.length > 0) return yield* new Invalid({ errors })
        const before = yield* repository.form(organization)
        const fields = ["asks", "text", "own_question", "own_categories"] as const
        const lines = (form: SelfIdentificationForm) => ({
          ...form,
          asks: form.asks.join(", "),
          own_categories: form.own_categories.join("; "),
        })
        const changes = changesOf(lines(before), lines(next), fields)
        if (changes === undefined) return
        if (before.version !== seen) return yield* new QuestionsOutdated({ saved: before })
        if (!(yield* repository.saveForm(organization, next, seen)))
          return yield* new QuestionsOutdated({ saved: yield* repository.form(organization) })
        yield* auditLog.note(member, "organization", "set_voluntary_questions", String(organization), changes)
      }, transaction)

      return { find, change }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
