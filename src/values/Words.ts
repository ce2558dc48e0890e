/** What a search looks for. */

/** Of a longer search nothing more is found than of its beginning. */
const mostWords = 8

/** Words as somebody typed them: letters and digits, and nothing that means something to Postgres. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.slice(0, 200).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, mostWords)
