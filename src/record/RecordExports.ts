/** The record of an organization: its head, the export of all entries, and the bundle of one submission (docs/record.md). */
import { createHash } from "node:crypto"
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Author } from "../accounts/Viewer.ts"
import { displayName } from "../candidates/Candidate.ts"
import { fingerprintOf, sign } from "../platform/crypto/Ed25519.ts"
import { Database } from "../platform/database/Database.ts"
import type { OrganizationId, SubmissionId } from "../values/Ids.ts"
import { Conflict, NotFound } from "../values/Problem.ts"
import { canonicalJson } from "./CanonicalJson.ts"
import {
  type Bundle,
  base64url,
  bundleFormat,
  decisionMessage,
  EntryBody,
  type ExportEnd,
  type ExportHeader,
  endMessage,
  entryLine,
  exportFormat,
  exportMessage,
  hex,
  type SealedEntry,
} from "./RecordEntry.ts"
import { exportedKeys, RecordKeys } from "./RecordKeys.ts"
import { type RecordedNotice, RecordRepository, type StoredEntry } from "./RecordRepository.ts"

export interface SubmissionRecord {
  /** Of the candidate; "": none, or erased. */
  readonly name: string
  /** The title of the interview set. */
  readonly interview: string
  readonly entries: ReadonlyArray<SealedEntry>
  /** Present names of the members whose ids are in the entries, by id. */
  readonly members: ReadonlyMap<string, string>
  /** Facts that are not sealed yet. */
  readonly waiting: number
  /** Notices that the candidate got. */
  readonly notices: ReadonlyArray<RecordedNotice>
}

export interface RecordHead {
  readonly organization: OrganizationId
  readonly entries: number
  /** Hash of the last entry; null: there is none. */
  readonly head: string | null
  readonly sealed_at: Date | null
  /** Facts that are not sealed yet. */
  readonly waiting: number
  /** Fingerprints, oldest first. The last one signs. */
  readonly keys: ReadonlyArray<string>
}

const readBody = Schema.decodeUnknownSync(Schema.fromJsonString(EntryBody))

/** A line of an export. `body` is as it was signed. */
const lineOf = ({ body, content, hash, salt, signature }: StoredEntry): string =>
  `${entryLine(canonicalJson(content), body, {
    hash: hex(hash),
    salt: salt === null ? null : base64url(salt),
    signature: base64url(signature),
  })}\n`

const sealedEntry = ({ body, content, hash, salt, signature }: StoredEntry): SealedEntry => ({
  entry: readBody(body),
  hash: hex(hash),
  signature: base64url(signature),
  content,
  salt: salt === null ? null : base64url(salt),
})

/** Absent without notices, as in files of earlier versions. */
const noticesIn = <A>(
  notices: ReadonlyArray<RecordedNotice>,
  part: (notice: RecordedNotice) => A,
): { readonly notices?: readonly [A, ...Array<A>] } => {
  const [first, ...others] = notices.map(part)
  return first === undefined ? {} : { notices: [first, ...others] }
}

const empty = new Conflict({
  reason: "the record has no entries yet: the first follows the first evaluation or decision by a second",
})

