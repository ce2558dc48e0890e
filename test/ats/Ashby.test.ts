/** The connector of Ashby, against its simulator over HTTP. */
import { layer } from "@effect/vitest"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { ashby } from "./systems.ts"

layer(Simulator.layer())("Ashby", (it) => {
  conformance(it, ashby)
})
