/**
 * Style sheets and scripts of the pages, and the style sheets of organizations' colours. Except for those, their URLs contain a hash of the content, so browsers may cache them forever
 * and never mix two releases.
 */
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { accentSheet } from "../../values/Colour.ts"
import { iconNames } from "./Icons.ts"

const css = "text/css; charset=utf-8"
const javascript = "text/javascript; charset=utf-8"

/** In the order of the cascade. */
const style = ["tokens", "base", "frame", "controls", "start", "questions", "panel", "notices", "lists", "media"]

const workspace = ["frame", "submission", "sources", "reviews", "paper"]

const settings = ["frame", "webhooks", "members", "record", "retention", "figures", "impact", "requests"]

const records = ["forms", "lists", "invite", "trial"]

const docs = ["frame", "text", "code"]

const submission = ["draft", "marks", "keys", "mentions", "parts"]

/** Each after the files that it imports. */
const interview = [
  "page",
  "reach",
  "answer",
  "offer",
  "service",
  "late",
  "saving",
  "correction",
  "windows",
  "drafts",
  "pieces",
  "devices",
  "recorder",
  "trial",
  "steps",
  "clock",
  "main",
]

/** Of the bundle (build.ts), which has the icons beside the style sheets. */
declare const BUNDLED: true | undefined

const iconFolder =
  typeof BUNDLED === "undefined"
    ? new URL("build/svg/", import.meta.resolve("@primer/octicons/package.json"))
    : new URL("assets/icons/", import.meta.url)

const iconRule = (name: string, svg: string): string =>
  `.i-${name} {\n  --shape: url("data:image/svg+xml,${encodeURIComponent(svg.trim())}");\n}\n`

const assets = {
  "style.css": { contentType: css, files: style.map((part) => `style/${part}.css`) },
  "icons.css": { contentType: css, files: [] },
  "workspace.css": { contentType: css, files: workspace.map((part) => `workspace/${part}.css`) },
  "home.css": { contentType: css, files: ["workspace/home.css"] },
  "board.css": { contentType: css, files: ["workspace/board.css"] },
  "board.js": { contentType: javascript, files: ["board.js"] },
  "compare.css": { contentType: css, files: ["workspace/compare.css"] },
  "settings.css": { contentType: css, files: settings.map((part) => `settings/${part}.css`) },
  "records.css": { contentType: css, files: records.map((part) => `records/${part}.css`) },
  "editor.css": { contentType: css, files: ["records/editor.css"] },
  "editor.js": { contentType: javascript, files: ["editor.js"] },
  "frame.js": { contentType: javascript, files: ["frame.js"] },
  "docs.css": { contentType: css, files: docs.map((part) => `docs/${part}.css`) },
  "docs.js": { contentType: javascript, files: ["docs.js"] },
  "table.css": { contentType: css, files: ["workspace/table.css"] },
  "table.js": { contentType: javascript, files: ["shortcuts.js", "table.js"] },
  "settings.js": { contentType: javascript, files: ["settings.js"] },
  "interview.js": { contentType: javascript, files: interview.map((part) => `interview/${part}.js`) },
  "submission.js": {
    contentType: javascript,
    files: ["shortcuts.js", ...submission.map((part) => `submission/${part}.js`)],
  },
  "player.js": { contentType: javascript, files: ["player.js"] },
  "passkey.js": { contentType: javascript, files: ["passkey.js"] },
  "time.js": { contentType: javascript, files: ["time.js"] },
  "devLists.js": { contentType: javascript, files: ["devLists.js"] },
} as const

export type AssetName = keyof typeof assets
const names = Object.keys(assets) as ReadonlyArray<AssetName>

/** The parts of a script share one scope, and are sent without comments: a seventh of the interview's script. */
const inOneScript = (part: string): string =>
  part
    .replace(/^import [^"]*"\.{1,2}\/[\w.]+"\n/gm, "")
    .replace(/^export (?=const )/gm, "")
    .replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "")
    .replace(/^ *\/\/.*\n/gm, "")

interface Asset {
  readonly href: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

export class Assets extends Context.Service<
  Assets,
  {
    readonly href: (name: AssetName) => string
    readonly all: ReadonlyArray<Asset>
  }
>()("interview-invitations/platform/http/Assets") {
  static readonly layer = Layer.effect(
    Assets,
    Effect.gen(function* () {
      const { digest } = yield* Digest.Digest
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const directory = yield* path.fromFileUrl(new URL("assets", import.meta.url))
      const icons = yield* path.fromFileUrl(iconFolder)
      const partsOf = (name: AssetName) =>
        name === "icons.css"
          ? Effect.forEach(iconNames, (one) =>
              Effect.map(fs.readFileString(path.join(icons, `${one}-16.svg`)), (svg) => iconRule(one, svg)),
            )
          : Effect.forEach(assets[name].files, (file) => fs.readFileString(path.join(directory, file)))
      const read = Effect.fnUntraced(function* (name: AssetName) {
        const { contentType } = assets[name]
        const parts = yield* partsOf(name)
        const bytes = Buffer.from(parts.map(inOneScript).join(""))
        const hash = Buffer.from(yield* digest(Digest.sha256, bytes)).toString("base64url")
        const href = `/assets/${hash.slice(0, 12)}/${name}`
        return [name, { href, contentType, bytes }] as const
      })
      const all = new Map(yield* Effect.forEach(names, read))
      return Assets.of({ href: (name) => all.get(name)?.href ?? `/assets/${name}`, all: [...all.values()] })
    }).pipe(Effect.orDie),
  )

  static readonly routes = HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { all } = yield* Assets
      const responses = new Map(
        all.map(({ bytes, contentType, href }) => [
          href,
          HttpServerResponse.uint8Array(bytes, {
            contentType,
            headers: { "cache-control": "public, max-age=31536000, immutable" },
          }),
        ]),
      )
      // of a colour, so that pages need no inline styles; the rules of its shades may change with a release
      yield* router.add(
        "GET",
        "/colours/:name",
        Effect.map(HttpRouter.params, ({ name = "" }) => {
          const [, digits] = /^([0-9a-f]{6})\.css$/.exec(name) ?? []
          return digits === undefined
            ? HttpServerResponse.empty({ status: 404 })
            : HttpServerResponse.text(accentSheet(`#${digits}`), {
                contentType: css,
                headers: { "cache-control": "public, max-age=86400" },
              })
        }),
      )
      // one route: its template is a label of metrics, which must stay the same when an asset changes
      yield* router.add("GET", "/assets/:version/:name", ({ url }) =>
        Effect.succeed(responses.get(url.split("?")[0] ?? "") ?? HttpServerResponse.empty({ status: 404 })),
      )
    }),
  )
}
