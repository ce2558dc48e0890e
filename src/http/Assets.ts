/**
 * The style sheet and the scripts of the pages. They are read once, at start, and their addresses carry a hash of the
 * content: a browser may keep them for ever, and never mixes the parts of two releases.
 */
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerResponse } from "effect/http"

const assets = {
  "style.css": "text/css; charset=utf-8",
  "docs.css": "text/css; charset=utf-8",
  "interview.js": "text/javascript; charset=utf-8",
  "time.js": "text/javascript; charset=utf-8",
  "live.js": "text/javascript; charset=utf-8",
} as const

export type AssetName = keyof typeof assets
const names = Object.keys(assets) as ReadonlyArray<AssetName>

interface Asset {
  readonly href: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

export class Assets extends Context.Service<
  Assets,
  {
    /** The address of an asset on this origin. */
    readonly href: (name: AssetName) => string
    readonly all: ReadonlyArray<Asset>
  }
>()("interview-invitations/http/Assets") {
  static readonly layer = Layer.effect(
    Assets,
    Effect.gen(function* () {
      const { digest } = yield* Digest.Digest
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const read = Effect.fnUntraced(function* (name: AssetName) {
        const bytes = yield* fs.readFile(path.join(import.meta.dirname, "assets", name))
        const hash = Buffer.from(yield* digest(Digest.sha256, bytes)).toString("base64url")
        const href = `/assets/${hash.slice(0, 12)}/${name}`
        return [name, { href, contentType: assets[name], bytes }] as const
      })
      const all = new Map(yield* Effect.forEach(names, read))
      return Assets.of({ href: (name) => all.get(name)?.href ?? `/assets/${name}`, all: [...all.values()] })
    }).pipe(Effect.orDie),
  )

  /** GET for every asset. */
  static readonly routes = HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { all } = yield* Assets
      for (const { bytes, contentType, href } of all) {
        const response = HttpServerResponse.uint8Array(bytes, {
          contentType,
          headers: { "cache-control": "public, max-age=31536000, immutable", "x-content-type-options": "nosniff" },
        })
        yield* router.add("GET", `/${href.slice(1)}`, response)
      }
    }),
  )
}