export class RecordExports extends Context.Service<RecordExports>()("interview-invitations/record/RecordExports", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { time, transaction } = yield* Database
    const recordKeys = yield* RecordKeys
    const repository = yield* RecordRepository

    const head = Effect.fn("RecordExports.head")(function* (organization: OrganizationId) {
      const chain = yield* repository.chain(organization)
      if (chain === undefined) return yield* new NotFound({ record: "organization" })
      const keys = yield* repository.keys(organization)
      return {
        organization,
        entries: chain.entries,
        head: chain.hash === null ? null : hex(chain.hash),
        sealed_at: chain.sealed_at,
        waiting: chain.waiting,
        keys: keys.map(({ public_key }) => fingerprintOf(public_key)),
      } satisfies RecordHead
    })

    /** What every file says about the record, and the key that signs it. Conflict: there is no key yet. */
    const begin = Effect.fnUntraced(function* (organization: OrganizationId) {
      const chain = yield* repository.chain(organization)
      const active = yield* recordKeys.active(organization)
      const [first, ...others] = exportedKeys(organization, active?.keys ?? [])
      if (chain === undefined || active === undefined || first === undefined) return yield* empty
      return {
        key: active.key,
        statement: {
          organization,
          entries: chain.entries,
          head: chain.hash === null ? null : hex(chain.hash),
          exported_at: (yield* time).toISOString(),
          keys: [first, ...others] as const,
        },
      }
    })

    /** All entries up to now, as lines of canonical JSON; entries are read while the file is sent. */
    const exportAll = Effect.fn("RecordExports.exportAll")(function* (author: Author) {
      const organization = author.organizationId
      const { key, statement: found } = yield* begin(organization)
      if (found.head === null) return yield* empty
      const statement = { ...found, head: found.head } satisfies ExportHeader["statement"]
      yield* auditLog.note(author, "record", "export", String(organization))
      const header: ExportHeader = {
        format: exportFormat,
        statement,
        signature: base64url(sign(key, exportMessage(canonicalJson(statement)))),
      }
      const erased = createHash("sha256")
      const lines = repository.entries(organization, statement.entries).pipe(
        Stream.map((entry) => {
          if (entry.content === null) erased.update(`${entry.number}\n`)
          return lineOf(entry)
        }),
      )
      const last = Stream.suspend(() => {
        const end = {
          organization,
          entries: statement.entries,
          head: statement.head,
          erased: erased.digest("hex"),
        } satisfies ExportEnd["end"]
        return Stream.make(
          `${canonicalJson({ end, signature: base64url(sign(key, endMessage(canonicalJson(end)))) })}\n`,
        )
      })
      return Stream.make(`${canonicalJson(header)}\n`).pipe(Stream.concat(lines), Stream.concat(last))
    }, transaction)

    /** The entries of a submission, and the facts that are not sealed yet. Not found: another organization's. */
    const show = Effect.fn("RecordExports.show")(function* (organization: OrganizationId, submission: SubmissionId) {
      const found = yield* repository.subject(organization, submission)
      if (found === undefined) return yield* new NotFound({ record: "submission" })
      const entries = (yield* repository.entriesOf(organization, submission)).map(sealedEntry)
      const authors = new Set(
        entries.flatMap(({ entry: { facts } }) => (typeof facts.by === "string" ? [facts.by] : [])),
      )
      const members = yield* repository.membersNamed(organization, [...authors])
      return {
        name: displayName(found),
        interview: found.interview,
        waiting: found.waiting,
        notices: yield* repository.noticesOf(organization, submission),
        entries,
        members: new Map(members.map((one) => [one.id, one.name])),
      } satisfies SubmissionRecord
    })

    /**
     * Everything about one submission as one line of canonical JSON. Conflict: it has no entry, and its candidate got no notice.
     * The key is made now if the record is empty.
     */
    const bundle = Effect.fn("RecordExports.bundle")(function* (author: Author, submission: SubmissionId) {
      const organization = author.organizationId
      const { entries, notices } = yield* show(organization, submission)
      if (entries.length === 0 && notices.length === 0) {
        return yield* new Conflict({
          reason: "the record has no entries about this submission yet, and the candidate got no notice",
        })
      }
      if (entries.length === 0) {
        yield* repository.waitForChain(organization)
        yield* recordKeys.forSealing(organization)
      }
      const { key, statement: common } = yield* begin(organization)
      const statement = {
        ...common,
        submission,
        numbers: entries.map(({ entry }) => entry.number),
        erased: entries.flatMap(({ content, entry }) => (content === null ? [entry.number] : [])),
        ...noticesIn(notices, ({ given_at, hash, over_at }) => ({
          hash,
          given_at: given_at.toISOString(),
          over_at: over_at?.toISOString() ?? null,
        })),
      } satisfies Bundle["statement"]
      yield* auditLog.note(author, "submission", "export_record", submission)
      const file: Bundle = {
        format: bundleFormat,
        statement,
        signature: base64url(sign(key, decisionMessage(canonicalJson(statement)))),
        entries,
        inputs: yield* repository.inputsOf(organization, submission),
        ...noticesIn(notices, ({ content, hash }) => ({ hash, content })),
      }
      return `${canonicalJson(file)}\n`
    }, transaction)

    return { head, exportAll, show, bundle }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
