/** Settings → Integrations → Queues: what the service does in the background for the organization. */

import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut, settingsPage, sinceText, spanText } from "../../accounts/pages/WorkspacePage.ts"
import { connectionHref } from "../../ats/pages/HiringSystemPage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { confirmForm, type Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { StepRun } from "../../platform/queue/QueueActivityRepository.ts"
import { type QueueTable, queueTables } from "../../platform/queue/QueueSql.ts"
import { submissionHref } from "../../reviews/pages/SubmissionView.ts"
import { endpointHref } from "../../webhooks/endpoints/pages/EndpointPage.ts"
import type { QueueOverview } from "../QueueConsole.ts"
import type { JobRow, OutcomeRow, PauseRow, ProcessRow, QueueRow } from "../QueueConsoleRepository.ts"
import { failedDays, type JobAction, type JobState, jobStates, listed, maxCounted } from "../QueuedJob.ts"

export const queuesHref = "/settings/queues"

export const queueNames: Readonly<Record<QueueTable, string>> = {
  webhook_delivery: "Webhook deliveries",
  email: "Emails",
  cv: "CVs",
  evaluation: "Evaluations",
  recording: "Recordings",
  ats_report: "Reports to hiring systems",
}

export const stateNames: Readonly<Record<JobState, string>> = {
  running: "Running",
  due: "Due",
  waiting: "Waiting",
  parked: "Paused",
  failed: "Failed",
}

const stateTexts: Readonly<Record<JobState, string>> = {
  running: "being performed",
  due: "waiting for a free process",
  waiting: "waiting for their time, as before a retry",
  parked: "waiting for a webhook or a hiring system to be activated",
  failed: `ended without a result in the last ${failedDays} days`,
}

const waitsFor: Readonly<Record<NonNullable<JobRow["waits_for"]>, string>> = {
  candidate: "the candidate's notice period, or a request for a person",
  recording: "a recording is being transcribed",
  cv: "the CV is being read",
  endpoint: "the webhook is not active",
  connection: "the hiring system is not connected",
}

export const listHref = (queue: QueueTable, state: JobState): string =>
  `${queuesHref}?queue=${queue}&state=${state}#jobs`

const number = (count: number): string =>
  count >= maxCounted ? `${count.toLocaleString("en")}+` : count.toLocaleString("en")

const countCell = (row: QueueRow, state: JobState): Html => {
  const count = row[state]
  return html`<td${count === 0 ? html` class="none"` : null} data-label="${stateNames[state]}">${count === 0 ? html`<span class="quiet">0</span>` : html`<a href="${listHref(row.queue, state)}">${number(count)}<span class="unseen"> ${stateNames[state].toLowerCase()}, ${queueNames[row.queue]}</span></a>`}</td>`
}

const outcomeText = (queue: QueueTable, outcomes: ReadonlyArray<OutcomeRow>): string =>
  outcomes
    .filter((one) => one.queue === queue)
    .map(({ attempts, outcome }) => `${attempts.toLocaleString("en")} ${outcome}`)
    .join(", ") || "none"

const queueRow = (row: QueueRow, { outcomes, pauses }: QueueOverview, now: Date): Html => {
  const pause = pauses.find(({ queue }) => queue === row.queue)
  return html`<tr><th scope="row">${queueNames[row.queue]}${pause === undefined ? null : html` <span class="tag off">Stopped</span>`}</th>
${jobStates.map((state) => countCell(row, state))}
<td${row.oldest === null ? html` class="none"` : null} data-label="Oldest due">${row.oldest === null ? html`<span class="quiet">–</span>` : spanText(now.getTime() - row.oldest.getTime())}</td>
<td data-label="Attempts in 24 hours">${outcomeText(row.queue, outcomes)}</td></tr>
`
}

const pauseNote = ({ paused_at, queue, reason }: PauseRow): Html => {
  const name = queueTables.find((one) => one === queue)
  return html`<p class="alert warm" role="status"><strong>${name === undefined ? queue : queueNames[name]}: stopped for all organizations</strong> since ${moment(paused_at)}${reason === "" ? "" : html`: <bdi>${reason}</bdi>`}. The operator of the service starts it again.</p>`
}

