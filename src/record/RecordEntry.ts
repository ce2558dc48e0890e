/**
 * The format of the record (docs/record.md): what is hashed and signed, and the lines of files. RecordVerification.ts reads
 * the same schemas.
 */
import { createHash } from "node:crypto"
import { Schema } from "effect"
import { rule } from "../values/Fields.ts"

/** Increase it with any change of what is hashed or signed; the verifier keeps reading earlier formats. */
export const formatVersion = 1

export const exportFormat = "interview-invitations/record/1"
export const bundleFormat = "interview-invitations/decision/1"

export const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex")
export const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url")
export const fromBase64url = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"))

const matching = (pattern: RegExp, message: string) => Schema.String.check(Schema.isPattern(pattern, { message }))
const hash = matching(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits")
/** Exactly one text for the bytes: the unused bits of the last character are zero. */
const bytes = (length: number) =>
  Schema.String.check(
    rule(
      (text) => fromBase64url(text).length === length && base64url(fromBase64url(text)) === text,
      "wrong_type",
      `must be ${length} bytes in base64url`,
    ),
  )
const moment = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, "must be a moment in UTC with milliseconds")
const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const EntryKind = Schema.Literals(["evaluation", "override", "decision"])
export type EntryKind = typeof EntryKind.Type

/** What an entry's hash and signature are of. */
export const EntryBody = Schema.Struct({
  version: Schema.Literal(formatVersion),
  organization: Schema.Int,
  number: Schema.Int,
  previous: Schema.NullOr(hash),
  kind: EntryKind,
  at: moment,
  sealed_at: moment,
  submission: Schema.String,
  facts: Schema.Record(Schema.String, Schema.Unknown),
  /** Null: the content was erased before the entry was sealed. */
  content_hash: Schema.NullOr(hash),
  key: hash,
})
export type EntryBody = typeof EntryBody.Type

export const SealedEntry = Schema.Struct({
  entry: EntryBody,
  hash,
  signature: bytes(64),
  content: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  salt: Schema.NullOr(bytes(32)),
})
export type SealedEntry = typeof SealedEntry.Type

export const KeyStatement = Schema.Struct({
  organization: Schema.Int,
  public_key: bytes(32),
  created_at: moment,
  /** The fingerprint of the key that it replaces. */
  previous: Schema.NullOr(hash),
})
export type KeyStatement = typeof KeyStatement.Type

const ExportedKey = Schema.Struct({
  statement: KeyStatement,
  /** By the key that it replaces. */
  signature: Schema.NullOr(bytes(64)),
  retired_at: Schema.NullOr(moment),
})
export type ExportedKey = typeof ExportedKey.Type

const head = {
  organization: Schema.Int,
  /** Sealed entries of the whole record, and the hash of the last one. */
  entries: count,
  head: hash,
  exported_at: moment,
  keys: Schema.NonEmptyArray(ExportedKey),
}

/** The first line of an export, signed by the last of its keys. */
export const ExportHeader = Schema.Struct({
  format: Schema.Literal(exportFormat),
  statement: Schema.Struct(head),
  signature: bytes(64),
})
export type ExportHeader = typeof ExportHeader.Type

/**
 * The last line of an export. Its `erased` is the SHA-256 of the numbers of entries without content, each followed by a line
 * break, so that a content cannot be taken out of the file unseen.
 */
export const ExportEnd = Schema.Struct({
  end: Schema.Struct({ organization: Schema.Int, entries: count, head: hash, erased: hash }),
  signature: bytes(64),
})
export type ExportEnd = typeof ExportEnd.Type

export const InputText = Schema.Struct({ evaluation: Schema.String, text: Schema.String })
export type InputText = typeof InputText.Type

/** A notice that the candidate got (docs/candidate-notices.md); `hash`: SHA-256 of the canonical JSON of its content. */
const GivenNotice = Schema.Struct({ hash, given_at: moment, over_at: Schema.NullOr(moment) })

export const NoticeText = Schema.Struct({ hash, content: Schema.Record(Schema.String, Schema.Unknown) })
export type NoticeText = typeof NoticeText.Type

/** Everything about one submission, on one line. */
export const Bundle = Schema.Struct({
  format: Schema.Literal(bundleFormat),
  statement: Schema.Struct({
    ...head,
    /** Null: the record is empty, and the bundle has notices only. */
    head: Schema.NullOr(hash),
    submission: Schema.String,
    numbers: Schema.Array(Schema.Int),
    erased: Schema.Array(Schema.Int),
    /** Absent: none. */
    notices: Schema.optionalKey(Schema.NonEmptyArray(GivenNotice)),
  }),
  signature: bytes(64),
  entries: Schema.Array(SealedEntry),
  notices: Schema.optionalKey(Schema.NonEmptyArray(NoticeText)),
  /** The evaluated texts, as far as they are stored. */
  inputs: Schema.Array(InputText),
})
export type Bundle = typeof Bundle.Type

/** Each kind of signed text begins with its own line, so that a signature of one is never one of another. */
const messageOf = (what: "entry" | "key" | "export" | "end" | "decision") => (canonical: string) =>
  Buffer.from(`interview-invitations record ${what} 1\n${canonical}`, "utf8")
export const entryMessage = messageOf("entry")
export const keyMessage = messageOf("key")
export const exportMessage = messageOf("export")
export const endMessage = messageOf("end")
export const decisionMessage = messageOf("decision")

export const sha256 = (data: Uint8Array | string): Uint8Array =>
  new Uint8Array(createHash("sha256").update(data).digest())

/** SHA-256 of the salt followed by the canonical JSON of the content. */
export const contentHash = (salt: Uint8Array, canonicalContent: string): string =>
  createHash("sha256").update(salt).update(canonicalContent, "utf8").digest("hex")

/** The line of an entry, without line break. `content` and `body` are canonical JSON. */
export const entryLine = (
  content: string,
  body: string,
  seal: Pick<SealedEntry, "hash" | "salt" | "signature">,
): string =>
  `{"content":${content},"entry":${body},"hash":"${seal.hash}","salt":${
    seal.salt === null ? "null" : `"${seal.salt}"`
  },"signature":"${seal.signature}"}`
