/** Labels and form fields of events. */
import { describedBy, errorText, type FieldErrors } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { reserved } from "../UnknownEvent.ts"
import { catalogue, defaultEventTypes, type EventType, eventTypes } from "../WebhookEvent.ts"
import { sampleNames } from "../WebhookSample.ts"

type Status = (typeof catalogue)[EventType][number]

interface Label {
  readonly name: string
  readonly text: string
}

const parents: Readonly<Record<EventType, Label>> = {
  "invitation.status.update": { name: "Invitation emails", text: "The status of the email to a candidate changed." },
  "interview.status.update": { name: "Interviews", text: "A candidate opened, started or completed an interview." },
  "interview.evaluation.update": { name: "Evaluations", text: "A CV, an interview, or both together were evaluated." },
  "submission.decision.update": { name: "Decisions", text: "A recruiter decided about a candidate." },
}

const statuses: Readonly<Record<Status, Label>> = {
  invitation_email_delivered: { name: "Delivered", text: "The email was delivered." },
  invitation_email_opened: { name: "Opened", text: "The candidate opened the email." },
  invitation_email_clicked: { name: "Clicked", text: "The candidate followed the link in the email." },
  invitation_email_failed: { name: "Failed", text: "The email could not be delivered or was not sent." },
  invitation_email_spam: { name: "Reported as spam", text: "The candidate marked the email as spam." },
  invitation_email_accepted: { name: "Accepted", text: "Reserved: never sent." },
  initiated: { name: "Opened", text: "The candidate acted on the interview page for the first time." },
  started: { name: "Started", text: "The candidate started the interview." },
  completed: { name: "Completed", text: "The candidate submitted the interview, or its time ended." },
  scored: { name: "Scored", text: "There is a score." },
  cannot_evaluate: { name: "Cannot be evaluated", text: "The evaluator found nothing that it could rate." },
  not_scored: {
    name: "Not scored",
    text: "There are no requirements to score against, or the evaluator was unavailable.",
  },
  advance: { name: "Advance", text: "The candidate advances to the next stage." },
  hold: { name: "Hold", text: "The decision is postponed." },
  reject: { name: "Reject", text: "The candidate is rejected." },
  cleared: { name: "Cleared", text: "The decision was removed." },
}

const isStatus = (text: string): text is Status => Object.hasOwn(statuses, text)

export const eventLabel = (type: EventType | null, status: string | null): string => {
  if (type === null) return "Deleted event"
  return status !== null && isStatus(status) ? `${parents[type].name}: ${statuses[status].name}` : parents[type].name
}

export const eventOf = (
  name: string,
): { readonly type: EventType; readonly status: string | undefined } | undefined => {
  for (const type of eventTypes) {
    if (name === type) return { type, status: undefined }
    const status = catalogue[type].find((status) => name === `${type}.${status}`)
    if (status !== undefined) return { type, status }
  }
  return undefined
}

export const subscriptionLabel = (events: ReadonlyArray<string>): string => {
  if (eventTypes.every((type) => events.includes(type))) return "All events"
  if (events.length === defaultEventTypes.length && defaultEventTypes.every((type) => events.includes(type)))
    return "All events except decisions"
  const names = events.flatMap((name) => {
    const event = eventOf(name)
    return event === undefined || (event.status !== undefined && events.includes(event.type))
      ? []
      : [eventLabel(event.type, event.status ?? null)]
  })
  const [first, second, ...more] = names
  return [first, second, more.length === 0 ? undefined : `and ${more.length} more`].filter(Boolean).join(", ")
}

export const eventCheckboxes = (chosen: ReadonlyArray<string>, errors: FieldErrors): Html => {
  const box = (name: string, { name: label, text }: Label, className: string) =>
    html`<label class="pick ${className}"><input type="checkbox" name="events" value="${name}"${chosen.includes(name) ? html` checked` : null}>
<span><strong>${label}</strong> <span class="note">${text} <code>${name.slice(name.lastIndexOf(".") + 1)}</code></span></span></label>
`
  return html`<fieldset class="picks" id="events"${describedBy("events", errors, true)}><legend>Events</legend>
<span class="note" id="events-hint">The first box of a group subscribes to all of its events, including those added later.</span>
${errorText("events", errors)}
${eventTypes.map(
  (type) => html`<div class="tree" data-tree role="group" aria-label="${parents[type].name}">
<label class="pick parent"><input type="checkbox" name="events" value="${type}"${chosen.includes(type) ? html` checked` : null}>
<span><strong>${parents[type].name}</strong> <span class="note">${parents[type].text} <code>${type}</code></span></span></label>
<div class="below">
${catalogue[type].map((status) => box(`${type}.${status}`, statuses[status], `${type}.${status}` === reserved ? "child quiet" : "child"))}</div></div>
`,
)}</fieldset>`
}

export const eventSelect = (
  name: string,
  chosen: string,
  any?: string,
): Html => html`<select id="${name}" name="${name}">
${any === undefined ? null : html`<option value="">${any}</option>\n`}${eventTypes.map(
  (type) => html`<optgroup label="${parents[type].name}">
${any === undefined ? null : html`<option value="${type}"${chosen === type ? html` selected` : null}>${parents[type].name}: all</option>\n`}${catalogue[
  type
]
  .filter((status) => sampleNames.includes(`${type}.${status}`))
  .map(
    (status) =>
      html`<option value="${type}.${status}"${chosen === `${type}.${status}` ? html` selected` : null}>${eventLabel(type, status)}</option>\n`,
  )}</optgroup>\n`,
)}</select>`
