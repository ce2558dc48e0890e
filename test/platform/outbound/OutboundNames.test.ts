import { createSocket } from "node:dgram"
import type { LookupAddress, LookupOptions } from "node:dns"
import { Resolver } from "node:dns/promises"
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  AddressRefused,
  guardedLookup,
  type Resolve,
  ResolveFailed,
  resolvePublic,
} from "../../../src/platform/outbound/OutboundNames.ts"
import type { AllowedNetworks, Reach } from "../../../src/values/OutboundAddress.ts"
import { loopback, networks } from "../../port/receivers.ts"

interface LookupInput {
  readonly host?: string
  readonly all?: boolean
  readonly allowed?: AllowedNetworks
  readonly reach?: Reach
}

const lookupWith = (
  resolve: Resolve,
  { all = true, allowed = [], host = "receiver.test", reach = "public" }: LookupInput,
) =>
  new Promise<NodeJS.ErrnoException | string | ReadonlyArray<LookupAddress>>((done) => {
    const options: LookupOptions = { all }
    guardedLookup(allowed, reach, resolve)(host, options, (error, answer) => done(error ?? answer))
  })
const lookup = (addresses: ReadonlyArray<string>, options: LookupInput = {}) =>
  lookupWith(async () => addresses, options)

describe("guardedLookup", () => {
  it("returns all addresses in order, with their families", async () => {
    assert.deepStrictEqual(await lookup(["8.8.8.8", "2606:4700::1"]), [
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ])
    assert.strictEqual(await lookup(["8.8.8.8", "9.9.9.9"], { all: false }), "8.8.8.8")
  })

  it("returns the first eight addresses of a name, and checks all", async () => {
    const many = Array.from({ length: 500 }, (_, i) => `8.8.${i >> 8}.${i & 255}`)
    assert.deepStrictEqual(
      await lookup(many),
      many.slice(0, 8).map((address) => ({ address, family: 4 })),
    )
    assert.instanceOf(await lookup([...many, "10.0.0.1"]), AddressRefused)
  })

  it.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fe80::1%eth0", "not an address"])(
    "refuses the name if any address is refused: %s",
    async (address) => {
      for (const all of [true, false]) {
        assert.instanceOf(await lookup(["8.8.8.8", address], { all }), AddressRefused)
        assert.instanceOf(await lookup([address, "8.8.8.8"], { all }), AddressRefused)
      }
    },
  )

  it("returns an address of an allowed network", async () => {
    assert.deepStrictEqual(await lookup(["127.0.0.2"], { allowed: loopback }), [{ address: "127.0.0.2", family: 4 }])
    assert.deepStrictEqual(await lookup(["127.0.0.2", "8.8.8.8"], { allowed: loopback }), [
      { address: "127.0.0.2", family: 4 },
      { address: "8.8.8.8", family: 4 },
    ])
  })

  it("returns no other address when only allowed networks may be reached", async () => {
    const options = { allowed: networks("172.16.0.0/12"), reach: "allowed" } as const
    assert.deepStrictEqual(await lookup(["172.18.0.2"], options), [{ address: "172.18.0.2", family: 4 }])
    for (const address of ["8.8.8.8", "10.0.0.1", "2606:4700::1", "169.254.169.254"]) {
      assert.instanceOf(await lookup([address], options), AddressRefused)
      assert.instanceOf(await lookup(["172.18.0.2", address], options), AddressRefused)
    }
  })

  it("resolves localhost without DNS, to allowed addresses", async () => {
    const host = "app.localhost"
    const options = { host, allowed: networks("127.0.0.0/8") }
    assert.deepStrictEqual(await lookup(["8.8.8.8"], options), [{ address: "127.0.0.1", family: 4 }])
    assert.instanceOf(await lookup(["8.8.8.8"], { host }), AddressRefused)
  })

  it("reports a name that does not resolve", async () => {
    assert.instanceOf(await lookup([]), ResolveFailed)
    assert.instanceOf(await lookupWith(() => Promise.reject(new Error("broken")), {}), ResolveFailed)
  })
})

/** Addresses, an error code of RFC 1035 (4.1.1), or no answer. */
type Answer = ReadonlyArray<ReadonlyArray<number>> | number | undefined

