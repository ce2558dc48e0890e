/**
 * Builds the package in dist/, compiled by tsc, with types; and the program that containers run in dist/pod/, bundled with
 * its packages. `node build.ts package` and `node build.ts pod` build one of them, the latter in dist/pod/ or the directory
 * that follows. The bundle's paths are those of the repository: src/main.js, sql/, …
 *
 * The bundle needs less than half the CPU time of the sources to start (docs/operate.md).
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec"
import { build, type Plugin } from "rolldown"
import { guidePages } from "./src/api-reference/Guide.ts"
import { ocrLanguages } from "./src/cv/reader/ReaderOptions.ts"
import { iconNames } from "./src/platform/http/Icons.ts"
import { catalogues } from "./src/texts/Texts.ts"

const root = import.meta.dirname
const dist = join(root, "dist")
const [, , target, place] = process.argv
const pod = place ?? join(dist, "pod")

/** The programs of a pod. Each gets a bundle of its own: the processes of readers may read only their own directories. */
const programs = [
  "src/main.ts",
  "src/cv/reader/main.ts",
  "src/recordings/reader/main.ts",
  "src/evaluations/computation/child/main.ts",
]

/** Files that the programs read at run time; copied to the package and the bundle. */
const files = ["sql", "src/platform/http/assets", ...guidePages.map(({ slug }) => `docs/${slug}.md`)]

const pdfJs = "node_modules/pdfjs-dist"
const core = "node_modules/tesseract.js-core/tesseract-core-simd-lstm"

/**
 * Files of packages for the CV reader's directory, where it reads them: character maps of CJK text (1.1 MB); for OCR, pdf.js
 * with its decoders (2.2 MB), and Tesseract with its languages (12.9 MB). The packages also have 130 MB of others.
 */
const copies: ReadonlyArray<readonly [from: string, to: string]> = [
  [`${pdfJs}/cmaps`, "cmaps"],
  ...["jbig2.wasm", "openjpeg.wasm", "LICENSE_JBIG2", "LICENSE_OPENJPEG"].map(
    (file) => [`${pdfJs}/wasm/${file}`, `wasm/${file}`] as const,
  ),
  [`${pdfJs}/legacy/build/pdf.min.mjs`, "ocr/data/pdf.min.mjs"],
  [`${pdfJs}/legacy/build/pdf.worker.min.mjs`, "ocr/data/pdf.worker.min.mjs"],
  [`${core}.wasm`, "ocr/data/tesseract-core.wasm"],
  ["node_modules/tesseract.js-core/LICENSE", "ocr/data/LICENSE"],
  // CommonJS; the package of the service has ES modules
  [`${core}.js`, "ocr/data/tesseract-core.cjs"],
  ...Object.values(ocrLanguages).map((name) => {
    const file = `${name}.traineddata.gz`
    return [`node_modules/@tesseract.js-data/${name}/4.0.0_best_int/${file}`, `ocr/data/${file}`] as const
  }),
]

/** Copied, not bundled: the loader of a native package requires this platform's binary from a package beside it. */
const native = "node_modules/@node-rs"

/** The few icons that pages use, out of a package with hundreds. */
const copyIcons = (target: string) => {
  for (const name of iconNames) {
    const file = `${name}-16.svg`
    cpSync(
      join(root, "node_modules/@primer/octicons/build/svg", file),
      join(target, "src/platform/http/assets/icons", file),
    )
  }
}

const copy = (paths: ReadonlyArray<string>, target: string) => {
  for (const path of paths) cpSync(join(root, path), join(target, path), { recursive: true, dereference: true })
}

/** Replaces `import.meta.url` by the URL that the module of src/ has in dist/pod/, so its relative URLs stay correct. */
const ownUrl = (directory: string): Plugin => ({
  name: "own-url",
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: "import.meta.url" },
    handler: (code, id) => {
      const path = JSON.stringify(relative(directory, id))
      // no map is needed: the line numbers do not change
      return { code: code.replaceAll("import.meta.url", `new URL(${path}, import.meta.url).href`), map: null }
    },
  },
})

/**
 * Loads undici itself where a package loads a module of its own that exports all names of undici: rolldown (1.2, 1.3) leaves a
 * module that is loaded by `import()` without the names that it exports from CommonJS by `export *`.
 */
const undici: Plugin = {
  name: "undici",
  resolveId: {
    filter: { id: /\/Undici\.js$/ },
    handler(_, importer) {
      return this.resolve("undici", importer)
    },
  },
}

const beyondAscii = /[\u0080-\uffff]/g

