/** Generates a client in `<directory>/<generator>/` from `<directory>/openapi.json`, with each of `generators`. */
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

const openapiTypescript = async () => {
  const { astToString, default: generate } = await import("openapi-typescript")
  await writeFile(join(directory, "openapi-typescript/api.ts"), astToString(await generate(pathToFileURL(input))))
}

const heyApi = async () => {
  const { createClient } = await import("@hey-api/openapi-ts")
  await createClient({ input, output: join(directory, "hey-api/client"), logs: { level: "silent" } })
}

const orval = async () => {
  const { generate } = await import("orval")
  const output = { target: join(directory, "orval/api.ts"), client: "fetch", mode: "single" } as const
  await generate({ input, output: { ...output, baseUrl: { runtime: "process.env.API_URL" } } }, directory)
}

const programs = new Map([
  ["openapi-typescript", openapiTypescript],
  ["hey-api", heyApi],
  ["orval", orval],
])
await Promise.all(generators.map((name) => programs.get(name)?.()))
