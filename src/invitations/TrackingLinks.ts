/** Counts opens and clicks, and unsubscribes. */
import { Context, Effect, Layer, Schema } from "effect"
import { EmailLinks, type MailLink } from "../emails/EmailLinks.ts"
import { SuppressionRepository } from "../emails/SuppressionRepository.ts"
import { InvitationReports } from "./InvitationReports.ts"
import { type Addressee, InvitationRepository } from "./InvitationRepository.ts"

/** Wrong signature, or no such invitation. */
export class MailLinkUnknown extends Schema.TaggedError<MailLinkUnknown>()("MailLinkUnknown", {}) {}

export interface Subscription extends Pick<Addressee, "organization_name" | "appearance" | "email" | "languages"> {
  readonly unsubscribed: boolean
}

export class TrackingLinks extends Context.Service<TrackingLinks>()("interview-invitations/invitations/TrackingLinks", {
  make: Effect.gen(function* () {
    const emailLinks = yield* EmailLinks
    const invitationRepository = yield* InvitationRepository
    const invitationReports = yield* InvitationReports
    const suppressionRepository = yield* SuppressionRepository

    const find = Effect.fn("TrackingLinks.find")(function* (link: MailLink, token: string) {
      const id = emailLinks.openMail(link, token)
      const addressee = id === undefined ? undefined : yield* invitationRepository.addressee(id)
      return addressee === undefined ? yield* new MailLinkUnknown() : addressee
    })

    const opened = Effect.fn("TrackingLinks.opened")(function* (token: string) {
      yield* invitationReports.report("opened", [yield* find("Opened", token)])
    })

    const follow = Effect.fn("TrackingLinks.follow")(function* (token: string, counts: boolean) {
      const addressee = yield* find("Clicked", token)
      if (counts) yield* invitationReports.report("clicked", [addressee])
      return emailLinks.interview({ _tag: "Invitation", id: addressee.id })
    })

    const subscription = Effect.fn("TrackingLinks.subscription")(function* (token: string) {
      const addressee = yield* find("Unsubscribe", token)
      const { email, organization_id } = addressee
      const unsubscribed = (yield* suppressionRepository.among(organization_id, [email])).has(email)
      return { ...addressee, unsubscribed }
    })

    /** Publishes no event. */
    const unsubscribe = Effect.fn("TrackingLinks.unsubscribe")(function* (token: string) {
      const addressee = yield* find("Unsubscribe", token)
      const { email, organization_id } = addressee
      yield* suppressionRepository.add([{ organization_id, email, reason: "unsubscribed" }])
      return { ...addressee, unsubscribed: true }
    })

    return { opened, follow, subscription, unsubscribe }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
