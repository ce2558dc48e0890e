/** A member's passkeys (WebAuthn Level 3). */
import { Duration } from "effect"

/** How long a browser may take to make or to use a passkey. */
export const maxPasskeyTime = Duration.minutes(10)

/** Passkeys of a member, and characters of a name. */
export const passkeyLimits = { count: 10, name: 60 } as const

export interface Passkey {
  /** Base64url. */
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}
