/** The domain types that custom adapters use. */

export * as Cv from "./cv/Cv.ts"
export * as Evaluation from "./evaluations/Evaluation.ts"
export * as Bytes from "./values/Bytes.ts"
export * as EmailAddress from "./values/EmailAddress.ts"
export * as Ids from "./values/Ids.ts"
export * as OutboundAddress from "./values/OutboundAddress.ts"
export * as RetryPolicy from "./values/RetryPolicy.ts"
