/** Checks an exported file in the order of its lines, without holding more than one of them. */
import { Effect, Schema, Stream } from "effect"
import { makeVerifier, type VerificationOptions } from "./RecordVerification.ts"

/** Characters of one line. The bundle of a submission is one line; its texts have some megabytes at most. */
const maxLine = 256 * 1024 * 1024

export class LineTooLong extends Schema.TaggedError<LineTooLong>()("LineTooLong", {}) {
  override get message() {
    return "the file has a line of more than 256 MiB: it is not an export of a record"
  }
}

export const verifyContent = Effect.fn("RecordFile.verifyContent")(function* <E>(
  content: Stream.Stream<Uint8Array, E>,
  options: VerificationOptions,
) {
  const verifier = makeVerifier(options)
  // keeps a byte order mark, which the export does not have
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let rest = ""
  yield* Stream.runForEach(content, (bytes) => {
    const [first = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n")
    rest += first
    for (const next of others) {
      verifier.readLine(rest)
      rest = next
    }
    return rest.length > maxLine ? Effect.fail(new LineTooLong()) : Effect.void
  })
  rest += decoder.decode()
  if (rest !== "") verifier.readLine(rest)
  return verifier.end(rest !== "")
})
