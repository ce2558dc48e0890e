/** The mail that tells an organization's admins that an endpoint was deactivated. */
import type { Deactivated } from "../../repository/Deliveries.ts"
import type { RenderedEmail } from "../../repository/Emails.ts"
import { html } from "../Html.ts"

export const renderDeactivation = ({ name, url }: Deactivated, failures: number): RenderedEmail => {
  const what = `The webhook endpoint “${name}” (${url}) failed ${failures} times in a row and was deactivated.`
  const then = "Events for it are kept. Mend the receiver, then enable the endpoint again."
  return {
    subject: `Webhook endpoint deactivated: ${name}`.replaceAll(/\s+/g, " "),
    html: html`<p>${what}</p><p>${then}</p>`.toString(),
    text: `${what}\n\n${then}\n`,
  }
}
