/** Decodes bytes of a named encoding: those of TextDecoder, UTF-32, and code pages of DOS and Mac OS that it lacks. */

/** The characters of bytes 80 to FF, in their order. */
const upperHalves: Readonly<Record<string, string>> = {
  ibm437:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  ibm850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  ibm852:
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
  "x-mac-ce":
    "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅņŃ¬√ńŇ∆«»…\u00a0ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ",
  "x-mac-turkish":
    "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸĞğİıŞş‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙ\uf8a0ˆ˜¯˘˙˚¸˝˛ˇ",
}

const otherNames: Readonly<Record<string, string>> = {
  cp437: "ibm437",
  "437": "ibm437",
  cp850: "ibm850",
  "850": "ibm850",
  cp852: "ibm852",
  "852": "ibm852",
  "utf-32": "utf-32le",
  "utf-8-sig": "utf-8",
}

/** The decoder's name of an encoding; undefined if it is not known. Labels are those of the Encoding standard and a few more. */
export const encodingNamed = (label: string): string | undefined => {
  const given = label.trim().toLowerCase()
  const name = otherNames[given] ?? given
  if (Object.hasOwn(upperHalves, name) || name === "utf-32le" || name === "utf-32be") return name
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

const fromUpperHalf = (bytes: Uint8Array, upper: string): string => {
  const parts: Array<string> = []
  for (let at = 0; at < bytes.length; at += 4096) {
    const codes = Array.from(bytes.subarray(at, at + 4096), (byte) =>
      byte < 128 ? byte : upper.charCodeAt(byte - 128),
    )
    parts.push(String.fromCharCode(...codes))
  }
  return parts.join("")
}

const fromUtf32 = (bytes: Uint8Array, isLittle: boolean): string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Array<string> = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle)
    if (at > 0 || code !== 0xfeff) parts.push(code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code))
  }
  return parts.join("").toWellFormed()
}

/** Decodes as `encoding`, a name of `encodingNamed`, without the byte order mark. Malformed bytes become U+FFFD. */
export const decodeAs = (bytes: Uint8Array, encoding: string): string => {
  const upper = upperHalves[encoding]
  if (upper !== undefined) return fromUpperHalf(bytes, upper)
  if (encoding.startsWith("utf-32")) return fromUtf32(bytes, encoding === "utf-32le")
  const text = new TextDecoder(encoding).decode(bytes)
  // its tones are combining characters
  return encoding === "windows-1258" ? text.normalize("NFC") : text
}

/** Undefined: the bytes are malformed in this encoding. */
export const decodeStrictly = (bytes: Uint8Array, encoding: string): string | undefined => {
  if (encoding.startsWith("utf-32") && bytes.length % 4 !== 0) return undefined
  const text = decodeAs(bytes, encoding)
  return text.includes("\ufffd") ? undefined : text
}
