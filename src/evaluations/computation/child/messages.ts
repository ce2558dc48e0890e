/** Messages between the parent and the child process that computes. Both run the same version of this program. */
import type { Computations } from "../Computation.ts"

export interface Request<Name extends keyof Computations> {
  readonly name: Name
  readonly input: Computations[Name]["input"]
}

/** `Failed`: the function threw. */
export type Answer<Name extends keyof Computations> =
  | { readonly _tag: "Computed"; readonly output: Computations[Name]["output"] }
  | { readonly _tag: "Failed"; readonly message: string }
