/** The figures of an audit as rows, of files and of the command. */
import type { TableCell } from "../../values/Csv.ts"
import { type AuditContent, meanOf, totalsOf } from "../CounterfactualAudit.ts"
import { type SwapKind, swapKinds } from "../Swap.ts"
import { figureLabels, kindLabels, kindOf, legalNote, methodTexts, swapLabel } from "./SwapLabels.ts"

export const auditHeader: ReadonlyArray<string> = [
  "Table",
  "Kind",
  "Swap",
  "Requirement",
  figureLabels.tested,
  figureLabels.changed,
  figureLabels.asked,
  figureLabels.largest,
  figureLabels.mean,
  "Remark",
]

const rounded = (number: number): number => Math.round(number * 10_000) / 10_000

const meanCell = (totals: Parameters<typeof meanOf>[0]): TableCell => {
  const mean = meanOf(totals)
  return mean === null ? null : rounded(mean)
}

export type AuditFact = readonly [name: string, value: TableCell]

/** Below `auditHeader`: totals of each kind and swap, requirements that moved, `facts`, and the method. */
export const auditLines = (
  content: AuditContent,
  kinds: ReadonlyArray<SwapKind>,
  facts: ReadonlyArray<AuditFact>,
): ReadonlyArray<ReadonlyArray<TableCell>> => [
  ...swapKinds
    .filter((kind) => kinds.includes(kind))
    .flatMap((kind) => {
      const totals = totalsOf(content, kind)
      if (totals === undefined) return []
      const { asked, changed, largest, tested } = totals
      return [["Kinds", kindLabels[kind], null, null, tested, changed, asked, largest, meanCell(totals), null]]
    }),
  ...content.swaps.map((totals) => {
    const { asked, changed, largest, swap, tested } = totals
    return [
      "Swaps",
      kindLabels[kindOf(swap)],
      swapLabel(swap),
      null,
      tested,
      changed,
      asked,
      largest,
      meanCell(totals),
      null,
    ]
  }),
  ...content.requirements.map(({ is_asked, largest, moved, swap, title }) => [
    "Requirements",
    kindLabels[kindOf(swap)],
    swapLabel(swap),
    title,
    null,
    is_asked ? null : moved,
    is_asked ? moved : null,
    largest,
    null,
    is_asked ? "The requirement names what was swapped" : null,
  ]),
  ...(
    [
      ...facts,
      ["Submissions", content.submissions],
      ["Not computed", content.not_computed],
      ["Evaluations", content.evaluations],
      ["Submissions whose two evaluations of the same texts differ", content.noisy],
      ["Largest difference of these", content.noise],
    ] satisfies ReadonlyArray<AuditFact>
  ).map(([name, value]) => ["Audit", name, null, null, null, null, null, null, null, value]),
  ...[...methodTexts, legalNote].map((text) => ["Method", null, null, null, null, null, null, null, null, text]),
]
