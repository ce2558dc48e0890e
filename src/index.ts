/**
 * What a custom program needs. Ports, domain, client and conformance suites have their own entry points:
 * `interview-invitations/port/EmailSender`, `…/domain`, `…/client`, `…/testing/EmailSender`.
 *
 * ```ts
 * import { run } from "interview-invitations"
 *
 * run({ emailSender: MyEmailSender.layer }) // node main.ts serve
 * ```
 */

export { type AdapterServices, type Adapters, defaults, withAdapters } from "./Adapters.ts"
export * as App from "./App.ts"
export { Config, type Settings } from "./config/Config.ts"
/** Default adapters, for use with other options or behind a custom one. */
export * as ChildCvReader from "./cv/ChildCvReader.ts"
export * as GuardedCvFetcher from "./cv/GuardedCvFetcher.ts"
export { run } from "./main.ts"
export * as UndiciWebhookTransport from "./webhooks/deliveries/UndiciWebhookTransport.ts"
