/** Routes of Settings → Integrations → Queues. */
import { DateTime, Effect, Layer } from "effect"
import { countText } from "../accounts/pages/WorkspacePage.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import type { Notice } from "../platform/http/FormControls.ts"
import { numberOf, readForm, valueOf, valuesOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import type { QueueTable } from "../platform/queue/QueueSql.ts"
import { cancelPage, queuePage, queuesHref } from "./pages/QueuePage.ts"
import { QueueConsole } from "./QueueConsole.ts"
import { isJobState, isQueue, type JobState } from "./QueuedJob.ts"

const noticeOf = (done: string | undefined, count: string | undefined): Notice | undefined => {
  const jobs = countText(numberOf(count), "job", "jobs")
  if (done === "cancel") return { text: `${jobs} cancelled. Jobs that run, or have ended, stay.` }
  return done === "makeDue"
    ? { text: `${jobs} due now. Jobs that run, have ended or must not be evaluated yet stay.` }
    : undefined
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const queueConsole = yield* QueueConsole

    const render = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      chosen: { readonly queue: QueueTable; readonly state: JobState } | undefined,
      notice: Notice | undefined,
      status = 200,
    ) {
      const overview = yield* queueConsole.read(member)
      const list =
        chosen === undefined
          ? undefined
          : { ...chosen, jobs: yield* queueConsole.jobs(member, chosen.queue, chosen.state) }
      return page(queuePage(member, overview, yield* DateTime.nowAsDate, { list, notice }), { status })
    })

    const chosenOf = (queue: string | undefined, state: string | undefined) =>
      isQueue(queue) && isJobState(state) ? { queue, state } : undefined

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { query } = request
      return yield* render(request, chosenOf(query("queue"), query("state")), noticeOf(query("done"), query("count")))
    })

    const change = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member } = request
      const form = yield* readForm(http)
      const chosen = chosenOf(valueOf(form, "queue"), valueOf(form, "state"))
      const action = valueOf(form, "do")
      const ids = valuesOf(form, "job")
      if (chosen === undefined || (action !== "makeDue" && action !== "cancel") || ids.length === 0) {
        const notice = { text: "Nothing was changed: choose jobs, and what to do with them.", isError: true }
        return yield* render(request, chosen, notice, 422)
      }
      const { queue, state } = chosen
      if (action === "cancel" && valueOf(form, "confirmed") !== "yes")
        return page(cancelPage(member, queue, state, ids))
      const count = yield* queueConsole.change(member, action, queue, ids)
      return seeOther(`${queuesHref}?queue=${queue}&state=${state}&done=${action}&count=${count}`)
    })

    yield* get(queuesHref, show)
    yield* post(queuesHref, change)
  }),
)
