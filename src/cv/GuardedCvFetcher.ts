/** Fetches CVs with undici and the outbound guard. Checks every redirect. */
import { isUtf8 } from "node:buffer"
import { STATUS_CODES } from "node:http"
import { promisify } from "node:util"
import { brotliDecompress, unzip } from "node:zlib"
import { Duration, Effect, Layer, Result } from "effect"
import { type Dispatcher, request } from "undici"
import { fileTypeOf } from "../files/FileType.ts"
import {
  AnswerTooLong,
  answerError,
  ConnectFailed,
  isOurs,
  processDefect,
  within,
} from "../platform/outbound/OutboundErrors.ts"
import { guardedDispatcher } from "../platform/outbound/OutboundGuard.ts"
import type { Resolve } from "../platform/outbound/OutboundNames.ts"
import { encodingNamed } from "../values/CodePages.ts"
import { type AllowedNetworks, checkUrl } from "../values/OutboundAddress.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import { decodeText } from "../values/TextFile.ts"
import { userAgent } from "../values/UserAgent.ts"
import { maxCvBytes } from "./Cv.ts"
import { CvFetcher, CvNotFetched } from "./CvFetcher.ts"
import { adviceFor, downloadLink } from "./ShareLink.ts"

export interface CvFetcherOptions {
  readonly allowed: AllowedNetworks
  /** From DNS to body, redirects included. */
  readonly timeout: Duration.Duration
  readonly concurrency: number
  /** For public addresses. */
  readonly proxy?: OutboundProxy | undefined
}

const maxRedirects = 3
const maxCookies = 20
const maxCookieLength = 4096
/** The body, 16 KiB of headers, and framing. */
const maxAnswer = maxCvBytes + 256 * 1024

const redirects = new Set([301, 302, 303, 307, 308])
/** Request Timeout, Too Early, Too Many Requests. */
const transientStatuses = new Set([408, 425, 429])

const requestHeaders = {
  accept: "application/pdf,application/vnd.openxmlformats-officedocument.wordprocessingml.document,*/*;q=0.5",
  "accept-encoding": "identity",
  "user-agent": userAgent,
}

const permanently = (reason: string) => new CvNotFetched({ reason, permanent: true })
const temporarily = (reason: string) => new CvNotFetched({ reason, permanent: false })
const larger = `The file is larger than ${maxCvBytes / 1024 / 1024} MiB`
const tooLarge = () => permanently(larger)

/** `download`: what a share link was rewritten to. */
const statusError = (status: number, download: string | undefined): CvNotFetched => {
  const answered = `The server answered ${status}${STATUS_CODES[status] === undefined ? "" : ` ${STATUS_CODES[status]}`}`
  if (status < 400 || status >= 500 || transientStatuses.has(status)) return temporarily(answered)
  if (download !== undefined) return permanently(`${answered}: ${adviceFor(download, status)}`)
  if (status === 401 || status === 403) return permanently(`${answered}: the link needs a sign-in, or has expired`)
  return permanently(`${answered}: check that the link leads to the file`)
}

/** Rethrows errors of this process. */
const errorOf = (error: unknown): CvNotFetched => {
  if (error instanceof CvNotFetched) return error
  if (!(error instanceof Error)) throw error
  if (isOurs(error)) throw processDefect(error)
  if (error instanceof AnswerTooLong) return tooLarge()
  if (error instanceof ConnectFailed)
    return error.cause === "refused" ? permanently(error.message) : temporarily(error.message)
  return temporarily(answerError(error).message)
}

const decoders: Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>> = {
  gzip: promisify(unzip),
  "x-gzip": promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
}

/** Some servers compress against `accept-encoding`. */
const decoded = async (bytes: Uint8Array, coding: string): Promise<Uint8Array> => {
  if (coding === "" || coding === "identity") return bytes
  const decode = decoders[coding]
  if (decode === undefined) throw permanently("The server sends the file in an unsupported content coding")
  try {
    return await decode(bytes, { maxOutputLength: maxCvBytes })
  } catch (error) {
    const isLong = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE"
    throw isLong ? tooLarge() : permanently("The server sends the file in a content coding that cannot be decoded")
  }
}

const one = (header: string | ReadonlyArray<string> | undefined): string => [header].flat()[0] ?? ""

/**
 * Text in an encoding that only the header names, as UTF-8 with a byte order mark, which readers prefer to what the file says
 * (Encoding Standard, 6). Some servers name one encoding for all files: valid UTF-8 stays.
 */
