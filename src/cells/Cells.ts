/** The number of this cell, its moves of organizations, and its lines in the maps of the proxy in front of all cells (docs/scale.md). */
import { Context, Effect, Layer, Stream } from "effect"
import { type Methods, methods } from "../platform/UseCases.ts"
import { Conflict } from "../values/Problem.ts"
import { CellRepository } from "./CellRepository.ts"

const number = Effect.flatMap(CellRepository, (cells) => cells.number)

const moves = Effect.flatMap(CellRepository, (cells) => cells.moves)

/** Fails with Conflict when the cell has organizations, because their ids are in the range of the former number. */
const setNumber = Effect.fn("Cells.setNumber")(function* (to: number) {
  const cells = yield* CellRepository
  if ((yield* cells.number) === to) return
  if (yield* cells.hasOrganizations) {
    return yield* new Conflict({
      reason: "this cell has organizations already: its number can be set only before the first one",
    })
  }
  yield* cells.setNumber(to)
})

export const proxyMaps = ["keys", "moved"] as const

/** This cell's keys of a map, sorted by bytes. */
const mapKeys = (map: (typeof proxyMaps)[number]) =>
  Stream.unwrap(Effect.map(CellRepository, ({ keyPrefixes, movedIds }) => (map === "keys" ? keyPrefixes : movedIds)))

const useCases = { number, moves, setNumber, mapKeys }

export class Cells extends Context.Service<Cells, Methods<typeof useCases>>()("interview-invitations/cells/Cells") {
  static readonly layer = Layer.effect(Cells, methods([CellRepository], useCases)).pipe(
    Layer.provide(CellRepository.layer),
  )
}
