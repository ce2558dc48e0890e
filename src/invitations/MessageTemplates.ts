/** Members create, change and delete the templates of messages. */
import { Context, Data, Effect, Layer } from "effect"
import { AuditLog, changesOf } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { Database } from "../platform/database/Database.ts"
import { MessageTemplateId, parseId } from "../values/Ids.ts"
import { Conflict, Invalid, invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import {
  type MessageTemplate,
  mayChange,
  type TemplateKind,
  type TemplateText,
  templateErrors,
  templateLimits,
} from "./MessageTemplate.ts"
import { MessageTemplateRepository } from "./MessageTemplateRepository.ts"

/** The template has changed since its form was opened. */
export class TemplateOutdated extends Data.TaggedError("TemplateOutdated")<{ readonly saved: MessageTemplate }> {}

const valid = Effect.fnUntraced(function* ({ kind, name, subject, text }: TemplateText) {
  const ownSubject = kind === "invitation" ? "" : subject.trim()
  const template = { kind, name: name.trim(), subject: ownSubject, text: text.replaceAll("\r\n", "\n").trim() }
  const errors = templateErrors(template)
  return errors.length > 0 ? yield* new Invalid({ errors }) : template
})

const textOf = ({ kind, name, subject, text }: TemplateText): TemplateText => ({ kind, name, subject, text })

const taken = invalid("#/name", "duplicate", "is the name of another template")

export class MessageTemplates extends Context.Service<MessageTemplates>()(
  "interview-invitations/invitations/MessageTemplates",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const repository = yield* MessageTemplateRepository

      /** Of one kind, or all. */
      const list = Effect.fn("MessageTemplates.list")(function* ({ organizationId }: Member, kind?: TemplateKind) {
        const all = yield* repository.list(organizationId)
        return kind === undefined ? all : all.filter((one) => one.kind === kind)
      })

      const read = Effect.fn("MessageTemplates.read")(function* ({ organizationId }: Member, text: string) {
        const id = parseId(MessageTemplateId, text)
        const found = id === undefined ? undefined : yield* repository.find(organizationId, id)
        return found ?? (yield* new NotFound({ record: "template" }))
      })

      /** Does nothing when the id exists (a form sent twice). */
      const create = Effect.fn("MessageTemplates.create")(function* (
        member: Member,
        id: MessageTemplateId,
        typed: TemplateText,
      ) {
        const template = yield* valid(typed)
        const count = yield* repository.lock(member.organizationId)
        if (yield* repository.exists(id)) return
        if (count >= templateLimits.count) {
          return yield* new Conflict({ reason: `there are ${count} templates already; delete one first` })
        }
        const isCreated = yield* repository.create(member.organizationId, { ...template, id, created_by: member.id })
        if (!isCreated) return yield* taken
        yield* auditLog.note(member, "message_template", "create", id, { name: template.name })
      }, transaction)

      /** Fails with NotAllowed for another recruiter's template. */
      const changeable = Effect.fn("MessageTemplates.changeable")(function* (member: Member, text: string) {
        const template = yield* read(member, text)
        return mayChange(member, template) ? template : yield* new NotAllowed({ record: "template" })
      })

      /** `version`: the one that the member saw. Fails with TemplateOutdated when it has changed since. */
      const change = Effect.fn("MessageTemplates.change")(function* (
        member: Member,
        text: string,
        { version, ...typed }: TemplateText & { readonly version: number },
      ) {
        const before = yield* changeable(member, text)
        const template = yield* valid(typed)
        const changes = changesOf(textOf(before), template, ["kind", "name", "subject", "text"])
        if (changes === undefined) return
        // waits for concurrent creations, so that names stay unique
        yield* repository.lock(member.organizationId)
        const outcome = yield* repository.update(member.organizationId, { ...template, id: before.id, version })
        if (outcome === "taken") return yield* taken
        if (outcome === "stale") return yield* new TemplateOutdated({ saved: yield* read(member, text) })
        yield* auditLog.note(member, "message_template", "update", before.id, changes)
      }, transaction)

      /** Does nothing when the template was deleted before. */
      const remove = Effect.fn("MessageTemplates.remove")(function* (member: Member, text: string) {
        const { id, name } = yield* changeable(member, text)
        const isRemoved = yield* repository.remove(member.organizationId, id)
        if (isRemoved) yield* auditLog.note(member, "message_template", "delete", id, { name })
      }, transaction)

      return { list, read, changeable, create, change, remove }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
