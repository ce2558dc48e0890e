/** Reads settings as the program does. */
import { ConfigProvider, Effect } from "effect"
import * as Config from "../../../src/config/Config.ts"

/** Reads the settings from an environment; returns them with the names of all variables that are read. */
export const readSettings = Effect.fnUntraced(function* (environment: Record<string, string>) {
  const names = new Set<string>()
  const given = ConfigProvider.fromEnvRecord(environment)
  const provider = ConfigProvider.make((path) => {
    names.add(path.join("_"))
    return given.load(path)
  })
  const settings = yield* Effect.provideService(Config.settings, ConfigProvider.ConfigProvider, provider)
  yield* Effect.provideService(Config.databaseUrls, ConfigProvider.ConfigProvider, provider)
  return { names, settings }
})
