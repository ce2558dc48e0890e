/** The emails about a webhook that the service deactivated, and that works again. */
import type { RenderedEmail } from "../../emails/EmailRepository.ts"
import { html } from "../../platform/http/Html.ts"
import type { Deactivated } from "../deliveries/DeliverySettlementRepository.ts"

export interface Deactivation extends Deactivated {
  /** What the service does next. */
  readonly next: "probes" | "nothing"
  readonly appUrl: string
  /** Ends such emails. */
  readonly unsubscribeUrl: string
}

const unsubscribeLabel = "Get no more such emails"

const render = (
  subject: string,
  parts: ReadonlyArray<string>,
  link: string,
  unsubscribeUrl: string,
): RenderedEmail => ({
  subject: subject.replaceAll(/\s+/g, " "),
  html: html`${parts.map((part) => html`<p>${part}</p>`)}<p><a href="${link}">${link}</a></p><p><a href="${unsubscribeUrl}">${unsubscribeLabel}</a></p>`.toString(),
  text: [...parts, link, `--\n${unsubscribeLabel}\n${unsubscribeUrl}`].join("\n\n").concat("\n"),
})

// pages/EndpointPage.ts imports models only, so its path is written here too
const pageOf = (appUrl: string, id: string) => `${appUrl}/settings/webhooks/${id}`

export const renderDeactivation = ({
  appUrl,
  consecutive_failures: failures,
  id,
  inactive_reason,
  last_error,
  name,
  next,
  unsubscribeUrl,
  url,
}: Deactivation): RenderedEmail => {
  const times = failures === 1 ? "once" : `${failures} times in a row`
  const webhook = `The webhook “${name}” (${url})`
  const what =
    inactive_reason === "gone"
      ? `${webhook} was deactivated: the receiver answered 410 Gone, so it accepts no deliveries at this address any more.`
      : `${webhook} failed ${times} and was deactivated.`
  const why = inactive_reason === "gone" || last_error === null ? [] : [`The last error: ${last_error}.`]
  const outlook =
    next === "probes"
      ? "Its deliveries are paused, not lost. The service keeps trying with one delivery, at growing intervals. As soon as the receiver accepts it, the webhook is activated and everything that waited is sent. You can also activate it on its page, once the receiver works:"
      : "Its deliveries are paused, not lost. Fix the receiver or the address, then activate the webhook on its page and send them:"
  return render(`Webhook deactivated: ${name}`, [what, ...why, outlook], pageOf(appUrl, id), unsubscribeUrl)
}

export const renderRecovery = ({
  appUrl,
  id,
  name,
  unsubscribeUrl,
  url,
}: Pick<Deactivation, "id" | "name" | "url" | "appUrl" | "unsubscribeUrl">): RenderedEmail =>
  render(
    `Webhook works again: ${name}`,
    [
      `The webhook “${name}” (${url}) accepted a delivery and is active again. Everything that waited is sent now, oldest first. You need not do anything.`,
    ],
    pageOf(appUrl, id),
    unsubscribeUrl,
  )
