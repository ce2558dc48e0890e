/** Tests the Recruitee connector against a simulator over HTTP. */
import { layer } from "@effect/vitest"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { recruitee } from "./systems.ts"

layer(Simulator.layer())("Recruitee", (it) => {
  conformance(it, recruitee)
})
