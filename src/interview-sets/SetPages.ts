/** Pages about interview sets, under /interview-sets. */
import { Effect, Layer, Option, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import type { Member } from "../accounts/Member.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { Assets } from "../platform/http/Assets.ts"
import type { Document } from "../platform/http/Document.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { named, readForm, valueOf } from "../platform/http/Forms.ts"
import { pages, seeOther } from "../platform/http/Pages.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { methods } from "../platform/UseCases.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { pageLimit, positionOf } from "../values/Page.ts"
import { InterviewSets, type SetRecord } from "./InterviewSets.ts"
import { Projects } from "./Projects.ts"
import { type SetForm, setFormPage } from "./pages/SetFormPage.ts"
import { setHref, setsHref } from "./pages/SetLabels.ts"
import { setListPage, setPage } from "./pages/SetPage.ts"
import { draftOf, emptyDraft, type Part, parts, partsOf, press, readDraft, type SetDraft } from "./SetDraft.ts"
import { changeOf, formErrors } from "./SetFormRequest.ts"

const notices: Readonly<Record<string, string>> = {
  created: "The set was created. Preview it, then invite candidates.",
  saved: "Your changes were saved.",
  archived: "The set was archived.",
  used: "The set was unarchived.",
}

/** Characters; longer drafts are edited part by part, so that pages stay below 60 KB. */
const maxDraft = 44_000
/** Characters of a row's HTML without its texts. */
const rowSizes = { questions: 2400, requirements: 1500, people: 800 } as const

const sizeOf = (draft: SetDraft): number =>
  (["questions", "requirements", "people"] as const).reduce(
    (sum, part) =>
      sum +
      draft[part].reduce(
        (rows, row) => rows + rowSizes[part] + Object.values(row).reduce((size, text) => size + text.length, 0),
        0,
      ),
    draft.description.length,
  )

const isPart = Schema.is(Schema.Literals(parts))
const readId = Schema.decodeUnknownOption(InterviewSetId)

const render = (document: Document, status = 200) => Effect.map(Assets, ({ href }) => pages(href)(document, { status }))

type FormOfSet = Omit<SetForm, "projects" | "languages">

const newForm = { action: setsHref, id: undefined, parts, used: false, rated: false, errors: {} } as const

const editForm = ({ set, standing }: SetRecord, draft: SetDraft, shown: ReadonlyArray<Part>): FormOfSet => ({
  draft,
  errors: {},
  action: `${setHref(set.id)}/edit`,
  id: set.id,
  hidden: [],
  parts: standing.rated ? ["about", "people"] : shown,
  used: standing.used,
  rated: standing.rated,
})

const renderForm = Effect.fnUntraced(function* (member: Member, form: FormOfSet, status = 200) {
  const { results } = yield* (yield* Projects).list(member, { limit: pageLimit.max, after: undefined })
  const projects = results.map(({ id, name }) => [id, name.slice(0, 100)] as const)
  return yield* render(
    setFormPage(member, { ...form, projects, languages: yield* (yield* InterviewSets).languages }),
    status,
  )
})

const renderInvalid = (member: Member, form: FormOfSet, errors: FieldErrors) =>
  renderForm(member, { ...form, errors }, 422)

const renderConflict = (member: Member, form: FormOfSet, reason: string) =>
  renderForm(member, { ...form, notice: { text: `The set was not saved: ${reason}.`, isError: true } }, 409)

const showList = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
  const cursor = query("cursor")
  const after = cursor === undefined ? undefined : positionOf("interview-sets", cursor)
  if (cursor !== undefined && after === undefined) return seeOther(setsHref)
  const search = { text: (query("q") ?? "").slice(0, 200).trim(), archived: query("state") === "archived" }
  const found = yield* (yield* InterviewSets).search(member, search, { limit: pageLimit.default, after })
  return yield* render(setListPage(member, search, found, after === undefined))
})

const showSet = Effect.fnUntraced(function* ({ member, param, query }: WorkspaceRequest) {
  const sets = yield* InterviewSets
  const record = yield* sets.read(member, param("id"))
  const text = named(notices, query("done"))
  return yield* render(setPage(member, record, yield* sets.languages, text === undefined ? undefined : { text }))
})

const showNew = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
  const from = query("from")
  const source = from === undefined ? undefined : yield* (yield* InterviewSets).read(member, from)
  const id = yield* newId(InterviewSetId)
  if (source === undefined) {
    const project_id = query("project") ?? ""
    return yield* renderForm(member, { ...newForm, draft: { ...emptyDraft, project_id }, hidden: [["id", id]] })
  }
  const copy = draftOf(source.set)
  return yield* renderForm(member, {
    ...newForm,
    draft: { ...copy, title: `${copy.title.slice(0, 1000)} (copy)` },
    parts: sizeOf(copy) > maxDraft ? ["about", "people"] : parts,
    hidden: [
      ["id", id],
      ["from", source.set.id],
    ],
    notice: { text: "This is a copy: nothing is saved until you create it." },
  })
})

