/** What members get by email, and when. */

import { may } from "../Permissions.ts"
import { type Member, type Role, roles } from "./Member.ts"

/** A new kind is an entry here and in `notifications`, a column `mails_…` of `member`, and a value of `member_notice.kind`. */
export const notificationKinds = [
  "mentions",
  "comments",
  "assignments",
  "submitted",
  "accommodations",
  "person_reviews",
  "remarks",
  "webhooks",
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** `daily`: in one email a day. */
export const notificationTimes = ["now", "daily", "off"] as const
export type NotificationTime = (typeof notificationTimes)[number]

/** The hour of the daily email, in the organization's time zone. */
export const dailyHour = 8

/** By the column's name. */
export type NotificationChoices = { readonly [kind in NotificationKind as `mails_${kind}`]: NotificationTime }
export type NotificationColumn = keyof NotificationChoices

interface Notification {
  readonly kind: NotificationKind
  readonly column: NotificationColumn
  readonly label: (member: Pick<Member, "role">) => string
  /** After "No more emails ". */
  readonly about: string
  readonly isFor: (member: Pick<Member, "role">) => boolean
}

export const notifications: ReadonlyArray<Notification> = [
  {
    kind: "mentions",
    column: "mails_mentions",
    label: () => "A colleague mentions me in a review or a comment",
    about: "when a colleague mentions you",
    isFor: () => true,
  },
  {
    kind: "assignments",
    column: "mails_assignments",
    label: () => "A colleague asks me to review a candidate",
    about: "when a colleague asks you to review a candidate",
    isFor: () => true,
  },
  {
    kind: "comments",
    column: "mails_comments",
    label: () => "A colleague comments on a candidate whom I review",
    about: "about comments on candidates whom you review",
    isFor: (member) => may(member, "comment"),
  },
  {
    kind: "submitted",
    column: "mails_submitted",
    label: (member) =>
      may(member, "readSubmissions")
        ? "A candidate submits an interview that I have access to"
        : "A candidate whom I am asked to review submits the interview",
    about: "about submitted interviews",
    isFor: () => true,
  },
  {
    kind: "accommodations",
    column: "mails_accommodations",
    label: () => "A candidate asks for more time, typing or another way to take part",
    about: "about what candidates need to take part",
    isFor: (member) => may(member, "answerCandidates"),
  },
  {
    kind: "person_reviews",
    column: "mails_person_reviews",
    label: () => "A candidate asks for a review by a person",
    about: "when a candidate asks for a review by a person",
    isFor: (member) => may(member, "answerCandidates"),
  },
  {
    kind: "remarks",
    column: "mails_remarks",
    label: () => "A candidate corrects the result or adds a remark",
    about: "when a candidate corrects the result or adds a remark",
    isFor: (member) => may(member, "readSubmissions"),
  },
  {
    kind: "webhooks",
    column: "mails_webhooks",
    label: () => "A webhook is deactivated after failures, or works again",
    about: "about failures of webhooks",
    isFor: (member) => may(member, "readWebhooks"),
  },
]

/** Of the members who get such notifications. */
export const rolesFor = (kind: NotificationKind): ReadonlyArray<Role> =>
  roles.filter((role) => notifications.some((one) => one.kind === kind && one.isFor({ role })))

/** `of` decides each. */
export const notificationChoices = (of: (column: NotificationColumn) => NotificationTime): NotificationChoices => ({
  mails_mentions: of("mails_mentions"),
  mails_comments: of("mails_comments"),
  mails_assignments: of("mails_assignments"),
  mails_submitted: of("mails_submitted"),
  mails_accommodations: of("mails_accommodations"),
  mails_person_reviews: of("mails_person_reviews"),
  mails_remarks: of("mails_remarks"),
  mails_webhooks: of("mails_webhooks"),
})

export const readTime = (text: string | undefined): NotificationTime | undefined =>
  notificationTimes.find((time) => time === text)

/** What a link to unsubscribe ends: emails of one kind, or the daily email. */
export const readSubscription = (text: string): NotificationKind | "daily" | undefined =>
  text === "daily" ? text : notificationKinds.find((kind) => kind === text)
export type Subscribed = NotificationKind | "daily"

/** The choices after unsubscribing. */
export const withoutEmails = (before: NotificationChoices, subscribed: Subscribed): NotificationChoices =>
  notificationChoices((column) =>
    subscribed === "daily"
      ? before[column] === "daily"
        ? "off"
        : before[column]
      : column === `mails_${subscribed}`
        ? "off"
        : before[column],
  )
