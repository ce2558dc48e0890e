/** Names of people and organizations, as they are taken in. */
import { isStorable } from "../values/Fields.ts"
import type { FieldError } from "../values/Problem.ts"

/** Characters (Unicode code points). */
const longest = 200

/** What is wrong with a name whose blanks at both ends are gone. */
export const nameErrors = (field: string, name: string, isRequired: boolean): ReadonlyArray<FieldError> => {
  const fault = (code: string, message: string) => [{ pointer: `#/${field}`, code, message }]
  if (name === "") return isRequired ? fault("required", "must not be blank") : []
  if ([...name].length > longest) return fault("too_long", `must have at most ${longest} characters`)
  // a line break would begin another line of a mail's head, of a log and of a terminal
  return isStorable(name) && !/\p{Cc}/u.test(name)
    ? []
    : fault("unstorable_text", "holds characters that can not be kept")
}
