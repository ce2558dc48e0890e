/** Interview sets: created by hiring systems (spec, Create interview set), listed and read back. */
import { Context, Effect, Layer } from "effect"
import type { InterviewSetId, OrganizationId } from "../domain/Ids.ts"
import type { CreateInterviewSet, InterviewSet, InterviewSetSummary } from "../domain/InterviewSet.ts"
import { type Page, type PageRequest, pageOf } from "../domain/Page.ts"
import { type Invalid, NotFound } from "../domain/Problem.ts"
import { type InterviewSetFilter, InterviewSets as Repository } from "../repository/InterviewSets.ts"
import { makeBuild } from "./sets/Build.ts"

export class InterviewSets extends Context.Service<
  InterviewSets,
  {
    readonly create: (organization: OrganizationId, request: CreateInterviewSet) => Effect.Effect<InterviewSet, Invalid>
    readonly list: (
      organization: OrganizationId,
      filter: InterviewSetFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<InterviewSetSummary>>
    /** The whole set. */
    readonly find: (organization: OrganizationId, id: InterviewSetId) => Effect.Effect<InterviewSet, NotFound>
  }
>()("interview-invitations/service/InterviewSets") {
  static readonly layer = Layer.effect(
    InterviewSets,
    Effect.gen(function* () {
      const repository = yield* Repository
      const build = yield* makeBuild

      return InterviewSets.of({
        create: Effect.fn("InterviewSets.create")(function* (organization, request) {
          const set = yield* build(organization, request)
          yield* repository.insert(organization, set)
          return set
        }),
        list: Effect.fn("InterviewSets.list")(function* (organization, filter, page) {
          const rows = yield* repository.list(organization, filter, page)
          return pageOf("interview-sets", rows, page.limit, ({ position: _, role, ...set }) => ({
            ...set,
            position: role,
          }))
        }),
        find: Effect.fn("InterviewSets.find")(function* (organization, id) {
          const set = yield* repository.find(organization, id)
          return set === undefined ? yield* new NotFound({ record: "interview set" }) : set
        }),
      })
    }),
  )
}
