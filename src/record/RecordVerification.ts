/**
 * Checks an exported record, or the bundle of one decision, without the service (docs/record.md). Lines are given one by one,
 * so that memory does not grow with the file.
 */
import { createHash, type KeyObject } from "node:crypto"
import { Option, Schema } from "effect"
import { fingerprintOf, isSignedBy, verificationKey } from "../platform/crypto/Ed25519.ts"
import { canonicalJson, NotCanonical } from "./CanonicalJson.ts"
import {
  Bundle,
  bundleFormat,
  contentHash,
  decisionMessage,
  ExportEnd,
  ExportHeader,
  endMessage,
  entryLine,
  entryMessage,
  exportFormat,
  exportMessage,
  fromBase64url,
  hex,
  keyMessage,
  type NoticeText,
  SealedEntry,
  sha256,
} from "./RecordEntry.ts"

/** Faults that are listed; all are counted. */
export const maxFaults = 20

export interface Fault {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** The number of entries and the hash of the last one, as noted at an earlier time. */
export interface NotedHead {
  readonly entries: number
  readonly hash: string
}

export interface VerificationOptions {
  /** Fingerprints that were noted independently of the file. */
  readonly keys: ReadonlyArray<string>
  readonly head: NotedHead | undefined
}

export interface Verification {
  readonly isValid: boolean
  readonly kind: "record" | "decision" | "unknown"
  readonly organization: number | null
  readonly submission: string | null
  /** Entries that were checked. */
  readonly entries: number
  /** Of the file's statement: the length of the whole record when the file was made, and its last hash. */
  readonly recorded: number | null
  readonly head: string | null
  readonly exported_at: string | null
  readonly contents: { readonly present: number; readonly erased: number }
  /** Fingerprints, oldest first. */
  readonly keys: ReadonlyArray<string>
  /** The file is signed by a noted key, or by one that descends from it. */
  readonly isKeyNoted: boolean
  readonly isHeadNoted: boolean
  /** What is unusual and no fault. */
  readonly notes: ReadonlyArray<string>
  readonly faults: ReadonlyArray<Fault>
  readonly faultCount: number
}

const strict = { onExcessProperty: "error" } as const
const readHeader = Schema.decodeUnknownOption(ExportHeader, strict)
const readBundle = Schema.decodeUnknownOption(Bundle, strict)
const readEnd = Schema.decodeUnknownOption(ExportEnd, strict)
const readEntry = Schema.decodeUnknownOption(SealedEntry, strict)

interface ReadKey {
  readonly fingerprint: string
  readonly key: KeyObject
  readonly place: number
}

type Statement = ExportHeader["statement"] | Bundle["statement"]

const notCanonical = "is not canonical JSON (RFC 8785): it was changed after the export, for example by an editor"

/** `reason`: why the line is refused. */
const reading = <A>(read: () => A): { readonly value: A } | { readonly reason: string } => {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof NotCanonical) return { reason: `is not canonical JSON (RFC 8785): ${error.message}` }
    if (error instanceof RangeError) return { reason: "is nested too deeply" }
    if (error instanceof SyntaxError) return { reason: "is not JSON: the line was changed or cut" }
    throw error
  }
}

const parse = (line: string) => reading((): unknown => JSON.parse(line))

const canonical = (value: unknown) => reading(() => canonicalJson(value))

/** An entry with its canonical texts, each made once, which is a third of the time of a verification. */
interface ReadEntry extends SealedEntry {
  readonly contentText: string
  readonly bodyText: string
}

const withTexts = (one: SealedEntry): ReadEntry => ({
  ...one,
  contentText: canonicalJson(one.content),
  bodyText: canonicalJson(one.entry),
})

const isEnd = (value: unknown) => typeof value === "object" && value !== null && "end" in value

const formatOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "format" in value ? value.format : undefined

