/** What a source file imports, read from its text. */
/** Comments go, strings stay: an example in a docstring is no import, and `"https://…"` is no comment. */
export const code = (source: string): string =>
  source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g,
    (_, text?: string) => text ?? "",
  )

export interface Import {
  /** The module as the source names it; "?" where the name is not a literal. */
  readonly name: string
  /** True when nothing but types is imported, so that nothing is loaded. */
  readonly isType: boolean
}

/** Modules that a source imports or re-exports: statements in their order, then calls of `import`. */
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
