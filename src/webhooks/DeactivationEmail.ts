/** The email about a webhook that failures deactivated. */
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import { html } from "../platform/http/Html.ts"
import type { Deactivated } from "./DeliveryRepository.ts"

export const renderDeactivation = ({ id, last_error, name, url }: Deactivated, failures: number): RenderedEmail => {
  const times = failures === 1 ? "once" : `${failures} times in a row`
  const what = `The webhook “${name}” (${url}) failed ${times} and was deactivated.`
  const why = last_error === null ? "" : `The last error: ${last_error}.`
  const then = "Its deliveries are paused. Fix the receiver, then activate the webhook and send them with this command:"
  const command = `webhook enable ${id} --send-parked`
  return {
    subject: `Webhook deactivated: ${name}`.replaceAll(/\s+/g, " "),
    html: html`<p>${what}</p>${why === "" ? null : html`<p>${why}</p>`}<p>${then}</p><p><code>${command}</code></p>`.toString(),
    text: [what, why, then, command]
      .filter((line) => line !== "")
      .join("\n\n")
      .concat("\n"),
  }
}
