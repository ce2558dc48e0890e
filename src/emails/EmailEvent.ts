/** What reports on an email mean (docs/mails.md). Kinds are those of SendGrid's Event Webhook. */

/** Statuses of the event invitation.status.update. */
export type EmailStatus =
  | "invitation_email_delivered"
  | "invitation_email_opened"
  | "invitation_email_clicked"
  | "invitation_email_failed"
  | "invitation_email_spam"

export type EmailSignal = "delivered" | "opened" | "clicked" | "spam" | "bounce" | "dropped"

/** Why an address gets no more emails. manual: an API key or a command suppressed it. */
export const suppressionReasons = ["spam", "unsubscribed", "manual"] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

interface Outcome {
  readonly event: EmailStatus
  readonly column: string
  /** The invitation fails, unless it was opened before. */
  readonly isFailure: boolean
}

export const outcomes: Readonly<Record<EmailSignal, Outcome>> = {
  delivered: { event: "invitation_email_delivered", column: "delivered_at", isFailure: false },
  opened: { event: "invitation_email_opened", column: "opened_at", isFailure: false },
  clicked: { event: "invitation_email_clicked", column: "clicked_at", isFailure: false },
  spam: { event: "invitation_email_spam", column: "spam_at", isFailure: false },
  bounce: { event: "invitation_email_failed", column: "failed_at", isFailure: true },
  dropped: { event: "invitation_email_failed", column: "failed_at", isFailure: true },
}

export const failureSignals = (Object.keys(outcomes) as ReadonlyArray<EmailSignal>).filter(
  (signal) => outcomes[signal].isFailure,
)

/** Why an invitation fails before its email is sent. */
export const refusalReasons = ["invalid_email", "unsubscribed"] as const

/** Reports that arrive together are applied in this order. */
export const signalOrder: ReadonlyArray<EmailSignal> = ["delivered", "opened", "clicked", "spam", "bounce", "dropped"]

/** Signals move an invitation forward only. */
export const statusOrder = ["pending", "sent", "delivered", "opened", "clicked"] as const

interface ReportMeaning {
  readonly signal: EmailSignal | null
  readonly suppression: SuppressionReason | null
  readonly text: string
}

const meaning = (
  text: string,
  signal: EmailSignal | null = null,
  suppression: SuppressionReason | null = null,
): ReportMeaning => ({ signal, suppression, text })

const kinds = new Map<string, ReportMeaning>([
  ["processed", meaning("accepted by the provider")],
  ["delivered", meaning("delivered", "delivered")],
  ["deferred", meaning("delayed: the mail server retries")],
  ["open", meaning("opened", "opened")],
  ["click", meaning("a link was followed", "clicked")],
  ["bounce", meaning("not delivered", "bounce")],
  // SendGrid reports a blocked email as a bounce with another `type`. Refusal.ts decides which are `dropped`
  ["blocked", meaning("not delivered", "bounce")],
  ["dropped", meaning("not sent by the provider", "dropped")],
  ["spamreport", meaning("reported as spam: no more emails go there", "spam", "spam")],
  ["unsubscribe", meaning("unsubscribed: no more emails go there", null, "unsubscribed")],
  ["group_unsubscribe", meaning("unsubscribed: no more emails go there", null, "unsubscribed")],
])

/** An unknown kind has no effect. */
export const meaningOf = (kind: string): ReportMeaning => kinds.get(kind) ?? meaning(kind)

export const failureKinds: ReadonlyArray<string> = [...kinds].flatMap(([kind, { signal }]) =>
  signal !== null && outcomes[signal].isFailure ? [kind] : [],
)
