/** How an endpoint is, in words, and what its pages have in common. */

import { countText, cut, sinceText } from "../../accounts/pages/WorkspacePage.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { EndpointView } from "../Endpoints.ts"

export const webhooksHref = "/settings/webhooks"
export const endpointHref = (id: string): string => `${webhooksHref}/${id}`
export const allEndpoints = { href: webhooksHref, name: "All webhooks" }

/** The way back from a page below an endpoint's. */
export const upTo = ({ id, name }: Pick<EndpointView, "id" | "name">) => ({
  href: endpointHref(id),
  name: cut(name, 80),
})

/** Failures in a row that deactivate an endpoint, and now. */
export interface Health {
  readonly deactivateAfter: number
  readonly now: Date
}

/** Who switched it off: a person, or its failures. */
export const statusTag = ({ consecutive_failures, deactivated_at, status }: EndpointView): Html => {
  if (status === "active") {
    return consecutive_failures === 0
      ? html`<span class="tag on">Active</span>`
      : html`<span class="tag off">Failing</span>`
  }
  return deactivated_at === null
    ? html`<span class="tag">Switched off</span>`
    : html`<span class="tag bad">Deactivated</span>`
}

/** "7 of 15 failures", and what was last. */
export const healthLine = (endpoint: EndpointView, { deactivateAfter, now }: Health): Html => {
  const { consecutive_failures: failures, last_success_at: success } = endpoint
  const last =
    success === null
      ? html`nothing was delivered yet`
      : html`last success <span title="${success.toISOString()}">${sinceText(success, now)}</span>`
  return failures === 0 ? last : html`<strong>${failures} of ${deactivateAfter} failures</strong> · ${last}`
}

/** How it is, with what to do about it. */
export const healthNote = (endpoint: EndpointView, { deactivateAfter, now }: Health, parked: number): Html | null => {
  const { consecutive_failures: failures, deactivated_at, last_error, last_failure_at, status } = endpoint
  const failed =
    last_failure_at === null || last_error === null
      ? null
      : html` ${sinceText(last_failure_at, now)}: <q>${cut(last_error, 300)}</q>`
  const kept = `${countText(parked, "delivery is", "deliveries are")} parked, not lost`
  if (status === "inactive") {
    const why =
      deactivated_at === null
        ? html`Nothing is sent: somebody deactivated this webhook.`
        : failures < deactivateAfter
          ? html`Nothing has been sent since ${moment(deactivated_at, "short")}${failed === null ? "." : html`; the last error${failed}.`}`
          : html`Nothing is sent: ${countText(deactivateAfter, "failure", "failures")} in a row deactivated this webhook on ${moment(deactivated_at, "short")}.${failed === null ? null : html` The last one failed${failed}.`}`
    return html`<p class="alert${deactivated_at === null ? " warm" : ""}">${why} ${parked === 0 ? "What happens meanwhile is parked, not lost." : `${kept}.`}</p>`
  }
  return failures === 0
    ? null
    : html`<p class="alert warm">${failures === 1 ? "The last attempt failed" : `The last ${failures} attempts failed${failed === null ? "" : ", most recently"}`}${failed}. After ${deactivateAfter} nothing more is
sent; one success sets the count to zero.</p>`
}