const jobHref = ({ connection_id, endpoint_id, submission_id }: JobRow): string | undefined => {
  if (submission_id !== null) return submissionHref(submission_id)
  if (endpoint_id !== null) return endpointHref(endpoint_id)
  return connection_id === null ? undefined : connectionHref(connection_id)
}

const hrefText = ({ endpoint_id, submission_id }: JobRow): string => {
  if (submission_id !== null) return "Submission"
  return endpoint_id === null ? "Hiring system" : "Webhook"
}

/** As the list shows it. */
const shortId = (id: string): string => id.slice(0, 13)

/** Named in the question. */
const maxNamed = 20

const jobRow = (job: JobRow, queue: QueueTable, canChange: boolean): Html => {
  const href = jobHref(job)
  const name = `${job.kind} ${shortId(job.id)}`
  return html`<tr><th scope="row">${canChange ? html`<label><input type="checkbox" name="job" value="${job.id}"> <bdi>${name}</bdi></label>` : html`<bdi>${name}</bdi>`}</th>
<td data-label="Attempts">${job.attempts}</td>
<td data-label="${job.due_at === null ? "Created" : "Next attempt"}">${job.due_at === null ? (job.created_at === null ? "–" : moment(job.created_at, "short")) : moment(job.due_at, "short")}</td>
<td data-label="Last error">${job.error === null ? html`<span class="quiet">none</span>` : html`<bdi>${cut(job.error, 200)}</bdi>`}${job.waits_for === null ? null : html` <span class="quiet">(${waitsFor[job.waits_for]})</span>`}</td>
<td data-label="About">${href === undefined ? html`<span class="quiet">–</span>` : html`<a href="${href}">${hrefText(job)}<span class="unseen"> of ${queueNames[queue]}, ${name}</span></a>`}</td></tr>
`
}

export interface JobList {
  readonly queue: QueueTable
  readonly state: JobState
  readonly jobs: ReadonlyArray<JobRow>
}

const jobList = ({ jobs, queue, state }: JobList): Html => {
  const canChange = state === "due" || state === "waiting"
  const table = html`<table class="figure-table"><thead><tr><th scope="col">Job</th><th scope="col">Attempts</th><th scope="col">${state === "failed" || state === "parked" ? "Created" : "Next attempt"}</th><th scope="col">Last error</th><th scope="col">About</th></tr></thead>
<tbody>${jobs.map((job) => jobRow(job, queue, canChange))}</tbody></table>`
  return html`<section aria-labelledby="jobs"><h2 id="jobs">${queueNames[queue]}: ${stateNames[state].toLowerCase()}</h2>
<p class="note">Jobs ${stateTexts[state]}.${jobs.length < listed ? "" : ` The first ${listed} are shown.`}${state === "failed" ? " What can be done again has a button on the page that the job is about." : ""}</p>
${
  jobs.length === 0
    ? html`<p class="empty">There are none.</p>`
    : canChange
      ? html`<form method="post" action="${queuesHref}"><input type="hidden" name="queue" value="${queue}"><input type="hidden" name="state" value="${state}">
${table}
<p class="actions">${state === "waiting" ? html`<button class="secondary" name="do" value="makeDue">Try now</button> ` : null}<button class="secondary" name="do" value="cancel">Cancel…</button></p></form>`
      : table
}</section>`
}

const stepRow = ({ done, failed_at, name, ran_at, seconds, took_ms }: StepRun, now: Date): Html => {
  const hasFailed = failed_at !== null && (ran_at === null || failed_at > ran_at)
  return html`<tr><th scope="row">${name}</th>
<td data-label="Every">${seconds < 60 ? countText(seconds, "second", "seconds") : spanText(seconds * 1000)}</td>
<td data-label="Last run">${ran_at === null ? html`<span class="quiet">none</span>` : html`${sinceText(ran_at, now)}, ${took_ms ?? 0} ms${done === null || done === 0 ? "" : `, ${done.toLocaleString("en")} done`}`}</td>
<td data-label="Last failure">${failed_at === null ? html`<span class="quiet">none</span>` : html`${hasFailed ? html`<span class="tag bad">Failing</span> ` : null}${sinceText(failed_at, now)}`}</td></tr>
`
}