export const makeVerifier = (options: VerificationOptions) => {
  const faults: Array<Fault> = []
  const notes: Array<string> = []
  let faultCount = 0
  let line = 0
  let kind: Verification["kind"] = "unknown"
  let statement: Statement | undefined
  let submission: string | null = null
  let numbers: ReadonlyArray<number> = []
  const keys = new Map<string, ReadKey>()
  let isKeyNoted = false
  let isHeadNoted = false
  let entries = 0
  const contents = { present: 0, erased: 0 }
  let previous:
    | { readonly number: number; readonly hash: string; readonly sealedAt: string; readonly place: number }
    | undefined
  let steppedBack = 0
  let lastKey: ReadKey | undefined
  let hasEnded = false
  const erasedNumbers = createHash("sha256")

  const fault = (message: string) => {
    faultCount++
    if (faults.length < maxFaults) faults.push({ line, message })
  }

  const readKeys = ({ keys: exported, organization }: Statement) => {
    let former: ReadKey | undefined
    let isDescendant = false
    for (const [place, one] of exported.entries()) {
      const raw = fromBase64url(one.statement.public_key)
      const fingerprint = fingerprintOf(raw)
      const name = `key ${place + 1} (${fingerprint.slice(0, 16)}…)`
      if (keys.has(fingerprint)) fault(`${name} is listed twice`)
      if (one.statement.organization !== organization)
        fault(`${name} belongs to organization ${one.statement.organization}`)
      if (one.statement.previous !== (former?.fingerprint ?? null)) fault(`${name} does not follow the key before it`)
      if (former !== undefined && one.signature === null) {
        notes.push(
          `${name} is not signed by the key before it, which was lost: check that its fingerprint ${fingerprint} is the installation's`,
        )
        isDescendant = false
      }
      if (one.signature !== null) {
        const isSigned =
          former !== undefined &&
          isSignedBy(former.key, keyMessage(canonicalJson(one.statement)), fromBase64url(one.signature))
        if (!isSigned) {
          fault(`${name} has a signature that is not by the key before it`)
          isDescendant = false
        }
      }
      if (options.keys.includes(fingerprint)) isDescendant = true
      former = { fingerprint, key: verificationKey(raw), place }
      keys.set(fingerprint, former)
    }
    isKeyNoted = isDescendant
    if (options.keys.length > 0 && !isDescendant) {
      fault(
        "the file is not signed by the key that you noted, nor by one that descends from it: it is of another installation or organization, or a forgery",
      )
    }
    return former
  }

  const begin = (read: Statement, signature: string, message: (canonical: string) => Uint8Array) => {
    statement = read
    lastKey = readKeys(read)
    if (lastKey === undefined || !isSignedBy(lastKey.key, message(canonicalJson(read)), fromBase64url(signature)))
      fault("the statement of the file is not signed by the last of its keys: the file was cut, changed or forged")
    if (options.head !== undefined && read.entries < options.head.entries)
      fault(
        `the record has ${read.entries} entries, fewer than the ${options.head.entries} that you noted: its end was cut, or the file is older`,
      )
  }

  const checkNoted = (number: number, hash: string) => {
    if (options.head?.entries !== number) return
    if (options.head.hash === hash) isHeadNoted = true
    else fault(`entry ${number} has another hash than the one that you noted: the record was rewritten since`)
  }

  /** Returns the place of its key. */
  const checkSeal = ({ bodyText, entry: body, hash, signature }: ReadEntry): number => {
    const message = entryMessage(bodyText)
    if (hex(sha256(message)) !== hash) fault(`entry ${body.number} does not have its hash: it was changed`)
    const key = keys.get(body.key)
    if (key === undefined) fault(`entry ${body.number} is signed with a key of another installation or organization`)
    else if (!isSignedBy(key.key, message, fromBase64url(signature)))
      fault(`entry ${body.number} has a wrong signature: it was changed or forged`)
    return key?.place ?? -1
  }

  const checkContent = ({ content, contentText, entry, salt }: ReadEntry) => {
    if (content === null && salt === null) {
      contents.erased++
      erasedNumbers.update(`${entry.number}\n`)
    } else {
      contents.present++
      if (content === null || salt === null)
        fault(`entry ${entry.number} has a content without salt, or a salt without content`)
      else if (entry.content_hash !== contentHash(fromBase64url(salt), contentText))
        fault(`the content of entry ${entry.number} was changed`)
    }
  }

  const checkEntry = (one: ReadEntry) => {
    entries++
    if (one.entry.organization !== statement?.organization)
      fault(`entry ${one.entry.number} is of organization ${one.entry.organization}`)
    checkContent(one)
    checkNoted(one.entry.number, one.hash)
    return checkSeal(one)
  }

  const checkChained = (one: ReadEntry) => {
    const { number, previous: named, sealed_at } = one.entry
    const place = checkEntry(one)
    const expected = (previous?.number ?? 0) + 1
    if (number !== expected) {
      fault(
        number < expected
          ? `entry ${number} comes after entry ${expected - 1}: entries were repeated or reordered`
          : `entries ${expected} to ${number - 1} are missing`,
      )
    }
    if (named !== (previous?.hash ?? null)) fault(`entry ${number} does not continue the entry before it`)
    if (previous !== undefined && place >= 0 && place < previous.place)
      fault(`entry ${number} is signed with a key that was replaced before`)
    if (previous !== undefined && sealed_at < previous.sealedAt) steppedBack++
    previous = { number, hash: one.hash, sealedAt: sealed_at, place: Math.max(place, previous?.place ?? 0) }
  }

  const checkEnd = ({ end: said, signature }: ExportEnd) => {
    hasEnded = true
    if (lastKey === undefined || !isSignedBy(lastKey.key, endMessage(canonicalJson(said)), fromBase64url(signature)))
      fault("the last line is not signed by the last key of the file: it was changed or forged")
    if (
      said.organization !== statement?.organization ||
      said.entries !== statement.entries ||
      said.head !== statement.head
    )
      fault("the last line is of another export")
    if (said.erased !== erasedNumbers.digest("hex"))
      fault("contents are missing that were in the export, or entries between: only the installation erases contents")
  }

  const checkNotices = (bundle: Bundle) => {
    const notices: ReadonlyArray<NoticeText> = bundle.notices ?? []
    const stated = bundle.statement.notices?.map(({ hash }) => hash) ?? []
    if (notices.map(({ hash }) => hash).join() !== stated.join())
      fault("the notices are not those that the statement lists")
    for (const { content, hash } of notices)
      if (hex(sha256(canonicalJson(content))) !== hash)
        fault(`the notice ${hash.slice(0, 16)}… does not have its hash: it was changed`)
  }

  const checkBundle = (bundle: Bundle) => {
    submission = bundle.statement.submission
    numbers = bundle.statement.numbers
    begin(bundle.statement, bundle.signature, decisionMessage)
    const found = bundle.entries.map(({ entry }) => entry.number)
    if (found.join() !== numbers.join()) fault("the entries are not those that the statement lists")
    const erased = bundle.entries.flatMap(({ content, entry }) => (content === null ? [entry.number] : []))
    if (erased.join() !== bundle.statement.erased.join())
      fault("contents are missing, or added, that the statement lists otherwise")
    for (const one of bundle.entries) {
      if (one.entry.submission !== submission) fault(`entry ${one.entry.number} is about another submission`)
      checkEntry(withTexts(one))
    }
    checkNotices(bundle)
    for (const { evaluation, text } of bundle.inputs) {
      const entry = bundle.entries.find(
        (one) => one.entry.kind === "evaluation" && one.entry.facts["evaluation"] === evaluation,
      )
      const noted = entry?.content?.["input_hash"]
      if (noted !== hex(sha256(text))) fault(`the input of evaluation ${evaluation} is not the one that was evaluated`)
    }
  }

  const first = (value: unknown) => {
    const format = formatOf(value)
    if (format === exportFormat) {
      const header = Option.getOrUndefined(readHeader(value))
      if (header === undefined) return fault("the first line is not the statement of an export")
      kind = "record"
      return begin(header.statement, header.signature, exportMessage)
    }
    if (format === bundleFormat) {
      const bundle = Option.getOrUndefined(readBundle(value))
      if (bundle === undefined) return fault("the bundle lacks a part, or has one that does not belong there")
      kind = "decision"
      return checkBundle(bundle)
    }
    return fault(
      typeof format === "string" && format.startsWith("interview-invitations/")
        ? `the format ${JSON.stringify(format.slice(0, 80))} is not known: use the version of interview-invitations that made the file, or a newer one`
        : "the file is neither an exported record nor the bundle of a decision, or its first line is missing",
    )
  }

  /** A line without its line break. */
  const readLine = (text: string) => {
    line++
    if (line > 1 && kind === "unknown") return
    if (line > 1 && kind === "decision") return fault("the bundle has a second line, which does not belong to it")
    const parsed = parse(text)
    if ("reason" in parsed) return fault(`the line ${parsed.reason}`)
    if (line === 1 || isEnd(parsed.value)) {
      const whole = canonical(parsed.value)
      if ("reason" in whole) return fault(`the line ${whole.reason}`)
      if (whole.value !== text) return fault(`the line ${notCanonical}`)
    }
    if (line === 1) return first(parsed.value)
    if (hasEnded) return fault("the line comes after the last one of the export")
    if (isEnd(parsed.value)) {
      const read = Option.getOrUndefined(readEnd(parsed.value))
      return read === undefined ? fault("the last line has another form") : checkEnd(read)
    }
    const entry = Option.getOrUndefined(readEntry(parsed.value))
    if (entry === undefined) return fault("the line is not an entry, or has a part that does not belong to it")
    const read = reading(() => withTexts(entry))
    if ("reason" in read) return fault(`the line ${read.reason}`)
    if (entryLine(read.value.contentText, read.value.bodyText, entry) !== text) return fault(`the line ${notCanonical}`)
    return checkChained(read.value)
  }

  /** `isCut`: the last line had no line break. */
  const end = (isCut: boolean): Verification => {
    if (line === 0) fault("the file is empty")
    else if (isCut) fault("the file ends within a line: it was cut")
    if (kind === "record" && statement !== undefined) {
      if (!hasEnded) fault("the last line is missing: the file was cut")
      if (previous?.number !== statement.entries || previous.hash !== statement.head)
        fault(
          `the file ends after entry ${previous?.number ?? 0} of ${statement.entries}: entries are missing, or added, at its end`,
        )
      if (options.head !== undefined && !isHeadNoted && statement.entries >= options.head.entries)
        fault(`entry ${options.head.entries}, whose hash you noted, was not found with it`)
    }
    if (kind === "decision" && options.head !== undefined && !isHeadNoted)
      notes.push(
        "the bundle does not have the entry whose hash you noted: verify an export of the whole record against it",
      )
    if (steppedBack > 0)
      notes.push(
        `${steppedBack} ${steppedBack === 1 ? "entry was" : "entries were"} sealed at an earlier time than the entry before: the clock of the database was set back. The order of entries does not depend on it`,
      )
    return {
      isValid: faultCount === 0,
      kind,
      organization: statement?.organization ?? null,
      submission,
      entries,
      recorded: statement?.entries ?? null,
      head: statement?.head ?? null,
      exported_at: statement?.exported_at ?? null,
      contents,
      keys: [...keys.keys()],
      isKeyNoted,
      isHeadNoted,
      notes,
      faults,
      faultCount,
    }
  }

  return { readLine, end }
}
