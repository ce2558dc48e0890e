/** Config and repositories of tests. */
import { ConfigProvider, Layer } from "effect"
import * as App from "../../src/App.ts"
import { Config } from "../../src/config/Config.ts"
import * as TestDatabase from "./TestDatabase.ts"

const defaults = {
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  EMAIL: "mailbox",
  OUTBOUND_ALLOW: "127.0.0.0/8",
  APP_URL: "http://localhost:8080",
}

/** Ignores the environment. */
export const config = (settings: Record<string, string> = {}) =>
  Config.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...defaults, ...settings }))))

export const base = (settings: Record<string, string> = {}) =>
  App.repositories.pipe(Layer.provideMerge(TestDatabase.layer), Layer.provideMerge(config(settings)))
