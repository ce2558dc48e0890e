/** Pages of the headings, operations and schemas that /docs showed on one page: /docs#description/idempotency, /docs#webhooks. */
import { blocksOf } from "./Markdown.ts"
import type { ApiReference } from "./Reference.ts"

export const maxAnchor = 300

const renamed: Readonly<Record<string, string>> = {
  account: "/docs/authentication",
  "first-steps": "/docs/quickstart",
  "managing-endpoints": "/docs/webhook-endpoints",
}

/** Returns the URL for an anchor; undefined when nothing has its name. */
export const makeOldAnchors = ({ subjects }: ApiReference): ((anchor: string) => string | undefined) => {
  const operations = subjects.flatMap(({ operations, slug }) =>
    operations.map(({ id, method, path }) => ({ end: `${method}${path}`.toLowerCase(), href: `/docs/${slug}#${id}` })),
  )
  const names = new Map(Object.entries(renamed))
  const add = (name: string, href: string) => {
    if (!names.has(name)) names.set(name, href)
  }
  for (const { slug } of subjects) add(slug, `/docs/${slug}`)
  for (const { objects, slug, text, webhooks } of subjects) {
    for (const block of blocksOf(text)) if (block.kind === "heading") add(block.id, `/docs/${slug}#${block.id}`)
    for (const name of objects) add(name.toLowerCase(), `/docs/${slug}#${name}`)
    for (const { id } of webhooks) add(id.toLowerCase(), `/docs/${slug}#${id}`)
  }
  return (anchor) => {
    const path = anchor.slice(0, maxAnchor).toLowerCase()
    const operation = operations.find(({ end }) => path.endsWith(end))
    if (operation !== undefined) return operation.href
    return path
      .split("/")
      .toReversed()
      .map((name) => names.get(name))
      .find((href) => href !== undefined)
  }
}
