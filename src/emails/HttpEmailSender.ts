/** What the senders of HTTP APIs share: one request for an email, its time limit, and failures of the network. */
import { Duration, Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { operatorClient } from "../platform/outbound/OperatorClient.ts"
import { asciiAddress, type Mailbox } from "../values/EmailAddress.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import { userAgent } from "../values/UserAgent.ts"
import { EmailNotSent, EmailSender, type OutgoingEmail, reasonOf, type SentEmail } from "./EmailSender.ts"

/** Options that all of them take. */
export interface HttpSenderOptions {
  readonly from: Mailbox
  readonly baseUrl?: string
  readonly timeout?: Duration.Duration
  readonly proxy?: OutboundProxy | undefined
}

export interface ProviderAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Empty if it could not be read. */
  readonly text: string
}

interface ProviderApi {
  /** As in email.provider and email_event.provider. */
  readonly provider: string
  /** The provider's name in failures. */
  readonly title: string
  readonly requestOf: (email: OutgoingEmail) => Effect.Effect<HttpClientRequest.HttpClientRequest, EmailNotSent>
  readonly read: (answer: ProviderAnswer) => Effect.Effect<SentEmail, EmailNotSent>
}

/** One line, for fields that the provider copies into a header. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()

/** Empty: the sender has no name. */
export const senderNameOf = ({ name }: Mailbox, { fromName, senderName }: OutgoingEmail): string =>
  oneLine(senderName ?? name ?? fromName ?? "")

/** `"Name" <address>` (RFC 5322, 3.4). The provider encodes characters outside ASCII. */
export const mailboxOf = (from: Mailbox, email: OutgoingEmail): string => {
  const name = senderNameOf(from, email)
  const address = asciiAddress(from.address)
  return name === "" ? address : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`
}

/** Those of `EmailNotSent` that the answer decides. */
interface Judgement {
  readonly permanent: boolean
  readonly bounced?: boolean
  readonly refusal?: string | undefined
}

export const refusedBy = (title: string, status: number, why: string, { bounced, permanent, refusal }: Judgement) =>
  new EmailNotSent({
    reason: reasonOf(`${title} answered ${status}: ${why}`),
    permanent,
    ...(bounced === true ? { bounced } : {}),
    ...(refusal === undefined ? {} : { refusal }),
  })

/** Opens and clicks are the provider's to track. */
export const httpSender = (
  { provider, read, requestOf, title }: ProviderApi,
  { proxy, timeout = Duration.seconds(30) }: Pick<HttpSenderOptions, "proxy" | "timeout">,
) =>
  Layer.effect(
    EmailSender,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      return EmailSender.of({
        provider,
        tracks: true,
        send: (email) =>
          requestOf(email).pipe(
            Effect.flatMap((request) =>
              client
                .execute(HttpClientRequest.setHeader(request, "user-agent", userAgent))
                .pipe(
                  Effect.mapError(
                    ({ message }) => new EmailNotSent({ reason: reasonOf(`${title}: ${message}`), permanent: false }),
                  ),
                ),
            ),
            Effect.flatMap((response) =>
              Effect.flatMap(
                Effect.orElseSucceed(response.text, () => ""),
                (text) => read({ status: response.status, headers: response.headers, text }),
              ),
            ),
            Effect.timeoutOrElse({
              duration: timeout,
              orElse: () =>
                Effect.fail(
                  new EmailNotSent({
                    reason: `${title} took longer than ${Duration.format(timeout)}`,
                    permanent: false,
                  }),
                ),
            }),
            // sends no trace ids to another company
            Effect.provideService(HttpClient.TracerPropagationEnabled, false),
          ),
      })
    }),
  ).pipe(Layer.provide(operatorClient(proxy)))
