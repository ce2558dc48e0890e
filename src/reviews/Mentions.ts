/** Emails to members whom a colleague mentions. */
import { Effect } from "effect"
import { type Member, memberName } from "../accounts/members/Member.ts"
import { renderMention } from "../accounts/members/MemberEmail.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { EmailRepository } from "../emails/EmailRepository.ts"
import { Ids } from "../platform/NewIds.ts"
import { EmailId, type SubmissionId } from "../values/Ids.ts"
import type { Colleague } from "./ReviewRepository.ts"

export const makeNotifyMentioned = Effect.gen(function* () {
  const emailLinks = yield* EmailLinks
  const emailRepository = yield* EmailRepository
  const ids = yield* Ids
  /** Those who have turned these emails off get none. `place` is before "a candidate". Call in the transaction of the change. */
  return Effect.fnUntraced(function* (
    member: Member,
    submission: SubmissionId,
    place: "review of" | "comment on",
    interview: string,
    mentioned: ReadonlyArray<Colleague>,
  ) {
    const content = renderMention({
      organization: member.organizationName,
      author: memberName(member),
      place,
      interview,
      url: emailLinks.submission(submission),
    })
    const mails = yield* Effect.forEach(
      mentioned.filter(({ mails_mentions }) => mails_mentions),
      ({ email }) =>
        Effect.map(ids.make(EmailId), (id) => ({
          id,
          invitation_id: null,
          kind: "review_mention" as const,
          recipient: email,
          content,
        })),
    )
    yield* emailRepository.insert(member.organizationId, mails)
  })
})
