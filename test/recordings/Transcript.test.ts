import { assert, describe, it } from "@effect/vitest"
import {
  captions,
  cleanSegments,
  clockText,
  maxTranscriptLength,
  segmentOf,
  textOf,
} from "../../src/recordings/Transcript.ts"

const segments = [
  { start: 0, end: 1.5, text: "I ran a billing system" },
  { start: 1.5, end: 3.25, text: "for four years & liked it." },
]

describe("a transcript", () => {
  it("finds the second of a quote, also across segments", () => {
    assert.strictEqual(textOf(segments), "I ran a billing system for four years & liked it.")
    for (const [quote, start] of [
      ["I ran", 0],
      ["system for four", 0],
      ["for four years", 1.5],
      ["liked it.", 1.5],
      ["five years", undefined],
    ] as const)
      assert.strictEqual(segmentOf(segments, quote)?.start, start, quote)
  })

  it("has captions, escaped", () => {
    assert.strictEqual(
      captions(segments),
      "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nI ran a billing system\n\n00:00:01.500 --> 00:00:03.250\nfor four years &amp; liked it.\n\n",
    )
    assert.include(
      captions([{ start: 3_723.5, end: 3_723.5, text: "<b>" }]),
      "01:02:03.500 --> 01:02:03.501\n&lt;b&gt;",
    )
  })

  it("keeps what a transcriber writes within limits and in order", () => {
    assert.deepStrictEqual(
      cleanSegments([
        { start: 5, end: 4, text: " later\0\n " },
        { start: -1, end: 1, text: "  first  part " },
        { start: 2, end: 3, text: " " },
        { start: 9, end: 10, text: "x".repeat(maxTranscriptLength) },
      ]),
      [
        { start: 0, end: 1, text: "first part" },
        { start: 5, end: 5, text: "later" },
      ],
    )
  })

  it("shows a length as players do", () => {
    assert.deepStrictEqual([0, 5.9, 65, 600].map(clockText), ["0:00", "0:05", "1:05", "10:00"])
  })
})
