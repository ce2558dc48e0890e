/**
 * Generates a client in `<directory>/<generator>/` from `<directory>/openapi.json`, with each of `generators`. Clients.test.ts runs a
 * copy of this file beside hey-api and orval.
 */
import { writeFile } from "node:fs/promises"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "typescript" ? import.meta.resolve("./typescript.ts") : specifier, context),
})

const [directory = "", ...generators] = process.argv.slice(2)
const input = join(directory, "openapi.json")

/** A generator that is installed on demand (generators/package.json): its types are not there when this file is checked. */
type Generator = (options: object, workspace?: string) => Promise<unknown>
const generatorIn = async (name: string, exported: string): Promise<Generator> => {
  const loaded: Readonly<Record<string, Generator>> = await import(name)
  const generator = loaded[exported]
  if (generator === undefined) throw new Error(`${name} has no ${exported}`)
  return generator
}

const openapiTypescript = async () => {
  const { astToString, default: generate } = await import("openapi-typescript")
  await writeFile(join(directory, "openapi-typescript/api.ts"), astToString(await generate(pathToFileURL(input))))
}

const heyApi = async () => {
  const createClient = await generatorIn("@hey-api/openapi-ts", "createClient")
  await createClient({ input, output: join(directory, "hey-api/client"), logs: { level: "silent" } })
}

const orval = async () => {
  const generate = await generatorIn("orval", "generate")
  const output = { target: join(directory, "orval/api.ts"), client: "fetch", mode: "single" }
  await generate({ input, output: { ...output, baseUrl: { runtime: "process.env.API_URL" } } }, directory)
}

const programs = new Map([
  ["openapi-typescript", openapiTypescript],
  ["hey-api", heyApi],
  ["orval", orval],
])
await Promise.all(generators.map((name) => programs.get(name)?.()))
