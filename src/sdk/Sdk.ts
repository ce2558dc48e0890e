/** `@interview-invitations/sdk`: the client without Effect (docs/sdk.md). */
export type * from "./Contract.ts"
export { ApiError, ConnectionError, TimeoutError } from "./Errors.ts"
export { type EventReader, type EventsOptions, type ListPage, paginate } from "./Pagination.ts"
export type { ClientOptions, PostOptions, RequestOptions } from "./Requests.ts"
export { createClient, type SdkClient } from "./SdkClient.ts"
