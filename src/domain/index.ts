/** What a team meets of the domain when it writes a layer for a port. */
export * as Bytes from "./Bytes.ts"
export * as Cv from "./Cv.ts"
export * as EmailAddress from "./EmailAddress.ts"
export * as Evaluation from "./Evaluation.ts"
export * as Ids from "./Ids.ts"
export * as OutboundAddress from "./OutboundAddress.ts"
export * as RetryPolicy from "./RetryPolicy.ts"
