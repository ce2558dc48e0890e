/** Routes of Settings → Organization → Candidates' notices. */
import { Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { versionOf } from "../accounts/pages/OutdatedForm.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { Config } from "../config/Config.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { type Form, linesOf, numberOf, readForm, typed } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { type TypedNotice, typedNotice } from "./Notice.ts"
import type { Notice } from "./NoticeRepository.ts"
import { Notices } from "./Notices.ts"
import {
  type NoticeForm,
  newNoticePage,
  noticeDifferences,
  noticeErrorLabels,
  noticeHref,
  noticeListPage,
  noticePage,
  noticesHref,
  withdrawNoticePage,
} from "./pages/NoticePage.ts"
import { publicNoticeHref } from "./pages/PublicNoticePage.ts"

const done = new Map([
  ["published", "The notice was published."],
  ["saved", "Your changes were saved."],
  ["withdrawn", "The notice was withdrawn."],
])

const blank: TypedNotice = {
  set: "",
  country: "",
  region: "",
  city: "",
  words: "",
  contact: "",
  alternative: "",
  days: "",
  meanwhile: "warn",
  posted_on: "",
}

const readTyped = (sent: Form): TypedNotice => ({
  set: typed(sent, "set"),
  country: typed(sent, "country"),
  region: typed(sent, "region").trim().toUpperCase(),
  city: typed(sent, "city").trim(),
  words: linesOf(typed(sent, "words")).trim(),
  contact: typed(sent, "contact").trim(),
  alternative: linesOf(typed(sent, "alternative")).trim(),
  days: typed(sent, "days").trim(),
  meanwhile: typed(sent, "meanwhile"),
  posted_on: typed(sent, "posted_on").trim(),
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const auditLog = yield* AuditLog
    const { appUrl } = yield* Config
    const notices = yield* Notices

    const noticeOf = ({ query }: WorkspaceRequest) => {
      const text = done.get(query("done") ?? "")
      return text === undefined ? undefined : { text }
    }

    const list = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return page(noticeListPage(request.member, yield* notices.list(request.member), noticeOf(request)))
    })

    const openNew = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const form = { typed: { ...blank, set: query("set") ?? "" }, version: "", errors: {} }
      return page(newNoticePage(member, form, yield* notices.sets(member)))
    })

    const publish = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const own = readTyped(yield* readForm(http))
      const again = Effect.fnUntraced(function* (rest: Pick<NoticeForm, "errors" | "refusal">, status: number) {
        return page(newNoticePage(member, { typed: own, version: "", ...rest }, yield* notices.sets(member)), {
          status,
        })
      })
      return yield* notices.publish(member, own).pipe(
        Effect.map((id) => seeOther(`${noticeHref(id)}?done=published`)),
        Effect.catchTags({
          Invalid: ({ errors }) => again({ errors: fieldErrors(errors, noticeErrorLabels) }, 422),
          Conflict: ({ reason }) => again({ errors: {}, refusal: reason }, 409),
        }),
      )
    })

    const render = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      saved: Notice,
      form: NoticeForm,
      status = 200,
    ) {
      const address = `${appUrl}${publicNoticeHref(saved.id)}`
      const missesSet = yield* notices.missesSet(member, saved)
      return page(noticePage(member, { ...saved, missesSet }, address, form, yield* notices.sets(member)), { status })
    })

    const open = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const saved = yield* notices.find(request.member, request.param("id"))
      const form = { typed: typedNotice(saved), version: String(saved.version), errors: {}, notice: noticeOf(request) }
      return yield* render(request, saved, form)
    })

    const save = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, param } = request
      const saved = yield* notices.find(member, param("id"))
      const sent = yield* readForm(http)
      const own = readTyped(sent)
      const version = versionOf(sent)
      return yield* notices.change(member, saved.id, own, numberOf(version || "0")).pipe(
        Effect.as(seeOther(`${noticeHref(saved.id)}?done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) =>
            render(request, saved, { typed: own, version, errors: fieldErrors(errors, noticeErrorLabels) }, 422),
          NoticeOutdated: Effect.fnUntraced(function* ({ saved: newer }) {
            const last = yield* auditLog.last(member, "notice", newer.id)
            const differences = noticeDifferences(typedNotice(newer), own)
            const outdated = { version: String(newer.version), last, differences }
            return yield* render(request, newer, { typed: own, version, errors: {}, outdated }, 409)
          }),
        }),
      )
    })

    const confirmWithdrawal = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return page(withdrawNoticePage(member, yield* notices.find(member, param("id"))))
    })

    const withdraw = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      yield* notices.withdraw(member, param("id"))
      return seeOther(`${noticesHref}?done=withdrawn`)
    })

    yield* get(noticesHref, list)
    yield* get(`${noticesHref}/new`, openNew)
    yield* post(`${noticesHref}/new`, publish)
    yield* get(`${noticesHref}/:id`, open)
    yield* post(`${noticesHref}/:id`, save)
    yield* get(`${noticesHref}/:id/withdraw`, confirmWithdrawal)
    yield* post(`${noticesHref}/:id/withdraw`, withdraw)
  }),
)
