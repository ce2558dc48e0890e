/** The pages of /docs. Each has the text of docs/<slug>.md, then the operations and webhooks of its tags in OpenAPI. */
import { Effect, FileSystem, Path } from "effect"
import { type Block, blocksOf, plainText } from "./Markdown.ts"

export const groups = ["Start", "Interviews", "Events"] as const

interface GuidePage {
  readonly slug: string
  readonly group: (typeof groups)[number]
  /** The tags of OpenAPI whose operations the page documents. */
  readonly tags?: ReadonlyArray<string>
  /** Schemas that no operation of the page uses. */
  readonly schemas?: ReadonlyArray<string>
}

/** In the order of the pages. */
export const guidePages: ReadonlyArray<GuidePage> = [
  { slug: "quickstart", group: "Start" },
  { slug: "api", group: "Start", tags: ["Account", "Members"] },
  { slug: "test-mode", group: "Start", tags: ["Test mode"] },
  { slug: "errors", group: "Start", schemas: ["Problem", "FieldError"] },
  { slug: "request-log", group: "Start", tags: ["Requests"] },
  { slug: "sdk", group: "Start" },
  { slug: "n8n", group: "Start" },
  { slug: "hiring-systems", group: "Start" },
  { slug: "interview-sets", group: "Interviews", tags: ["Interview sets"] },
  { slug: "interview-set-changes", group: "Interviews", tags: ["Changes of interview sets"] },
  { slug: "projects", group: "Interviews", tags: ["Projects"] },
  { slug: "invitations", group: "Interviews", tags: ["Invitations"] },
  { slug: "submissions", group: "Interviews", tags: ["Submissions", "Files", "Recordings"] },
  { slug: "decisions", group: "Interviews", tags: ["Decisions"] },
  { slug: "candidates", group: "Interviews" },
  { slug: "personal-data", group: "Interviews", tags: ["Candidates", "Suppressions"] },
  { slug: "candidate-notices", group: "Interviews" },
  { slug: "model-card", group: "Interviews" },
  { slug: "counterfactual-audit", group: "Interviews" },
  { slug: "webhooks", group: "Events", tags: ["Webhooks"] },
  { slug: "webhook-endpoints", group: "Events", tags: ["Webhook endpoints"] },
  { slug: "webhook-deliveries", group: "Events", tags: ["Webhook deliveries"] },
  { slug: "rehearsals", group: "Events", tags: ["Rehearsals of receivers"] },
  { slug: "events", group: "Events", tags: ["Events"] },
]

export interface Subject extends GuidePage {
  readonly title: string
  /** The first paragraph. */
  readonly summary: string
  /** What follows the first paragraph. */
  readonly blocks: ReadonlyArray<Block>
}

const link = /\[((?:`[^`]*`|[^\]])+)\]\(([^)\s]+)(?:\s+"(\w+)")?\)/g

/**
 * A link to settings.md with the title "RATE_LIMIT" becomes the value of the placeholder `rate_limit`, a link to another page of
 * the guide leads there, and the rest of a link to another file becomes its text. The guide's address of `npm start` becomes `apiUrl` in code.
 */
export const fillGuide = (markdown: string, values: Readonly<Record<string, string>>, apiUrl: string): string =>
  // with a group, split alternates between text and code
  markdown
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part, index) => {
      if (index % 2 === 1) return part.replaceAll("http://localhost:8080", apiUrl)
      return part.replaceAll(link, (whole, name: string, href: string, setting?: string) => {
        if (setting !== undefined) return values[setting.toLowerCase()] ?? whole
        if (/^(#|https:)/.test(href)) return whole
        const [, slug, anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
        return guidePages.some((page) => page.slug === slug) ? `[${name}](/docs/${slug}${anchor})` : name
      })
    })
    .join("")

/** Reads the pages. `values`: of placeholders. */
export const readGuide = Effect.fnUntraced(function* (values: Readonly<Record<string, string>>, apiUrl: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = yield* path.fromFileUrl(new URL("../../docs", import.meta.url))
  return yield* Effect.forEach(guidePages, (page) =>
    Effect.map(fs.readFileString(path.join(directory, `${page.slug}.md`)), (markdown): Subject => {
      const [title, summary, ...blocks] = blocksOf(fillGuide(markdown, values, apiUrl))
      if (title?.kind !== "heading" || summary?.kind !== "paragraph")
        throw new Error(`docs/${page.slug}.md has no summary`)
      return { ...page, title: title.text, summary: plainText(summary.content), blocks }
    }),
  )
}, Effect.orDie)
