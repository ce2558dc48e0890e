/** Pages about the templates of messages. */
import { Clock, Duration, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { type Difference, versionOf } from "../accounts/pages/OutdatedForm.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { sampleCandidate } from "../candidates/Candidate.ts"
import { Config } from "../config/Config.ts"
import type { Document } from "../platform/http/Document.ts"
import { fieldErrors, type Notice } from "../platform/http/FormControls.ts"
import { FormIdempotency } from "../platform/http/FormIdempotency.ts"
import { type Form, linesOf, named, numberOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { letterTexts } from "../texts/Letters.ts"
import { findLanguage } from "../texts/Texts.ts"
import { FormId, InterviewSetId, MessageTemplateId, parseId } from "../values/Ids.ts"
import type { Invalid } from "../values/Problem.ts"
import { subjectTokens } from "./InvitationEmailTemplate.ts"
import { draftForm } from "./InviteForms.ts"
import { readKind, type TemplateText, templateLimits } from "./MessageTemplate.ts"
import { MessageTemplates } from "./MessageTemplates.ts"
import { draftHref } from "./pages/InvitePage.ts"
import {
  deleteTemplatePage,
  kindNames,
  newTemplatePage,
  startingMessage,
  type TemplateForm,
  type TemplateOrigin,
  templateHref,
  templateListPage,
  templatePage,
  templatesHref,
} from "./pages/MessageTemplatePage.ts"

const notices: Readonly<Record<string, string>> = {
  created: "The template was created.",
  saved: "The template was saved.",
  deleted: "The template was deleted.",
}

const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
  const text = named(notices, query("done"))
  return text === undefined ? undefined : { text }
}

const errorsOf = ({ errors }: Invalid) =>
  fieldErrors(errors, { name: "The name", subject: "The subject", text: "The text" })

const textOf = (form: Form): TemplateText => ({
  kind: readKind(valueOf(form, "kind")),
  subject: (valueOf(form, "subject") ?? "").slice(0, 4 * templateLimits.subject).toWellFormed(),
  name: (valueOf(form, "name") ?? "").slice(0, 4 * templateLimits.name).toWellFormed(),
  text: linesOf(valueOf(form, "text") ?? "")
    .slice(0, 4 * templateLimits.text)
    .toWellFormed(),
})

const differenceNames = [
  ["kind", "For"],
  ["name", "Name"],
  ["subject", "Subject"],
  ["text", "Text"],
] as const

const valueOfField = (text: TemplateText, field: (typeof differenceNames)[number][0]): string =>
  field === "kind" ? kindNames[text.kind] : text[field]

const differencesOf = (saved: TemplateText, own: TemplateText): ReadonlyArray<Difference> =>
  differenceNames
    .map(([field, name]) => ({ name, saved: valueOfField(saved, field), own: valueOfField(own, field) }))
    .filter((one) => one.saved !== one.own)

/** Undefined unless both are ids: they become part of an address. */
const originOf = (set: string | undefined, draft: string | undefined): TemplateOrigin | undefined =>
  parseId(InterviewSetId, set) !== undefined && parseId(FormId, draft) !== undefined
    ? { set: set ?? "", draft: draft ?? "" }
    : undefined

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeWorkspace

    const auditLog = yield* AuditLog
    const formIdempotency = yield* FormIdempotency
    const ids = yield* Ids
    const messageTemplates = yield* MessageTemplates

    const { invitationExpires } = yield* Config

    /** As an invitation that is sent now. */
    const samplesFor = ({ organizationName, timeZone }: Member) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        subjectTokens({
          ...sampleCandidate,
          interview_name: "Senior Backend Engineer",
          organization_name: organizationName,
          languages: ["en"],
          time_zone: timeZone,
          expires_at: new Date(now + Duration.toMillis(invitationExpires)),
        }),
      )

    const render = (document: Document, status = 200) => Effect.succeed(page(document, { status }))

    const list = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const templates = yield* messageTemplates.list(request.member)
      const samples = yield* samplesFor(request.member)
      return yield* render(
        templateListPage(request.member, templates, numberOf(request.query("page")), samples, noticeOf(request)),
      )
    })

    /** With the message of a draft, if the member came from one. */
    const begin = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const origin = originOf(query("set"), query("draft"))
      const sent =
        origin === undefined
          ? undefined
          : yield* formIdempotency.find(member, origin.draft, draftForm(InterviewSetId.make(origin.set)))
      const message = sent?._tag === "Answered" ? sent.answer.message : ""
      const kind = readKind(query("kind"))
      const language = findLanguage(query("language") ?? "")
      // from the page that writes an email about a decision, and from the list without templates
      const suggestion = () => {
        if (language === undefined || message !== "") return { subject: "", text: message }
        return kind === "invitation" ? { subject: "", text: startingMessage } : letterTexts[language][kind]
      }
      const samples = yield* samplesFor(member)
      const form = { id: yield* ids.make(MessageTemplateId), kind, name: "", ...suggestion(), errors: {}, samples }
      return yield* render(newTemplatePage(member, form, sent === undefined ? undefined : origin))
    })

    const create = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const origin = originOf(valueOf(form, "set"), valueOf(form, "draft"))
      const id = parseId(MessageTemplateId, valueOf(form, "id")) ?? (yield* ids.make(MessageTemplateId))
      const typed = textOf(form)
      const samples = yield* samplesFor(member)
      const again = (status: number, shown: Pick<TemplateForm, "errors" | "notice">) =>
        render(newTemplatePage(member, { id, ...typed, ...shown, samples }, origin), status)
      const href = origin === undefined ? `${templatesHref}?done=created` : draftHref(origin.set, origin.draft, "edit")
      return yield* messageTemplates.create(member, id, typed).pipe(
        Effect.as(seeOther(href)),
        Effect.catchTags({
          Invalid: (error) => again(422, { errors: errorsOf(error) }),
          Conflict: ({ reason }) =>
            again(409, { errors: {}, notice: { text: `Not created: ${reason}.`, isError: true } }),
        }),
      )
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const template = yield* messageTemplates.read(member, param("id"))
      const samples = yield* samplesFor(member)
      return yield* render(
        templatePage(member, template, { ...template, errors: {}, notice: noticeOf(request), samples }),
      )
    })

    /** The template without its form, because the member may not change it. */
    const showRefused = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      const template = yield* messageTemplates.read(member, param("id"))
      const samples = yield* samplesFor(member)
      return yield* render(templatePage(member, template, { ...template, errors: {}, samples }), 403)
    })

    const change = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param, http } = request
      const form = yield* readForm(http)
      const typed = { ...textOf(form), version: numberOf(versionOf(form)), samples: yield* samplesFor(member) }
      const template = yield* messageTemplates.read(member, param("id"))
      return yield* messageTemplates.change(member, template.id, typed).pipe(
        Effect.as(seeOther(`${templateHref(template.id)}?done=saved`)),
        Effect.catchTags({
          NotAllowed: () => showRefused(request),
          Invalid: (error) =>
            render(templatePage(member, template, { id: template.id, ...typed, errors: errorsOf(error) }), 422),
          TemplateOutdated: Effect.fnUntraced(function* ({ saved }) {
            const last = yield* auditLog.last(member, "message_template", saved.id)
            const outdated = { version: String(saved.version), last, differences: differencesOf(saved, typed) }
            return yield* render(templatePage(member, saved, { id: saved.id, ...typed, errors: {}, outdated }), 409)
          }),
        }),
      )
    })

    const askRemove = (request: WorkspaceRequest) =>
      messageTemplates.changeable(request.member, request.param("id")).pipe(
        Effect.flatMap((template) => render(deleteTemplatePage(request.member, template))),
        Effect.catchTag("NotAllowed", () => showRefused(request)),
      )

    const remove = (request: WorkspaceRequest) =>
      messageTemplates.remove(request.member, request.param("id")).pipe(
        Effect.as(seeOther(`${templatesHref}?done=deleted`)),
        Effect.catchTag("NotAllowed", () => showRefused(request)),
      )

    yield* get(templatesHref, list)
    yield* post(templatesHref, create)
    yield* get(`${templatesHref}/new`, begin)
    yield* get(`${templatesHref}/:id`, show)
    yield* post(`${templatesHref}/:id`, change)
    yield* get(`${templatesHref}/:id/delete`, askRemove)
    yield* post(`${templatesHref}/:id/delete`, remove)
  }),
)
