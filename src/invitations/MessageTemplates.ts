/** Members create, change and delete the templates of messages. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { audit, changesOf } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import type { Member } from "../accounts/Member.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { MessageTemplateId } from "../values/Ids.ts"
import { Conflict, Invalid, invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import { mayChange, type TemplateText, templateErrors, templateLimits } from "./MessageTemplate.ts"
import { MessageTemplateRepository } from "./MessageTemplateRepository.ts"

const parseId = Schema.decodeUnknownOption(MessageTemplateId)

const list = Effect.fn("MessageTemplates.list")(function* ({ organizationId }: Member) {
  return yield* (yield* MessageTemplateRepository).list(organizationId)
})

const read = Effect.fn("MessageTemplates.read")(function* ({ organizationId }: Member, text: string) {
  const id = Option.getOrUndefined(parseId(text))
  const found = id === undefined ? undefined : yield* (yield* MessageTemplateRepository).find(organizationId, id)
  return found ?? (yield* new NotFound({ record: "template" }))
})

const valid = Effect.fnUntraced(function* ({ name, text }: TemplateText) {
  const template = { name: name.trim(), text: text.replaceAll("\r\n", "\n").trim() }
  const errors = templateErrors(template)
  return errors.length > 0 ? yield* new Invalid({ errors }) : template
})

const taken = invalid("#/name", "duplicate", "is the name of another template")

/** Does nothing when the id exists (a form sent twice). */
const create = Effect.fn("MessageTemplates.create")(function* (
  member: Member,
  id: MessageTemplateId,
  typed: TemplateText,
) {
  const repository = yield* MessageTemplateRepository
  const template = yield* valid(typed)
  const count = yield* repository.lock(member.organizationId)
  if (yield* repository.exists(id)) return
  if (count >= templateLimits.count) {
    return yield* new Conflict({ reason: `there are ${count} templates already; delete one first` })
  }
  const isCreated = yield* repository.create(member.organizationId, { ...template, id, created_by: member.id })
  if (!isCreated) return yield* taken
  yield* audit(member, "message_template", "create", id, { name: template.name })
}, inTransaction)

/** Fails with NotAllowed for another recruiter's template. */
const changeable = Effect.fn("MessageTemplates.changeable")(function* (member: Member, text: string) {
  const template = yield* read(member, text)
  return mayChange(member, template) ? template : yield* new NotAllowed({ record: "template" })
})

/** `version`: the one that the member saw. Fails with Conflict when it has changed since. */
const change = Effect.fn("MessageTemplates.change")(function* (
  member: Member,
  text: string,
  { version, ...typed }: TemplateText & { readonly version: number },
) {
  const repository = yield* MessageTemplateRepository
  const before = yield* changeable(member, text)
  const template = yield* valid(typed)
  const changes = changesOf({ name: before.name, text: before.text }, template, ["name", "text"])
  if (changes === undefined) return
  // waits for concurrent creations, so that names stay unique
  yield* repository.lock(member.organizationId)
  const outcome = yield* repository.update(member.organizationId, { ...template, id: before.id, version })
  if (outcome === "taken") return yield* taken
  if (outcome === "stale") {
    return yield* new Conflict({ reason: "the template was changed meanwhile: compare it, then save again" })
  }
  yield* audit(member, "message_template", "update", before.id, changes)
}, inTransaction)

/** Does nothing when the template was deleted before. */
const remove = Effect.fn("MessageTemplates.remove")(function* (member: Member, text: string) {
  const { id, name } = yield* changeable(member, text)
  const isRemoved = yield* (yield* MessageTemplateRepository).remove(member.organizationId, id)
  if (isRemoved) yield* audit(member, "message_template", "delete", id, { name })
}, inTransaction)

const useCases = { list, read, changeable, create, change, remove }

export class MessageTemplates extends Context.Service<MessageTemplates, Methods<typeof useCases>>()(
  "interview-invitations/invitations/MessageTemplates",
) {
  static readonly layer = Layer.effect(
    MessageTemplates,
    methods([AuditLogRepository, Database, MessageTemplateRepository], useCases),
  )
}
