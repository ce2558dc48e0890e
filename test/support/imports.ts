/** What a source file imports, read from its text, and whether the layout (folders of src) allows it. */
import { dirname, join, normalize } from "node:path"

/** Comments go, strings stay: an example in a docstring is no import, and `"https://…"` is no comment. */
export const code = (source: string): string =>
  source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g,
    (_, text?: string) => text ?? "",
  )

/** Modules that a source names: static and dynamic imports, re-exports and types; "?" for a name that is not a literal. */
export const importsOf = (source: string): ReadonlyArray<string> => {
  const statement = /\b(?:import|export)\s+(?:[^"'`;=]*?\bfrom\s*)?["']([^"']+)["']/g
  const call = /\bimport\s*\(\s*(?:["']([^"']+)["'])?/g
  const text = code(source)
  return [
    ...[...text.matchAll(statement)].map(([, name]) => name ?? "?"),
    ...[...text.matchAll(call)].map(([, name]) => name ?? "?"),
  ]
}

const left = {
  service: ["domain", "port", "repository", "Config.ts"],
  http: ["domain", "port", "repository", "Config.ts", "service", "api"],
  app: ["domain", "port", "repository", "Config.ts", "service", "api", "worker", "http"],
}

/** A folder or file of src, and what it may import beside itself. */
const allowed: Record<string, ReadonlyArray<string>> = {
  domain: [],
  port: ["domain"],
  api: ["domain"],
  repository: ["domain"],
  adapter: ["domain", "port"],
  config: ["domain"],
  "Config.ts": ["config", "domain"],
  "Observability.ts": ["Config.ts", "domain"],
  service: left.service,
  worker: [...left.service, "service"],
  http: left.http,
  "Adapters.ts": [...left.service, "service", "config", "adapter"],
  "App.ts": [...left.app, "config", "Adapters.ts", "Observability.ts"],
  commands: [...left.app, "config", "App.ts", "Observability.ts", "adapter/EmbeddedPostgres.ts"],
  "main.ts": ["commands", "config/Version.ts", "Adapters.ts"],
  "index.ts": ["adapter", "App.ts", "Config.ts", "Adapters.ts", "main.ts"],
}

/** What must run anywhere, clients included, comes with nothing but effect. */
const portable = ["domain", "port", "api"]

const exceptions = [
  // a cached KeyObject signs six times as fast as what effect offers
  "domain/Signature.ts → node:crypto",
  // the package with the binaries of this machine
  "adapter/embeddedPostgres/Installation.ts → ?",
]

const isBelow = (path: string, place: string) => path === place || path.startsWith(`${place}/`)

/** Arrows of a file (its path below src) that the layout does not allow, as "from → to". */
export const wrongArrows = (path: string, source: string): ReadonlyArray<string> => {
  const place = path.split("/")[0] ?? ""
  const rule = allowed[place]
  return importsOf(source).flatMap((name) => {
    const isLocal = name.startsWith(".")
    const target = isLocal ? normalize(join(dirname(path), name)) : name
    const arrow = `${path} → ${target}`
    if (exceptions.includes(arrow)) return []
    if (name === "?" || rule === undefined) return [arrow]
    const isRight = isLocal
      ? [place, ...rule].some((one) => isBelow(target, one))
      : !portable.includes(place) || /^effect(\/|$)/.test(name)
    return isRight ? [] : [arrow]
  })
}
