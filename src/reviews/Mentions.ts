/** Emails to members whom a colleague mentions. */
import { Effect } from "effect"
import { type Member, memberName } from "../accounts/members/Member.ts"
import { renderMention } from "../accounts/members/MemberEmail.ts"
import { Notifications } from "../accounts/members/Notifications.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import type { SubmissionId } from "../values/Ids.ts"
import type { Colleague } from "./ReviewRepository.ts"

export const makeNotifyMentioned = Effect.gen(function* () {
  const emailLinks = yield* EmailLinks
  const notifications = yield* Notifications
  /** Each as the member has chosen. `place` is before "a candidate". Call in the transaction of the change. */
  return Effect.fnUntraced(function* (
    member: Member,
    submission: SubmissionId,
    place: "review of" | "comment on",
    interview: string,
    mentioned: ReadonlyArray<Colleague>,
  ) {
    yield* notifications.notify(
      member.organizationId,
      "review_mention",
      mentioned.map(({ email, id, mails_mentions }) => ({ id, email, time: mails_mentions })),
      { kind: "mentions", submissions: [submission], by: member.id },
      (unsubscribeUrl) =>
        renderMention({
          organization: member.organizationName,
          author: memberName(member),
          place,
          interview,
          url: emailLinks.submission(submission),
          unsubscribeUrl,
        }),
    )
  })
})
