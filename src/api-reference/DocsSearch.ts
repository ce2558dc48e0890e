/** The search of /docs: sections of the guide, operations, webhooks and schemas that contain every word of a query. */
import { type Block, inlineOf, plainText } from "./Markdown.ts"
import type { ApiReference, DocumentedOperation, DocumentedSubject } from "./Reference.ts"

interface Entry {
  readonly title: string
  /** The title of its page. */
  readonly subject: string
  readonly href: string
  readonly text: string
}

export interface SearchResult extends Entry {
  /** The part of the text with the first word found. */
  readonly excerpt: string
}

export interface SearchResults {
  readonly results: ReadonlyArray<SearchResult>
  /** Also counts results beyond `maxResults`. */
  readonly count: number
}

export const maxQuery = 100
const maxWords = 8
export const maxResults = 30
const excerptLength = 180

const textOf = (block: Block): string => {
  switch (block.kind) {
    case "paragraph":
      return plainText(block.content)
    case "list":
      return block.items.map(plainText).join(" ")
    case "table":
      return block.rows.map((row) => row.map(plainText).join(" · ")).join(" ")
    case "details":
      return [block.summary, ...block.blocks.map(textOf)].join(" ")
    default:
      return block.text
  }
}

const sectionsOf = ({ blocks, slug, summary, title }: DocumentedSubject): ReadonlyArray<Entry> => {
  const sections = [{ title, subject: title, href: `/docs/${slug}`, texts: [summary] }]
  for (const block of blocks) {
    if (block.kind === "heading") {
      sections.push({ title: block.text, subject: title, href: `/docs/${slug}#${block.id}`, texts: [] })
    } else sections.at(-1)?.texts.push(textOf(block))
  }
  return sections.map(({ texts, ...entry }) => ({ ...entry, text: texts.join(" ") }))
}

const plain = (markdown: string): string => plainText(inlineOf(markdown))

const operationEntry = (
  { slug, title }: DocumentedSubject,
  { description, id, method, parameters, path, summary }: DocumentedOperation,
): Entry => ({
  title: summary,
  subject: title,
  href: `/docs/${slug}#${id}`,
  text: [
    `${method} ${path}`,
    plain(description),
    id,
    ...parameters.map((parameter) => `${parameter.name}: ${plain(parameter.description ?? "")}`),
  ].join(" · "),
})

const objectEntry = ({ slug, title }: DocumentedSubject, name: string, { schema }: ApiReference): Entry => {
  const { description = "", enum: values = [], properties = {} } = schema(name)
  const fields = Object.entries(properties).map(([field, property]) => `${field}: ${plain(property.description ?? "")}`)
  return {
    title: name,
    subject: title,
    href: `/docs/${slug}#${name}`,
    text: [description, ...values.map(String), ...fields].filter((part) => part !== "").join(" · "),
  }
}

const excerptOf = (text: string, words: ReadonlyArray<string>): string => {
  const found = words.map((word) => text.toLowerCase().indexOf(word)).filter((index) => index >= 0)
  const start = Math.max(0, Math.min(...found) - 60)
  // does not begin or end within a word
  const from = start === 0 || found.length === 0 ? 0 : text.indexOf(" ", start) + 1
  const end = text.length <= from + excerptLength ? text.length : text.lastIndexOf(" ", from + excerptLength)
  return `${from > 0 ? "… " : ""}${text.slice(from, end)}${end < text.length ? " …" : ""}`
}

export const wordsOf = (query: string): ReadonlyArray<string> =>
  query
    .slice(0, maxQuery)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, maxWords)

/** Results with words in the title come first. */
export const makeSearch = (reference: ApiReference): ((query: string) => SearchResults) => {
  const entries = reference.subjects
    .flatMap((subject) => [
      ...sectionsOf(subject),
      ...[...subject.operations, ...subject.webhooks].map((operation) => operationEntry(subject, operation)),
      ...subject.objects.map((name) => objectEntry(subject, name, reference)),
    ])
    .map((entry) => ({ entry, title: entry.title.toLowerCase(), all: `${entry.title} ${entry.text}`.toLowerCase() }))
  return (query) => {
    const words = wordsOf(query)
    if (words.length === 0) return { results: [], count: 0 }
    const found = entries
      .filter(({ all }) => words.every((word) => all.includes(word)))
      .map(({ entry, title }) => ({ entry, score: words.filter((word) => title.includes(word)).length }))
      .toSorted((one, other) => other.score - one.score)
    return {
      results: found.slice(0, maxResults).map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, words) })),
      count: found.length,
    }
  }
}
