import { describe, layer } from "@effect/vitest"
import { missing } from "./chromium.ts"
import * as interruptions from "./interruptions.ts"
import * as journey from "./journey.ts"
import * as offline from "./offline.ts"
import * as stage from "./stage.ts"
import * as unsent from "./unsent.ts"
import * as windows from "./windows.ts"

describe.skipIf(missing !== undefined)(
  ["candidate pages in Chromium: answering", ...(missing ? [missing] : [])].join(": "),
  () => {
    layer(stage.layer)((it) => {
      journey.suite(it)
      interruptions.suite(it)
      windows.suite(it)
      offline.suite(it)
      unsent.suite(it)
    })
  },
)
