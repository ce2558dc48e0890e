/** Tests the Workable connector against a simulator over HTTP. */
import { layer } from "@effect/vitest"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { workable } from "./systems.ts"

layer(Simulator.layer())("Workable", (it) => {
  conformance(it, workable)
})
