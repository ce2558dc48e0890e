/**
 * Messages of Amazon SNS: their signature, and the confirmation of a subscription.
 *
 * Requests go to SNS in the region of the topic only. Of the addresses in a message, only the certificate's file name is used.
 */
import { type KeyObject, verify, X509Certificate } from "node:crypto"
import { Clock, Context, Effect, Result, Semaphore } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { TopicArn } from "../config/EmailSettings.ts"
import { textOf } from "./ProviderReport.ts"

/** The address of SNS in the region of a topic, for tests. */
export const SnsAddress = Context.Reference<(topic: TopicArn) => string>("interview-invitations/emails/SnsAddress", {
  defaultValue: () => snsAddressOf,
})

/** docs.aws.amazon.com/general/latest/gr/sns.html; China has a domain of its own. */
export const snsAddressOf = ({ partition, region }: TopicArn): string =>
  `https://sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`

const confirmation = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const

const signedFields = new Map<string, ReadonlyArray<string>>([
  ["Notification", ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]],
  ["SubscriptionConfirmation", confirmation],
  ["UnsubscribeConfirmation", confirmation],
])

/**
 * "Verifying the signature of an Amazon SNS message": the fields in this order, without an absent Subject. Undefined for another
 * Type: the text does not say where a value ends, so a Type with line breaks would let a message of any topic pass as one of
 * this topic. With a known Type, the topic is the line before the last two.
 */
const signedText = (message: unknown): string | undefined =>
  signedFields
    .get(textOf(message, "Type") ?? "")
    ?.flatMap((name) => {
      const value = textOf(message, name)
      return value === undefined ? [] : [`${name}\n${value}\n`]
    })
    .join("")

/** 1 is the default of a topic, 2 what AWS recommends. */
const digests = new Map([
  ["1", "sha1"],
  ["2", "sha256"],
])

/** Certificates are kept while the process runs, until there are this many: attackers could name many. */
const maxCertificates = 16
const maxCertificateLength = 20_000
const timeout = "5 seconds"

const certificateName = /^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/

/** Undefined: not a certificate of SNS in the topic's region. */
const certificatePath = (message: unknown, topic: TopicArn): string | undefined => {
  const url = URL.parse(textOf(message, "SigningCertURL") ?? "")
  const isOfSns = url?.origin === snsAddressOf(topic) && certificateName.test(url.pathname)
  return isOfSns && url.href === url.origin + url.pathname ? url.pathname : undefined
}

interface Certificate {
  readonly key: KeyObject
  /** Epoch milliseconds; later messages are refused. */
  readonly expires: number
}

const certificateOf = (pem: string) =>
  Effect.option(
    Effect.try((): Certificate => {
      const { publicKey, validTo } = new X509Certificate(pem)
      if (publicKey.asymmetricKeyType !== "rsa") throw new Error("SNS signs with RSA")
      return { key: publicKey, expires: Date.parse(validTo) }
    }),
  )

/** Verifies messages of a topic, and confirms its subscription. */
export const snsTopic = Effect.fnUntraced(function* (topic: TopicArn) {
  const client = yield* HttpClient.HttpClient
  const address = (yield* SnsAddress)(topic)
  const certificates = new Map<string, Certificate>()
  const oneAtATime = yield* Semaphore.make(1)

  /** Fails when SNS does not answer. */
  const get = (pathAndQuery: string) =>
    client.execute(HttpClientRequest.get(address + pathAndQuery)).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
      Effect.timeout(timeout),
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    )

  const certificateAt = Effect.fnUntraced(function* (path: string) {
    const known = certificates.get(path)
    if (known !== undefined) return known
    const { status, text } = yield* get(path)
    if (status >= 500 || status === 429) return yield* Effect.fail(new Error(`SNS answered ${status}`))
    if (status !== 200 || text.length > maxCertificateLength) return undefined
    const found = yield* certificateOf(text)
    if (found._tag === "None") return undefined
    if (certificates.size >= maxCertificates) certificates.clear()
    certificates.set(path, found.value)
    return found.value
  }, oneAtATime.withPermits(1))

  /** True: the topic's message is SNS's. Fails when its certificate cannot be fetched. */
  const isGenuine = Effect.fnUntraced(function* (message: unknown) {
    const digest = digests.get(textOf(message, "SignatureVersion") ?? "")
    const path = certificatePath(message, topic)
    const signature = textOf(message, "Signature")
    const text = signedText(message)
    if (digest === undefined || path === undefined || signature === undefined || text === undefined) return false
    // a known one does not wait for those that forged messages name
    const certificate = certificates.get(path) ?? (yield* certificateAt(path))
    const now = yield* Clock.currentTimeMillis
    if (certificate === undefined || certificate.expires < now) return false
    return Result.getOrElse(
      Result.try(() => verify(digest, Buffer.from(text), certificate.key, Buffer.from(signature, "base64"))),
      () => false,
    )
  })

  /** ConfirmSubscription of SNS's API, which is what SubscribeURL calls. */
  const confirm = Effect.fnUntraced(function* (token: string) {
    const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn: topic.arn, Token: token })
    const { status } = yield* get(`/?${query}`)
    return yield* status === 200 ? Effect.void : Effect.fail(new Error(`SNS answered ${status}`))
  })

  return { isGenuine, confirm }
})
