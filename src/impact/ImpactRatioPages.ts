/** Routes of Settings → Organization → Impact ratios. */
import { Effect, Layer, Stream } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { tableDownload } from "../files/TableDownload.ts"
import { type FieldErrors, fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, typed } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ImpactReports, type ReportRequest } from "./ImpactReports.ts"
import { impactRatioPage, reportErrorLabels, reportHref } from "./pages/ImpactRatioPage.ts"
import { impactReportPage, reportHeader, reportLines } from "./pages/ImpactReportPage.ts"
import { impactRatiosHref } from "./pages/VoluntaryQuestionPage.ts"
import { VoluntaryQuestions } from "./VoluntaryQuestions.ts"

/** Of the period that the form proposes: 6 RCNY § 5-301 wants data of at most a year. */
const proposedMonths = 12

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const impactReports = yield* ImpactReports
    const voluntaryQuestions = yield* VoluntaryQuestions

    interface Refused {
      readonly request: ReportRequest
      readonly errors?: FieldErrors
      readonly refusal?: string
      readonly status: number
    }

    const render = Effect.fnUntraced(function* (member: Member, refused?: Refused) {
      const choices = yield* impactReports.choices(member)
      const { asks } = yield* voluntaryQuestions.find(member)
      const reports = yield* impactReports.list(member)
      const { months } = choices
      const proposed: ReportRequest = {
        set: "",
        from: months[Math.min(proposedMonths, months.length) - 1] ?? "",
        to: months[0] ?? "",
        outcome: "scored",
      }
      const { errors = {}, refusal, request = proposed, status = 200 } = refused ?? {}
      const content = { choices, asks: asks.length > 0, reports, request, errors }
      return page(impactRatioPage(member, refusal === undefined ? content : { ...content, refusal }), { status })
    })

    const make = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const request = {
        set: typed(form, "set"),
        from: typed(form, "from"),
        to: typed(form, "to"),
        outcome: typed(form, "outcome"),
      }
      return yield* impactReports.make(member, request).pipe(
        Effect.map((id) => seeOther(reportHref(id))),
        Effect.catchTags({
          Invalid: ({ errors }) =>
            render(member, { request, errors: fieldErrors(errors, reportErrorLabels), status: 422 }),
          Conflict: ({ reason }) => render(member, { request, refusal: reason, status: 409 }),
        }),
      )
    })

    const show = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return page(impactReportPage(member, yield* impactReports.find(member, param("id"))))
    })

    const download = Effect.fnUntraced(function* ({ http, member, param }: WorkspaceRequest) {
      const report = yield* impactReports.find(member, param("id"))
      return tableDownload({
        name: `impact-ratios-${report.from}-${report.to}`,
        type: "csv",
        languages: http.headers["accept-language"],
        header: reportHeader,
        rows: Stream.fromIterable(reportLines(report)),
      })
    })

    yield* get(impactRatiosHref, ({ member }) => render(member))
    yield* post(impactRatiosHref, make)
    yield* get(`${impactRatiosHref}/:id`, show)
    yield* get(`${impactRatiosHref}/:id/csv`, download)
  }),
)
