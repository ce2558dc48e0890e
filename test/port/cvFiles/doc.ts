/** Builds DOC fixtures: a Compound File (MS-CFB) with the two streams of a Word document (MS-DOC). */

const sector = 512
const endOfChain = 0xfffffffe
const isFat = 0xfffffffd
const free = 0xffffffff

/** Streams of at least 4,096 bytes, which need no mini stream. */
const compoundFile = (streams: Readonly<Record<string, Buffer>>): Uint8Array => {
  const names = Object.entries(streams)
  const sizes = names.map(([, stream]) => stream.length / sector)
  // sector 0 is the FAT, sector 1 the directory
  const fat = Buffer.alloc(sector, 0xff)
  fat.writeUInt32LE(isFat, 0)
  fat.writeUInt32LE(endOfChain, 4)
  const directory = Buffer.alloc(sector)
  const entry = (at: number, name: string, type: number, child: number, right: number, start: number, size: number) => {
    const offset = at * 128
    directory.write(name, offset, "utf16le")
    directory.writeUInt16LE((name.length + 1) * 2, offset + 64)
    directory.writeUInt8(type, offset + 66)
    directory.writeUInt8(1, offset + 67)
    directory.writeUInt32LE(free, offset + 68)
    directory.writeUInt32LE(right, offset + 72)
    directory.writeUInt32LE(child, offset + 76)
    directory.writeUInt32LE(start, offset + 116)
    directory.writeUInt32LE(size, offset + 120)
  }
  entry(0, "Root Entry", 5, 1, free, endOfChain, 0)
  let start = 2
  names.forEach(([name, stream], i) => {
    const count = sizes[i] ?? 0
    entry(i + 1, name, 2, free, i + 1 < names.length ? i + 2 : free, start, stream.length)
    for (let at = 0; at < count; at++) fat.writeUInt32LE(at + 1 < count ? start + at + 1 : endOfChain, (start + at) * 4)
    start += count
  })
  const header = Buffer.alloc(sector, 0xff)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(header)
  header.fill(0, 8, 76)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(endOfChain, 60)
  header.writeUInt32LE(endOfChain, 68)
  header.writeUInt32LE(0, 76)
  return new Uint8Array(Buffer.concat([header, fat, directory, ...names.map(([, stream]) => stream)]))
}

/** MS-DOC 2.6.1: `w:del`, `w:vanish` and `w:sz` of DOCX. */
const changes = { plain: [], deleted: [0x00, 0x08, 1], hidden: [0x3c, 0x08, 1], tiny: [0x43, 0x4a, 2, 0] } as const

type Run = readonly [text: string, change: keyof typeof changes]

/** `ident` and `flags` are those of FibBase. `textBox`: the text of a box, after the body. */
export const doc = (body: ReadonlyArray<Run>, { flags = 0x0200, ident = 0xa5ec, textBox = "" } = {}): Uint8Array => {
  // the text of boxes ends with a paragraph mark that no box has (MS-DOC 2.4.1)
  const boxes = textBox === "" ? "" : `${textBox}\r\r`
  const runs: ReadonlyArray<Run> = boxes === "" ? body : [...body, [boxes, "plain"]]
  const text = Buffer.from(runs.map(([words]) => words).join(""), "utf16le")
  const textAt = 2048
  const pageAt = 1024
  const main = Buffer.alloc(8192)
  const table = Buffer.alloc(4096)
  main.writeUInt16LE(ident, 0)
  main.writeUInt16LE(flags, 10)
  main.writeUInt32LE(textAt, 0x18)
  main.writeUInt32LE(text.length / 2 - boxes.length, 0x4c)
  main.writeUInt32LE(boxes.length, 0x64)
  text.copy(main, textAt)
  // a page of runs of characters
  let at = textAt
  let grpprl = 504
  runs.forEach(([words, change], i) => {
    main.writeUInt32LE(at, pageAt + i * 4)
    at += words.length * 2
    const bytes = changes[change]
    if (bytes.length === 0) return
    grpprl -= 2 * Math.ceil((bytes.length + 1) / 2)
    Buffer.from([bytes.length, ...bytes]).copy(main, pageAt + grpprl)
    main.writeUInt8(grpprl / 2, pageAt + (runs.length + 1) * 4 + i)
  })
  main.writeUInt32LE(at, pageAt + runs.length * 4)
  main.writeUInt8(runs.length, pageAt + 511)
  // one piece of text
  table.writeUInt8(2, 0)
  table.writeUInt32LE(16, 1)
  table.writeUInt32LE(text.length / 2, 9)
  table.writeUInt32LE(textAt, 15)
  main.writeUInt32LE(0, 0x1a2)
  main.writeUInt32LE(21, 0x1a6)
  // PlcBteChpx and an empty PlcBtePapx
  table.writeUInt32LE(textAt, 100)
  table.writeUInt32LE(at, 104)
  table.writeUInt32LE(pageAt / 512, 108)
  main.writeUInt32LE(100, 0xfa)
  main.writeUInt32LE(12, 0xfe)
  main.writeUInt32LE(112, 0x102)
  main.writeUInt32LE(4, 0x106)
  return compoundFile({ WordDocument: main, "1Table": table })
}
