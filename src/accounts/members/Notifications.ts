/** Emails to members about events: at once, or kept for the daily email; each member chooses (docs/workspace.md#emails-to-members). */
import { Context, Effect, Layer, Schema } from "effect"
import { EmailLinks, linkSlot } from "../../emails/EmailLinks.ts"
import { type EmailKind, EmailRepository, type RenderedEmail } from "../../emails/EmailRepository.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { EmailId, type EndpointId, type OrganizationId } from "../../values/Ids.ts"
import { AuditLog, changesOf } from "../AuditLog.ts"
import type { Member } from "./Member.ts"
import { MemberRepository } from "./MemberRepository.ts"
import {
  type NotificationChoices,
  type NotificationColumn,
  notifications,
  readSubscription,
  type Subscribed,
  withoutEmails,
} from "./Notification.ts"
import { type NewNotice, NotificationRepository, type Recipient } from "./NotificationRepository.ts"

/** Wrong signature, or the member was removed. */
export class NotificationLinkUnknown extends Schema.TaggedError<NotificationLinkUnknown>()(
  "NotificationLinkUnknown",
  {},
) {}

export interface NotificationSubscription {
  readonly email: string
  readonly organization: string
  readonly subscribed: Subscribed
  readonly isEnded: boolean
}

/** Renders the email with the link that ends such emails. */
type Render = (unsubscribeUrl: string) => RenderedEmail

export class Notifications extends Context.Service<Notifications>()(
  "interview-invitations/accounts/members/Notifications",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const emailLinks = yield* EmailLinks
      const emailRepository = yield* EmailRepository
      const ids = yield* Ids
      const memberRepository = yield* MemberRepository
      const repository = yield* NotificationRepository

      /** Call in the transaction of the event. */
      const notify = Effect.fn("Notifications.notify")(function* (
        organization: OrganizationId,
        kind: EmailKind,
        recipients: ReadonlyArray<Recipient>,
        notice: NewNotice,
        render: Render,
      ) {
        const emails = yield* Effect.forEach(
          recipients.filter(({ time }) => time === "now"),
          ({ email }) =>
            Effect.map(ids.make(EmailId), (id) => ({
              id,
              invitation_id: null,
              kind,
              recipient: email,
              content: render(linkSlot(id, "unsubscribe")),
            })),
        )
        yield* emailRepository.insert(organization, emails)
        const later = recipients.filter(({ time }) => time === "daily").map(({ id }) => id)
        if (later.length > 0) yield* repository.insert(organization, later, notice)
      })

      /** Of an endpoint of webhooks, to owners and admins. */
      const notifyAdmins = Effect.fn("Notifications.notifyAdmins")(function* (
        organization: OrganizationId,
        kind: "endpoint_deactivated" | "endpoint_recovered",
        endpoint: EndpointId,
        render: Render,
      ) {
        const recipients = yield* repository.admins(organization)
        yield* notify(organization, kind, recipients, { kind: "webhooks", endpoint }, render)
      })

      /** Needs a transaction. Does nothing when the choices are the same. */
      const choose = Effect.fn("Notifications.choose")(function* (
        member: Pick<Member, "_tag" | "id" | "organizationId">,
        before: NotificationChoices,
        after: NotificationChoices,
      ) {
        const columns = notifications.map(({ column }) => column)
        const changes = changesOf<NotificationColumn, NotificationChoices>(before, after, columns)
        if (changes === undefined) return
        yield* memberRepository.setNotifications(member.organizationId, member.id, after)
        const off = notifications.filter(({ column }) => after[column] === "off").map(({ kind }) => kind)
        yield* repository.forget(member.organizationId, member.id, off)
        yield* auditLog.note(member, "member", "update", member.id, changes)
      })

      const find = Effect.fnUntraced(function* (token: string, name: string) {
        const id = emailLinks.openNotifications(token)
        const subscribed = readSubscription(name)
        const subscriber = id === undefined ? undefined : yield* repository.subscriber(id)
        if (id === undefined || subscribed === undefined || subscriber === undefined)
          return yield* new NotificationLinkUnknown()
        return { id, subscribed, subscriber }
      })

      const subscription = Effect.fn("Notifications.subscription")(function* (token: string, name: string) {
        const { subscribed, subscriber } = yield* find(token, name)
        const { email, organization_name } = subscriber
        const after = withoutEmails(subscriber, subscribed)
        const isEnded = notifications.every(({ column }) => after[column] === subscriber[column])
        return { email, organization: organization_name, subscribed, isEnded } satisfies NotificationSubscription
      })

      /** Repeatable. */
      const unsubscribe = Effect.fn("Notifications.unsubscribe")(function* (token: string, name: string) {
        const { id, subscribed, subscriber } = yield* find(token, name)
        const { email, organization_id, organization_name } = subscriber
        yield* choose(
          { _tag: "Member", id, organizationId: organization_id },
          subscriber,
          withoutEmails(subscriber, subscribed),
        )
        return { email, organization: organization_name, subscribed, isEnded: true } satisfies NotificationSubscription
      }, transaction)

      return { notify, notifyAdmins, choose, subscription, unsubscribe }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
