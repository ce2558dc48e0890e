/** Files in a bucket from upload to erasure, with outages of the bucket and after BLOB_STORE changes. */

import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { blobStoreOf } from "../../src/Adapters.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { BlobStore, BlobStoreUnavailable } from "../../src/files/BlobStore.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { joined } from "../../src/values/Bytes.ts"
import { type BlobId, CandidateId, QuestionId } from "../../src/values/Ids.ts"
import { refuse, s3Server } from "../port/s3Server.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const content = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(200_000, "0123456789")])
const network = Stream.fromIterable([content.subarray(0, 70_000), content.subarray(70_000)])

/** Pods on one database and one bucket; `pod` starts one with the given BLOB_STORE. */
const stage = Effect.gen(function* () {
  const server = yield* s3Server
  const { bucket, endpoint } = server
  const s3 = { bucket, endpoint, region: "us-east-1", prefix: "" }
  const pod = (store: "postgres" | "s3", knowsBucket = true) =>
    Pod.start({ blobStore: blobStoreOf({ store, s3: knowsBucket ? s3 : undefined }) })
  const away = (is: boolean) => {
    server.script.fault = (_, __, response) => is && refuse(response, 403, "AccessDenied", "no")
  }
  return { away, pod, server }
})

/** A candidate in an interview that asks for a file. */
const candidate = Effect.gen(function* () {
  const invited = yield* Scenario.invited(
    yield* Scenario.organization({
      iai_questions: [{ title: "Your work", question_mode: "interview", question_type: "file" }],
    }),
  )
  yield* (yield* Interviews).start(invited.token)
  const question = QuestionId.make(invited.set.iai_questions[0]?.id ?? "")
  return { ...invited, target: { token: invited.token, question } }
})

const attach = Effect.fnUntraced(function* ({ target }: Effect.Success<typeof candidate>) {
  yield* (yield* Uploads).attach(target, "work.pdf", network)
})
const read = Effect.fnUntraced(function* ({ target }: Effect.Success<typeof candidate>) {
  const file = yield* (yield* Uploads).read(target.token, target.question)
  return joined(yield* Stream.runCollect(file.content))
})
const isContent = (bytes: Uint8Array) => assert.isTrue(content.equals(bytes))

/** The stores of the files, and the number of chunks in the database. */
const rows = Effect.gen(function* () {
  const { sql } = yield* Database
  const blobs = yield* sql<{ store: string }>`select store from blob order by created_at, id`
  const [pieces] = yield* sql<{ n: number }>`select count(*)::int as n from blob_chunk`
  return { places: blobs.map(({ store }) => store), pieces: pieces?.n }
})

const test = (
  name: string,
  body: () => Effect.Effect<void, unknown, Layer.Success<typeof TestDatabase.layer> | Scope.Scope>,
) => it.effect(name, () => Effect.provide(Effect.scoped(body()), TestDatabase.layer, { local: true }))

