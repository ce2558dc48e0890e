/** What a source file imports, read from its text. */
/** Comments go, strings stay: an example in a docstring is no import, and `"https://…"` is no comment. */
export const code = (source: string): string =>
  source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g,
    (_, text?: string) => text ?? "",
  )

/** Modules that a source names: static and dynamic imports, re-exports and types; "?" for a name that is not a literal. */
export const importsOf = (source: string): ReadonlyArray<string> => {
  const statement = /\b(?:import|export)\s+(?:[^"'`;=]*?\bfrom\s*)?["']([^"']+)["']/g
  const call = /\bimport\s*\(\s*(?:["']([^"']+)["'])?/g
  const text = code(source)
  return [
    ...[...text.matchAll(statement)].map(([, name]) => name ?? "?"),
    ...[...text.matchAll(call)].map(([, name]) => name ?? "?"),
  ]
}