const create = Effect.fnUntraced(function* ({ member, request }: WorkspaceRequest) {
  const sets = yield* InterviewSets
  const form = yield* readForm(request)
  const from = valueOf(form, "from")
  const source = from === undefined ? undefined : yield* sets.read(member, from)
  const draft = readDraft(form, source === undefined ? emptyDraft : draftOf(source.set))
  const id = Option.getOrUndefined(readId(valueOf(form, "id")))
  if (id === undefined) return seeOther(`${setsHref}/new`)
  const sent = [...partsOf(form)]
  const again: FormOfSet = {
    ...newForm,
    draft,
    parts: sent.length === 0 ? parts : sent,
    hidden: [["id", id] as const, ...(source === undefined ? [] : [["from", source.set.id] as const])],
  }
  const next = press(draft, valueOf(form, "do") ?? "")
  if (next !== undefined) return yield* renderForm(member, { ...again, draft: next })
  const change = changeOf(draft, source?.set, false)
  if (Result.isFailure(change)) return yield* renderInvalid(member, again, change.failure)
  const { request: setRequest, rows } = change.success
  return yield* sets.createOnce(member, id, setRequest).pipe(
    Effect.map((created) => seeOther(`${setHref(created)}?done=created`)),
    Effect.catchTags({
      Invalid: ({ errors }) => renderInvalid(member, again, formErrors(errors, rows)),
      Conflict: ({ reason }) => renderConflict(member, again, reason),
    }),
  )
})

const showEdit = Effect.fnUntraced(function* ({ member, param, query }: WorkspaceRequest) {
  const record = yield* (yield* InterviewSets).read(member, param("id"))
  const draft = draftOf(record.set)
  const part = query("part")
  const shown = sizeOf(draft) > maxDraft ? [isPart(part) ? part : ("about" as const)] : parts
  return yield* renderForm(member, editForm(record, draft, shown))
})

const edit = Effect.fnUntraced(function* ({ member, param, request }: WorkspaceRequest) {
  const sets = yield* InterviewSets
  const form = yield* readForm(request)
  const record = yield* sets.read(member, param("id"))
  const { set, standing } = record
  const sent = partsOf(form)
  const draft = readDraft(form, draftOf(set))
  const again = editForm(record, draft, [...sent])
  const next = press(draft, valueOf(form, "do") ?? "")
  if (next !== undefined) return yield* renderForm(member, { ...again, draft: next })
  // opened before the set was rated
  if (standing.rated && (sent.has("questions") || sent.has("requirements"))) {
    const reason =
      "a candidate has started this interview, or sent a CV, in the meantime. The fields that can still change are below"
    return yield* renderConflict(member, again, reason)
  }
  const change = changeOf(draft, set, standing.rated)
  if (Result.isFailure(change)) return yield* renderInvalid(member, again, change.failure)
  return yield* sets.change(member, set.id, change.success).pipe(
    Effect.as(seeOther(`${setHref(set.id)}?done=saved`)),
    Effect.catchTags({
      Invalid: ({ errors }) => renderInvalid(member, again, formErrors(errors, change.success.rows)),
      Conflict: ({ reason }) => renderConflict(member, again, reason),
    }),
  )
})

const setArchived = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest, archived: boolean) {
  yield* (yield* InterviewSets).archive(member, param("id"), archived)
  return seeOther(`${setHref(param("id"))}?done=${archived ? "archived" : "used"}`)
})

const archive = (visit: WorkspaceRequest) => setArchived(visit, true)
const unarchive = (visit: WorkspaceRequest) => setArchived(visit, false)

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post } = yield* makeWorkspace
    const useCases = { showList, showSet, showNew, create, showEdit, edit, archive, unarchive }
    const handlers = yield* methods([Assets, Ids, InterviewSets, Projects], useCases)
    yield* router.add("GET", setsHref, get(handlers.showList))
    yield* router.add("GET", `${setsHref}/new`, get(handlers.showNew))
    yield* router.add("POST", setsHref, post(handlers.create))
    yield* router.add("GET", `${setsHref}/:id`, get(handlers.showSet))
    yield* router.add("GET", `${setsHref}/:id/edit`, get(handlers.showEdit))
    yield* router.add("POST", `${setsHref}/:id/edit`, post(handlers.edit))
    yield* router.add("POST", `${setsHref}/:id/archive`, post(handlers.archive))
    yield* router.add("POST", `${setsHref}/:id/unarchive`, post(handlers.unarchive))
    // redirects GET requests for form addresses
    for (const step of ["archive", "unarchive"] as const) {
      const redirect = ({ param }: WorkspaceRequest) => Effect.succeed(seeOther(setHref(param("id"))))
      yield* router.add("GET", `${setsHref}/:id/${step}`, get(redirect))
    }
  }),
).pipe(Layer.provide(Ids.layer))