const processRow = ({ ended_at, host, id, started_at, version }: ProcessRow): Html =>
  html`<tr><th scope="row"><bdi>${host || `Process ${id}`}</bdi></th><td data-label="Version">${version}</td><td data-label="Since">${moment(started_at, "short")}</td>
<td data-label="State">${ended_at === null ? html`<span class="tag on">Alive</span>` : html`ended ${moment(ended_at, "short")}`}</td></tr>
`

export const queuePage = (
  member: Member,
  overview: QueueOverview,
  now: Date,
  { list, notice }: { readonly list?: JobList | undefined; readonly notice?: Notice | undefined },
): Document =>
  settingsPage(member, {
    title: "Queues",
    section: "Queues",
    width: "full",
    notice,
    main: html`<header class="lead"><h1>Queues</h1>
<p class="welcome">What the service does in the background for your organization: each email, CV, evaluation, recording, report and webhook delivery is a job that is tried until it works or is given up.</p></header>
${overview.pauses.map(pauseNote)}
<table class="figure-table"><thead><tr><th scope="col">Queue</th>${jobStates.map((state) => html`<th scope="col">${stateNames[state]}</th>`)}<th scope="col">Oldest due</th><th scope="col">Attempts in 24 hours</th></tr></thead>
<tbody>${overview.queues.map((row) => queueRow(row, overview, now))}</tbody></table>
<p class="note">Failed: in the last ${failedDays} days. Attempts are those of all organizations of this installation, by their outcome.</p>
${list === undefined ? null : jobList(list)}
<details><summary>Steps that the service repeats (${overview.steps.length})</summary>
<table class="figure-table"><thead><tr><th scope="col">Step</th><th scope="col">Every</th><th scope="col">Last run</th><th scope="col">Last failure</th></tr></thead><tbody>${overview.steps.map((step) => stepRow(step, now))}</tbody></table></details>
<details><summary>Processes (${countText(overview.processes.filter(({ ended_at }) => ended_at === null).length, "alive", "alive")})</summary>
<table class="figure-table"><thead><tr><th scope="col">Host</th><th scope="col">Version</th><th scope="col">Since</th><th scope="col">State</th></tr></thead><tbody>${overview.processes.map(processRow)}</tbody></table></details>`,
  })

export const cancelPage = (member: Member, queue: QueueTable, state: JobState, ids: ReadonlyArray<string>): Document =>
  settingsPage(member, {
    title: "Cancel jobs",
    section: "Queues",
    main: html`<header class="lead"><h1>Cancel ${countText(ids.length, "job", "jobs")}?</h1>
<p class="welcome">${queueNames[queue]}: what is cancelled ends without another attempt, as if all attempts had failed. What would have been sent is not sent. Jobs that run by then are not cancelled.</p></header>
<p>${ids.slice(0, maxNamed).map((id) => html`<code>${shortId(id)}</code> `)}${ids.length > maxNamed ? `and ${ids.length - maxNamed} more` : null}</p>
${confirmForm({
  action: queuesHref,
  cancelHref: listHref(queue, state),
  cancelLabel: ids.length === 1 ? "Keep it" : "Keep them",
  label: `Cancel ${countText(ids.length, "job", "jobs")}`,
  fields: html`<input type="hidden" name="do" value="${"cancel" satisfies JobAction}"><input type="hidden" name="confirmed" value="yes"><input type="hidden" name="queue" value="${queue}"><input type="hidden" name="state" value="${state}">${ids.map((id) => html`<input type="hidden" name="job" value="${id}">`)}`,
})}`,
  })
