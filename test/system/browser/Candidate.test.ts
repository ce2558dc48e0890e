import { describe, layer } from "@effect/vitest"
import * as attempts from "./attempts.ts"
import { missing } from "./chromium.ts"
import * as clocks from "./clocks.ts"
import * as devices from "./devices.ts"
import * as files from "./files.ts"
import * as interruptions from "./interruptions.ts"
import * as journey from "./journey.ts"
import * as late from "./late.ts"
import * as looks from "./looks.ts"
import * as offline from "./offline.ts"
import * as stage from "./stage.ts"
import * as unsent from "./unsent.ts"
import * as windows from "./windows.ts"

describe.skipIf(missing !== undefined)(
  ["candidate pages in Chromium", ...(missing ? [missing] : [])].join(": "),
  () => {
    layer(stage.layer)((it) => {
      journey.suite(it)
      interruptions.suite(it)
      windows.suite(it)
      offline.suite(it)
      unsent.suite(it)
      devices.suite(it)
      late.suite(it)
      clocks.suite(it)
      files.suite(it)
      attempts.suite(it)
      looks.suite(it)
    })
  },
)
