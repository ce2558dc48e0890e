/** Writes a workbook (Office Open XML, ECMA-376) of one sheet, row by row. Text is never a formula. */
import { strToU8, Zip, ZipDeflate } from "fflate"
import type { TableCell } from "./Csv.ts"

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaged = "http://schemas.openxmlformats.org/package/2006"
const office = "application/vnd.openxmlformats-officedocument.spreadsheetml"

/** Cell formats: 0 general, 1 date and time, 2 bold. */
const styles = `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>\
<cellXfs count="3"><xf xfId="0"/><xf numFmtId="164" applyNumberFormat="1" xfId="0"/><xf fontId="1" applyFont="1" xfId="0"/></cellXfs></styleSheet>`

const parts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${office}.sheet.main+xml"/>\
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${office}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${office}.styles+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>\
<Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": styles,
}

/** Characters of a cell. */
const maxText = 32_767

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const xmlText = (text: string): string =>
  text
    .slice(0, maxText)
    .toWellFormed()
    // "_x0041_" stands for a character in workbooks
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)

/** Days since the beginning of 1900 as workbooks count them. */
const serialOf = (date: Date): number => date.getTime() / 86_400_000 + 25_569

const columnName = (index: number): string =>
  `${index < 26 ? "" : columnName(Math.floor(index / 26) - 1)}${String.fromCharCode(65 + (index % 26))}`

const cellOf = (cell: TableCell, at: string, isHeader: boolean): string => {
  if (cell === null || cell === "" || (typeof cell === "number" && !Number.isFinite(cell))) return ""
  if (typeof cell === "number") return `<c r="${at}"><v>${cell}</v></c>`
  if (cell instanceof Date) return `<c r="${at}" s="1"><v>${serialOf(cell)}</v></c>`
  return `<c r="${at}"${isHeader ? ' s="2"' : ""} t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
}

export const xlsxType = `${office}.sheet`

export interface XlsxWriter {
  /** Both return the bytes of the file that are ready. */
  readonly row: (cells: ReadonlyArray<TableCell>) => Uint8Array
  readonly end: () => Uint8Array
}

/** The first row is the header. */
export const makeXlsxWriter = (): XlsxWriter => {
  let ready: Array<Uint8Array> = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  const take = () => {
    const bytes = Buffer.concat(ready)
    ready = []
    return bytes
  }
  const file = (name: string) => {
    const entry = new ZipDeflate(name, { level: 6 })
    zip.add(entry)
    return entry
  }
  for (const [name, content] of Object.entries(parts)) file(name).push(strToU8(declaration + content), true)
  const sheet = file("xl/worksheets/sheet1.xml")
  sheet.push(
    strToU8(
      `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
    ),
  )
  let number = 0
  return {
    row: (cells) => {
      number++
      const written = cells.map((cell, i) => cellOf(cell, `${columnName(i)}${number}`, number === 1))
      sheet.push(strToU8(`<row r="${number}">${written.join("")}</row>`))
      return take()
    },
    end: () => {
      sheet.push(strToU8("</sheetData></worksheet>"), true)
      zip.end()
      return take()
    },
  }
}
