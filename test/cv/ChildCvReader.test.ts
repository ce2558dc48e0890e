import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as ChildCvReader from "../../src/cv/ChildCvReader.ts"
import { CvReader } from "../../src/cv/CvReader.ts"
import { cvReaderSuite } from "../port/CvReaderSuite.ts"
import { japanesePage } from "../port/cvFiles/pdf.ts"

const limits = { ...ChildCvReader.childLimits, cpuSeconds: 3 }

cvReaderSuite("ChildCvReader", ChildCvReader.layer(limits))

const read = (file: Uint8Array) => Effect.flatMap(CvReader, (reader) => reader.read(file, []))
describe("A PDF with predefined character maps", () => {
  it.live.each([
    ["90ms-RKSJ-H", Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67])],
    ["UniJIS-UCS2-H", Buffer.from("テスト", "utf16le").swap16()],
  ] as const)("%s is read with the permissions of a child process", ([map, text]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read(japanesePage(map, text))).text, "テスト")
    }).pipe(Effect.provide(ChildCvReader.layer())),
  )
})

describe("A child process", () => {
  it.live("dies with Overloaded when it does not start", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(read(new Uint8Array([65])))
      assert.isTrue(Exit.hasDies(exit))
    }).pipe(Effect.provide(ChildCvReader.layer({ ...limits, dataMegabytes: 50 }))),
  )

  it.live("is killed on interruption", () =>
    Effect.gen(function* () {
      const reader = yield* CvReader
      const done = yield* Effect.timeoutOption(reader.read(new Uint8Array([65]), []), "5 millis")
      assert.strictEqual(done._tag, "None")
      // its slot is free again
      assert.strictEqual((yield* reader.read(new TextEncoder().encode("Hello"), [])).text, "Hello")
    }).pipe(Effect.provide(ChildCvReader.layer({ ...limits, children: 1 }))),
  )
})
