/**
 * Replays a Dockerfile without a container engine: COPY, also with .dockerignore and from stages, and known RUN commands,
 * in one directory for each stage. Throws for other steps.
 */
import { execFile } from "node:child_process"
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { join, relative } from "node:path"
import { promisify } from "node:util"

interface Instruction {
  readonly name: string
  readonly value: string
}

export interface Image {
  /** The directory with the root of the last stage. */
  readonly root: string
  readonly workdir: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: string | undefined
  readonly base: string
  readonly command: ReadonlyArray<string>
  readonly healthcheck: ReadonlyArray<string>
}

/** Instructions without comments, continued lines joined (Dockerfile reference, "Format"). */
const instructions = (text: string): ReadonlyArray<Instruction> =>
  text
    .split("\n")
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join("\n")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .map((line) => {
      const [, name = "", value = ""] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? []
      return { name: name.toUpperCase(), value: value.trim() }
    })

/** Patterns of .dockerignore begin at the context's root; `*` stops at a slash, `**` does not. */
const ignored = (context: string): ((path: string) => boolean) => {
  const patterns = readFileSync(join(context, ".dockerignore"), "utf8")
    .split("\n")
    .map((line) => line.trim().replace(/^\/|\/$/g, ""))
    .filter((line) => line !== "" && !line.startsWith("#"))
  const expressions = patterns.map((pattern) => {
    if (pattern.startsWith("!")) throw new Error(`.dockerignore: ${pattern} is not known here`)
    const parts = pattern.split(/(\*\*\/?|\*)/).map((part) => {
      if (part.startsWith("**")) return "(?:.*/)?"
      return part === "*" ? "[^/]*" : part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
    })
    return new RegExp(`^${parts.join("")}(/|$)`)
  })
  return (path) => expressions.some((expression) => expression.test(path))
}

/** Parses a command in exec form, a JSON array, which needs no shell. */
const words = (value: string): ReadonlyArray<string> => {
  const parsed: unknown = JSON.parse(value)
  if (!Array.isArray(parsed)) throw new Error(`${value} is not a JSON array`)
  return parsed.map(String)
}

/** The user and the group of a process; none: those of this one. */
export interface Identity {
  readonly uid?: number
  readonly gid?: number
}

/** Performs one RUN command. Absolute paths are paths of the image. */
const run = async (command: string, image: Image, { packages, user }: Options): Promise<void> => {
  const { environment, root, workdir } = image
  const [program, ...args] = command.split(/\s+/)
  const identity = image.user === undefined ? {} : user
  if (program === "rm" && args[0] === "-rf") {
    for (const path of args.slice(1)) {
      if (!path.startsWith("/")) throw new Error(`RUN ${command}: only absolute paths`)
      if (!path.includes("*")) rmSync(join(root, path), { recursive: true, force: true })
    }
    return
  }
  if (program === "mkdir") return void mkdirSync(join(root, workdir, args[0] ?? ""))
  if (program === "chown") {
    const { gid, uid } = user
    if (uid !== undefined && gid !== undefined) chownSync(join(root, workdir, args[1] ?? ""), uid, gid)
    return
  }
  if (program === "node") {
    const env = { ...process.env, ...environment }
    await promisify(execFile)(process.execPath, args, { cwd: join(root, workdir), env, ...identity })
    return
  }
  if (program !== "npm") throw new Error(`RUN ${command} is not known to the replay`)
  // npm's cache is not in the image
  if (args[0] === "cache") return
  if (args[0] === "ci" && packages !== undefined) return symlinkSync(packages, join(root, workdir, "node_modules"))
  await promisify(execFile)("npm", [...args, "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd: join(root, workdir),
    env: { ...process.env, NODE_ENV: undefined },
  })
}

interface Options {
  /** What `npm ci` takes; undefined: it installs. */
  readonly packages: string | undefined
  /** Stands for the users that the image names. */
  readonly user: Identity
}

/** Replays `context`/Dockerfile below `directory`. */
export const replay = async (context: string, directory: string, options: Options): Promise<Image> => {
  const isIgnored = ignored(context)
  const stages = new Map<string, string>()
  let image: Image | undefined
  for (const { name, value } of instructions(readFileSync(join(context, "Dockerfile"), "utf8"))) {
    if (name === "FROM") {
      const [, base = "", stage = "last"] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(value) ?? []
      const root = join(directory, stage)
      mkdirSync(root, { recursive: true })
      stages.set(stage, root)
      image = { root, base, workdir: "/", environment: {}, user: undefined, command: [], healthcheck: [] }
      continue
    }
    if (image === undefined) throw new Error(`${name} stands before FROM`)
    const { root, workdir } = image
    switch (name) {
      case "WORKDIR":
        mkdirSync(join(root, value), { recursive: true })
        image = { ...image, workdir: value }
        break
      case "ENV": {
        const [variable = "", text = ""] = value.split("=")
        image = { ...image, environment: { ...image.environment, [variable]: text } }
        break
      }
      case "COPY": {
        const [, stage, paths = ""] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(value) ?? []
        const [...sources] = paths.split(/\s+/)
        const target = join(root, workdir, sources.pop() ?? "")
        for (const source of sources) {
          const from = stage === undefined ? join(context, source) : join(stages.get(stage) ?? "", source)
          if (!existsSync(from)) throw new Error(`COPY: there is no ${source}`)
          const isInto = sources.length > 1 || paths.endsWith("/")
          // a directory's content is copied, a file keeps its name
          const to = isInto && statSync(from).isFile() ? join(target, source.split("/").at(-1) ?? "") : target
          // each stage's files are taken once, and moving is faster than copying ten thousand files
          if (stage !== undefined) renameSync(from, to)
          else cpSync(from, to, { recursive: true, filter: (path) => !isIgnored(relative(context, path)) })
        }
        break
      }
      case "RUN":
        for (const command of value.split("&&")) await run(command.trim(), image, options)
        break
      case "USER":
        image = { ...image, user: value }
        break
      case "HEALTHCHECK":
        image = { ...image, healthcheck: words(value.replace(/^(--\S+\s+)*CMD\s+/, "")) }
        break
      case "ENTRYPOINT":
        image = { ...image, command: words(value) }
        break
      case "CMD":
        image = { ...image, command: [...image.command, ...words(value)] }
        break
      case "EXPOSE":
        break
      default:
        throw new Error(`${name} is not known to the replay`)
    }
  }
  if (image === undefined) throw new Error("there is no FROM")
  return image
}

/** Files below a directory, by their paths in it. */
export const filesIn = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .toSorted()
