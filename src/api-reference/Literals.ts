/** Prints JSON values as JSON, Python or TypeScript, each list and object in one line if it fits. */

interface Notation {
  readonly null: string
  readonly true: string
  readonly false: string
  readonly key: (name: string) => string
  /** Inside the braces of an object in one line. */
  readonly space: string
  /** After the last item of several lines. */
  readonly lastComma: string
  readonly indent: string
}

const json: Notation = {
  null: "null",
  true: "true",
  false: "false",
  key: (name) => JSON.stringify(name),
  space: "",
  lastComma: "",
  indent: "  ",
}

const notations = {
  json,
  python: { ...json, null: "None", true: "True", false: "False", lastComma: ",", indent: "    " },
  typescript: {
    ...json,
    key: (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
    space: " ",
    lastComma: ",",
  },
} satisfies Record<string, Notation>

const maxWidth = 88

/** `indent`: of the line that the value begins in; `column`: where it begins. */
const print = (value: unknown, notation: Notation, indent: string, column: number): string => {
  if (value === null) return notation.null
  if (typeof value === "boolean") return value ? notation.true : notation.false
  if (typeof value !== "object") return JSON.stringify(value)
  const isList = Array.isArray(value)
  const entries = Object.entries(value).map(([name, each]) => ({
    prefix: isList ? "" : `${notation.key(name)}: `,
    value: each as unknown,
  }))
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  if (entries.length === 0) return `${open}${close}`
  const space = isList ? "" : notation.space
  const all = entries.map(({ prefix, value }) => `${prefix}${print(value, notation, "", Number.NEGATIVE_INFINITY)}`)
  const line = `${open}${space}${all.join(", ")}${space}${close}`
  if (column + line.length <= maxWidth) return line
  const inner = `${indent}${notation.indent}`
  const lines = entries.map(({ prefix, value }) => {
    const text = print(value, notation, inner, inner.length + prefix.length)
    return `${inner}${prefix}${text}`
  })
  return `${open}\n${lines.join(",\n")}${notation.lastComma}\n${indent}${close}`
}

/** `indent`: of the line that the value begins in. */
export const literal = (
  value: unknown,
  notation: keyof typeof notations,
  indent = "",
  column = indent.length,
): string => print(value, notations[notation], indent, column)
