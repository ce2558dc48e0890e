/**
 * The workspace's pages about interview sets. GET /interview-sets, /interview-sets/new, /interview-sets/:id,
 * /interview-sets/:id/edit; POST /interview-sets, /interview-sets/:id/edit, /interview-sets/:id/archive and /unarchive.
 */
import { Effect, Option, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import type { Member } from "../accounts/Member.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { type Form, named, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ids } from "../platform/NewIds.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { pageLimit, positionOf } from "../values/Page.ts"
import { InterviewSets, type SetRecord } from "./InterviewSets.ts"
import { Projects } from "./Projects.ts"
import { type SetForm, setFormPage } from "./pages/SetFormPage.ts"
import { setListPage } from "./pages/SetListPage.ts"
import { setPage } from "./pages/SetPage.ts"
import { setHref, setsHref } from "./pages/SetWords.ts"
import { draftOf, emptyDraft, type Part, parts, partsOf, press, readDraft, type SetDraft } from "./SetDraft.ts"
import { changeOf, formErrors } from "./SetRequest.ts"

/** What a step says on the page that it leads to. */
const notices: Readonly<Record<string, string>> = {
  created: "The set was created. Look at it as candidates will, then invite them.",
  saved: "What you changed was saved.",
  archived: "The set was archived.",
  used: "The set is in use again.",
}

/** Characters of a form's page before it is cut into parts: a page stays below 60 KB. */
const largest = 44_000
/** What a row's controls take on a page, beside its texts. */
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

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const newId = yield* ids
    const projects = yield* Projects
    const sets = yield* InterviewSets
    const { get, page, post } = yield* makeWorkspace

    /** What every form offers. */
    const offers = Effect.fnUntraced(function* (member: Member) {
      const { results } = yield* projects.list(member, { limit: pageLimit.max, after: undefined })
      return {
        projects: results.map(({ id, name }) => [id, name.slice(0, 100)] as const),
        languages: yield* sets.languages,
      }
    })

    const newForm = { action: setsHref, id: undefined, parts, used: false, rated: false, faults: {} } as const

    /** The form of a set that is there; a set that is too long for one form has one for each part. */
    const editForm = ({ set, standing }: SetRecord, draft: SetDraft, held: ReadonlyArray<Part>) => ({
      draft,
      faults: {},
      action: `${setHref(set.id)}/edit`,
      id: set.id,
      hidden: [],
      parts: held,
      used: standing.used,
      rated: standing.rated,
    })

    const show = (member: Member, form: Omit<SetForm, "projects" | "languages">, status = 200) =>
      Effect.map(offers(member), (offered) => page(setFormPage(member, { ...form, ...offered }), { status }))

    yield* router.add(
      "GET",
      setsHref,
      get(({ member, query }) =>
        Effect.gen(function* () {
          const cursor = query("cursor")
          const after = cursor === undefined ? undefined : positionOf("interview-sets", cursor)
          if (cursor !== undefined && after === undefined) return seeOther(setsHref)
          const search = { text: (query("q") ?? "").slice(0, 200).trim(), archived: query("state") === "archived" }
          const found = yield* sets.search(member, search, { limit: pageLimit.default, after })
          return page(setListPage(member, search, found, after === undefined))
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${setsHref}/new`,
      get(({ member, query }) =>
        Effect.gen(function* () {
          const from = query("from")
          const source = from === undefined ? undefined : yield* sets.read(member, from)
          const id = yield* newId(InterviewSetId)
          if (source === undefined) {
            const project_id = query("project") ?? ""
            return yield* show(member, { ...newForm, draft: { ...emptyDraft, project_id }, hidden: [["id", id]] })
          }
          const copy = draftOf(source.set)
          return yield* show(member, {
            ...newForm,
            draft: { ...copy, title: `${copy.title.slice(0, 1000)} (copy)` },
            parts: sizeOf(copy) > largest ? ["about", "people"] : parts,
            hidden: [
              ["id", id],
              ["from", source.set.id],
            ],
            notice: {
              text: "This is a copy: nothing is saved until you create it.",
            },
          })
        }),
      ),
    )

    /** The form as its rows' buttons left it; undefined: it is to be saved. */
    const pressed = (form: Form, draft: SetDraft) => press(draft, valueOf(form, "do") ?? "")

    yield* router.add(
      "POST",
      setsHref,
      post(({ member, request }) =>
        Effect.gen(function* () {
          const form = yield* readForm(request)
          const from = valueOf(form, "from")
          const source = from === undefined ? undefined : yield* sets.read(member, from)
          const draft = readDraft(form, source === undefined ? emptyDraft : draftOf(source.set))
          const id = Option.getOrUndefined(readId(valueOf(form, "id")))
          if (id === undefined) return seeOther(`${setsHref}/new`)
          const held = [...partsOf(form)]
          const again = {
            ...newForm,
            draft,
            parts: held.length === 0 ? parts : held,
            hidden: [["id", id] as const, ...(source === undefined ? [] : [["from", source.set.id] as const])],
          }
          const next = pressed(form, draft)
          if (next !== undefined) return yield* show(member, { ...again, draft: next })
          const change = changeOf(draft, source?.set, false)
          if (Result.isFailure(change)) return yield* show(member, { ...again, faults: change.failure }, 422)
          const { request: asked, rows } = change.success
          return yield* sets.createOnce(member, id, asked).pipe(
            Effect.map((made) => seeOther(`${setHref(made)}?done=created`)),
            Effect.catchTags({
              Invalid: ({ errors }) => show(member, { ...again, faults: formErrors(errors, rows) }, 422),
              Conflict: ({ reason }) =>
                show(member, { ...again, notice: { text: `It was not saved: ${reason}.`, isError: true } }, 409),
            }),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${setsHref}/:id`,
      get(({ member, param, query }) =>
        Effect.gen(function* () {
          const record = yield* sets.read(member, param("id"))
          const text = named(notices, query("done"))
          return page(setPage(member, record, yield* sets.languages, text === undefined ? undefined : { text }))
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${setsHref}/:id/edit`,
      get(({ member, param, query }) =>
        Effect.gen(function* () {
          const record = yield* sets.read(member, param("id"))
          const draft = draftOf(record.set)
          const asked = query("part")
          const held = sizeOf(draft) > largest ? [isPart(asked) ? asked : ("about" as const)] : parts
          return yield* show(member, editForm(record, draft, record.standing.rated ? ["about", "people"] : held))
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${setsHref}/:id/edit`,
      post(({ member, param, request }) =>
        Effect.gen(function* () {
          const form = yield* readForm(request)
          const record = yield* sets.read(member, param("id"))
          const { set, standing } = record
          const held = partsOf(form)
          const draft = readDraft(form, draftOf(set))
          const again = editForm(record, draft, standing.rated ? ["about", "people"] : [...held])
          const next = pressed(form, draft)
          if (next !== undefined) return yield* show(member, { ...again, draft: next })
          // a form that was opened before somebody started holds what is fixed now: that is told, and nothing is saved
          const hasFixed = standing.rated && (held.has("questions") || held.has("requirements"))
          if (hasFixed) {
            const text =
              "It was not saved: somebody has begun with this set, or sent a CV to it, in the meantime. What can still be changed is below."
            return yield* show(member, { ...again, notice: { text, isError: true } }, 409)
          }
          const change = changeOf(draft, set, standing.rated)
          if (Result.isFailure(change)) return yield* show(member, { ...again, faults: change.failure }, 422)
          return yield* sets.change(member, set.id, change.success).pipe(
            Effect.as(seeOther(`${setHref(set.id)}?done=saved`)),
            Effect.catchTags({
              Invalid: ({ errors }) => show(member, { ...again, faults: formErrors(errors, change.success.rows) }, 422),
              Conflict: ({ reason }) =>
                show(member, { ...again, notice: { text: `It was not saved: ${reason}.`, isError: true } }, 409),
            }),
          )
        }),
      ),
    )

    const archive = (archived: boolean) =>
      post(({ member, param }: WorkspaceRequest) =>
        Effect.as(
          sets.archive(member, param("id"), archived),
          seeOther(`${setHref(param("id"))}?done=${archived ? "archived" : "used"}`),
        ),
      )
    yield* router.add("POST", `${setsHref}/:id/archive`, archive(true))
    yield* router.add("POST", `${setsHref}/:id/unarchive`, archive(false))

    // the addresses of the steps show the set, should somebody load them
    for (const step of ["archive", "unarchive"]) {
      yield* router.add(
        "GET",
        `${setsHref}/:id/${step}`,
        get(({ param }) => Effect.succeed(seeOther(setHref(param("id"))))),
      )
    }
  }),
)
