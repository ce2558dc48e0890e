/** Where `npm start` shows emails and webhooks. The workspace links to them. */
import { Context } from "effect"

export interface TrialPlaces {
  /** Paths of pages. */
  readonly mailbox: string
  readonly receiver: string
}

/** Undefined: an installation, whose emails and webhooks leave it. */
export const TrialPlaces = Context.Reference<TrialPlaces | undefined>("interview-invitations/accounts/TrialPlaces", {
  defaultValue: () => undefined,
})
