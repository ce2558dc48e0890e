/** The password that a command asks for in a terminal. Files and stdin: RecordCommands.test.ts. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { type Cause, Effect, Layer, Option, Queue, Redacted, Stdio, Terminal } from "effect"
import { readPassword } from "../../src/cli/TypedPassword.ts"

const key = (name: string, input = name): Terminal.UserInput => ({
  input: Option.some(input),
  key: { name, ctrl: false, meta: false, shift: false },
})
const enter = key("enter", "\r")
const typing = (text: string) => [...text].map((letter) => key(letter)).concat(enter)

/** What a command reads from a terminal with these keys, and what the terminal shows. The input then ends, as by Ctrl-C. */
const typed = Effect.fnUntraced(function* (keys: ReadonlyArray<Terminal.UserInput>) {
  const queue = yield* Queue.unbounded<Terminal.UserInput, Cause.Done>()
  yield* Queue.offerAll(queue, keys)
  yield* Queue.end(queue)
  let shown = ""
  const terminal = Terminal.make({
    columns: Effect.succeed(80),
    rows: Effect.succeed(24),
    size: Queue.unbounded(),
    readInput: Effect.succeed(queue),
    readLine: Effect.die("not used"),
    display: (text) =>
      Effect.sync(() => {
        shown += text
      }),
  })
  const stdio = Stdio.layerTest({ stdinIsTerminal: Effect.succeed(true) })
  const services = Layer.mergeAll(NodeServices.layer, stdio, Layer.succeed(Terminal.Terminal, terminal))
  const result = yield* readPassword(Option.none()).pipe(
    Effect.match({ onSuccess: Redacted.value, onFailure: ({ message }) => message }),
    Effect.provide(services),
  )
  return { result, shown }
})

describe("a password in a terminal", () => {
  it.live("is typed twice and never shown", () =>
    Effect.gen(function* () {
      const { result, shown } = yield* typed([...typing("Xq7-vz"), ...typing("Xq7-vz")])
      assert.strictEqual(result, "Xq7-vz")
      for (const part of ["X", "q7", "vz"]) assert.notInclude(shown, part)
    }),
  )

  it.live("is refused when the two differ, and when the input ends", () =>
    Effect.gen(function* () {
      const differing = yield* typed([...typing("long-enough"), ...typing("long-anough")])
      assert.strictEqual(differing.result, "the two passwords differ")
      const stopped = yield* typed([key("l")])
      assert.strictEqual(stopped.result, "no password was typed")
    }),
  )
})