/**
 * V8 keeps the text of a module, with two bytes for each character as soon as one is not Latin-1: escaped, an idle pod takes
 * 6 MB less. Valid in strings, templates, identifiers, and in the source of a regular expression, also by String.raw.
 */
const escaped = (code: string): string =>
  code.replaceAll(beyondAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Where a column of the line is after `escaped`. Columns must be asked in ascending order. */
const escapedColumns = (line: string): ((column: number) => number) => {
  const positions = [...line.matchAll(beyondAscii)].map(({ index }) => index)
  let before = 0
  return (column) => {
    while ((positions[before] ?? Number.POSITIVE_INFINITY) < column) before++
    return column + before * ("\\uffff".length - 1)
  }
}

/**
 * Reduces a source map to an eighth of its size: keeps the lines of src/, which stack traces need, and removes columns,
 * names and packages. A segment without a source ends the mapping of the previous segment.
 */
const reduceMap = (file: string, directory: string, code: string) => {
  const map = JSON.parse(readFileSync(file, "utf8"))
  const sources: ReadonlyArray<string> = map.sources.map((source: string) => join(dirname(file), source))
  const isOwn = sources.map((source) => source.startsWith(join(root, "src/")))
  if (!isOwn.includes(true)) return rmSync(file)
  let last = ""
  const codeLines = code.split("\n")
  const lines = decode(map.mappings).map((segments, index) => {
    const columnOf = escapedColumns(codeLines[index] ?? "")
    const kept: Array<SourceMapSegment> = []
    for (const [column, source = -1, line = 0] of segments) {
      const position = isOwn[source] ? `${source}:${line}` : ""
      if (position !== last) kept.push(isOwn[source] ? [columnOf(column), source, line, 0] : [columnOf(column)])
      last = position
    }
    return kept
  })
  const reduced = {
    ...map,
    names: [],
    sources: sources.map((source) => relative(directory, source)),
    mappings: encode(lines),
  }
  writeFileSync(file, JSON.stringify(reduced))
}

const bundle = async (program: string) => {
  const directory = join(root, dirname(program))
  const { output } = await build({
    cwd: root,
    input: program,
    platform: "node",
    tsconfig: false,
    external: /^@node-rs\//,
    // read by src/platform/ChildProgram.ts and src/platform/telemetry/SourcePositions.ts
    transform: { define: { BUNDLED: "true" } },
    plugins: [ownUrl(directory), undici],
    onLog: (level, log) => {
      if (level === "warn") throw new Error(`${program}: ${log.message}`)
    },
    output: {
      dir: join(pod, dirname(program)),
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      comments: { legal: true, annotation: false, jsdoc: false },
      keepNames: true,
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      // child processes log no stack traces
      sourcemap: program === "src/main.ts" && "hidden",
      sourcemapExcludeSources: true,
    },
  })
  for (const { fileName } of output) {
    if (!fileName.endsWith(".js")) continue
    const file = join(pod, dirname(program), fileName)
    const code = readFileSync(file, "utf8")
    writeFileSync(file, escaped(code))
    if (existsSync(`${file}.map`)) reduceMap(`${file}.map`, directory, code)
  }
}

const copyForReader = (target: string) => {
  for (const [from, to] of copies) {
    const path = join(target, "src/cv/reader", to)
    cpSync(join(root, from), path, { recursive: true, dereference: true })
    // the package of Tesseract's languages compresses them 64 kB worse
    if (path.endsWith(".gz")) writeFileSync(path, gzipSync(gunzipSync(readFileSync(path)), { level: 9, memLevel: 9 }))
  }
}

/** Catalogues of texts have nothing to step through: their source maps, 0.1 MB, are left out. */
const dropMaps = (folder: string) => {
  for (const language of Object.keys(catalogues)) {
    const path = join(folder, `${language}.js`)
    rmSync(`${path}.map`)
    writeFileSync(path, readFileSync(path, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"))
  }
}

const buildPackage = () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" })
  dropMaps(join(dist, "src/texts"))
  copy(files, dist)
  copyForReader(dist)
}

const buildPod = async () => {
  if (!existsSync(join(root, native))) throw new Error(`${native} is missing: run npm ci first`)
  for (const program of programs) await bundle(program)
  copy([...files, native, "package.json"], pod)
  copyForReader(pod)
  copyIcons(pod)
}

if (place === undefined) rmSync(target === "pod" ? pod : dist, { recursive: true, force: true })
if (target !== "pod") buildPackage()
if (target !== "package") await buildPod()
