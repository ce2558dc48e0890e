/** Empties and deletes test spaces. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { OrganizationRepository } from "../accounts/OrganizationRepository.ts"
import { operator, type Viewer } from "../accounts/Viewer.ts"
import { BlobStore } from "../files/BlobStore.ts"
import { Database } from "../platform/database/Database.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { NotInTestMode } from "./TestMode.ts"
import { TestSpaceRepository } from "./TestSpaceRepository.ts"

/** Rows of a statement. */
const batch = 2_000

/** Rows that one request, or one run of the step, deletes. */
const maxAtOnce = 50_000

/** Calls of the store at a time remove so many files. */
const filesAtOnce = 200

/** Passes of a deletion: rows that are made meanwhile need another one. */
const maxPasses = 5

export class TestSpaces extends Context.Service<TestSpaces>()("interview-invitations/test-mode/TestSpaces", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const blobStore = yield* BlobStore
    const { transaction } = yield* Database
    const organizationRepository = yield* OrganizationRepository
    const repository = yield* TestSpaceRepository

    const deleteFiles = Effect.fnUntraced(function* (space: OrganizationId, keeps: boolean) {
      const files = yield* repository.files(space, { keeps, limit: filesAtOnce })
      if (files.length === 0) return 0
      // the content first: a failed call can be repeated
      yield* Effect.orDie(blobStore.remove(files))
      yield* repository.deleteFiles(space, files)
      return files.length
    })

    /** Returns whether nothing was left. Rows that refer to deleted ones were made meanwhile: another pass deletes them. */
    const pass = Effect.fnUntraced(function* (space: OrganizationId, keeps: boolean, most: number) {
      let left = most
      let isBlocked = false
      for (const table of yield* keeps ? repository.tables : repository.allTables) {
        const step =
          table.table === "blob"
            ? deleteFiles(space, keeps)
            : repository.deleteRows(space, table, { keeps, limit: batch })
        for (;;) {
          const deleted = yield* step
          if (deleted === undefined) isBlocked = true
          left -= deleted ?? 0
          if (left <= 0) return false
          if (!deleted) break
        }
      }
      return left === most && !isBlocked
    })

    const isDone = Effect.fnUntraced(function* (space: OrganizationId, keeps: boolean) {
      for (let i = 0; i < maxPasses; i++) if (yield* pass(space, keeps, maxAtOnce)) return true
      return false
    })

    /**
     * Deletes all data; API keys, webhooks and settings stay. False: the step deletes the rest. Fails with NotInTestMode for an
     * organization that is not a test space.
     */
    const empty = Effect.fn("TestSpaces.empty")(function* (viewer: Viewer) {
      const space = viewer.organizationId
      if ((yield* organizationRepository.liveOf(space)) === undefined) return yield* new NotInTestMode()
      yield* transaction(
        Effect.andThen(
          repository.beginEmptying(space),
          auditLog.note(viewer, "organization", "empty_test_space", String(space)),
        ),
      )
      const done = yield* isDone(space, true)
      if (done) yield* repository.endEmptying(space)
      return done
    })

    /** Goes on with the space that waits longest. Returns 0 also when it is not empty yet: the rest waits for the next run. */
    const step = Effect.gen(function* () {
      const space = yield* repository.nextToEmpty
      if (space === undefined || !(yield* isDone(space, true))) return 0
      yield* repository.endEmptying(space)
      return 1
    }).pipe(Effect.withSpan("TestSpaces.step"))

    /** Deletes the organization's test space with its keys and webhooks. Fails with NotFound if it has none. */
    const remove = Effect.fn("TestSpaces.remove")(function* (live: OrganizationId) {
      const space = yield* organizationRepository.testSpace(live)
      if (space === undefined) return yield* new NotFound({ record: "test space" })
      while (!(yield* isDone(space, true)));
      yield* isDone(space, false)
      yield* transaction(
        Effect.andThen(
          repository.deleteSpace(space),
          auditLog.note(operator(live), "organization", "delete_test_space", String(live), { test_space: space }),
        ),
      )
      return space
    })

    return { empty, step, remove }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
