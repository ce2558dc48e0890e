/** Sends candidates the email that leads to the page with their result, once. */
import { Context, Effect, Layer } from "effect"
import { logoOf } from "../accounts/Appearance.ts"
import { EmailLinks, linkSlot } from "../emails/EmailLinks.ts"
import { FollowUpRepository } from "../invitations/FollowUpRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import { EmailId } from "../values/Ids.ts"
import { renderResultOffer } from "./ResultEmail.ts"
import { ResultRepository } from "./ResultRepository.ts"

const batch = 200

export class ResultOffers extends Context.Service<ResultOffers>()("interview-invitations/person-reviews/ResultOffers", {
  make: Effect.gen(function* () {
    const { time, transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const followUpRepository = yield* FollowUpRepository
    const ids = yield* Ids
    const repository = yield* ResultRepository
    const { wake } = yield* QueueNotifier

    /** Queues the emails that are due, at most `batch`. Returns the number of candidates. Candidates without an address get none. */
    const step = Effect.gen(function* () {
      const due = yield* repository.claimOffers(batch)
      const dueAt = yield* time
      for (const [organization, group] of Map.groupBy(due, ({ organization_id }) => organization_id)) {
        const views = yield* followUpRepository.views(
          organization,
          group.map(({ id }) => id),
        )
        const mails = yield* Effect.forEach(views, (view) =>
          Effect.map(ids.make(EmailId), (id) => {
            const own = view.appearance === null ? undefined : logoOf(view.appearance)
            const logo = own === undefined ? undefined : { ...own, href: emailLinks.absolute(own.href) }
            const content = renderResultOffer(view, logo, linkSlot(id, "interview"))
            const { submission_id } = view
            return view.email === null
              ? []
              : [{ id, submission_id, kind: "result" as const, recipient: view.email, ...content }]
          }),
        )
        yield* followUpRepository.queueLetters(organization, mails.flat(), dueAt)
      }
      if (due.length > 0) yield* wake("email")
      return due.length
    }).pipe(transaction, Effect.withSpan("ResultOffers.step"))

    return { step }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