/** A name server on this machine. Names have one to three labels; A is type 1, AAAA 28. */
const nameServer = (answer: (name: string, type: number) => Answer, timeout = 100) =>
  Effect.gen(function* () {
    const socket = createSocket("udp4")
    yield* Effect.addFinalizer(() => Effect.sync(() => socket.close()))
    socket.on("message", (query, { address, port }) => {
      const labels: Array<string> = []
      let at = 12
      for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
        labels.push(query.toString("latin1", at + 1, at + 1 + size))
        at += 1 + size
      }
      const type = query.readUInt16BE(at + 1)
      const answers = answer(labels.join("."), type)
      if (answers === undefined) return
      const records = typeof answers === "number" ? [] : answers
      const head = Buffer.alloc(12)
      query.copy(head, 0, 0, 2)
      head.writeUInt16BE(0x8180 | (typeof answers === "number" ? answers : 0), 2)
      head.writeUInt16BE(1, 4)
      head.writeUInt16BE(records.length, 6)
      const sections = records.map((data) =>
        Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data]),
      )
      socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...sections]), port, address)
    })
    socket.bind(0, "127.0.0.1")
    yield* Effect.promise(() => once(socket, "listening"))
    const resolver = new Resolver({ timeout, tries: 1 })
    resolver.setServers([`127.0.0.1:${socket.address().port}`])
    return resolvePublic(resolver)
  })

const resolved = (resolve: Resolve, host: string) =>
  Effect.promise(() =>
    resolve(host).catch((error: unknown) => (error instanceof ResolveFailed ? error.code : "no ResolveFailed")),
  )

describe("resolvePublic", () => {
  const six = [0x26, 0x06, 0x47, ...Array<number>(12).fill(0), 1]

  it.effect("queries both families and returns IPv4 first", () =>
    Effect.gen(function* () {
      const resolve = yield* nameServer((_, type) => (type === 1 ? [[8, 8, 8, 8]] : [six]))
      assert.deepStrictEqual(yield* resolved(resolve, "receiver.test"), ["8.8.8.8", "2606:4700::1"])
    }),
  )

  it.effect("succeeds with one family when the other fails", () =>
    Effect.gen(function* () {
      for (const other of [[], 2, 3, undefined]) {
        const resolve = yield* nameServer((_, type) => (type === 1 ? [[8, 8, 8, 8]] : other))
        assert.deepStrictEqual(yield* resolved(resolve, "receiver.test"), ["8.8.8.8"])
      }
    }),
  )

  it.effect("does not wait long for the other family once one has addresses", () =>
    Effect.gen(function* () {
      for (const [type, address] of [
        [1, [8, 8, 8, 8]],
        [28, six],
      ] as const) {
        // the other family's query would time out after an hour
        const resolve = yield* nameServer((_, queried) => (queried === type ? [address] : undefined), 3_600_000)
        assert.deepStrictEqual(yield* resolved(resolve, "receiver.test"), [type === 1 ? "8.8.8.8" : "2606:4700::1"])
      }
    }),
  )

  it.effect("reports why a name has no address", () =>
    Effect.gen(function* () {
      const answers: Readonly<Record<string, Answer>> = { empty: [], broken: 2, missing: 3, silent: undefined }
      const resolve = yield* nameServer((name) => answers[name])
      assert.strictEqual(yield* resolved(resolve, "empty"), "ENODATA")
      assert.strictEqual(yield* resolved(resolve, "broken"), "ESERVFAIL")
      assert.strictEqual(yield* resolved(resolve, "missing"), "ENOTFOUND")
      assert.strictEqual(yield* resolved(resolve, "silent"), "ETIMEOUT")
      assert.strictEqual(yield* resolved(resolve, "a..b"), "EBADNAME")
    }),
  )

  it.effect("resolves names concurrently", () =>
    Effect.gen(function* () {
      const resolve = yield* nameServer((name, type) =>
        name === "silent" ? undefined : type === 1 ? [[8, 8, 8, 8]] : [],
      )
      let silent = 0
      for (let i = 0; i < 50; i++) resolve("silent").catch(() => silent++)
      assert.deepStrictEqual(yield* resolved(resolve, "receiver.test"), ["8.8.8.8"])
      assert.strictEqual(silent, 0)
    }),
  )
})
