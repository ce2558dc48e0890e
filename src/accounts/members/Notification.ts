/** Emails that a member can turn off. A new kind is an entry here and a column of `member`. */
export const notifications = [
  { name: "mails_mentions", label: "When a colleague mentions me in a review or a comment" },
  { name: "mails_assignments", label: "When a colleague asks me to review a candidate" },
] as const

/** By the column's name; true: the email is sent. */
export type NotificationChoices = { readonly [name in (typeof notifications)[number]["name"]]: boolean }

/** `of` decides each. */
export const notificationChoices = (of: (name: keyof NotificationChoices) => boolean): NotificationChoices => ({
  mails_mentions: of("mails_mentions"),
  mails_assignments: of("mails_assignments"),
})
