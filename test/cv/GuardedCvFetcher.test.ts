import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as GuardedCvFetcher from "../../src/cv/GuardedCvFetcher.ts"
import { cvFetcherSuite, fetchCv } from "../port/CvFetcherSuite.ts"
import { issue, trusting } from "../port/certificates.ts"
import { loopback, tlsReceiver } from "../port/receivers.ts"

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
