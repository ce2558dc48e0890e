/** Settings → Organization → Hiring stages. */
import { Effect, Layer, Schema } from "effect"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors, type Notice } from "../platform/http/FormControls.ts"
import { type Form, named, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { Decision } from "../submissions/Decision.ts"
import { HiringStageId, parseId } from "../values/Ids.ts"
import { HiringStages } from "./HiringStages.ts"
import { type StageForm, stageHref, stageListPage, stagePage, stagesHref } from "./pages/HiringStagePage.ts"

const notices: Readonly<Record<string, string>> = {
  added: "The stage was added.",
  saved: "The stage was saved.",
  ordered: "The order was changed.",
  archived: "The stage was archived.",
}

const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
  const text = named(notices, query("done"))
  return text === undefined ? undefined : { text }
}

const refused = (what: string, reason: string): Notice => ({ text: `${what}: ${reason}.`, isError: true })

const isDecision = Schema.is(Decision)

const decisionOf = (text: string): Decision | null => (isDecision(text) ? text : null)

const labels = { name: "The name" }

const empty: StageForm = { name: "", decision: "", errors: {} }

const formOf = (form: Form) => ({ name: typed(form, "name"), decision: typed(form, "decision") })

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const hiringStages = yield* HiringStages
    const ids = yield* Ids

    const list = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      {
        form = empty,
        notice,
        status = 200,
        ...given
      }: {
        readonly form?: StageForm
        readonly id?: HiringStageId
        readonly notice?: Notice | undefined
        readonly status?: number
      },
    ) {
      const stages = yield* hiringStages.listCounted(member)
      const id = given.id ?? (yield* ids.make(HiringStageId))
      return page(stageListPage(member, stages, { id, form, notice }), { status })
    })

    const show = (request: WorkspaceRequest) => list(request, { notice: noticeOf(request) })

    const add = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, http } = request
      const form = yield* readForm(http)
      const id = parseId(HiringStageId, valueOf(form, "id")) ?? (yield* ids.make(HiringStageId))
      const { decision, name } = formOf(form)
      return yield* hiringStages.add(member, id, { name, decision: decisionOf(decision) }).pipe(
        Effect.as(seeOther(`${stagesHref}?done=added`)),
        Effect.catchTags({
          Invalid: ({ errors }) =>
            list(request, { id, form: { name, decision, errors: fieldErrors(errors, labels) }, status: 422 }),
          Conflict: ({ reason }) =>
            list(request, {
              id,
              form: { name, decision, errors: {} },
              notice: refused("The stage was not added", reason),
              status: 409,
            }),
        }),
      )
    })

    const exchange = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const places = { before: typed(form, "before"), after: typed(form, "after") }
      return yield* hiringStages.exchange(request.member, places).pipe(
        Effect.as(seeOther(`${stagesHref}?done=ordered`)),
        Effect.catchTag("Conflict", ({ reason }) =>
          list(request, { notice: refused("The order was not changed", reason), status: 409 }),
        ),
      )
    })

    const one = Effect.fnUntraced(function* (
      request: WorkspaceRequest,
      {
        notice,
        status = 200,
        ...given
      }: {
        readonly form?: StageForm
        readonly notice?: Notice | undefined
        readonly status?: number
      },
    ) {
      const found = yield* hiringStages.read(request.member, request.param("id"))
      const { decision, name } = found.stage
      const form = given.form ?? { name, decision: decision ?? "", errors: {} }
      return page(stagePage(request.member, found, form, notice), { status })
    })

    const showOne = (request: WorkspaceRequest) => one(request, { notice: noticeOf(request) })

    const save = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param, http } = request
      const form = yield* readForm(http)
      const { decision, name } = formOf(form)
      const seen = { name: typed(form, "seen_name"), decision: decisionOf(typed(form, "seen_decision")) }
      return yield* hiringStages.change(member, param("id"), seen, { name, decision: decisionOf(decision) }).pipe(
        Effect.as(seeOther(`${stagesHref}?done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) =>
            one(request, { form: { name, decision, errors: fieldErrors(errors, labels) }, status: 422 }),
          Conflict: ({ reason }) =>
            one(request, {
              form: { name, decision, errors: {} },
              notice: refused("Not saved", `${reason}. The form still has everything that you typed`),
              status: 409,
            }),
        }),
      )
    })

    const archive = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param, http } = request
      const into = valueOf(yield* readForm(http), "into") || undefined
      return yield* hiringStages.archive(member, param("id"), into).pipe(
        Effect.as(seeOther(`${stagesHref}?done=archived`)),
        Effect.catchTag("Conflict", ({ reason }) =>
          one(request, { notice: refused("The stage was not archived", reason), status: 409 }),
        ),
      )
    })

    yield* get(stagesHref, show)
    yield* post(stagesHref, add)
    yield* action(`${stagesHref}/exchange`, exchange, () => stagesHref)
    yield* get(`${stagesHref}/:id`, showOne)
    yield* post(`${stagesHref}/:id`, save)
    yield* action(`${stagesHref}/:id/archive`, archive, ({ param }) => stageHref(param("id")))
  }),
)
