/** Converts schema errors to validation errors. */
import type { SchemaAST, SchemaIssue } from "effect"
import { likelyField } from "./LikelyField.ts"
import { FieldError, type FieldErrorCode } from "./Problem.ts"

export const maxFieldErrors = 100

type Path = ReadonlyArray<PropertyKey>

/** UTF-16 code units of keys, which the client chooses. */
const maxPointer = 1_000

/**
 * RFC 6901, section 6: `#/candidates/1/email`. Stops before a key that would exceed `maxPointer`, or with half of a
 * surrogate pair, which a URI cannot encode.
 */
export const pointer = (path: Path): string => {
  let length = 0
  const keys = path.map(String)
  const end = keys.findIndex((key) => {
    length += key.length
    return length > maxPointer || !key.isWellFormed()
  })
  const encodable = end < 0 ? keys : keys.slice(0, end)
  return `#${encodable.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")}`
}

/** The keys of a pointer. */
export const keysOf = (text: string): ReadonlyArray<string> =>
  text
    .split("/")
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"))

/** The first `maxFieldErrors`, in the order of the schema; 6 µs each. */
export const fieldErrorsOf = (issue: SchemaIssue.Issue): ReadonlyArray<FieldError> => {
  const errors: Array<FieldError> = []
  for (const each of leaves(issue, [])) {
    if (errors.push(each) === maxFieldErrors) break
  }
  return errors
}

function* leaves(issue: SchemaIssue.Issue, path: Path): Generator<FieldError> {
  switch (issue._tag) {
    case "Pointer":
      return yield* leaves(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return yield* leaves(issue.issue, path)
    case "Composite":
      for (const each of issue.issues) yield* leaves(each, path)
      return
    case "AnyOf":
      if (issue.issues.length === 0) return yield wrongType(issue.ast, path)
      for (const each of issue.issues) yield* leaves(each, path)
      return
    case "Filter": {
      const { code, message } = issue.filter.annotations ?? {}
      if (issue.issue._tag !== "InvalidValue") return yield* leaves(issue.issue, path)
      const text = message ?? issue.issue.annotations?.message
      return yield fieldError(path, code, typeof text === "string" ? text : "is not valid")
    }
    case "InvalidValue":
      return yield fieldError(path, issue.annotations?.["code"], issue.annotations?.message ?? "is not valid")
    case "MissingKey":
      return yield fieldError(path, "required", "is required")
    case "UnexpectedKey": {
      const known = namesOf(issue.ast)
      const likely = likelyField(String(path.at(-1)), known)
      const hint = likely === undefined ? "" : `; did you mean ${likely}?`
      return yield fieldError(path, "unknown_parameter", `is not one of the parameters: ${known.join(", ")}${hint}`)
    }
    case "InvalidType":
      return yield wrongType(issue.ast, path)
    default:
      return yield fieldError(path, "invalid", "is not valid")
  }
}

const codes: ReadonlySet<unknown> = new Set(FieldError.fields.code.literals)
const isCode = (code: unknown): code is FieldErrorCode => codes.has(code)

const fieldError = (path: Path, code: unknown, message: string): FieldError => ({
  pointer: pointer(path),
  code: isCode(code) ? code : "invalid",
  message,
})

const wrongType = (ast: SchemaAST.AST, path: Path): FieldError => {
  const choices = literalsOf(ast)
  return choices === undefined
    ? fieldError(path, "wrong_type", `must be ${expected(ast)}`)
    : fieldError(path, "not_one_of", `must be ${choices.join(" or ")}`)
}

/** Names of the fields of a record. */
const namesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

/** Without null, which means absent. */
const members = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  ast._tag === "Union" ? ast.types.flatMap(members) : ast._tag === "Null" ? [] : [ast]

/** Undefined: not a choice. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  const all = members(ast)
  const literals = all.flatMap((one) => (one._tag === "Literal" ? [String(one.literal)] : []))
  return literals.length > 0 && literals.length === all.length ? literals : undefined
}

const names: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  String: "text",
  Number: "a number",
  Boolean: "true or false",
  Arrays: "a list",
  Objects: "an object",
}

/** Integer fields have a check with this code (Fields.ts). */
const isWhole = ({ checks }: SchemaAST.AST): boolean =>
  checks?.some(({ annotations }) => annotations?.["code"] === "wrong_type") === true

const expected = (ast: SchemaAST.AST): string =>
  members(ast)
    .map((one) => (one._tag === "Number" && isWhole(one) ? "a whole number" : (names[one._tag] ?? "JSON")))
    .filter((name, i, all) => all.indexOf(name) === i)
    .join(" or ")
