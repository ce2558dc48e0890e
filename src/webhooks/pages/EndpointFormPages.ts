/** Adding a webhook and changing one. */
import type { Member } from "../../accounts/Member.ts"
import { settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { errorSummary, type FieldErrors, field } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { EndpointView } from "../Endpoints.ts"
import { allEndpoints, endpointHref, upTo, webhooksHref } from "./EndpointParts.ts"
import { eventTree } from "./EventWords.ts"

/** What the form of an endpoint holds, as it was typed. */
export interface EndpointForm {
  readonly name: string
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<string>
  readonly faults: FieldErrors
}

export const labels = { name: "The name", url: "The address", description: "The description", events: "The choice" }

const title = ({ faults }: EndpointForm, not: string, rest: string) =>
  `${Object.keys(faults).length > 0 ? `${not} – ` : ""}${rest}`

const fields = ({ description, events, faults, name, url }: EndpointForm): Html => html`${field({
  name: "url",
  label: "Address",
  value: url,
  errors: faults,
  type: "url",
  isRequired: true,
  isMono: true,
  hint: "Where your system takes webhooks: an https address that can be reached from the internet.",
})}
${field({ name: "name", label: "Name", value: name, errors: faults, isRequired: true, hint: "Which system it is." })}
${field({ name: "description", label: "Description", value: description, errors: faults })}
${eventTree(events, faults)}`

/** `id` is the one that the endpoint will have: a form that is sent twice makes one endpoint. */
export const newEndpointPage = (member: Member, id: string, form: EndpointForm): Document =>
  settingsPage(member, {
    title: title(form, "Not added", "New webhook"),
    section: "Webhooks",
    back: allEndpoints,
    main: html`<header class="lead"><h1>New webhook</h1></header>
${errorSummary(form.faults, "The webhook was not added.")}
<form method="post" action="${webhooksHref}" class="fields" novalidate>
<input type="hidden" name="id" value="${id}">
${fields(form)}
<p class="actions"><button class="primary">Add the webhook</button> <a class="button secondary" href="${webhooksHref}">Cancel</a></p>
<p class="note">Next you see the secret that its deliveries are signed with.</p>
</form>`,
  })

export const editEndpointPage = (
  member: Member,
  endpoint: Pick<EndpointView, "id" | "name">,
  form: EndpointForm,
): Document =>
  settingsPage(member, {
    title: title(form, "Not saved", `Edit ${endpoint.name}`),
    section: "Webhooks",
    back: upTo(endpoint),
    main: html`<header class="lead"><h1>Edit <bdi>${endpoint.name}</bdi></h1></header>
${errorSummary(form.faults, "Nothing was saved.")}
<form method="post" action="${endpointHref(endpoint.id)}" class="fields" novalidate>
${fields(form)}
<p class="note">Attempts under way still go to the old address; later ones, retries among them, go to the new one.</p>
<p class="actions"><button class="primary">Save</button> <a class="button secondary" href="${endpointHref(endpoint.id)}">Cancel</a></p>
</form>`,
  })