const inUtf8 = (file: Uint8Array, contentType: string): Uint8Array => {
  const label = /^\s*(?:text\/|application\/xhtml)[^;]*;.*?charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1]
  const type = label === undefined ? undefined : fileTypeOf(file)
  if (label === undefined || (type !== "text" && type !== "html") || isUtf8(file)) return file
  const { encoding, text } = decodeText(file, label)
  if (encoding !== encodingNamed(label)) return file
  const converted = Buffer.from(`\ufeff${text}`)
  if (converted.length > maxCvBytes) throw permanently(`${larger} in UTF-8`)
  return converted
}

const bodyOf = async ({ body, headers }: Dispatcher.ResponseData): Promise<Uint8Array> => {
  if (Number(one(headers["content-length"])) > maxCvBytes) throw tooLarge()
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxCvBytes) throw tooLarge()
    chunks.push(chunk)
  }
  const file = await decoded(Buffer.concat(chunks), one(headers["content-encoding"]).trim().toLowerCase())
  return inUtf8(file, one(headers["content-type"]))
}

const checked = (link: string, allowed: AllowedNetworks): URL => {
  const url = checkUrl(link, allowed)
  if (Result.isFailure(url)) throw permanently(url.failure.reason)
  return url.success
}

/** The cookies of one fetch, by origin. Share links of SharePoint set one, and redirect to the file. */
class Cookies {
  readonly #pairs = new Map<string, Map<string, string>>()

  add({ origin }: URL, header: string | ReadonlyArray<string> | undefined): void {
    const pairs = this.#pairs.get(origin) ?? new Map<string, string>()
    this.#pairs.set(origin, pairs)
    for (const cookie of [header ?? []].flat().slice(0, maxCookies)) {
      const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined && value !== undefined && value.length <= maxCookieLength) pairs.set(name, value.trim())
    }
  }

  headerFor({ origin }: URL): Readonly<Record<string, string>> {
    const pairs = [...(this.#pairs.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`)
    return pairs.length === 0 ? {} : { cookie: pairs.join("; ") }
  }
}

const follow = async (
  link: string,
  allowed: AllowedNetworks,
  options: { readonly dispatcher: Dispatcher; readonly signal: AbortSignal },
): Promise<Uint8Array> => {
  const cookies = new Cookies()
  let asked = downloadLink(link)
  let download = asked === link ? undefined : asked
  let url = checked(asked, allowed)
  for (let hops = 0; ; hops++) {
    const answer = await request(url.href, { ...options, headers: { ...requestHeaders, ...cookies.headerFor(url) } })
    const { statusCode: status } = answer
    try {
      if (status === 200) return await bodyOf(answer)
      const location = one(answer.headers["location"])
      if (!redirects.has(status) || location === "") throw statusError(status, download)
      if (hops === maxRedirects) throw permanently(`The link was redirected more than ${maxRedirects} times`)
      const next = URL.parse(location, url.href)
      if (next === null) throw permanently("The link was redirected to an invalid URL")
      cookies.add(url, answer.headers["set-cookie"])
      asked = downloadLink(next.href)
      if (asked !== next.href) download ??= asked
      url = checked(asked, allowed)
    } finally {
      answer.body.on("error", () => {}).destroy()
    }
  }
}

export const layer = (options: CvFetcherOptions, resolve?: Resolve): Layer.Layer<CvFetcher> =>
  Layer.effect(
    CvFetcher,
    Effect.gen(function* () {
      const { allowed, concurrency, proxy, timeout } = options
      const millis = Duration.toMillis(timeout)
      const dispatcher = yield* guardedDispatcher({
        allowed,
        timeout,
        connectionsPerOrigin: concurrency,
        maxAnswer,
        resolve,
        proxy,
      })
      const late = temporarily(`The file did not arrive ${within(millis)}`)
      return CvFetcher.of({
        fetch: Effect.fn("GuardedCvFetcher.fetch")((link) =>
          Effect.tryPromise({
            try: async (interrupted) => {
              const deadline = new AbortController()
              const timer = setTimeout(() => deadline.abort(late), millis)
              const signal = AbortSignal.any([interrupted, deadline.signal])
              try {
                return await follow(link, allowed, { dispatcher, signal })
              } catch (error) {
                throw deadline.signal.aborted ? late : error
              } finally {
                clearTimeout(timer)
              }
            },
            catch: errorOf,
          }),
        ),
      })
    }),
  )
