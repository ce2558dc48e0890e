/** What the documentation says about operations and errors. The pages of the request log show it; `api-reference/` has it. */
import { Context, type Effect } from "effect"

export interface ReferredOperation {
  /** The operationId. */
  readonly id: string
  readonly summary: string
  /** Of its documentation. */
  readonly href: string
  /** An example of a body, as JSON for people; undefined: it takes none. */
  readonly body: string | undefined
}

export interface ReferredProblem {
  readonly when: string
  readonly advice: string
  readonly retry: string
}

export interface ReferredDocumentation {
  /** In the order of the documentation. */
  readonly operations: ReadonlyArray<ReferredOperation>
  /** By `code` of problems. */
  readonly problems: ReadonlyMap<string, ReferredProblem>
  /** What is wrong with a value, by `code` of validation errors: "missing, or null". */
  readonly fieldErrors: ReadonlyMap<string, string>
}

export class OperationReference extends Context.Service<
  OperationReference,
  { readonly read: Effect.Effect<ReferredDocumentation> }
>()("interview-invitations/accounts/requests/OperationReference") {}
