/** What every layer of the CvFetcher port must do, shown with real servers on this machine. */
import type { IncomingMessage, RequestListener } from "node:http"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, type Layer } from "effect"
import { maxCvBytes } from "../../src/cv/Cv.ts"
import { CvFetcher } from "../../src/cv/CvFetcher.ts"
import type { AllowedNetworks } from "../../src/values/OutboundAddress.ts"
import { closed, loopback, networks, rawReceiver, receiver } from "./receivers.ts"

interface FetcherOptions {
  readonly allowed: AllowedNetworks
  readonly timeout: Duration.Duration
}

export const fetchCv = (link: string) => Effect.flatMap(CvFetcher, (fetcher) => fetcher.fetch(link))

const file = new TextEncoder().encode("%PDF-1.7 not really")

export const cvFetcherSuite = (name: string, layerOf: (options: FetcherOptions) => Layer.Layer<CvFetcher>) => {
  const patient = layerOf({ allowed: loopback, timeout: Duration.minutes(5) })
  const hasty = layerOf({ allowed: loopback, timeout: Duration.millis(300) })

  /** What becomes of a link to a server that answers so; it has the path /cv. */
  const from = (listener: RequestListener, layer = patient) =>
    Effect.gen(function* () {
      const { port } = yield* receiver(listener)
      return yield* fetchCv(`http://127.0.0.1:${port}/cv`)
    }).pipe(Effect.provide(layer))

  describe(`CvFetcher: ${name}`, () => {
    it.effect("gets the bytes behind a link, and tells nothing of us", () =>
      Effect.gen(function* () {
        let asked: IncomingMessage | undefined
        const { port } = yield* receiver((request, response) => {
          asked = request
          response.writeHead(200, { "content-type": "image/png", "set-cookie": "a=b" }).end(file)
        })
        const link = `http://127.0.0.1:${port}/cv%20of%20ada.pdf?signature=a%2Bb#page=2`
        assert.deepStrictEqual(new Uint8Array(yield* fetchCv(link)), file)
        yield* fetchCv(link)
        assert.strictEqual(asked?.url, "/cv%20of%20ada.pdf?signature=a%2Bb")
        assert.strictEqual(asked?.method, "GET")
        for (const header of ["cookie", "authorization", "referer", "origin"])
          assert.notProperty(asked?.headers, header)
      }).pipe(Effect.provide(patient)),
    )

    it.effect.each([301, 302, 303, 307, 308])("follows a redirect with status %i", (status) =>
      Effect.gen(function* () {
        const found = yield* from((request, response) => {
          if (request.url === "/cv") response.writeHead(status, { location: "../files/ada.pdf?a=b" }).end("moved")
          else response.end(request.url)
        })
        assert.strictEqual(new TextDecoder().decode(found), "/files/ada.pdf?a=b")
      }),
    )

    it.effect("follows three redirects and no fourth", () =>
      Effect.gen(function* () {
        const hops = (most: number) =>
          from((request, response) => {
            const hop = Number(new URL(request.url ?? "", "http://a").searchParams.get("hop"))
            if (hop < most) response.writeHead(302, { location: `/cv?hop=${hop + 1}` }).end()
            else response.end(file)
          })
        assert.deepStrictEqual(new Uint8Array(yield* hops(3)), file)
        const { permanent, reason } = yield* Effect.flip(hops(4))
        assert.include(reason, "more than 3")
        assert.isTrue(permanent)
      }),
    )

    it.effect.each([
      "http://10.0.0.1/cv",
      "http://169.254.169.254/latest/meta-data/",
      "http://[::ffff:10.0.0.1]/",
      "http://0x0a000001/",
      "http://example.com/cv.pdf",
      "file:///etc/passwd",
      "https://user:secret@example.com/",
      "data:text/plain,cv",
      "https://example.com:22/",
    ])("does not go to %s, neither by a link nor by a redirect", (location) =>
      Effect.gen(function* () {
        const direct = yield* Effect.flip(fetchCv(location))
        assert.isTrue(direct.permanent)
        const redirected = yield* Effect.flip(from((_, response) => response.writeHead(302, { location }).end()))
        assert.deepStrictEqual(redirected, direct)
        assert.notInclude(direct.reason, "secret")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("goes nowhere on this machine unless that is allowed", () =>
      Effect.gen(function* () {
        const { connections, port } = yield* receiver((_, response) => response.end(file))
        for (const link of [`http://127.0.0.1:${port}/`, `https://127.0.0.1:${port}/`, `http://localhost:${port}/`]) {
          assert.isTrue((yield* Effect.flip(fetchCv(link))).permanent)
        }
        assert.isEmpty(connections)
      }).pipe(Effect.provide(layerOf({ allowed: networks(""), timeout: Duration.minutes(5) }))),
    )

    it.effect.each([
      [404, true],
      [410, true],
      [401, true],
      [403, true],
      [408, false],
      [425, false],
      [429, false],
      [500, false],
      [503, false],
    ] as const)("status %i is for good: %s", ([status, isPermanent]) =>
      Effect.gen(function* () {
        const { permanent, reason } = yield* Effect.flip(from((_, response) => response.writeHead(status).end("no")))
        assert.strictEqual(permanent, isPermanent)
        assert.include(reason, String(status))
        assert.notInclude(reason, "/cv")
      }),
    )

    it.effect("stops at the largest size, said or not", () =>
      Effect.gen(function* () {
        const said = yield* Effect.flip(
          from((_, response) => response.writeHead(200, { "content-length": maxCvBytes + 1 }).flushHeaders()),
        )
        assert.include(said.reason, "10 MiB")
        assert.isTrue(said.permanent)

        let sent = 0
        const { connections, port } = yield* receiver((_, response) => {
          const chunk = Buffer.alloc(64 * 1024)
          const more = () => {
            while (!response.destroyed && sent < 20 * maxCvBytes) {
              sent += chunk.length
              if (!response.write(chunk)) return void response.once("drain", more)
            }
          }
          more()
        })
        const endless = yield* Effect.flip(fetchCv(`http://127.0.0.1:${port}/cv`))
        assert.deepStrictEqual(endless, said)
        yield* closed(connections[0])
        assert.isBelow(sent, 2 * maxCvBytes)

        assert.lengthOf(yield* from((_, response) => response.end(Buffer.alloc(maxCvBytes))), maxCvBytes)
      }).pipe(Effect.provide(patient)),
    )

    it.effect("unpacks what is sent packed, as far as a file may be large", () =>
      Effect.gen(function* () {
        const packed = (coding: string, bytes: Uint8Array) =>
          from((_, response) => response.writeHead(200, { "content-encoding": coding }).end(bytes))
        assert.deepStrictEqual(new Uint8Array(yield* packed("gzip", gzipSync(file))), file)
        assert.deepStrictEqual(new Uint8Array(yield* packed("br", brotliCompressSync(file))), file)
        const bomb = yield* Effect.flip(packed("gzip", gzipSync(Buffer.alloc(20 * maxCvBytes))))
        assert.include(bomb.reason, "10 MiB")
        for (const [coding, bytes] of [
          ["gzip", file],
          ["zstd", file],
        ] as const) {
          assert.isTrue((yield* Effect.flip(packed(coding, bytes))).permanent)
        }
      }),
    )

    it.effect("gives up when its time is over, whatever it waits for", () =>
      Effect.gen(function* () {
        const silent = yield* Effect.flip(from(() => {}, hasty))
        assert.isFalse(silent.permanent)
        const begun = yield* Effect.flip(from((_, response) => response.writeHead(200).write("%PDF"), hasty))
        assert.deepStrictEqual(begun, silent)
        const circle = yield* Effect.flip(
          from((_, response) => void setTimeout(() => response.writeHead(302, { location: "/cv" }).end(), 150), hasty),
        )
        assert.deepStrictEqual(circle, silent)
      }),
    )

    it.effect("tries again later what broke on the way", () =>
      Effect.gen(function* () {
        const { port } = yield* rawReceiver((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf"))
        assert.isFalse((yield* Effect.flip(fetchCv(`http://127.0.0.1:${port}/cv`))).permanent)
        const nobody = yield* Effect.scoped(
          Effect.map(
            receiver(() => {}),
            (gone) => gone.port,
          ),
        )
        assert.isFalse((yield* Effect.flip(fetchCv(`http://127.0.0.1:${nobody}/cv`))).permanent)
      }).pipe(Effect.provide(patient)),
    )
  })
}
