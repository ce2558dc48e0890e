/** A team's directory: the packed package and its dependencies in node_modules. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { Effect, Schema } from "effect"
import { urlIn } from "../../support/Processes.ts"

const root = join(import.meta.dirname, "../../..")
/** The real path: the CV reader's process may follow one symlink to a package, not a chain. */
const modules = realpathSync(join(root, "node_modules"))
/** The environment of programs: Node and executables of the tests. */
const environment = {
  PATH: `${join(modules, ".bin")}:${process.env["PATH"]}`,
  HOME: process.env["HOME"] ?? "",
  NODE_COMPILE_CACHE: join(tmpdir(), "interview-compile-cache"),
}
export const node = join(modules, ".bin/node")

const execute = promisify(execFile)

/** Runs a program; returns its stdout, or throws with its output when it fails. */
export const run = async (
  cwd: string,
  program: string,
  args: ReadonlyArray<string>,
  settings: Record<string, string> = {},
): Promise<string> => {
  const options = { cwd, env: { ...environment, ...settings }, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await execute(program, args, options).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${program} ${args.join(" ")}: ${error.stdout}${error.stderr}`)
  })
  return stdout
}

const Named = Schema.Record(Schema.String, Schema.String)
const Manifest = Schema.fromJsonString(Schema.Struct({ dependencies: Named, peerDependencies: Named }))
const Packed = Schema.fromJsonString(
  Schema.Tuple([
    Schema.Struct({
      filename: Schema.String,
      size: Schema.Int,
      files: Schema.Array(Schema.Struct({ path: Schema.String })),
    }),
  ]),
)

/** A team's own dependencies: the compiler and imports of its files. */
const own = ["typescript", "@types/node", "@types/nodemailer"]

export interface Consumer {
  /** Holds the examples and node_modules. */
  readonly directory: string
  readonly files: ReadonlyArray<string>
  /** Bytes of the tarball. */
  readonly size: number
  readonly remove: () => void
}

/** Packs a copy of the repository, so that the repository stays unbuilt, and installs it without a network. */
export const install = async (): Promise<Consumer> => {
  const place = mkdtempSync(join(tmpdir(), "interview-package-"))
  const [clone, directory] = [join(place, "clone"), join(place, "consumer")]
  for (const path of [
    "package.json",
    "build.ts",
    "tsconfig.json",
    "tsconfig.build.json",
    "README.md",
    "docs",
    "src",
    "sql",
    "test/port",
  ]) {
    cpSync(join(root, path), join(clone, path), { recursive: true })
  }
  symlinkSync(modules, join(clone, "node_modules"))
  const output = await run(clone, "npm", ["pack", "--json", "--pack-destination", place])
  const [{ filename, files, size }] = Schema.decodeSync(Packed)(output.slice(output.indexOf("[\n")))

  const installed = join(directory, "node_modules/interview-invitations")
  mkdirSync(installed, { recursive: true })
  await run(place, "tar", ["-xzf", filename, "--strip-components=1", "-C", installed])
  const { dependencies, peerDependencies } = Schema.decodeSync(Manifest)(
    readFileSync(join(installed, "package.json"), "utf8"),
  )
  for (const name of [...Object.keys({ ...dependencies, ...peerDependencies }), ...own]) {
    const target = join(directory, "node_modules", name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(modules, name), target)
  }
  mkdirSync(join(directory, "node_modules/.bin"))
  symlinkSync("../interview-invitations/dist/src/main.js", join(directory, "node_modules/.bin/interview-invitations"))
  cpSync(join(root, "test/examples"), directory, { recursive: true })
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  return {
    directory,
    files: files.map(({ path }) => path),
    size,
    remove: () => rmSync(place, { recursive: true, force: true }),
  }
}

export const examples = readdirSync(join(root, "test/examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** Starts a program's `serve`; returns its URL. Killed when the scope closes. */
export const serve = Effect.fnUntraced(function* (cwd: string, file: string, settings: Record<string, string>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(node, [file, "serve"], { cwd, env: { ...environment, PORT: "0", ...settings } })),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null) return
        const closed = once(child, "close")
        child.kill("SIGKILL")
        await closed
      }),
  )
  return yield* Effect.callback<string>((resume) => {
    let output = ""
    const take = (text: string) => {
      output += text
      const url = urlIn(output)
      if (url !== undefined) resume(Effect.succeed(url))
    }
    child.stdout.setEncoding("utf8").on("data", take)
    child.stderr.setEncoding("utf8").on("data", take)
    child.on("close", () => resume(Effect.die(new Error(`${file} ended: ${output}`))))
  })
})
