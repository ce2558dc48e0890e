/** Measures of agreement between expected and rated levels. */

/** Kendall's tau-b, corrected for ties on either side: 1 for the same order, -1 for the opposite. */
export const tauB = (pairs: ReadonlyArray<readonly [number, number]>): number => {
  let concordant = 0
  let discordant = 0
  let tiesOne = 0
  let tiesOther = 0
  for (const [index, [a, b]] of pairs.entries()) {
    for (const [c, d] of pairs.slice(index + 1)) {
      const one = Math.sign(a - c)
      const other = Math.sign(b - d)
      if (one === 0 && other === 0) continue
      if (one === 0) tiesOne += 1
      else if (other === 0) tiesOther += 1
      else if (one === other) concordant += 1
      else discordant += 1
    }
  }
  const all = concordant + discordant
  return (concordant - discordant) / Math.sqrt((all + tiesOne) * (all + tiesOther))
}

/** The share of pairs within groups that both numbers order alike. Skips ties of the first; other ties count half. */
export const orderWithin = (groups: ReadonlyArray<ReadonlyArray<readonly [number, number]>>): number => {
  let right = 0
  let all = 0
  for (const group of groups) {
    for (const [index, [a, b]] of group.entries()) {
      for (const [c, d] of group.slice(index + 1)) {
        if (a === c) continue
        all += 1
        right += b === d ? 0.5 : Math.sign(a - c) === Math.sign(b - d) ? 1 : 0
      }
    }
  }
  return right / all
}

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

type Pairs = ReadonlyArray<readonly [number, number]>

/** Pearson correlation: 1 for a rising line, -1 for a falling one, 0 for no relation or when either is constant. */
export const pearson = (pairs: Pairs): number => {
  const meanOne = mean(pairs.map(([one]) => one))
  const meanOther = mean(pairs.map(([, other]) => other))
  let product = 0
  let squares = 0
  let otherSquares = 0
  for (const [one, other] of pairs) {
    product += (one - meanOne) * (other - meanOther)
    squares += (one - meanOne) ** 2
    otherSquares += (other - meanOther) ** 2
  }
  return product / (Math.sqrt(squares * otherSquares) || 1)
}

/** Ranks from 1; ties share their mean rank. */
const ranksOf = (values: ReadonlyArray<number>): ReadonlyArray<number> =>
  values.map((value) => {
    const below = values.filter((other) => other < value).length
    const same = values.filter((other) => other === value).length
    return below + (same + 1) / 2
  })

/** Pearson correlation of the ranks. */
export const spearman = (pairs: Pairs): number => {
  const ones = ranksOf(pairs.map(([one]) => one))
  const others = ranksOf(pairs.map(([, other]) => other))
  return pearson(ones.map((one, index) => [one, others[index] ?? 0]))
}

/** Chance that a pair with the larger second number has the larger first one; ties count half. */
export const areaUnderCurve = (pairs: Pairs): number => {
  let right = 0
  let all = 0
  for (const [one, rank] of pairs) {
    for (const [other, otherRank] of pairs) {
      if (rank <= otherRank) continue
      all += 1
      right += one > other ? 1 : one === other ? 0.5 : 0
    }
  }
  return right / all
}

/** Agreement of two ratings by whole numbers beyond chance, weighted by the squared distance: 1 for equal ratings. */
export const quadraticKappa = (pairs: Pairs): number => {
  const distance = (one: number, other: number) => (one - other) ** 2
  const observed = mean(pairs.map(([one, other]) => distance(one, other)))
  const expected = mean(pairs.map(([one]) => mean(pairs.map(([, other]) => distance(one, other)))))
  return expected === 0 ? 0 : 1 - observed / expected
}
