/** Words of the settings' pages. */
import type { ApiKey } from "../ApiKey.ts"
import type { Scope } from "../Scopes.ts"

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const

/** "3 days", "1 hour", "less than a minute". */
export const spanText = (millis: number): string => {
  const found = units.find(([, size]) => millis >= size)
  if (found === undefined) return "less than a minute"
  const [name, size] = found
  const count = Math.floor(millis / size)
  return `${count} ${name}${count === 1 ? "" : "s"}`
}

/** "3 days ago", "in 2 minutes". */
export const sinceText = (at: Date, now: Date): string => {
  const millis = at.getTime() - now.getTime()
  return millis > 0 ? `in ${spanText(millis)}` : `${spanText(-millis)} ago`
}

/** "7 deliveries", "1 delivery". */
export const countText = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const scopeWords: Readonly<Record<Scope, { readonly name: string; readonly text: string }>> = {
  invite_candidates: { name: "Invite candidates", text: "Invite people to interviews, and change invitations." },
  create_set: { name: "Create interview sets", text: "Create interviews with questions and requirements." },
  read: {
    name: "Read",
    text: "Read submissions, sets and events. Every key may do that; one with this alone may do nothing else.",
  },
}

/** What a key may do. */
export const scopesText = ({ scopes }: Pick<ApiKey, "scopes">): string => {
  if (scopes.length === 0) return "Everything"
  const names = scopes.filter((scope) => scope !== "read").map((scope) => scopeWords[scope].name)
  return names.length === 0 ? "Read only" : `${names.join(", ")}, read`
}

/** Whether a key opens anything, and why not. */
export const keyStatus = ({ expired, status }: Pick<ApiKey, "expired" | "status">): { name: string; isOn: boolean } =>
  status === "inactive"
    ? { name: "Inactive", isOn: false }
    : expired
      ? { name: "Expired", isOn: false }
      : { name: "Active", isOn: true }

export const keyName = ({ name }: Pick<ApiKey, "name">): string => name ?? "Key without a name"
