/** Builds exports of a record in memory, as RecordExports.ts writes them, for tests of the verifier. */
import { createHash } from "node:crypto"
import { fingerprintOf, publicKeyOf, sign, signingKey } from "../../src/platform/crypto/Ed25519.ts"
import { canonicalJson } from "../../src/record/CanonicalJson.ts"
import {
  base64url,
  contentHash,
  type EntryBody,
  endMessage,
  entryMessage,
  exportFormat,
  exportMessage,
  hex,
  keyMessage,
  sha256,
} from "../../src/record/RecordEntry.ts"
import { makeVerifier, type VerificationOptions } from "../../src/record/RecordVerification.ts"

export const organization = 7

const submission = "018f3a70-0000-7000-8000-000000000001"

export interface TestKey {
  readonly seed: Uint8Array
  readonly fingerprint: string
}

export const testKey = (name: string): TestKey => {
  const seed = sha256(name)
  return { seed, fingerprint: fingerprintOf(publicKeyOf(seed)) }
}

export interface Chain {
  readonly keys?: ReadonlyArray<TestKey>
  /** The number of the entry from which each further key signs. */
  readonly rotations?: ReadonlyArray<number>
  readonly entries?: number
  readonly organization?: number
  /** Numbers of entries without content. */
  readonly erased?: ReadonlyArray<number>
  /** Seconds of `sealed_at` by number. */
  readonly secondOf?: (number: number) => number
  /** Its statement about the key is not signed by the key before. */
  readonly unsigned?: number
  readonly content?: (number: number) => Readonly<Record<string, unknown>>
}

const momentOf = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)).toISOString()

/** The lines of an export, without line breaks. */
export const exportLines = (chain: Chain = {}): Array<string> => {
  const {
    entries = 5,
    erased = [],
    keys = [testKey("a")],
    rotations = [],
    secondOf = (number: number) => number,
  } = chain
  const owner = chain.organization ?? organization
  let previous: string | null = null
  const lines: Array<string> = []
  const erasedHash = createHash("sha256")
  for (let number = 1; number <= entries; number++) {
    const place = rotations.filter((from) => from <= number).length
    const key = keys[place] ?? testKey("a")
    const salt = sha256(`salt ${number}`)
    const content = chain.content?.(number) ?? { score: number / 10, summary: `Grüße ${number} “quoted” 😀` }
    const body = canonicalJson({
      version: 1,
      organization: owner,
      number,
      previous,
      kind: number % 2 === 0 ? "decision" : "evaluation",
      at: momentOf(number),
      sealed_at: momentOf(secondOf(number)),
      submission,
      facts: { evaluator: "keywords/9" },
      content_hash: contentHash(salt, canonicalJson(content)),
      key: key.fingerprint,
    } satisfies EntryBody)
    const message = entryMessage(body)
    const hash = hex(sha256(message))
    const isErased = erased.includes(number)
    if (isErased) erasedHash.update(`${number}\n`)
    const entry: unknown = JSON.parse(body)
    lines.push(
      canonicalJson({
        entry,
        hash,
        signature: base64url(sign(signingKey(key.seed), message)),
        content: isErased ? null : content,
        salt: isErased ? null : base64url(salt),
      }),
    )
    previous = hash
  }
  const last = signingKey((keys.at(-1) ?? testKey("a")).seed)
  const exported = keys.map(({ seed }, i) => {
    const former = keys[i - 1]
    const statement = {
      organization: owner,
      public_key: base64url(publicKeyOf(seed)),
      created_at: momentOf(i),
      previous: former?.fingerprint ?? null,
    }
    const isSigned = former !== undefined && chain.unsigned !== i
    return {
      statement,
      signature: isSigned ? base64url(sign(signingKey(former.seed), keyMessage(canonicalJson(statement)))) : null,
      retired_at: i === keys.length - 1 ? null : momentOf(i + 1),
    }
  })
  const statement = { organization: owner, entries, head: previous, exported_at: momentOf(100), keys: exported }
  const end = { organization: owner, entries, head: previous, erased: erasedHash.digest("hex") }
  return [
    canonicalJson({
      format: exportFormat,
      statement,
      signature: base64url(sign(last, exportMessage(canonicalJson(statement)))),
    }),
    ...lines,
    canonicalJson({ end, signature: base64url(sign(last, endMessage(canonicalJson(end)))) }),
  ]
}

export const verify = (lines: ReadonlyArray<string>, options: Partial<VerificationOptions> = {}, isCut = false) => {
  const verifier = makeVerifier({ keys: [], head: undefined, ...options })
  for (const line of lines) verifier.readLine(line)
  return verifier.end(isCut)
}
