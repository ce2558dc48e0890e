/** The emails of a test space. Reading one, and following its links, counts as a provider would report it. */
import { Context, Effect, Layer } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import type { EmailSignal } from "../emails/EmailEvent.ts"
import { EmailLinks, fillLinks } from "../emails/EmailLinks.ts"
import type { EmailRow } from "../emails/EmailRepository.ts"
import { InvitationReports } from "../invitations/InvitationReports.ts"
import { EmailId, requireId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { linkAt, mailHeaders } from "./StoredMail.ts"
import { TestMailRepository } from "./TestMailRepository.ts"

/** Emails on a page. */
const pageSize = 50

const unknown = Effect.fail(new NotFound({ record: "email" }))

export class TestMailbox extends Context.Service<TestMailbox>()("interview-invitations/test-mode/TestMailbox", {
  make: Effect.gen(function* () {
    const { email: settings } = yield* Config
    const emailLinks = yield* EmailLinks
    const invitationReports = yield* InvitationReports
    const repository = yield* TestMailRepository

    /** `number`: of the page, from 1. */
    const list = Effect.fn("TestMailbox.list")(function* (member: Member, number: number) {
      const skipped = (Math.max(1, number) - 1) * pageSize
      const page = { limit: pageSize + 1, skipped }
      const found = yield* repository.list(member.organizationId, readerOf(member), page)
      return { emails: found.slice(0, pageSize), hasMore: found.length > pageSize }
    })

    const find = Effect.fnUntraced(function* (member: Member, id: string) {
      const emailId = yield* requireId(EmailId, id, "email")
      const email = yield* repository.find(member.organizationId, readerOf(member), emailId)
      return email === undefined ? yield* unknown : { ...email, ...fillLinks(emailLinks, email, email) }
    })

    const report = Effect.fnUntraced(function* ({ invitation_id, organization_id }: EmailRow, signal: EmailSignal) {
      if (invitation_id !== null) yield* invitationReports.report(signal, [{ id: invitation_id, organization_id }])
    })

    /** Also reports the invitation as opened. */
    const open = Effect.fn("TestMailbox.open")(function* (member: Member, id: string) {
      const email = yield* find(member, id)
      yield* report(email, "opened")
      return { email, headers: mailHeaders(settings, emailLinks, email) }
    })

    /** The address of the n-th link. Also reports the invitation as clicked, if it is the link of the interview. */
    const follow = Effect.fn("TestMailbox.follow")(function* (member: Member, id: string, index: number) {
      const email = yield* find(member, id)
      const link = linkAt(email.html, index)
      if (link === undefined) return yield* unknown
      if (emailLinks.open(link.slice(link.lastIndexOf("/") + 1)) !== undefined) yield* report(email, "clicked")
      return link
    })

    return { list, open, follow }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
