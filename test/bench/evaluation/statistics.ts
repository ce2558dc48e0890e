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
