/** The number of this cell, its moves of organizations, and its lines in the maps of the proxy in front of all cells (docs/scale.md). */
import { Context, Effect, Layer, Stream } from "effect"
import { Conflict } from "../values/Problem.ts"
import { CellRepository } from "./CellRepository.ts"

export const proxyMaps = ["keys", "moved"] as const

export class Cells extends Context.Service<Cells>()("interview-invitations/cells/Cells", {
  make: Effect.gen(function* () {
    const repository = yield* CellRepository

    const number = repository.number

    const moves = repository.moves

    /** Fails with Conflict when the cell has organizations, because their ids are in the range of the former number. */
    const setNumber = Effect.fn("Cells.setNumber")(function* (to: number) {
      if ((yield* repository.number) === to) return
      if (yield* repository.hasOrganizations) {
        return yield* new Conflict({
          reason: "this cell has organizations already: its number can be set only before the first one",
        })
      }
      yield* repository.setNumber(to)
    })

    /** This cell's keys of a map, sorted by bytes. */
    const mapKeys = (map: (typeof proxyMaps)[number]) =>
      Stream.unwrap(Effect.succeed(map === "keys" ? repository.keys : repository.movedIds))

    return { number, moves, setNumber, mapKeys }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(CellRepository.layer))
}
