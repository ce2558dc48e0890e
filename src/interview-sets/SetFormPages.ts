/** The form that creates or edits a set. */
import { Effect, Layer, Result, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { Members } from "../accounts/members/Members.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { versionOf } from "../accounts/pages/OutdatedForm.ts"
import { countText } from "../accounts/pages/WorkspacePage.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import type { Document } from "../platform/http/Document.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { type Form, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { pageLimit } from "../values/Cursor.ts"
import { InterviewSetId, parseId, QuestionId, RequirementId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import type { InterviewSet } from "./InterviewSet.ts"
import { buildSet } from "./InterviewSetRequest.ts"
import { InterviewSets, type SetOutdated, type SetRecord } from "./InterviewSets.ts"
import { Projects } from "./Projects.ts"
import { differencesOf } from "./pages/SetDifferences.ts"
import { type SetForm, setFormPage } from "./pages/SetFormPage.ts"
import { draftHref, draftsHref, setHref, setsHref } from "./pages/SetLabels.ts"
import { setLibraryPage } from "./pages/SetLibraryPage.ts"
import { setTemplatesPage, templatesHref } from "./pages/SetTemplatesPage.ts"
import {
  draftOf,
  emptyDraft,
  fieldsOfDraft,
  isSpoken,
  maxRows,
  type Part,
  parts,
  partsOf,
  type QuestionDraft,
  questionDraft,
  type RequirementDraft,
  readDraft,
  requirementDraft,
  type SetDraft,
} from "./SetDraft.ts"
import type { StoredDraft } from "./SetDraftRepository.ts"
import { SetDrafts } from "./SetDrafts.ts"
import { changeOf, formErrors, isBlank } from "./SetFormRequest.ts"
import { SetLibrary } from "./SetLibrary.ts"
import { press } from "./SetSteps.ts"
import { findTemplate, type SetTemplate, setTemplates } from "./SetTemplates.ts"

const copied =
  "This is a saved copy of the set with its questions and requirements. Only you, owners and admins can see it: add other recruiters under “Who sees it”."

/** Characters of a form's rows: longer forms fold closed cards, and still longer ones are edited part by part. */
const maxRowsSize = 44_000
/** Characters of a row's HTML without its texts. */
const rowSizes = { questions: 3230, requirements: 1600, people: 800 } as const
const foldedSizes = { questions: 500, requirements: 480, people: 800 } as const
const fileTypesSize = 950
const knockOutSize = 130
const spokenSize = 1300

const optionsSize = ({ options, type, ...answer }: QuestionDraft): number =>
  (type === "file" ? fileTypesSize : 0) +
  (isSpoken({ ...answer, options, type }) ? spokenSize : 0) +
  (options === "" ? 0 : options.length + knockOutSize * options.split("\n").length)

const sizeOf = (draft: SetDraft, shown: ReadonlyArray<Part>, sizes: Readonly<Record<keyof typeof rowSizes, number>>) =>
  (["questions", "requirements", "people"] as const)
    .filter((part) => shown.includes(part))
    .reduce(
      (sum, part) =>
        sum +
        draft[part].reduce(
          (rows, row) =>
            rows +
            sizes[part] +
            (sizes === rowSizes && "type" in row ? optionsSize(row) : 0) +
            Object.values(row).reduce((size, text) => size + text.length, 0),
          0,
        ),
      draft.description.length,
    )

const isTooLong = (draft: SetDraft): boolean =>
  sizeOf(draft, parts, foldedSizes) + (draft.questions.some(isSpoken) ? 2 * spokenSize : 0) > maxRowsSize

const isPart = Schema.is(Schema.Literals(parts))

/** Suggested addresses, which limits the size of the page. */
const maxSuggested = 50

type FormOfSet = Omit<SetForm, "projects" | "languages" | "recruiters" | "copyId" | "isFolded">

const newForm = {
  action: setsHref,
  id: undefined,
  parts,
  used: false,
  isFixed: false,
  fixed: undefined,
  errors: {},
  step: undefined,
  isStart: false,
  isDraft: false,
  version: "",
  outdated: undefined,
  stored: { changes: 0 },
  unsaved: [],
} as const

const editForm = ({ set, standing }: SetRecord, draft: SetDraft, shown: ReadonlyArray<Part>): FormOfSet => ({
  ...newForm,
  draft,
  action: `${setHref(set.id)}/edit`,
  id: set.id,
  hidden: [],
  parts: standing.is_fixed ? ["about", "people"] : shown,
  used: standing.used,
  isFixed: standing.is_fixed,
  fixed: standing.is_fixed ? draftOf(set) : undefined,
  version: standing.version,
})

/** Rows copied from other sets, without the first one if it is empty. */
const withCopies = <A extends QuestionDraft | RequirementDraft>(
  rows: ReadonlyArray<A>,
  copies: ReadonlyArray<A>,
  max: number,
): readonly [rows: ReadonlyArray<A>, at: number] => {
  const kept = rows.length === 1 && rows.every(isBlank) && copies.length > 0 ? [] : rows
  return [[...kept, ...copies.slice(0, Math.max(0, max - kept.length))], kept.length]
}

const questionId = Schema.is(QuestionId)
const requirementId = Schema.is(RequirementId)

/** Its questions and requirements are new when it is saved. */
const withoutIds = (draft: SetDraft): SetDraft => ({
  ...draft,
  questions: draft.questions.map((question) => ({ ...question, id: "" })),
  requirements: draft.requirements.map((requirement) => ({ ...requirement, id: "" })),
})

/** The saved set with what is fixed as it was typed. */
const unsavable = (typed: SetDraft, saved: SetDraft): SetDraft => ({
  ...saved,
  interview_duration: typed.interview_duration,
  number_of_retakes: typed.number_of_retakes,
  language: typed.language,
  languages: typed.languages,
  questions: typed.questions.filter((row) => !isBlank(row)),
  requirements: typed.requirements.filter((row) => !isBlank(row)),
})

/** Of the stored draft when the form was rendered, or that its member chose to replace. */
const changesOf = (form: Form): number => {
  const text = valueOf(form, "kept") ?? valueOf(form, "changes") ?? ""
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

const json = (status: number, body: object) => HttpServerResponse.jsonUnsafe(body, { status })

/** Differences that a script shows. */
const maxDifferences = 10

/** Of copied questions, for the translations of their options. */
const sourcesOf = ({ questions }: SetDraft) => [...new Set(questions.map(({ source }) => source))].filter(questionId)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeWorkspace

    const auditLog = yield* AuditLog
    const ids = yield* Ids
    const interviewSets = yield* InterviewSets
    const members = yield* Members
    const organizations = yield* Organizations
    const projects = yield* Projects
    const setDrafts = yield* SetDrafts
    const setLibrary = yield* SetLibrary

    const render = (document: Document, status = 200) => Effect.succeed(page(document, { status }))

    const choicesOf = Effect.fnUntraced(function* (member: Member) {
      const { results } = yield* projects.list(member, { limit: pageLimit.max, after: undefined })
      return {
        projects: results.map(({ id, name }) => [id, name.slice(0, 100)] as const),
        languages: yield* interviewSets.languages,
      }
    })

    const renderForm = Effect.fnUntraced(function* (member: Member, form: FormOfSet, status = 200) {
      const listed = new Set(form.draft.people.map(({ email }) => email.trim().toLowerCase()))
      const recruiters = (yield* members.list(member))
        .filter(({ email, role }) => role === "recruiter" && !listed.has(email.toLowerCase()))
        .slice(0, maxSuggested)
      return yield* render(
        setFormPage(member, {
          ...form,
          ...(yield* choicesOf(member)),
          recruiters,
          isFolded: sizeOf(form.draft, form.parts, rowSizes) > maxRowsSize,
          copyId: yield* ids.make(InterviewSetId),
        }),
        status,
      )
    })

    const renderInvalid = (member: Member, form: FormOfSet, errors: FieldErrors) =>
      renderForm(member, { ...form, errors }, 422)

    const renderConflict = (member: Member, form: FormOfSet, reason: string) =>
      renderForm(member, { ...form, notice: { text: `The set was not saved: ${reason}.`, isError: true } }, 409)

    /** The steps "Add from another set", search, add and back; undefined: another button. */
    const libraryStep = Effect.fnUntraced(function* (member: Member, form: Form, again: FormOfSet) {
      const pressed = valueOf(form, "do") ?? ""
      const isOpening = pressed === "q.library" || pressed === "r.library"
      if (!isOpening && !pressed.startsWith("library.")) return undefined
      const rowKind = (isOpening ? pressed : valueOf(form, "library"))?.startsWith("r") ? "r" : "q"
      const picked = [...new Set(form.flatMap(([name, value]) => (name === "pick" ? [value] : [])))].slice(
        0,
        maxRows.questions,
      )
      const back = (changed: SetDraft, to: number, count: number) =>
        renderForm(member, {
          ...again,
          draft: changed,
          step: { rowKind, name: "add", from: to, to },
          ...(count === 0
            ? {}
            : {
                notice: {
                  text: `${countText(count, "copy was", "copies were")} added. Save the set to keep ${count === 1 ? "it" : "them"}.`,
                },
              }),
        })
      const { draft } = again
      if (pressed === "library.back") return yield* back(draft, 0, 0)
      if (pressed === "library.insert" && picked.length > 0) {
        if (rowKind === "q") {
          const found = yield* setLibrary.questions(member, picked.filter(questionId))
          const copies = found.map((one) => ({ ...questionDraft(one), id: "", source: one.id }))
          const [questions, at] = withCopies(draft.questions, copies, maxRows.questions)
          return yield* back({ ...draft, questions }, at, questions.length - at)
        }
        const found = yield* setLibrary.requirements(member, picked.filter(requirementId))
        const copies = found.map((one) => ({ ...requirementDraft(one), id: "" }))
        const [requirements, at] = withCopies(draft.requirements, copies, maxRows.requirements)
        return yield* back({ ...draft, requirements }, at, requirements.length - at)
      }
      const text = (valueOf(form, "library.text") ?? "").slice(0, 200).trim()
      const set = parseId(InterviewSetId, valueOf(form, "library.set"))
      const kind = rowKind === "q" ? ("question" as const) : ("requirement" as const)
      const except = parseId(InterviewSetId, again.id)
      const choices = yield* interviewSets.choices(member)
      const found = yield* setLibrary.search(member, { kind, text, set, except })
      const chosen = kind === "question" ? found.items.map(({ id }) => id).filter(questionId) : []
      return yield* render(
        setLibraryPage(member, {
          ...found,
          questions: yield* setLibrary.questions(member, chosen),
          action: again.action,
          rowKind,
          text,
          set: set ?? "",
          sets: choices.flatMap(({ id, title }) => (id === again.id ? [] : [[id, title] as const])),
          picked,
          fields: [
            ...again.hidden,
            ["changes", String(again.stored.changes)] as const,
            ...(again.id === undefined ? [] : [["version", again.version] as const]),
            ...fieldsOfDraft(draft, again.parts),
          ],
          notice: pressed === "library.insert" ? { text: "Select at least one to add.", isError: true } : undefined,
        }),
      )
    })

    const storeDraft = (member: Member, id: InterviewSetId, draft: SetDraft, form: Form) =>
      setDrafts.save(
        member,
        id,
        { title: draft.title, version: versionOf(form), fields: fieldsOfDraft(draft, parts) },
        changesOf(form),
      )

    /** The stored draft and what was typed; undefined: it was deleted. */
    const differencesOfDraft = Effect.fnUntraced(function* (
      member: Member,
      draft: SetDraft,
      stored: StoredDraft | undefined,
    ) {
      return stored === undefined
        ? []
        : differencesOf(readDraft(stored.fields, emptyDraft), draft, yield* choicesOf(member))
    })

    /** The steps "Save draft" and, of a long set, to another part; undefined: another button. */
    const draftStep = Effect.fnUntraced(function* (member: Member, id: InterviewSetId, form: Form, again: FormOfSet) {
      const pressed = valueOf(form, "do") ?? ""
      const part = pressed.startsWith("part.") ? pressed.slice("part.".length) : undefined
      if (pressed !== "draft" && part === undefined && valueOf(form, "kept") === undefined) return undefined
      return yield* storeDraft(member, id, again.draft, form).pipe(
        Effect.map(() => seeOther(part === undefined ? draftHref(id) : `${setHref(id)}/edit?part=${part}`)),
        Effect.catchTags({
          Conflict: ({ reason }) =>
            renderForm(
              member,
              { ...again, notice: { text: `The draft was not saved: ${reason}.`, isError: true } },
              409,
            ),
          DraftOutdated: ({ stored }) =>
            Effect.flatMap(differencesOfDraft(member, again.draft, stored), (differences) =>
              renderForm(
                member,
                {
                  ...again,
                  stored: { changes: changesOf(form), conflict: { changes: stored?.changes ?? 0, differences } },
                },
                409,
              ),
            ),
        }),
      )
    })

    /** Undefined: there is no such set. */
    const findRecord = (member: Member, id: InterviewSetId) =>
      interviewSets.read(member, id).pipe(Effect.catchTag("NotFound", () => Effect.succeed(undefined)))

    /** What a form of some parts leaves as it is: the draft of a long set, else the saved set. */
    const baseOf = (form: Form, set: InterviewSet | undefined, stored: StoredDraft | undefined): SetDraft => {
      const saved = set === undefined ? emptyDraft : draftOf(set)
      return stored === undefined || partsOf(form).size === parts.length ? saved : readDraft(stored.fields, saved)
    }

    /** Saves the draft while the member types (editor.js). 409: with the number of the stored draft, and what differs. */
    const saveDraft = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const edited = valueOf(form, "set")
      const id = parseId(InterviewSetId, edited ?? valueOf(form, "id"))
      if (id === undefined) return yield* new NotFound({ record: "draft" })
      const record = edited === undefined ? yield* findRecord(member, id) : yield* interviewSets.read(member, edited)
      if (record !== undefined && edited === undefined) {
        return json(409, { reason: "this set was created in another window" })
      }
      const earlier = yield* setDrafts.find(member, id)
      const draft = readDraft(form, baseOf(form, record?.set, earlier))
      return yield* storeDraft(member, id, draft, form).pipe(
        Effect.map((changes) => json(200, { changes })),
        Effect.catchTags({
          Conflict: ({ reason }) => Effect.succeed(json(409, { reason })),
          DraftOutdated: ({ stored }) =>
            Effect.map(differencesOfDraft(member, draft, stored), (differences) =>
              json(409, { changes: stored?.changes ?? 0, differences: differences.slice(0, maxDifferences) }),
            ),
        }),
      )
    })

    const draftOfTemplate = ({ set }: SetTemplate) =>
      Effect.map(buildSet(ids, set), (built) => withoutIds(draftOf(built)))

    /** In the organization's language. */
    const ownDraft = Effect.fnUntraced(function* ({ organizationId }: Member) {
      const { language } = yield* organizations.find(organizationId)
      const found = (yield* interviewSets.languages).find(({ tag }) => tag === language)
      return found === undefined ? emptyDraft : { ...emptyDraft, language: String(found.id) }
    })

    const showNew = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const id = yield* ids.make(InterviewSetId)
      const template = findTemplate(query("template"))
      const draft = template === undefined ? yield* ownDraft(member) : yield* draftOfTemplate(template)
      const project_id = query("project") ?? ""
      return yield* renderForm(member, {
        ...newForm,
        draft: { ...draft, project_id },
        hidden: [["id", id]],
        isStart: template === undefined,
        notice:
          template === undefined
            ? undefined
            : { text: `Filled from the template “${template.set.title}”. Nothing is saved yet.` },
      })
    })

    const showTemplates = ({ member, query }: WorkspaceRequest) =>
      render(setTemplatesPage(member, setTemplates, query("project")))

    const savedPage = (id: InterviewSetId, done: string) => seeOther(`${setHref(id)}?done=${done}`)

    /** Shows what differs from the saved set. Without a difference, the form was sent twice. */
    const refuseOutdated = Effect.fnUntraced(function* (
      member: Member,
      again: FormOfSet,
      { own, saved }: SetOutdated,
      done: string,
    ) {
      const differences = differencesOf(draftOf(saved.set), draftOf(own), yield* choicesOf(member))
      if (differences.length === 0) return savedPage(own.id, done)
      const last = yield* auditLog.last(member, "interview_set", own.id)
      const outdated = { version: saved.standing.version, last, differences }
      return yield* renderForm(member, { ...again, outdated }, 409)
    })

    const create = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const draft = readDraft(form, emptyDraft)
      const id = parseId(InterviewSetId, valueOf(form, "id"))
      if (id === undefined) return seeOther(`${setsHref}/new`)
      const stored = { changes: changesOf(form) }
      const again: FormOfSet = { ...newForm, draft, isDraft: true, hidden: [["id", id]], stored }
      const library = (yield* draftStep(member, id, form, again)) ?? (yield* libraryStep(member, form, again))
      if (library !== undefined) return library
      const next = press(form, draft, valueOf(form, "do") ?? "")
      if (next !== undefined) return yield* renderForm(member, { ...again, ...next })
      const sources = yield* setLibrary.questions(member, sourcesOf(draft))
      const change = changeOf(draft, { set: undefined, sources, isFixed: false })
      if (Result.isFailure(change)) return yield* renderInvalid(member, again, change.failure)
      const { request: setRequest, rows } = change.success
      return yield* interviewSets.createOnce(member, id, setRequest).pipe(
        Effect.tap((created) => setDrafts.settle(member, created, stored.changes)),
        Effect.map((created) => seeOther(`${setHref(created)}?done=created`)),
        Effect.catchTags({
          Invalid: ({ errors }) => renderInvalid(member, again, formErrors(errors, rows)),
          Conflict: ({ reason }) => renderConflict(member, again, reason),
          // created in another window, or by the same form
          SetOutdated: (outdated) => {
            const editing = { ...editForm(outdated.saved, draft, parts), isDraft: true, stored, version: "" }
            return refuseOutdated(member, editing, outdated, "created")
          },
        }),
      )
    })

    /** The saved set, or the member's draft of it. */
    const showEdit = Effect.fnUntraced(function* ({ member, param, query }: WorkspaceRequest) {
      const record = yield* interviewSets.read(member, param("id"))
      const saved = draftOf(record.set)
      // "Open the saved version" of a refused save
      const stored = query("saved") === undefined ? yield* setDrafts.find(member, record.set.id) : undefined
      const draft = stored === undefined ? saved : readDraft(stored.fields, saved)
      const part = query("part")
      const shown = isTooLong(draft) ? [isPart(part) ? part : ("about" as const)] : parts
      const form: FormOfSet = {
        ...editForm(record, draft, shown),
        notice: query("done") === "copied" ? { text: copied } : undefined,
      }
      if (stored === undefined) return yield* renderForm(member, form)
      return yield* renderForm(member, {
        ...form,
        isDraft: true,
        version: stored.version,
        stored: { changes: stored.changes, savedAt: stored.saved_at },
        unsaved: record.standing.is_fixed
          ? differencesOf(saved, unsavable(draft, saved), yield* choicesOf(member))
          : [],
      })
    })

    const showDraft = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      const id = parseId(InterviewSetId, param("id"))
      if (id === undefined) return yield* new NotFound({ record: "draft" })
      if ((yield* findRecord(member, id)) !== undefined) return seeOther(`${setHref(id)}/edit`)
      const stored = (yield* setDrafts.find(member, id)) ?? (yield* new NotFound({ record: "draft" }))
      return yield* renderForm(member, {
        ...newForm,
        draft: readDraft(stored.fields, emptyDraft),
        hidden: [["id", id]],
        isDraft: true,
        stored: { changes: stored.changes, savedAt: stored.saved_at },
      })
    })

    const deleteDraft = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const id = parseId(InterviewSetId, valueOf(yield* readForm(http), "id"))
      if (id !== undefined) yield* setDrafts.remove(member, id)
      return seeOther(`${setsHref}?done=draft`)
    })

    const edit = Effect.fnUntraced(function* ({ member, param, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const record = yield* interviewSets.read(member, param("id"))
      const { set, standing } = record
      const sent = partsOf(form)
      const draft = readDraft(
        form,
        baseOf(form, set, standing.is_fixed ? undefined : yield* setDrafts.find(member, set.id)),
      )
      const version = versionOf(form)
      const stored = { changes: changesOf(form) }
      const again: FormOfSet = { ...editForm(record, draft, [...sent]), isDraft: true, version, stored }
      if (standing.is_fixed) {
        const unsaved = differencesOf(draftOf(set), unsavable(draft, draftOf(set)), yield* choicesOf(member))
        // opened before they were fixed
        if (unsaved.length > 0 || sent.has("questions") || sent.has("requirements")) {
          const reason =
            "a candidate has started this interview, or sent a CV, in the meantime. The fields that can still change are below"
          return yield* renderConflict(member, { ...again, unsaved }, reason)
        }
      }
      const library = (yield* draftStep(member, set.id, form, again)) ?? (yield* libraryStep(member, form, again))
      if (library !== undefined) return library
      const next = press(form, draft, valueOf(form, "do") ?? "")
      if (next !== undefined) return yield* renderForm(member, { ...again, ...next })
      const sources = yield* setLibrary.questions(member, sourcesOf(draft))
      const change = changeOf(draft, { set, sources, isFixed: standing.is_fixed })
      if (Result.isFailure(change)) return yield* renderInvalid(member, again, change.failure)
      return yield* interviewSets.change(member, set.id, version, change.success).pipe(
        Effect.andThen(setDrafts.settle(member, set.id, stored.changes)),
        Effect.as(savedPage(set.id, "saved")),
        Effect.catchTags({
          Invalid: ({ errors }) => renderInvalid(member, again, formErrors(errors, change.success.rows)),
          Conflict: ({ reason }) => renderConflict(member, again, reason),
          SetOutdated: (outdated) => refuseOutdated(member, again, outdated, "saved"),
        }),
      )
    })

    yield* get(`${setsHref}/new`, showNew)
    yield* get(templatesHref, showTemplates)
    yield* post(setsHref, create)
    yield* get(`${setsHref}/:id/edit`, showEdit)
    yield* post(`${setsHref}/:id/edit`, edit)
    yield* get(`${setsHref}/:id/draft`, showDraft)
    yield* action(draftsHref, saveDraft, () => setsHref)
    yield* action(`${draftsHref}/delete`, deleteDraft, () => setsHref)
  }),
)
