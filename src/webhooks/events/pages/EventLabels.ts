/** Labels and form fields of events. */
import { countText } from "../../../accounts/pages/WorkspacePage.ts"
import { describedBy, errorText, type FieldErrors } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { reserved } from "../UnknownEvent.ts"
import { catalogue, defaultEventTypes, type EventType, eventOf, eventTypes } from "../WebhookEvent.ts"
import { sampleNames } from "../WebhookSample.ts"

export const eventLabel = (type: EventType | null, status: string | null): string => {
  if (type === null) return "Deleted event"
  const { statuses, title } = catalogue[type]
  const found = statuses.find(({ name }) => name === status)
  return found === undefined ? title : `${title}: ${found.title}`
}

export const subscriptionLabel = (events: ReadonlyArray<string>): string => {
  if (eventTypes.every((type) => events.includes(type))) return "All events"
  if (events.length === defaultEventTypes.length && defaultEventTypes.every((type) => events.includes(type)))
    return "All events except decisions, stages and reviews by a person"
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
  const box = (
    event: string,
    { description, name, title }: { readonly description: string; readonly name: string; readonly title: string },
    className: string,
  ) =>
    html`<label class="pick ${className}"><input type="checkbox" name="events" value="${event}"${chosen.includes(event) ? html` checked` : null}>
<span><strong>${title}</strong> <span class="note">${description}.${className === "parent" ? null : html` <code>${name}</code>`}</span></span></label>
`
  return html`<fieldset class="picks" id="events"${describedBy("events", errors, true)}><legend>Events</legend>
<span class="note" id="events-hint">The first box of a group subscribes to all of its events, including those added later.</span>
${errorText("events", errors)}
${eventTypes.map((type) => {
  const { statuses, ...event } = catalogue[type]
  // the reserved event is never sent, so it is shown only where it is chosen
  const shown = statuses
    .map((status) => ({ ...status, full: `${type}.${status.name}` }))
    .filter(({ full }) => full !== reserved || chosen.includes(full))
  const boxes = shown.map((status) => box(status.full, status, "child"))
  const isPart = !chosen.includes(type) && statuses.some(({ name }) => chosen.includes(`${type}.${name}`))
  return html`<div class="tree" data-tree role="group" aria-label="${event.title}">
${box(type, { ...event, name: type }, "parent")}<details${isPart ? html` open` : null}><summary>${countText(shown.length, "event", "events")}<span class="unseen"> of ${event.title}</span></summary>
<p class="note">All of them: <code>${type}</code></p>
${boxes}</details></div>
`
})}</fieldset>`
}

export const eventSelect = (name: string, chosen: string, any?: string): Html => {
  const option = (value: string, text: string) =>
    html`<option value="${value}"${chosen === value ? html` selected` : null}>${text}</option>\n`
  return html`<select id="${name}" name="${name}">
${any === undefined ? null : html`<option value="">${any}</option>\n`}${eventTypes.map((type) => {
  const { statuses, title } = catalogue[type]
  const sent = statuses.filter((status) => sampleNames.includes(`${type}.${status.name}`))
  return html`<optgroup label="${title}">
${any === undefined ? null : option(type, `${title}: all`)}${sent.map((status) => option(`${type}.${status.name}`, eventLabel(type, status.name)))}</optgroup>\n`
})}</select>`
}
