/** Port of EmailQueue.ts for services: emails that are sent before the call ends. */
import { Context, type Effect } from "effect"
import type { InvitationId, OrganizationId } from "../values/Ids.ts"

export class ImmediateEmails extends Context.Service<
  ImmediateEmails,
  {
    /** Sends the waiting emails of the invitation in this process. Leaves one that a worker has claimed to that worker. */
    readonly sendNow: (organization: OrganizationId, invitation: InvitationId) => Effect.Effect<void>
  }
>()("interview-invitations/emails/ImmediateEmails") {}
