/** `cell`: the number of this cell, and its lines in the maps of the proxy in front of all cells. */
import { Console, Effect, Layer, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { maxCell } from "../cells/Cell.ts"
import { Cells, proxyMaps } from "../cells/Cells.ts"
import { explain, print, recordServices, table } from "./CommandKit.ts"
import * as Flags from "./Flags.ts"

const services = Cells.layer.pipe(Layer.provide(recordServices))

const show = Command.make("show", { json: Flags.json }, ({ json }) =>
  Effect.gen(function* () {
    const cells = yield* Cells
    const [number, moves] = [yield* cells.number, yield* cells.moves]
    if (json) return yield* print(json, { number, moves })
    yield* print(json, { number })
    if (moves.length > 0)
      yield* Console.log(
        table(
          moves.map((move) => ({ ...move })),
          "",
        ),
      )
  }).pipe(Effect.provide(services)),
).pipe(
  Command.withDescription("Show the number of this cell, and the organizations that are moved from or to it, or were"),
)

const setNumber = Command.make(
  "set-number",
  {
    number: Flags.integer("number", 0, maxCell).pipe(
      Flag.withDescription(`From 0 to ${maxCell}; no two cells may have the same`),
    ),
    json: Flags.json,
  },
  ({ json, number }) =>
    Effect.gen(function* () {
      const cells = yield* Cells
      yield* cells.setNumber(number)
      yield* print(json, { number })
    }).pipe(explain, Effect.provide(services)),
).pipe(
  Command.withDescription(
    "Give a new cell its number, before its first organization, so that its ids differ from those of all other cells",
  ),
)

const exportMap = Command.make(
  "export",
  {
    map: Argument.Literals("map", proxyMaps).pipe(
      Argument.withDescription(
        "keys: prefixes of API keys, and connections to hiring systems; moved: ids in links and calls of organizations that came from another cell",
      ),
    ),
    backend: Flags.text("backend", "The proxy's backend of this cell; default cell-<number>").pipe(Flag.optional),
  },
  ({ backend, map }) =>
    Effect.gen(function* () {
      const cells = yield* Cells
      const name = Option.getOrElse(backend, () => undefined) ?? `cell-${yield* cells.number}`
      yield* Stream.runForEachArray(cells.mapKeys(map), (keys) =>
        Console.log(keys.map((key) => `${key} ${name}`).join("\n")),
      )
    }).pipe(Effect.provide(services)),
).pipe(Command.withDescription("Print this cell's lines of a map of HAProxy, sorted"))

export const cellCommand = Command.make("cell").pipe(
  Command.withDescription("Number this cell, and print its lines for the maps of the proxy in front of all cells"),
  Command.withSubcommands([show, setNumber, exportMap]),
)
