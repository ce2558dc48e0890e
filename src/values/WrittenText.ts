/** Texts of several lines that people write. */

/** Without NUL, lone surrogates and blanks at both ends. Undefined: more than `max` code points. */
export const cleanWritten = (text: string, max: number): string | undefined => {
  const clean = text.toWellFormed().replaceAll("\0", "").replaceAll("\r\n", "\n").trim()
  return [...clean].length > max ? undefined : clean
}
