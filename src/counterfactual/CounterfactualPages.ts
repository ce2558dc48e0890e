/** Routes of Settings → Organization → Counterfactual audit. */
import { Effect, Layer, Stream } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { tableDownload } from "../files/TableDownload.ts"
import { type FieldErrors, fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, typed, valuesOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { type AuditRequest, CounterfactualAudits } from "./CounterfactualAudits.ts"
import {
  auditErrorLabels,
  auditHref,
  auditListPage,
  auditPlanPage,
  auditsHref,
  proposedRequest,
} from "./pages/AuditListPage.ts"
import { auditHeader, auditLines } from "./pages/AuditTable.ts"
import { annexPage, auditFacts, auditPage, deleteAuditPage, movePage } from "./pages/CounterfactualAuditPage.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const audits = yield* CounterfactualAudits

    interface Refused {
      readonly request: AuditRequest
      readonly errors?: FieldErrors
      readonly refusal?: string
      readonly status: number
    }

    const render = Effect.fnUntraced(function* (member: Member, refused?: Refused) {
      const choices = yield* audits.choices(member)
      const { errors = {}, refusal, request = proposedRequest(choices), status = 200 } = refused ?? {}
      const content = { choices, audits: yield* audits.list(member), request, errors }
      return page(auditListPage(member, refusal === undefined ? content : { ...content, refusal }), { status })
    })

    const begin = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const request = {
        set: typed(form, "set"),
        kinds: valuesOf(form, "kinds"),
        sample: typed(form, "sample").trim(),
        price: typed(form, "price"),
      }
      return yield* Effect.gen(function* () {
        if (typed(form, "confirmed") !== "yes") {
          const plan = yield* audits.plan(member, request)
          if (plan.requests > 0) return page(auditPlanPage(member, plan, request))
        }
        return seeOther(auditHref(yield* audits.begin(member, request)))
      }).pipe(
        Effect.catchTags({
          Invalid: ({ errors }) =>
            render(member, { request, errors: fieldErrors(errors, auditErrorLabels), status: 422 }),
          Conflict: ({ reason }) => render(member, { request, refusal: reason, status: 409 }),
        }),
      )
    })

    const show = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return page(auditPage(member, yield* audits.read(member, param("id"))))
    })

    const showAnnex = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return page(annexPage(member, yield* audits.find(member, param("id"))))
    })

    const download = Effect.fnUntraced(function* ({ http, member, param }: WorkspaceRequest) {
      const audit = yield* audits.find(member, param("id"))
      return tableDownload({
        name: `counterfactual-audit-${audit.made_at.toISOString().slice(0, 10)}`,
        type: "csv",
        languages: http.headers["accept-language"],
        header: auditHeader,
        rows: Stream.fromIterable(auditLines(audit.content, audit.kinds, auditFacts(audit))),
      })
    })

    const showMove = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      const move = { submission: param("submission"), swap: param("swap") }
      return page(movePage(member, yield* audits.explain(member, param("id"), move)))
    })

    const cancel = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      yield* audits.cancel(member, param("id"))
      return seeOther(auditHref(param("id")))
    })

    const askDelete = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return page(deleteAuditPage(member, yield* audits.find(member, param("id"))))
    })

    const remove = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      yield* audits.remove(member, param("id"))
      return seeOther(auditsHref)
    })

    yield* get(auditsHref, ({ member }) => render(member))
    yield* post(auditsHref, begin)
    yield* get(`${auditsHref}/:id`, show)
    yield* get(`${auditsHref}/:id/annex`, showAnnex)
    yield* get(`${auditsHref}/:id/csv`, download)
    yield* get(`${auditsHref}/:id/delete`, askDelete)
    yield* post(`${auditsHref}/:id/delete`, remove)
    yield* post(`${auditsHref}/:id/cancel`, cancel)
    yield* get(`${auditsHref}/:id/moves/:submission/:swap`, showMove)
  }),
)
