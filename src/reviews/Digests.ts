/** Sends each member at most one email a day with what happened since the last one (docs/workspace.md#emails-to-members). */
import { Context, Effect, Layer } from "effect"
import { EmailLinks, linkSlot } from "../emails/EmailLinks.ts"
import { EmailRepository } from "../emails/EmailRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { EmailId } from "../values/Ids.ts"
import { lastMorning } from "./Digest.ts"
import { renderDigest } from "./DigestEmail.ts"
import { DigestRepository } from "./DigestRepository.ts"

/** Members in a transaction. */
const batch = 50

export class Digests extends Context.Service<Digests>()("interview-invitations/reviews/Digests", {
  make: Effect.gen(function* () {
    const { time, transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const emailRepository = yield* EmailRepository
    const ids = yield* Ids
    const repository = yield* DigestRepository

    /** Runs periodically on every pod; returns the number of members whose notices were due. */
    const step = Effect.gen(function* () {
      const zones = yield* repository.zones
      if (zones.length === 0) return 0
      const now = yield* time
      const mornings = zones.map((zone) => ({ zone, until: lastMorning(now, zone) }))
      const due = yield* repository.due(mornings, batch)
      const locked = due.length === 0 ? [] : yield* repository.lock(due.map(({ id }) => id))
      const readers = due.filter(({ id }) => locked.includes(id))
      if (readers.length === 0) return 0
      const notices = Map.groupBy(yield* repository.take(readers), ({ member_id }) => member_id)
      for (const reader of readers) {
        const own = notices.get(reader.id)
        if (own === undefined) continue
        const id = yield* ids.make(EmailId)
        const content = renderDigest(reader, own, emailLinks, linkSlot(id, "unsubscribe"))
        yield* emailRepository.insert(reader.organization_id, [
          { id, invitation_id: null, kind: "member_digest", recipient: reader.email, content },
        ])
      }
      return readers.length
    }).pipe(transaction, Effect.withSpan("Digests.step"))

    return { step }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
