/** Questions and requirements of other sets, which the form of a set copies. */
import { Context, Effect, Layer } from "effect"
import { readerOf, type Viewer } from "../accounts/Viewer.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { wordsOf } from "../platform/database/WordSearch.ts"
import type { QuestionId, RequirementId } from "../values/Ids.ts"
import { type LibraryFilter, SetLibraryRepository } from "./SetLibraryRepository.ts"

interface LibrarySearch extends Pick<LibraryFilter, "except" | "kind" | "set"> {
  readonly text: string
}

const maxItems = 20

/** Items read for one search: many are equal, because sets are copied, and equal ones are returned once. */
const maxReads = 10 * maxItems

export class SetLibrary extends Context.Service<SetLibrary>()("interview-invitations/interview-sets/SetLibrary", {
  make: Effect.gen(function* () {
    const repository = yield* SetLibraryRepository

    /** Items of all sets that the viewer may read, newest sets first, equal ones once. */
    const search = Effect.fn("SetLibrary.search")(function* (
      viewer: Viewer,
      { except, kind, set, text }: LibrarySearch,
    ) {
      const words = wordsOf(text)
      const filter = { kind, set, except, reader: readerOf(viewer) }
      const found =
        words === undefined ? [] : yield* repository.search(viewer.organizationId, { ...filter, words }, maxReads)
      const unique = [...new Map(found.toReversed().map((item) => [item.same, item])).values()].toReversed()
      return { items: unique.slice(0, maxItems), hasMore: unique.length > maxItems || found.length >= maxReads }
    }, mayReadReplica)

    /** In the order of `ids`, without those that the viewer may not read. */
    const questions = Effect.fn("SetLibrary.questions")(function* (viewer: Viewer, ids: ReadonlyArray<QuestionId>) {
      const found = yield* repository.questions(viewer.organizationId, readerOf(viewer), ids)
      return ids.flatMap((id) => found.find((question) => question.id === id) ?? [])
    })

    /** The same for requirements. */
    const requirements = Effect.fn("SetLibrary.requirements")(function* (
      viewer: Viewer,
      ids: ReadonlyArray<RequirementId>,
    ) {
      const found = yield* repository.requirements(viewer.organizationId, readerOf(viewer), ids)
      return ids.flatMap((id) => found.find((requirement) => requirement.id === id) ?? [])
    })

    return { search, questions, requirements }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
