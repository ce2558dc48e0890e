/** What the links of a mail do: the ones that count, and the one that unsubscribes. */
import { Context, Effect, Layer, Schema } from "effect"
import { InvitationRepository } from "../repository/InvitationRepository.ts"
import { type Addressee, SuppressionRepository } from "../repository/SuppressionRepository.ts"
import { Invitations } from "./Invitations.ts"
import { Links, type MailLink } from "./Links.ts"

/** This service made no such link, or what it was made for is gone. */
export class MailLinkUnknown extends Schema.TaggedError<MailLinkUnknown>()("MailLinkUnknown", {}) {}

/** Whose mails somebody can be spared, and whether that is done. */
export interface Subscription extends Pick<Addressee, "organization_name" | "email" | "languages"> {
  readonly unsubscribed: boolean
}

export class TrackingLinks extends Context.Service<
  TrackingLinks,
  {
    /** The mail was shown. */
    readonly opened: (token: string) => Effect.Effect<void, MailLinkUnknown>
    /** Where the link leads: to the interview. `counts`: somebody followed it. */
    readonly follow: (token: string, counts: boolean) => Effect.Effect<string, MailLinkUnknown>
    readonly subscription: (token: string) => Effect.Effect<Subscription, MailLinkUnknown>
    /** Puts the address on the organization's suppression list; once or often, it is the same. No event (contract, E-mail). */
    readonly unsubscribe: (token: string) => Effect.Effect<Subscription, MailLinkUnknown>
  }
>()("interview-invitations/service/TrackingLinks") {
  static readonly layer = Layer.effect(
    TrackingLinks,
    Effect.gen(function* () {
      const invitationRows = yield* InvitationRepository
      const invitations = yield* Invitations
      const links = yield* Links
      const suppressions = yield* SuppressionRepository

      const find = Effect.fn("MailLinks.find")(function* (link: MailLink, token: string) {
        const id = links.openMail(link, token)
        const addressee = id === undefined ? undefined : yield* suppressions.addressee(id)
        return addressee === undefined ? yield* new MailLinkUnknown() : addressee
      })

      return TrackingLinks.of({
        opened: Effect.fn("MailLinks.opened")(function* (token) {
          yield* invitations.report("opened", [yield* find("Opened", token)])
        }),
        follow: Effect.fn("MailLinks.follow")(function* (token, counts) {
          const addressee = yield* find("Clicked", token)
          if (counts) yield* invitations.report("clicked", [addressee])
          return links.interview({ _tag: "Invitation", id: addressee.id })
        }),
        subscription: Effect.fn("MailLinks.subscription")(function* (token) {
          const addressee = yield* find("Unsubscribe", token)
          const unsubscribed = yield* invitationRows.isSuppressed(addressee.organization_id, addressee.email)
          return { ...addressee, unsubscribed }
        }),
        unsubscribe: Effect.fn("MailLinks.unsubscribe")(function* (token) {
          const addressee = yield* find("Unsubscribe", token)
          const { email, organization_id } = addressee
          yield* suppressions.add([{ organization_id, email, reason: "unsubscribed" }])
          return { ...addressee, unsubscribed: true }
        }),
      })
    }),
  )
}
