import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { maxCvBytes } from "../../src/cv/Cv.ts"
import * as GuardedCvFetcher from "../../src/cv/GuardedCvFetcher.ts"
import { cvFetcherSuite, fetchCv } from "../port/CvFetcherSuite.ts"
import { issue, trusting } from "../port/certificates.ts"
import { proxying } from "../port/proxy.ts"
import { loopback, receiver, tlsReceiver } from "../port/receivers.ts"

const timeout = Duration.seconds(30)

cvFetcherSuite("GuardedCvFetcher", (options) => GuardedCvFetcher.layer({ ...options, concurrency: 4 }))

const authority = issue({ name: "Test authority" })
const good = issue({ name: "good", hosts: ["files.test"], issuer: authority })
const other = issue({ name: "other", hosts: ["other.test"], issuer: authority })

/** A name that changes its address after the first connection. */
const turning = () => {
  let asked = 0
  const resolve = async () => [asked++ === 0 ? "127.0.0.1" : "10.0.0.1"]
  return GuardedCvFetcher.layer({ allowed: loopback, timeout, concurrency: 4 }, resolve)
}

describe("GuardedCvFetcher, host names", () => {
  it.effect("are resolved and checked at each hop", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const { port } = yield* tlsReceiver(good, (request, response) => {
        if (request.url === "/cv") response.writeHead(302, { location: "/next", connection: "close" }).end()
        else response.end("inside")
      })
      const { permanent, reason } = yield* Effect.flip(fetchCv(`https://files.test:${port}/cv`))
      assert.strictEqual(reason, "files.test: 10.0.0.1 is a private address")
      assert.isTrue(permanent)
    }).pipe(Effect.provide(turning())),
  )

  it.effect("are verified in certificates", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const { port } = yield* tlsReceiver(other, (_, response) => response.end("secure"))
      const { permanent, reason } = yield* Effect.flip(fetchCv(`https://files.test:${port}/cv`))
      assert.strictEqual(reason, "The certificate is not valid for this host name")
      assert.isFalse(permanent)
    }).pipe(Effect.provide(turning())),
  )
})

describe("GuardedCvFetcher, share links", () => {
  const dropbox = issue({ name: "dropbox", hosts: ["www.dropbox.com", "acme.sharepoint.com"], issuer: authority })
  const layer = GuardedCvFetcher.layer({ allowed: loopback, timeout, concurrency: 4 }, async () => ["127.0.0.1"])

  it.effect("are rewritten to the download, also those behind a redirect", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const { port } = yield* tlsReceiver(dropbox, (request, response) => {
        if (request.url === "/short") response.writeHead(302, { location: "/s/a1/cv.pdf?dl=0" }).end()
        else response.end(request.url)
      })
      for (const path of ["/s/a1/cv.pdf?dl=0", "/short"]) {
        const file = yield* fetchCv(`https://www.dropbox.com:${port}${path}`)
        assert.strictEqual(new TextDecoder().decode(file), "/s/a1/cv.pdf?dl=1")
      }
    }).pipe(Effect.provide(layer)),
  )

  it.effect("send the cookies of their redirects to the same host, within one fetch", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const { port } = yield* tlsReceiver(dropbox, (request, response) => {
        const cookies = ["FedAuth=abc=; path=/; secure; HttpOnly", "rtFa=x"]
        const location = request.url?.startsWith("/:b:/")
          ? "/download.aspx"
          : request.url === "/away" && `https://www.dropbox.com:${port}/x`
        if (location) response.writeHead(302, { location, "set-cookie": cookies }).end()
        else response.end(request.headers.cookie ?? "none")
      })
      const cookieOf = (path: string) =>
        Effect.map(fetchCv(`https://acme.sharepoint.com:${port}${path}`), (file) => new TextDecoder().decode(file))
      assert.strictEqual(yield* cookieOf("/:b:/g/personal/ada/EabC?e=1"), "FedAuth=abc=; rtFa=x")
      for (const path of ["/away", "/download.aspx"]) assert.strictEqual(yield* cookieOf(path), "none", path)
    }).pipe(Effect.provide(layer)),
  )

  it.effect.each([401, 403, 404])("name what to do at status %i", (status) =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const { port } = yield* tlsReceiver(dropbox, (_, response) => response.writeHead(status).end())
      const { permanent, reason } = yield* Effect.flip(fetchCv(`https://www.dropbox.com:${port}/s/a1/cv.pdf`))
      assert.include(reason, "share the file with everyone who has the link")
      assert.isTrue(permanent)
    }).pipe(Effect.provide(layer)),
  )

  it.effect.each([
    [
      401,
      "The server answered 401 Unauthorized: OneDrive gives the files of many personal accounts only to its own pages: send the file with a link of another service",
    ],
    [404, "The server answered 404 Not Found: share the file with everyone who has the link, or send another link"],
  ] as const)("of OneDrive name what to do at status %i", ([status, expected]) =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const oneDrive = issue({ name: "onedrive", hosts: ["api.onedrive.com"], issuer: authority })
      const { port } = yield* tlsReceiver(oneDrive, (_, response) => response.writeHead(status).end())
      const { proxy } = yield* proxying(port)
      const options = { allowed: [], timeout, concurrency: 1, proxy }
      const through = GuardedCvFetcher.layer(options, async () => ["93.184.216.34"])
      const { permanent, reason } = yield* Effect.flip(fetchCv("https://1drv.ms/b/c/1f2e/EabC?e=x")).pipe(
        Effect.provide(through),
      )
      assert.strictEqual(reason, expected)
      assert.isTrue(permanent)
    }),
  )
})

describe("GuardedCvFetcher, encodings", () => {
  const polish = Buffer.from("<p>\xa3ukasz", "latin1")
  it.effect.each([
    ["text/html; charset=iso-8859-2", polish, "\ufeff<p>Łukasz"],
    ["text/html; charset=utf-8", polish, undefined],
    ["text/html; charset=iso-8859-2", Buffer.from("<p>Łukasz"), undefined],
    ["text/plain; charset=iso-8859-2", Buffer.from("%PDF-1.7\n\xa3", "latin1"), undefined],
    ["application/pdf; charset=iso-8859-2", polish, undefined],
  ] as const)("of %s are applied to text alone", ([type, file, expected]) =>
    Effect.gen(function* () {
      const { port } = yield* receiver((_, response) => response.writeHead(200, { "content-type": type }).end(file))
      const found = yield* fetchCv(`http://127.0.0.1:${port}/cv`)
      assert.deepStrictEqual(Buffer.from(found), expected === undefined ? file : Buffer.from(expected))
    }).pipe(Effect.provide(GuardedCvFetcher.layer({ allowed: loopback, timeout, concurrency: 4 }))),
  )

  it.effect("keep the limit of bytes", () =>
    Effect.gen(function* () {
      const type = "text/plain; charset=iso-8859-2"
      const file = Buffer.alloc(maxCvBytes / 2, 0xa3)
      const { port } = yield* receiver((_, response) => response.writeHead(200, { "content-type": type }).end(file))
      const outcome = yield* Effect.match(fetchCv(`http://127.0.0.1:${port}/cv`), {
        onSuccess: ({ length }) => `${length} bytes`,
        onFailure: ({ permanent, reason }) => ({ permanent, reason }),
      })
      assert.deepStrictEqual(outcome, { permanent: true, reason: "The file is larger than 10 MiB in UTF-8" })
    }).pipe(Effect.provide(GuardedCvFetcher.layer({ allowed: loopback, timeout, concurrency: 4 }))),
  )
})