describe("with BLOB_STORE=s3", () => {
  test("stores, reads, exports and erases a file in the bucket alone", () =>
    Effect.gen(function* () {
      const { pod, server } = yield* stage
      yield* Effect.gen(function* () {
        const ada = yield* candidate
        yield* attach(ada)
        assert.deepStrictEqual(yield* rows, { places: ["s3"], pieces: 0 })
        const { sql } = yield* Database
        const [blob] = yield* sql<{ id: string }>`select id from blob`
        assert.deepStrictEqual(yield* server.keys, [`${ada.organization}/${blob?.id}`])
        isContent(yield* read(ada))
        const people = yield* People
        const person = CandidateId.make(ada.subject.candidate_id)
        const all = JSON.stringify(yield* Dossier.exported(ada.organization, person))
        assert.include(all, content.toString("base64"))
        yield* people.erase(operator(ada.organization), person)
        assert.deepStrictEqual([yield* server.keys, yield* rows], [[], { places: [], pieces: 0 }])
      }).pipe(Effect.provideContext(yield* pod("s3")))
    }))

  test("erases a person during an outage of the bucket, and the file afterwards", () =>
    Effect.gen(function* () {
      const { away, pod, server } = yield* stage
      yield* Effect.gen(function* () {
        const ada = yield* candidate
        const eve = yield* candidate
        yield* attach(ada)
        yield* attach(eve)
        const people = yield* People
        const uploads = yield* Uploads
        const person = CandidateId.make(ada.subject.candidate_id)
        away(true)
        const taken = yield* Effect.flip(Dossier.exported(ada.organization, person))
        assert.instanceOf(taken, BlobStoreUnavailable, "nothing is handed out that lacks a file")
        yield* people.erase(operator(ada.organization), person)
        assert.lengthOf(yield* server.keys, 2)
        assert.strictEqual((yield* Effect.exit(uploads.removeErased))._tag, "Failure")
        away(false)
        assert.strictEqual(yield* uploads.removeErased, 1)
        assert.strictEqual(yield* uploads.removeErased, 0)
        assert.lengthOf(yield* server.keys, 1)
        assert.deepStrictEqual((yield* rows).places, ["s3"])
        isContent(yield* read(eve))
      }).pipe(Effect.provideContext(yield* pod("s3")))
    }))

  test("removes the rest of a failed upload in the sweep, a day later", () =>
    Effect.gen(function* () {
      const { pod, server } = yield* stage
      yield* Effect.gen(function* () {
        const ada = yield* candidate
        // stored, and the response lost, three times
        server.script.fault = (operation, request, response) => {
          if (operation === "PutObject")
            response.end = () => {
              request.socket.destroy()
              return response
            }
          return false
        }
        assert.instanceOf(yield* Effect.flip(attach(ada)), BlobStoreUnavailable)
        server.script.fault = () => false
        assert.deepStrictEqual([yield* server.keys, (yield* rows).places], [[], ["s3"]])
        // as a delayed request would
        const { sql } = yield* Database
        const [late] = yield* sql<{ id: BlobId }>`select id from blob`
        assert.isDefined(late)
        yield* (yield* BlobStore).put({ ...late, organization: ada.organization }, network, 1_000_000)
        assert.lengthOf(yield* server.keys, 1)
        const uploads = yield* Uploads
        assert.strictEqual(yield* uploads.sweep, 0)
        yield* TestClock.adjust("25 hours")
        assert.strictEqual(yield* uploads.sweep, 1)
        assert.deepStrictEqual([yield* server.keys, (yield* rows).places], [[], []])
      }).pipe(Effect.provideContext(yield* pod("s3")))
    }))

  test("fails a read whose content does not match the SHA-256", () =>
    Effect.gen(function* () {
      const { pod, server } = yield* stage
      yield* Effect.gen(function* () {
        const ada = yield* candidate
        yield* attach(ada)
        const other = Buffer.from(content)
        other[100_000] = 0
        server.script.fault = (operation, _, response) => {
          if (operation === "GetObject") response.writeHead(200, { "content-length": other.length }).end(other)
          return operation === "GetObject"
        }
        const { content: given } = yield* (yield* Uploads).read(ada.target.token, ada.target.question)
        let length = 0
        const counted = Stream.runForEach(given, (bytes) => Effect.sync(() => (length += bytes.length)))
        assert.match(String(yield* Effect.flip(counted)), /the content does not match its SHA-256/)
        assert.isBelow(length, content.length)
      }).pipe(Effect.provideContext(yield* pod("s3")))
    }))
})

describe("after BLOB_STORE changed", () => {
  for (const [before, after] of [
    ["postgres", "s3"],
    ["s3", "postgres"],
  ] as const) {
    test(`${before}, now ${after}: what lies there is read and removed, and new files go to the new place`, () =>
      Effect.gen(function* () {
        const { pod, server } = yield* stage
        const ada = yield* Effect.tap(candidate, attach).pipe(Effect.provideContext(yield* pod(before)))
        yield* Effect.gen(function* () {
          const eve = yield* candidate
          yield* attach(eve)
          assert.deepStrictEqual((yield* rows).places.toSorted(), ["postgres", "s3"])
          assert.lengthOf(yield* server.keys, 1)
          isContent(yield* read(ada))
          isContent(yield* read(eve))
          for (const { organization, subject } of [ada, eve])
            yield* (yield* People).erase(operator(organization), CandidateId.make(subject.candidate_id))
          assert.deepStrictEqual([yield* rows, yield* server.keys], [{ places: [], pieces: 0 }, []])
        }).pipe(Effect.provideContext(yield* pod(after)))
      }))
  }

  test("fails without S3_BUCKET and keeps the rows of files in the bucket", () =>
    Effect.gen(function* () {
      const { pod, server } = yield* stage
      const ada = yield* Effect.tap(candidate, attach).pipe(Effect.provideContext(yield* pod("s3")))
      yield* Effect.gen(function* () {
        assert.match(String(yield* Effect.flip(read(ada))), /S3_BUCKET is not set/)
        yield* (yield* People).erase(operator(ada.organization), CandidateId.make(ada.subject.candidate_id))
        assert.deepStrictEqual([(yield* server.keys).length, (yield* rows).places], [1, ["s3"]])
      }).pipe(Effect.provideContext(yield* pod("postgres", false)))
      const { removeErased } = yield* Uploads.pipe(Effect.provideContext(yield* pod("s3")))
      assert.strictEqual(yield* removeErased, 1)
      assert.deepStrictEqual(yield* server.keys, [])
    }))
})
