/** What a question or requirement is called: its title, else its text, shortened at a word. */
const maxName = 120

export const shortened = (text: string, max: number): string => {
  const characters = [...text.replaceAll(/\s+/gu, " ").trim()]
  if (characters.length <= max) return characters.join("")
  const kept = characters.slice(0, max - 1).join("")
  const lastBlank = kept.lastIndexOf(" ")
  // a long word, or a language without blanks
  return `${(lastBlank < max / 2 ? kept : kept.slice(0, lastBlank)).trimEnd()}…`
}

interface Named {
  readonly title: string | null
  readonly content: string | null
}

/** Empty: it has neither title nor text. */
export const nameOf = ({ content, title }: Named, max = maxName): string =>
  shortened(title?.trim() || content?.trim() || "", max)
