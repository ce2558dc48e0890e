/**
 * Where quotes stand in a text, as pieces that follow each other: put together again they are the text, unchanged,
 * whatever was quoted. Pure.
 */

/** A quote, and what it is for: the number of whatever rests on it. */
export interface Quote {
  readonly text: string
  readonly mark: number
}

/** A piece of the text, and what rests on it: marks in ascending order, none where nothing was quoted. */
export interface Piece {
  readonly text: string
  readonly marks: ReadonlyArray<number>
}

/** The maximum number of places where one quote is marked: a short quote may occur everywhere. */
const maxPlaces = 20
/** The maximum number of places of all quotes together; each quote keeps at least one. Time and page size grow with it. */
const maxAllPlaces = 2000

/** Where a quote begins in a text, each place behind the end of the one before it. */
const placesOf = (text: string, quote: string, most: number): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = text.indexOf(quote); at >= 0 && places.length < most; at = text.indexOf(quote, at + quote.length)) {
    places.push(at)
  }
  return places
}

/**
 * The text in pieces, cut where what rests on it changes. Quotes are verbatim: what is written otherwise is not found.
 * They may overlap, repeat and stand within each other. A text without quotes is one piece, an empty one none.
 */
export const highlights = (text: string, quotes: ReadonlyArray<Quote>): ReadonlyArray<Piece> => {
  const changes = new Map<number, Array<{ readonly mark: number; readonly by: 1 | -1 }>>([[text.length, []]])
  const at = (place: number) => {
    const there = changes.get(place) ?? []
    changes.set(place, there)
    return there
  }
  const most = Math.max(1, Math.min(maxPlaces, Math.floor(maxAllPlaces / quotes.length)))
  for (const { mark, text: quote } of quotes) {
    if (quote === "") continue
    for (const place of placesOf(text, quote, most)) {
      at(place).push({ mark, by: 1 })
      at(place + quote.length).push({ mark, by: -1 })
    }
  }
  const open = new Map<number, number>()
  const pieces: Array<Piece> = []
  let from = 0
  for (const [to, changed] of [...changes].toSorted(([a], [b]) => a - b)) {
    if (to > from) {
      const marks = [...open.keys()].toSorted((a, b) => a - b)
      const last = pieces.at(-1)
      // quotes of one mark that touch or overlap are one piece
      if (last?.marks.join() === marks.join()) pieces.splice(-1, 1, { text: last.text + text.slice(from, to), marks })
      else pieces.push({ text: text.slice(from, to), marks })
    }
    for (const { by, mark } of changed) {
      const count = (open.get(mark) ?? 0) + by
      if (count === 0) open.delete(mark)
      else open.set(mark, count)
    }
    from = to
  }
  return pieces
}
