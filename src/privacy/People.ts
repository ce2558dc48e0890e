/** A copy of a candidate's data (GDPR, article 15) and its erasure (article 17). */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import type { CandidateFilter } from "../candidates/CandidateSql.ts"
import { BlobRepository } from "../files/BlobRepository.ts"
import { BlobStore, BlobStoreUnavailable } from "../files/BlobStore.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { FormIdempotency } from "../platform/http/FormIdempotency.ts"
import { SavedViewRepository } from "../reviews/SavedViewRepository.ts"
import { searchOfList } from "../submissions/SubmissionSearch.ts"
import { type PageRequest, pageOf } from "../values/Cursor.ts"
import { cleanAddress, foldAddress } from "../values/EmailAddress.ts"
import type { CandidateId } from "../values/Ids.ts"
import { Conflict, NotFound } from "../values/Problem.ts"
import { exportText } from "./ExportText.ts"
import { LegalHoldRepository } from "./LegalHoldRepository.ts"
import { type PersonCounts, type PersonEntry, PersonRepository } from "./PersonRepository.ts"

export const maxFound = 50

export const maxSearchLength = 400

export interface Person {
  readonly entry: PersonEntry
  readonly counts: PersonCounts
}

const unknown = new NotFound({ record: "candidate" })

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

const folded = (text: string) => text.normalize("NFKC").toLowerCase()

/** Names in scripts without blanks between words, of at least two characters. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s]{2,}$/u

/** A name as whole words, whose parts may be cells of a table, or as "Lovelace, Ada". */
const patternOf = (name: string): string => {
  const parts = folded(name)
    .split(/\s+/)
    .filter((part) => part !== "")
    .map(literally)
  return unspaced.test(name)
    ? parts.join("[\\s,;|]{0,4}")
    : `(?<![\\p{L}\\p{M}])${parts.join("[\\s,;|]{1,4}")}(?![\\p{L}\\p{M}])`
}

/** True for texts that contain an id, an address, a link, or a name. */
const namesPerson = ({
  exact,
  names,
}: {
  readonly exact: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
}) => {
  const all = [
    ...exact.map((text) => literally(folded(text))),
    ...names.filter((name) => name.trim() !== "").map(patternOf),
  ]
  const any = new RegExp(all.join("|"), "u")
  return (text: string) => all.length > 0 && any.test(folded(text))
}

/** Whether the text names the candidate, before an erasure: by the id, or by the address in any spelling. */
export const isConfirmed = ({ email, id }: Pick<PersonEntry, "id" | "email">, text: string): boolean => {
  const typed = text.trim()
  return typed.toLowerCase() === id || (email !== null && foldAddress(cleanAddress(typed)) === foldAddress(email))
}

export class People extends Context.Service<People>()("interview-invitations/privacy/People", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const blobRepository = yield* BlobRepository
    const blobStore = yield* BlobStore
    const { transaction } = yield* Database
    const formIdempotency = yield* FormIdempotency
    const legalHoldRepository = yield* LegalHoldRepository
    const personRepository = yield* PersonRepository
    const savedViewRepository = yield* SavedViewRepository

    const search = Effect.fn("People.search")(function* ({ organizationId }: Viewer, typed: string) {
      const text = cleanAddress(typed.replaceAll("\0", "").toWellFormed())
      if (text === "" || text.length > maxSearchLength) return []
      return yield* personRepository.search(organizationId, text, maxFound)
    }, mayReadReplica)

    const list = Effect.fn("People.list")(function* (
      { organizationId }: Viewer,
      filter: CandidateFilter,
      page: PageRequest,
    ) {
      const rows = yield* personRepository.list(organizationId, filter, page)
      return pageOf("candidates", rows, page, ({ position: _, ...row }) => row)
    }, mayReadReplica)

    const show = Effect.fn("People.show")(function* ({ organizationId }: Viewer, id: CandidateId) {
      const entry = (yield* personRepository.find(organizationId, id)) ?? (yield* unknown)
      return { entry, counts: yield* personRepository.counts(organizationId, id) }
    })

    const readData = Effect.fnUntraced(function* (viewer: Viewer, id: CandidateId) {
      const found = (yield* personRepository.everything(viewer.organizationId, id)) ?? (yield* unknown)
      yield* auditLog.note(viewer, "candidate", "export", id)
      return found
    }, transaction)

    /** Everything that is stored, as the JSON text of `exportText`. The export is in the audit log before its first byte is sent. */
    const everything = Effect.fn("People.everything")(function* (
      viewer: Viewer,
      id: CandidateId,
      around: { readonly before: string; readonly after: string } = { before: "", after: "\n" },
    ) {
      return exportText(blobStore, viewer.organizationId, yield* readData(viewer, id), around)
    })

    const eraseRows = Effect.fnUntraced(function* (viewer: Viewer, id: CandidateId, isStill?: Effect.Effect<boolean>) {
      const organization = viewer.organizationId
      const identifiers = yield* personRepository.identifiers(organization, id)
      const { files, ...erased } =
        (yield* personRepository.erase(organization, id, isStill ?? Effect.succeed(true))) ?? (yield* unknown)
      // after the erasure's lock: a hold that was placed meanwhile is seen, and one that is being placed waits
      const [hold] = yield* legalHoldRepository.ofCandidate(organization, id)
      if (hold !== undefined)
        return yield* new Conflict({
          reason: "a legal hold keeps the candidate's data: release it first, under Settings → Retention",
        })
      const isNamed = namesPerson(identifiers)
      yield* formIdempotency.erase(organization, isNamed)
      const views = yield* savedViewRepository.all(organization)
      yield* savedViewRepository.remove(
        organization,
        views.flatMap((view) => (isNamed(view.name) || isNamed(searchOfList(view.query).text) ? [view.id] : [])),
      )
      yield* auditLog.note(viewer, "candidate", "erase", id, {
        ...erased.removed,
        ...(isStill === undefined ? {} : { retention: true }),
      })
      return { ...erased, files }
    }, transaction)

    /**
     * Files that the store cannot remove are retried every minute. `removed`: what was stored since an earlier erasure, whose time is
     * `erasedBefore`, and also `erasedAt` if nothing was removed. Conflict: a legal hold is in force. NotFound also when
     * `isStill`, with which retention looks again after the lock of the candidate, is false.
     */
    const erase = Effect.fn("People.erase")(function* (
      viewer: Viewer,
      id: CandidateId,
      isStill?: Effect.Effect<boolean>,
    ) {
      const organization = viewer.organizationId
      const { files, ...erased } = yield* eraseRows(viewer, id, isStill)
      yield* personRepository.dropLateAnswers(organization, id)
      const unused = yield* blobRepository.unused(files.map((file) => ({ organization, id: file })))
      yield* blobStore.remove(unused).pipe(
        Effect.andThen(blobRepository.forget(unused)),
        Effect.timeoutOrElse({
          duration: "15 seconds",
          orElse: () => Effect.fail(new BlobStoreUnavailable({ reason: "the store took too long" })),
        }),
        Effect.catchTag("BlobStoreUnavailable", ({ reason }) =>
          Effect.logWarning("files of an erased person are not removed yet; retried every minute", reason),
        ),
      )
      return erased
    })

    return { search, list, show, everything, erase }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
