/** Sends a table as a CSV file or as a workbook. */
import { Stream } from "effect"
import { byteOrderMark, csvFormatFor, formatCsv, type TableCell } from "../values/Csv.ts"
import { makeXlsxWriter, xlsxType } from "../values/Xlsx.ts"
import { download } from "./Download.ts"

export type TableType = "csv" | "xlsx"

interface SentTable<E> {
  /** Without the extension. */
  readonly name: string
  readonly type: TableType
  /** The Accept-Language header, which decides on separators. */
  readonly languages: string | undefined
  readonly header: ReadonlyArray<string>
  /** Below the header. */
  readonly rows: Stream.Stream<ReadonlyArray<TableCell>, E>
}

export const tableDownload = <E>({ header, languages, name, rows, type }: SentTable<E>) => {
  if (type === "csv") {
    const format = csvFormatFor(languages)
    const lines = Stream.concat(
      Stream.make(byteOrderMark + formatCsv([header], format)),
      Stream.map(rows, (row) => formatCsv([row], format)),
    )
    return download({ name: `${name}.csv`, type: "text/csv; charset=utf-8", content: Stream.encodeText(lines) })
  }
  const content = Stream.suspend(() => {
    const writer = makeXlsxWriter()
    const written = Stream.map(Stream.concat(Stream.make(header), rows), (row) => writer.row(row))
    const file = Stream.concat(
      written,
      Stream.suspend(() => Stream.make(writer.end())),
    )
    // most rows wait in the compressor
    return Stream.filter(file, (bytes) => bytes.length > 0)
  })
  return download({ name: `${name}.xlsx`, type: xlsxType, content })
}
