/** The child process of ChildComputation.ts: one request at a time. Ends when the IPC channel closes. */
import type { Computations } from "../Computation.ts"
import type { Answer, Request } from "./functions.ts"
import { functions } from "./functions.ts"

const answer = <Name extends keyof Computations>({ input, name }: Request<Name>): Answer<Name> => {
  try {
    return { _tag: "Computed", output: functions[name](input) }
  } catch (error) {
    return { _tag: "Failed", message: error instanceof Error ? error.message : String(error) }
  }
}

const send = (message: unknown) => process.send?.(message)

process.on("message", (request: Request<keyof Computations>) => send(answer(request)))
send("ready")
