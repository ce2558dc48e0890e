/** The sample organization: at most one in an installation, apart from all others (docs/workspace.md). */
import { Context, Effect, Layer } from "effect"
import { OrganizationRepository } from "../accounts/OrganizationRepository.ts"
import { BlobStore } from "../files/BlobStore.ts"
import { Database } from "../platform/database/Database.ts"
import { TestSpaces } from "../test-mode/TestSpaces.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { Conflict, NotFound } from "../values/Problem.ts"
import { SampleRepository } from "./SampleRepository.ts"

export const sampleName = "Lindhaven (sample)"

const unknown = new NotFound({ record: "sample organization" })

export class Samples extends Context.Service<Samples>()("interview-invitations/sample/Samples", {
  make: Effect.gen(function* () {
    const blobStore = yield* BlobStore
    const { transaction } = yield* Database
    const organizationRepository = yield* OrganizationRepository
    const repository = yield* SampleRepository
    const testSpaces = yield* TestSpaces

    /** Undefined: there is none. */
    const find = repository.find

    /** Creates it without data. Fails with Conflict if there is one. */
    const create = Effect.gen(function* () {
      const id = yield* repository.insert(sampleName)
      return id ?? (yield* new Conflict({ reason: "there is a sample organization already: remove it first" }))
    }).pipe(transaction, Effect.withSpan("Samples.create"))

    /**
     * Deletes the sample organization with all its rows, files and sessions. Fails with NotFound for any other
     * organization. Deletes the content of files first, so that a failed call can be repeated.
     */
    const remove = Effect.fn("Samples.remove")(function* (organization: OrganizationId) {
      if (!(yield* organizationRepository.isSample(organization))) return yield* unknown
      yield* Effect.catchTag(testSpaces.remove(organization), "NotFound", () => Effect.void)
      yield* Effect.orDie(blobStore.remove(yield* repository.files(organization)))
      if (!(yield* transaction(repository.remove(organization)))) return yield* unknown
    })

    return { find, create, remove }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
