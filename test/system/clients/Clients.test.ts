/**
 * Generates clients from /openapi.json, compiles them and runs them against the served API. By night, `npm ci` installs hey-api and orval,
 * of which generators/package-lock.json has the versions: with what they need, 70 MB.
 */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Api from "../../support/Api.ts"
import { amount, isThorough } from "../../support/thorough.ts"

const generators = amount(["openapi-typescript"], ["openapi-typescript", "hey-api", "orval"])

const modules = join(import.meta.dirname, "../../../node_modules")
const node = join(modules, ".bin/node")

const execute = async (program: string, cwd: string, args: ReadonlyArray<string>, settings: Record<string, string>) => {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...settings } }).catch(
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${program} ${args.join(" ")}: ${error.stdout}${error.stderr}`)
    },
  )
  return stdout
}

/** Runs a program with Node. Returns stdout; throws with the output if the program fails. */
const run = (cwd: string, args: ReadonlyArray<string>, settings: Record<string, string> = {}) =>
  execute(node, cwd, args, settings)

/** Copies generate.ts to a directory where it finds the generators; returns its path. */
const generator = async (directory: string) => {
  const target = join(directory, "generators")
  mkdirSync(target)
  for (const file of ["generate.ts", "typescript.ts"]) cpSync(join(import.meta.dirname, file), join(target, file))
  for (const file of ["package.json", "package-lock.json"])
    cpSync(join(import.meta.dirname, "generators", file), join(target, file))
  if (isThorough) await execute("npm", target, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {})
  return join(target, "generate.ts")
}

/** A directory with the generated clients and the programs that use them, `<generator>/main.ts`. */
class Clients extends Context.Service<Clients, { readonly directory: string }>()("interview-invitations/test/Clients") {
  static readonly layer = Layer.effect(
    Clients,
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "interview-clients-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
      )
      const { body } = yield* Api.call("GET", "/openapi.json")
      writeFileSync(join(directory, "openapi.json"), JSON.stringify(body))
      writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "commonjs" }))
      symlinkSync(modules, join(directory, "node_modules"))
      for (const name of generators) {
        mkdirSync(join(directory, name))
        cpSync(join(import.meta.dirname, `programs/${name}.ts`), join(directory, name, "main.ts"))
      }
      yield* Effect.promise(async () => run(directory, [await generator(directory), directory, ...generators]))
      return { directory }
    }),
  )
}

/** Returns the errors of the compiler; empty if there are none. */
const compile = Effect.fnUntraced(function* (name: string, include: ReadonlyArray<string>, options: object) {
  const { directory } = yield* Clients
  const compilerOptions = {
    strict: true,
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    module: "nodenext",
    types: ["node"],
    skipLibCheck: true,
    ...options,
  }
  writeFileSync(join(directory, `${name}.json`), JSON.stringify({ compilerOptions, include }))
  const tsc = join(modules, "typescript/bin/tsc")
  return yield* Effect.promise(() => run(directory, [tsc, "-p", `${name}.json`, "--pretty", "false"]).catch(String))
})

layer(Clients.layer.pipe(Layer.provideMerge(Api.layer())), { excludeTestServices: true })("Generated clients", (it) => {
  it.effect("compile with strict, and run", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* compile("strict", generators, { outDir: "compiled", rootDir: "." }), "")
      const { directory } = yield* Clients
      const [{ key }, { url }] = [yield* Api.account, yield* Api.Server]
      for (const name of generators) {
        const settings = { API_URL: url, API_KEY: key }
        const output = yield* Effect.promise(() => run(directory, [join("compiled", name, "main.js")], settings))
        assert.deepStrictEqual(JSON.parse(output), [{ id: 17 }, "need_interview"], name)
      }
    }),
  )

  it.effect("compile with exactOptionalPropertyTypes and noUncheckedIndexedAccess", () =>
    Effect.gen(function* () {
      // only the types of hey-api: its HTTP client does not compile with exactOptionalPropertyTypes
      const include = generators.map((name) => (name === "hey-api" ? "hey-api/client/types.gen.ts" : name))
      const options = { noEmit: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
      assert.strictEqual(yield* compile("exact", include, options), "")
    }),
  )
})
