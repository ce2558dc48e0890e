/** Messages about events in channels of Slack and Teams: which events, their texts, and the bodies of both formats. */
import type { EventEnvelope } from "../events/WebhookEvent.ts"

/** `slack`: also of services that accept the same messages, such as Mattermost. */
export const chatFormats = ["slack", "teams"] as const
export type ChatFormat = (typeof chatFormats)[number]

/** `event`: a signed webhook. */
export type EndpointFormat = "event" | ChatFormat

export const isChat = (format: EndpointFormat): format is ChatFormat => format !== "event"

/** Subscriptions of channels, and what pages call them. */
export const chatEvents = [
  ["interview.status.update.completed", "A candidate submits an interview"],
  ["submission.decision.update", "A colleague decides about a candidate"],
  ["invitation.status.update.invitation_email_failed", "An invitation does not reach the candidate"],
] as const

/** Messages a minute that Slack accepts in a channel; Teams accepts more. */
export const maxMessages = 60

/** Shown instead of the address, whose path is a secret. */
export const maskedAddress = (url: string): string => `${new URL(url).origin}/…`

/** Whom and what a message is about; null: unknown, or erased. */
export interface ChatSubject {
  readonly candidate: string | null
  readonly interview: string | null
}

export interface ChatMessage {
  readonly text: string
  /** The page of the submission. */
  readonly url: string
}

const maxPart = 150

/** One line. */
const part = (text: string | null, other: string): string => {
  const characters = [...(text ?? "").replace(/[\s\p{Cc}]+/gu, " ").trim()]
  if (characters.length === 0) return other
  return characters.length <= maxPart ? characters.join("") : `${characters.slice(0, maxPart).join("")}…`
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

const decided: Readonly<Record<string, string>> = {
  advance: "decided to advance",
  hold: "put on hold",
  reject: "decided to reject",
  cleared: "removed the decision about",
}

const failures: Readonly<Record<string, string>> = {
  invalid_email: "the address is not valid",
  unsubscribed: "the address has unsubscribed",
  bounce: "the mailbox does not exist or refuses it",
  dropped: "the email was not sent",
}

/** Without the reason of a decision, answers and scores. */
export const messageOf = (
  { data, event_type, is_test }: Pick<EventEnvelope, "data" | "event_type" | "is_test">,
  subject: ChatSubject,
  appUrl: string,
): ChatMessage => {
  const candidate = part(subject.candidate, "A candidate")
  const interview = part(subject.interview ?? textOf(data["interview_name"]), "an interview")
  const [status, decision] = [textOf(data["status"]), textOf(data["decision"])]
  const member = typeof data["decided_by"] === "object" ? Object(data["decided_by"])["name"] : null
  const what = () => {
    if (event_type === "submission.decision.update") {
      const verb = decided[decision ?? ""] ?? "decided about"
      return `${part(textOf(member), "A colleague")} ${verb} ${candidate} (${interview})`
    }
    if (event_type === "invitation.status.update") {
      const why = failures[textOf(data["reason"]) ?? ""]
      return `The invitation of ${candidate} to ${interview} did not arrive${why === undefined ? "" : `: ${why}`}`
    }
    return status === "completed" ? `${candidate} submitted ${interview}` : `News about ${candidate} (${interview})`
  }
  return {
    text: `${is_test === true ? "Test: " : ""}${what()}`,
    url: `${appUrl}/submissions/${textOf(data["submission_id"]) ?? ""}`,
  }
}

/** Slack's control characters. Without them, a text has neither mentions nor links. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const slackBody = ({ text, url }: ChatMessage) => ({
  text: `${escaped(text)}\n<${escaped(url)}|Open the submission>`,
  unfurl_links: false,
})

/** A card for the trigger "When a Teams webhook request is received". Text runs have no markup. */
const teamsBody = ({ text, url }: ChatMessage) => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text }] }],
        actions: [{ type: "Action.OpenUrl", title: "Open the submission", url }],
      },
    },
  ],
})

export const bodyOf = (format: ChatFormat, message: ChatMessage): string =>
  JSON.stringify(format === "slack" ? slackBody(message) : teamsBody(message))
