/** The connector of Kombo, against its simulator over HTTP. */
import { layer } from "@effect/vitest"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { kombo } from "./systems.ts"

layer(Simulator.layer())("Kombo", (it) => {
  conformance(it, kombo)
})
