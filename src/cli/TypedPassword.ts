/**
 * The password of a command: from a file, from stdin, or typed at a hidden prompt. Not from the command line, which other
 * users of the machine can list and shells keep in their history.
 */
import { Effect, FileSystem, Option, Redacted, Stdio, Stream } from "effect"
import { Flag, Prompt } from "effect/cli"
import { CommandFailed } from "./Environment.ts"

export const passwordFile = Flag.String("password-file").pipe(
  Flag.withMetavar("path"),
  Flag.withDescription(
    "File with the password, at least 8 characters; without it, the password is read from stdin, or typed when stdin is a terminal",
  ),
  Flag.optional,
)

/** Longer than any password that is accepted. */
const maxBytes = 16 * 1024

const asFailure = (message: string) => new CommandFailed({ message })

/** The only line of `bytes`, with or without its end. */
const readLine = Effect.fnUntraced(function* <E, R>(source: string, bytes: Stream.Stream<Uint8Array, E, R>) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(bytes, (chunk) => {
    size += chunk.byteLength
    chunks.push(chunk)
    return size > maxBytes ? Effect.fail(asFailure(`${source} has more than ${maxBytes} bytes`)) : Effect.void
  })
  const line = Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "")
  if (line === "") {
    const ways = "write it to stdin, name its file with --password-file, or run the command in a terminal and type it"
    return yield* asFailure(`${source} has no password: ${ways}`)
  }
  if (/[\r\n]/.test(line)) return yield* asFailure(`${source} has several lines: write only the password`)
  return Redacted.make(line)
})

const fromFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const bytes = files
    .stream(path)
    .pipe(Stream.mapError(({ reason }) => asFailure(`--password-file ${path} cannot be read (${reason._tag})`)))
  return yield* readLine(path, bytes)
})

const typed = Effect.gen(function* () {
  const password = yield* Prompt.run(Prompt.Hidden({ message: "Password" }))
  const again = yield* Prompt.run(Prompt.Hidden({ message: "The same password again" }))
  if (Redacted.value(password) !== Redacted.value(again)) return yield* asFailure("the two passwords differ")
  return password
}).pipe(Effect.catchTag("QuitError", () => Effect.fail(asFailure("no password was typed"))))

/** Reads the password. Fails with `CommandFailed` when there is none, or more than one line. */
export const readPassword = Effect.fn("TypedPassword.readPassword")(function* (file: Option.Option<string>) {
  if (Option.isSome(file)) return yield* fromFile(file.value)
  const { stdin, stdinIsTerminal } = yield* Stdio.Stdio
  return yield* (yield* stdinIsTerminal) ? typed : readLine("stdin", stdin)
})
