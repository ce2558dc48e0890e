/** Emails that a member can turn off. A new kind is an entry here and a column of `member`. */
export const notifications = [{ name: "mails_mentions", label: "When a colleague mentions me in a review" }] as const

/** By the column's name; true: the email is sent. */
export type NotificationChoices = { readonly [name in (typeof notifications)[number]["name"]]: boolean }
