/** Performs what the links of a mail are for: counting opens and clicks, and unsubscribing. */
import { Context, Effect, Layer, Schema } from "effect"
import { EmailLinks, type MailLink } from "../emails/EmailLinks.ts"
import { SuppressionRepository } from "../emails/SuppressionRepository.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { type Addressee, InvitationRepository } from "./InvitationRepository.ts"
import { Invitations } from "./Invitations.ts"

/** The signature of the link is wrong, or its invitation does not exist. */
export class MailLinkUnknown extends Schema.TaggedError<MailLinkUnknown>()("MailLinkUnknown", {}) {}

/** The sender and the recipient that an unsubscribe link names. */
export interface Subscription extends Pick<Addressee, "organization_name" | "email" | "languages"> {
  readonly unsubscribed: boolean
}

const find = Effect.fn("TrackingLinks.find")(function* (link: MailLink, token: string) {
  const links = yield* EmailLinks
  const invitationRows = yield* InvitationRepository
  const id = links.openMail(link, token)
  const addressee = id === undefined ? undefined : yield* invitationRows.addressee(id)
  return addressee === undefined ? yield* new MailLinkUnknown() : addressee
})

/** Records that the mail was opened. */
const opened = Effect.fn("TrackingLinks.opened")(function* (token: string) {
  const invitations = yield* Invitations
  yield* invitations.report("opened", [yield* find("Opened", token)])
})

/** Returns the address of the interview, and records the click when it `counts`. */
const follow = Effect.fn("TrackingLinks.follow")(function* (token: string, counts: boolean) {
  const invitations = yield* Invitations
  const links = yield* EmailLinks
  const addressee = yield* find("Clicked", token)
  if (counts) yield* invitations.report("clicked", [addressee])
  return links.interview({ _tag: "Invitation", id: addressee.id })
})

const subscription = Effect.fn("TrackingLinks.subscription")(function* (token: string) {
  const invitationRows = yield* InvitationRepository
  const addressee = yield* find("Unsubscribe", token)
  const unsubscribed = yield* invitationRows.isSuppressed(addressee.organization_id, addressee.email)
  return { ...addressee, unsubscribed }
})

/** Adds the address to the organization's suppression list; publishes no event. */
const unsubscribe = Effect.fn("TrackingLinks.unsubscribe")(function* (token: string) {
  const suppressions = yield* SuppressionRepository
  const addressee = yield* find("Unsubscribe", token)
  const { email, organization_id } = addressee
  yield* suppressions.add([{ organization_id, email, reason: "unsubscribed" }])
  return { ...addressee, unsubscribed: true }
})

const useCases = { opened, follow, subscription, unsubscribe }

export class TrackingLinks extends Context.Service<TrackingLinks, Methods<typeof useCases>>()(
  "interview-invitations/emails/TrackingLinks",
) {
  static readonly layer = Layer.effect(
    TrackingLinks,
    methods([InvitationRepository, Invitations, EmailLinks, SuppressionRepository], useCases),
  )
}
