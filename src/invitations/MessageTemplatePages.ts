/** Pages about the templates of messages. */
import { Effect, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { Assets } from "../platform/http/Assets.ts"
import type { Document } from "../platform/http/Document.ts"
import { fieldErrors, type Notice } from "../platform/http/FormControls.ts"
import { FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { type Form, linesOf, named, numberOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { pages, seeOther } from "../platform/http/Pages.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { methods } from "../platform/UseCases.ts"
import { FormId, InterviewSetId, MessageTemplateId } from "../values/Ids.ts"
import type { Invalid } from "../values/Problem.ts"
import { draftForm } from "./InviteForms.ts"
import { templateLimits } from "./MessageTemplate.ts"
import { MessageTemplates } from "./MessageTemplates.ts"
import { draftHref } from "./pages/InvitePage.ts"
import {
  deleteTemplatePage,
  newTemplatePage,
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

const parseSetId = Schema.decodeUnknownOption(InterviewSetId)
const parseFormId = Schema.decodeUnknownOption(FormId)
const parseId = Schema.decodeUnknownOption(MessageTemplateId)

const render = (document: Document, status = 200) => Effect.map(Assets, ({ href }) => pages(href)(document, { status }))

const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
  const text = named(notices, query("done"))
  return text === undefined ? undefined : { text }
}

const errorsOf = ({ errors }: Invalid) => fieldErrors(errors, { name: "The name", text: "The text" })

const textOf = (form: Form) => ({
  name: (valueOf(form, "name") ?? "").slice(0, 4 * templateLimits.name).toWellFormed(),
  text: linesOf(valueOf(form, "text") ?? "")
    .slice(0, 4 * templateLimits.text)
    .toWellFormed(),
})

/** Undefined unless both are ids: they become part of an address. */
const originOf = (set: string | undefined, draft: string | undefined): TemplateOrigin | undefined =>
  Option.isSome(parseSetId(set)) && Option.isSome(parseFormId(draft))
    ? { set: set ?? "", draft: draft ?? "" }
    : undefined

const list = Effect.fnUntraced(function* (visit: WorkspaceRequest) {
  const templates = yield* (yield* MessageTemplates).list(visit.member)
  return yield* render(templateListPage(visit.member, templates, numberOf(visit.query("page")), noticeOf(visit)))
})

/** With the message of a draft, if the member came from one. */
const begin = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
  const origin = originOf(query("set"), query("draft"))
  const sent =
    origin === undefined
      ? undefined
      : yield* (yield* FormSubmissions).find(member, origin.draft, draftForm(InterviewSetId.make(origin.set)))
  const text = sent?._tag === "Answered" ? sent.answer.message : ""
  const form = { id: yield* newId(MessageTemplateId), name: "", text, errors: {} }
  return yield* render(newTemplatePage(member, form, sent === undefined ? undefined : origin))
})

const create = Effect.fnUntraced(function* ({ member, request }: WorkspaceRequest) {
  const form = yield* readForm(request)
  const origin = originOf(valueOf(form, "set"), valueOf(form, "draft"))
  const id = Option.getOrUndefined(parseId(valueOf(form, "id"))) ?? (yield* newId(MessageTemplateId))
  const typed = textOf(form)
  const again = (status: number, shown: Pick<TemplateForm, "errors" | "notice">) =>
    render(newTemplatePage(member, { id, ...typed, ...shown }, origin), status)
  const href = origin === undefined ? `${templatesHref}?done=created` : draftHref(origin.set, origin.draft, "edit")
  return yield* (yield* MessageTemplates).create(member, id, typed).pipe(
    Effect.as(seeOther(href)),
    Effect.catchTags({
      Invalid: (error) => again(422, { errors: errorsOf(error) }),
      Conflict: ({ reason }) => again(409, { errors: {}, notice: { text: `Not created: ${reason}.`, isError: true } }),
    }),
  )
})

const show = Effect.fnUntraced(function* (visit: WorkspaceRequest) {
  const { member, param } = visit
  const template = yield* (yield* MessageTemplates).read(member, param("id"))
  return yield* render(templatePage(member, template, { ...template, errors: {}, notice: noticeOf(visit) }))
})

/** The template without its form, because the member may not change it. */
const showRefused = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
  const template = yield* (yield* MessageTemplates).read(member, param("id"))
  return yield* render(templatePage(member, template, { ...template, errors: {} }), 403)
})

const change = Effect.fnUntraced(function* (visit: WorkspaceRequest) {
  const { member, param, request } = visit
  const templates = yield* MessageTemplates
  const form = yield* readForm(request)
  const typed = { ...textOf(form), version: numberOf(valueOf(form, "version")) }
  const template = yield* templates.read(member, param("id"))
  return yield* templates.change(member, template.id, typed).pipe(
    Effect.as(seeOther(`${templateHref(template.id)}?done=saved`)),
    Effect.catchTags({
      NotAllowed: () => showRefused(visit),
      Invalid: (error) =>
        render(templatePage(member, template, { id: template.id, ...typed, errors: errorsOf(error) }), 422),
      // with the stored version: saving again replaces it
      Conflict: ({ reason }) => {
        const notice = { text: `Not saved: ${reason}.`, isError: true }
        const shown = { id: template.id, ...typed, version: template.version, errors: {}, notice }
        return render(templatePage(member, template, shown), 409)
      },
    }),
  )
})

const askRemove = (visit: WorkspaceRequest) =>
  Effect.flatMap(MessageTemplates, (templates) => templates.changeable(visit.member, visit.param("id"))).pipe(
    Effect.flatMap((template) => render(deleteTemplatePage(visit.member, template))),
    Effect.catchTag("NotAllowed", () => showRefused(visit)),
  )

const remove = (visit: WorkspaceRequest) =>
  Effect.flatMap(MessageTemplates, (templates) => templates.remove(visit.member, visit.param("id"))).pipe(
    Effect.as(seeOther(`${templatesHref}?done=deleted`)),
    Effect.catchTag("NotAllowed", () => showRefused(visit)),
  )

const handlers = { list, begin, create, show, change, askRemove, remove }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post } = yield* makeWorkspace
    const services = [Assets, FormSubmissions, Ids, MessageTemplates] as const
    const handle = yield* Effect.provide(methods(services, handlers), Ids.layer)
    yield* router.add("GET", templatesHref, get(handle.list))
    yield* router.add("POST", templatesHref, post(handle.create))
    yield* router.add("GET", `${templatesHref}/new`, get(handle.begin))
    yield* router.add("GET", `${templatesHref}/:id`, get(handle.show))
    yield* router.add("POST", `${templatesHref}/:id`, post(handle.change))
    yield* router.add("GET", `${templatesHref}/:id/delete`, get(handle.askRemove))
    yield* router.add("POST", `${templatesHref}/:id/delete`, post(handle.remove))
  }),
)
