/** Reads the imports of a source file from its text. */

/** The source without comments; strings stay, so that `//` in a URL is not read as a comment. */
export const code = (source: string): string =>
  source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g,
    (_, text?: string) => text ?? "",
  )

export interface Import {
  /** The specifier in the source; "?" when it is not a literal. */
  readonly name: string
  /** True when the statement imports types only, which loads nothing at run time. */
  readonly isType: boolean
}

/** All imports and re-exports: statements in order, then calls of `import`. */
export const importsOf = (source: string): ReadonlyArray<Import> => {
  const statement = /\b(?:import|export)\s+((?:[^"'`;=]*?\bfrom\s*)?)["']([^"']+)["']/g
  const call = /\bimport\s*\(\s*(?:["']([^"']+)["'])?/g
  const text = code(source)
  const isType = (clause: string) => /^type\b/.test(clause) || /^\{\s*(type\s+[\w$ ]+,?\s*)+\}\s*from\s*$/.test(clause)
  return [
    ...[...text.matchAll(statement)].map(([, clause = "", name = "?"]) => ({ name, isType: isType(clause) })),
    ...[...text.matchAll(call)].map(([, name = "?"]) => ({ name, isType: false })),
  ]
}
