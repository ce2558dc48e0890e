/** What people may ask for: all that is kept of them (GDPR, article 15), and that it is erased (article 17). */
import { Context, Effect, Layer } from "effect"
import { noting } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import { BlobRepository } from "../files/BlobRepository.ts"
import { BlobStore, BlobStoreUnavailable } from "../files/BlobStore.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import type { CandidateId, MemberId, OrganizationId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { withFiles } from "./PersonFiles.ts"
import { type PersonCounts, type PersonEntry, PersonRepository } from "./PersonRepository.ts"

/** People that one search shows. */
export const maxFound = 50

/** Longer texts are nobody's name or address. */
const longestText = 400

export interface Person {
  readonly entry: PersonEntry
  readonly counts: PersonCounts
}

const note = noting("candidate")

const unknown = new NotFound({ record: "candidate" })

const show = Effect.fn("People.show")(function* (organization: OrganizationId, id: CandidateId) {
  const repository = yield* PersonRepository
  const entry = (yield* repository.find(organization, id)) ?? (yield* unknown)
  return { entry, counts: yield* repository.counts(organization, id) }
})

const takeOut = Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId, by?: MemberId) {
  const repository = yield* PersonRepository
  const { counts } = yield* show(organization, id)
  const files = (yield* repository.erase(organization, id)) ?? (yield* unknown)
  yield* note(organization, by, "erase", id, { ...counts })
  return { counts, files }
}, inTransaction)

const tell = Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId, by?: MemberId) {
  const repository = yield* PersonRepository
  const found = (yield* repository.everything(organization, id)) ?? (yield* unknown)
  yield* note(organization, by, "export", id)
  return found
}, inTransaction)

/** By address, name, or id; at most `maxFound`, newest first. */
const search = Effect.fn("People.search")(function* (organization: OrganizationId, typed: string) {
  const repository = yield* PersonRepository
  const text = typed.trim().replaceAll("\0", "").toWellFormed()
  if (text === "" || text.length > longestText) return []
  return yield* repository.search(organization, text, maxFound)
})

/** Everything about a person as JSON, files as base64; noted in the audit log. `by` undefined: a command. */
const everything = Effect.fn("People.everything")(function* (
  organization: OrganizationId,
  id: CandidateId,
  by?: MemberId,
) {
  const store = yield* BlobStore
  return yield* withFiles(store, organization, yield* tell(organization, id, by))
})

/**
 * Takes out all that tells who somebody was, at once and for good; what is counted stays. Once more is the same. Files go
 * after the rows that named them: what a store does not take now is tried every minute until it does. Gives what there was.
 */
const erase = Effect.fn("People.erase")(function* (organization: OrganizationId, id: CandidateId, by?: MemberId) {
  const blobs = yield* BlobRepository
  const store = yield* BlobStore
  const { counts, files } = yield* takeOut(organization, id, by)
  const unused = yield* blobs.unused(files.map((id) => ({ organization, id })))
  yield* store.remove(unused).pipe(
    Effect.andThen(blobs.forget(unused)),
    // whoever erases does not wait for a store that hangs
    Effect.timeoutOrElse({
      duration: "15 seconds",
      orElse: () => Effect.fail(new BlobStoreUnavailable({ reason: "the store took too long" })),
    }),
    Effect.catchTag("BlobStoreUnavailable", ({ reason }) =>
      Effect.logWarning("files of an erased person are still kept, and are tried again every minute", reason),
    ),
  )
  return counts
})

const useCases = { search, show, everything, erase }

export class People extends Context.Service<People, Methods<typeof useCases>>()(
  "interview-invitations/privacy/People",
) {
  static readonly layer = Layer.effect(
    People,
    methods([AuditLogRepository, BlobRepository, BlobStore, Database, PersonRepository], useCases),
  )
}
