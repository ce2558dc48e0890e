/**
 * What a team builds its own program from. Ports, the domain, the client and the conformance suites have entries of their
 * own: `interview-invitations/port/EmailSender`, `…/domain/Evaluation`, `…/client`, `…/testing/EmailSender`.
 *
 * ```ts
 * import { run } from "interview-invitations"
 *
 * run({ emailSender: MyEmailSender.layer }) // node main.ts serve
 * ```
 */

export { type Ground, ours, type Parts, replacing } from "./Adapters.ts"
export * as App from "./App.ts"
export { Config, type Settings } from "./config/Config.ts"
/** Those of ours that a team may want with other options than the settings give them, or before which it stands its own. */
export * as ChildCvReader from "./cv/ChildCvReader.ts"
export * as GuardedCvFetcher from "./cv/GuardedCvFetcher.ts"
export { run } from "./main.ts"
export * as UndiciWebhookTransport from "./webhooks/UndiciWebhookTransport.ts"
