/** The form of a channel of Slack or Teams. */
import type { Member } from "../../../accounts/members/Member.ts"
import { settingsPage } from "../../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../../platform/http/Document.ts"
import {
  choice,
  describedBy,
  errorSummary,
  errorText,
  type FieldErrors,
  field,
  hasErrors,
} from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import type { Choice, Choices } from "../../endpoints/EndpointFilterRepository.ts"
import type { EndpointView } from "../../endpoints/Endpoints.ts"
import { choices } from "../../endpoints/pages/EndpointOptions.ts"
import { backTo, backToList, endpointHref, formatNames, webhooksHref } from "../../endpoints/pages/EndpointPage.ts"
import { type ChatFormat, chatEvents, chatFormats } from "../ChatMessage.ts"

export const channelsHref = `${webhooksHref}/channels` as const

export interface ChannelForm {
  readonly name: string
  /** As typed; never the stored one. */
  readonly url: string
  readonly format: ChatFormat
  readonly events: ReadonlyArray<string>
  readonly interview_set_ids: ReadonlyArray<string>
  readonly project_ids: ReadonlyArray<string>
  readonly find: string
  readonly errors: FieldErrors
  readonly chosen: Choices<Choice>
  readonly found: Choices<Choice>
}

const hints: Readonly<Record<ChatFormat, string>> = {
  slack:
    "In Slack: an app with “Incoming Webhooks”, then “Add New Webhook”. The address begins with https://hooks.slack.com/services/. Mattermost and others accept the same messages.",
  teams:
    "In the channel: Workflows → “Send webhook alerts to a channel” (trigger “When a Teams webhook request is received”), then copy the address.",
}

const eventBoxes = ({ errors, events }: ChannelForm): Html =>
  html`<fieldset class="picks" id="events"${describedBy("events", errors, null)}><legend>Messages</legend>
${errorText("events", errors)}
${chatEvents.map(([name, label]) => choice({ name: "events", value: name, type: "checkbox", isChosen: events.includes(name) }, label))}</fieldset>`

const fields = (form: ChannelForm, action: string, stored: EndpointView | undefined): Html =>
  html`${field({ name: "name", label: "Name", value: form.name, errors: form.errors, isRequired: true, hint: "Of the channel, for members." })}
${
  stored === undefined
    ? html`<fieldset class="picks"><legend>Service</legend>
${chatFormats.map((format) => choice({ name: "format", value: format, type: "radio", isChosen: form.format === format }, html`${formatNames[format]} <span class="note">${hints[format]}</span>`))}</fieldset>`
    : null
}
${field({
  name: "url",
  label: stored === undefined ? "Webhook address" : "New webhook address",
  isRequired: stored === undefined,
  value: form.url,
  errors: form.errors,
  type: "url",
  isMono: true,
  hint:
    stored === undefined
      ? "Anyone with the address can post in the channel: it is stored encrypted and not shown again."
      : html`Leave it empty to keep the stored one, at <code>${stored.url}</code>.`,
})}
${eventBoxes(form)}
${choices(form, action, "Limits the messages to the chosen interview sets, and to all sets in the chosen projects. If nothing is chosen, they are about all sets.")}`

/** `stored` undefined: a new one, with the `id` that a form sent twice repeats. */
export const channelPage = (
  member: Member,
  id: string,
  form: ChannelForm,
  stored: EndpointView | undefined,
): Document => {
  const failed = hasErrors(form.errors)
  const action = stored === undefined ? channelsHref : `${channelsHref}/${stored.id}`
  const title = stored === undefined ? "Add Slack or Teams" : `Edit ${stored.name}`
  return settingsPage(member, {
    title: `${failed ? (stored === undefined ? "Not added – " : "Not saved – ") : ""}${title}`,
    section: "Webhooks",
    back: stored === undefined ? backToList : backTo(stored),
    main: html`<header class="lead"><h1>${stored === undefined ? title : html`Edit <bdi>${stored.name}</bdi>`}</h1>
<p class="welcome">Posts a message with a link in a channel. Messages name candidates; they have no answers, scores or reasons.</p></header>
${errorSummary(form.errors, stored === undefined ? "The channel was not added." : "Nothing was saved.")}
<form method="post" action="${action}" class="fields" novalidate>
<button class="unseen" tabindex="-1" aria-hidden="true">Save</button>${stored === undefined ? html`<input type="hidden" name="id" value="${id}">` : null}
${fields(form, action, stored)}
<p class="actions"><button class="primary">${stored === undefined ? "Add the channel" : "Save"}</button> <a class="button secondary" href="${stored === undefined ? webhooksHref : endpointHref(stored.id)}">Cancel</a></p>
</form>`,
  })
}
