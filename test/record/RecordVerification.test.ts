/** What the verifier finds in files that were changed, cut, forged or mixed. */
import { assert, describe, it } from "@effect/vitest"
import { maxFaults } from "../../src/record/RecordVerification.ts"
import * as Random from "../support/fuzz/Random.ts"
import { exportLines, testKey, verify } from "./chain.ts"

const first = testKey("a")
const second = testKey("b")
const third = testKey("c")

const seed = 20_300_101

const characters = ["A", "b", "0", "9", '"', "{", "}", ",", ":", " ", "\\", "é", "\u0000", "-", "_", "null"] as const

const lineAt = (lines: ReadonlyArray<string>, i: number): string => lines[i] ?? ""

const rotated = { keys: [first, second], rotations: [4], entries: 6, erased: [2, 5] }

const messages = (result: ReturnType<typeof verify>) => result.faults.map(({ message }) => message).join("; ")

describe("the verifier of a record", () => {
  it("accepts an export, with its counts, head and keys", () => {
    const result = verify(exportLines(rotated), { keys: [first.fingerprint] })
    assert.deepStrictEqual(result.faults, [])
    assert.isTrue(result.isValid)
    assert.isTrue(result.isKeyNoted)
    assert.deepStrictEqual([result.kind, result.organization, result.entries, result.recorded], ["record", 7, 6, 6])
    assert.deepStrictEqual(result.contents, { present: 4, erased: 2 })
    assert.deepStrictEqual(result.keys, [first.fingerprint, second.fingerprint])
  })

  it("finds any changed character", () => {
    const lines = exportLines(rotated)
    for (let run = 0; run < 1500; run++) {
      const random = Random.make(seed, run)
      const i = random.below(lines.length)
      const line = lineAt(lines, i)
      const at = random.below(line.length)
      const changed = line.slice(0, at) + random.pick(characters) + line.slice(at + random.below(3))
      if (changed !== line) assert.isFalse(verify(lines.with(i, changed)).isValid, changed)
    }
  })

  it("finds a changed character at every place of an entry, and of the first and last line", () => {
    const lines = exportLines({ entries: 2 })
    for (const i of [0, 1, 3]) {
      const line = lineAt(lines, i)
      for (let at = 0; at < line.length; at++) {
        const other = line[at] === "A" ? "B" : "A"
        assert.isFalse(verify(lines.with(i, line.slice(0, at) + other + line.slice(at + 1))).isValid, `${i} ${at}`)
      }
    }
  })

  it("finds any dropped, repeated, swapped or added line", () => {
    const lines = exportLines(rotated)
    for (const one of lines.keys()) {
      assert.isFalse(verify(lines.toSpliced(one, 1)).isValid, `without ${one}`)
      for (const other of lines.keys()) {
        assert.isFalse(verify(lines.toSpliced(one, 0, lineAt(lines, other))).isValid, `${other} again at ${one}`)
        if (one === other) continue
        const swapped = lines.with(one, lineAt(lines, other)).with(other, lineAt(lines, one))
        assert.isFalse(verify(swapped).isValid, `${one} and ${other}`)
      }
    }
    assert.isFalse(verify([...lines, lineAt(lines, 1)]).isValid)
  })

  it("finds a file that was cut at any character", () => {
    const lines = exportLines({ entries: 2 })
    const text = lines.map((line) => `${line}\n`).join("")
    for (let length = 0; length < text.length; length += 7) {
      const parts = text.slice(0, length).split("\n")
      const rest = parts.pop() ?? ""
      assert.isFalse(verify(rest === "" ? parts : [...parts, rest], {}, rest !== "").isValid, String(length))
    }
    assert.include(messages(verify(lines, {}, true)), "the file ends within a line")
  })

  it("names missing, repeated and reordered entries", () => {
    const lines = exportLines()
    assert.include(messages(verify(lines.toSpliced(3, 1))), "entries 3 to 3 are missing")
    assert.include(messages(verify(lines.toSpliced(3, 0, lineAt(lines, 2)))), "repeated or reordered")
    assert.include(messages(verify(lines.slice(0, -1))), "the last line is missing")
    assert.include(messages(verify(lines.toSpliced(-2, 1))), "the file ends after entry 4 of 5")
  })

  it("refuses the entries of another installation's key between its own", () => {
    const foreign = exportLines({ keys: [second] })
    const result = verify(exportLines({ keys: [first] }).with(3, lineAt(foreign, 3)))
    assert.include(messages(result), "entry 3 is signed with a key of another installation")
  })

  it("refuses an entry of a rewritten record of the same key", () => {
    const rewritten = exportLines({ content: (number) => ({ score: number }) })
    const result = verify(exportLines().with(3, lineAt(rewritten, 3)))
    assert.include(messages(result), "entry 3 does not continue the entry before it")
    assert.include(messages(result), "entry 4 does not continue the entry before it")
    const last = verify(exportLines().with(-2, lineAt(rewritten, 5)))
    assert.include(messages(last), "entry 5 does not continue the entry before it")
  })

  it("refuses the entries of another organization", () => {
    const result = verify(exportLines().with(1, lineAt(exportLines({ organization: 8 }), 1)))
    assert.include(messages(result), "entry 1 is of organization 8")
  })

  it("refuses a record that is forged with a key of its own, if a key was noted", () => {
    const forged = exportLines({ keys: [second] })
    assert.isTrue(verify(forged).isValid)
    assert.isFalse(verify(forged).isKeyNoted)
    assert.include(messages(verify(forged, { keys: [first.fingerprint] })), "not signed by the key that you noted")
  })

  it("refuses a forgery that lists the noted key after its own, or before it without its signature", () => {
    const after = exportLines({ keys: [second, first], rotations: [9] })
    // signed by the forger, who lacks the noted key
    const statement = lineAt(exportLines({ keys: [second] }), 0)
    assert.isFalse(verify(after.with(0, statement), { keys: [first.fingerprint] }).isValid)
    const before = exportLines({ keys: [first, second], rotations: [1], unsigned: 1 })
    assert.isTrue(verify(before).isValid)
    assert.match(verify(before).notes.join(), /is not signed by the key before it, which was lost/)
    assert.isFalse(verify(before, { keys: [first.fingerprint] }).isValid)
    assert.isTrue(verify(before, { keys: [second.fingerprint] }).isKeyNoted)
  })

  it("accepts each noted key of a chain of keys", () => {
    const lines = exportLines({ keys: [first, second, third], rotations: [2, 4] })
    for (const { fingerprint } of [first, second, third])
      assert.isTrue(verify(lines, { keys: [fingerprint] }).isKeyNoted)
  })

  it("refuses an entry that is signed with a key that was replaced before", () => {
    // the third entry is signed with the first key again
    const lines = exportLines({ keys: [first, second], rotations: [2], entries: 3 })
    const stale = exportLines({ keys: [first, second], rotations: [4], entries: 3 })
    assert.include(messages(verify(lines.with(3, lineAt(stale, 3)))), "a key that was replaced before")
  })

  it("refuses a record that was rewritten or cut since its head was noted", () => {
    const lines = exportLines()
    const headOf = (i: number): string => /"hash":"([0-9a-f]{64})"/.exec(lineAt(lines, i))?.[1] ?? ""
    assert.isTrue(verify(lines, { head: { entries: 3, hash: headOf(3) } }).isHeadNoted)
    const rewritten = exportLines({ content: (number) => ({ score: number }) })
    const result = verify(rewritten, { head: { entries: 3, hash: headOf(3) } })
    assert.include(messages(result), "the record was rewritten since")
    const cut = verify(exportLines({ entries: 2 }), { head: { entries: 3, hash: headOf(3) } })
    assert.include(messages(cut), "fewer than the 3 that you noted")
  })

  it("refuses a content that was taken out of the file, and accepts an erased one", () => {
    const lines = exportLines()
    const emptied = lines.with(2, lineAt(exportLines({ erased: [2] }), 2))
    assert.include(messages(verify(emptied)), "contents are missing")
    const erased = verify(exportLines({ erased: [2] }))
    assert.isTrue(erased.isValid)
    assert.deepStrictEqual(erased.contents, { present: 4, erased: 1 })
  })

  it("accepts a clock that steps back, and says so", () => {
    const result = verify(exportLines({ secondOf: (number) => (number === 3 ? 0 : number) }))
    assert.isTrue(result.isValid)
    assert.match(result.notes.join(), /1 entry was sealed at an earlier time/)
  })

  it.each([
    ["", "the line is not JSON"],
    ["[]", "neither an exported record nor the bundle"],
    ["null", "neither an exported record nor the bundle"],
    ['{"format":"interview-invitations/record/2"}', "is not known: use the version"],
    ['{"format":"interview-invitations/record/1"}', "the first line is not the statement"],
    ['{"format":"interview-invitations/decision/1"}', "the bundle lacks a part"],
    ['{"a":1,"a":2}', "is not canonical JSON"],
    ['{"a":1e999}', "is not canonical JSON"],
    ['{"__proto__":{"format":"interview-invitations/record/1"}}', "neither an exported record"],
  ])("refuses the file %j", (line, message) => {
    const result = verify([line])
    assert.isFalse(result.isValid)
    assert.include(messages(result), message)
  })

  it("refuses values that are nested very deeply", () => {
    assert.include(messages(verify([`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`])), "nested")
  })

  it("refuses an empty file, line breaks of Windows and a byte order mark", () => {
    assert.include(messages(verify([])), "the file is empty")
    assert.isFalse(verify(exportLines().map((line) => `${line}\r`)).isValid)
    const lines = exportLines()
    assert.isFalse(verify(lines.with(0, `\ufeff${lineAt(lines, 0)}`)).isValid)
  })

  it("lists the first faults and counts all", () => {
    const result = verify(exportLines({ entries: 60 }).map((line, i) => (i === 0 ? line : "x")))
    assert.lengthOf(result.faults, maxFaults)
    assert.isAbove(result.faultCount, 60)
  })
})
