/**
 * The number of letters to replace, insert or delete, or of neighbours to swap, each letter at most once (optimal string
 * alignment). Time: the product of the lengths.
 */
export const editDistance = (from: string, to: string): number => {
  const [letters, others] = [[...from], [...to]]
  let before: ReadonlyArray<number> = []
  let row = Array.from({ length: others.length + 1 }, (_, i) => i)
  for (const [i, letter] of letters.entries()) {
    const next = [i + 1]
    for (const [j, other] of others.entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      const isSwapped = i > 0 && j > 0 && letter === others[j - 1] && letters[i - 1] === other
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
