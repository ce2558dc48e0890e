import type { INodePropertyOptions } from "n8n-workflow"

interface EventType {
  readonly name: string
  /** The sub-events of the type with their names. */
  readonly statuses: Readonly<Record<string, string>>
}

export const eventTypes: Readonly<Record<string, EventType>> = {
  "interview.evaluation.update": {
    name: "Evaluation",
    statuses: { cannot_evaluate: "Cannot Be Evaluated", not_scored: "Not Scored", scored: "Scored" },
  },
  "interview.status.update": {
    name: "Interview",
    statuses: { completed: "Completed", initiated: "Opened", started: "Started" },
  },
  "invitation.status.update": {
    name: "Invitation Email",
    statuses: {
      invitation_email_clicked: "Clicked",
      invitation_email_delivered: "Delivered",
      invitation_email_failed: "Failed",
      invitation_email_opened: "Opened",
      invitation_email_spam: "Reported as Spam",
    },
  },
  "submission.decision.update": {
    name: "Decision",
    statuses: { advance: "Advance", cleared: "Cleared", hold: "Hold", reject: "Reject" },
  },
  "submission.review": {
    name: "Review by a Person",
    statuses: { answered: "Answered", requested: "Requested", withdrawn: "Withdrawn" },
  },
  "submission.stage.update": { name: "Stage", statuses: { left: "Left", moved: "Moved" } },
}

/** Each type, and each of its sub-events as `<type>.<sub-event>`. */
export const subscriptions: INodePropertyOptions[] = Object.entries(eventTypes)
  .flatMap(([type, { name, statuses }]) => [
    { name: `${name}: Any`, value: type },
    ...Object.entries(statuses).map(([status, title]) => ({ name: `${name}: ${title}`, value: `${type}.${status}` })),
  ])
  .sort((one, other) => one.name.localeCompare(other.name))
