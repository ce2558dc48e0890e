/** Splits a text into pieces by the quotes from it. */

/** `mark`: the requirement's number. */
export interface Quote {
  readonly text: string
  readonly mark: number
  /** Undefined: nothing links to the quote. */
  readonly id?: string | undefined
}

/** `marks`: ascending. `ids`: element ids of quotes whose first occurrence begins in the piece. */
export interface Piece {
  readonly text: string
  readonly marks: ReadonlyArray<number>
  readonly ids: ReadonlyArray<string>
}

const maxPlaces = 20
/** Bounds time and page size; each quote keeps at least one. */
const maxPlacesOfAll = 2000

const placesOf = (text: string, quote: string, max: number): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = text.indexOf(quote); at >= 0 && places.length < max; at = text.indexOf(quote, at + quote.length)) {
    places.push(at)
  }
  return places
}

/** Quotes must be verbatim; they may overlap, repeat and nest. The pieces joined are the text. */
export const highlights = (text: string, quotes: ReadonlyArray<Quote>): ReadonlyArray<Piece> => {
  const changes = new Map<number, Array<{ readonly mark: number; readonly by: 1 | -1 }>>([[text.length, []]])
  const at = (place: number) => {
    const changesAt = changes.get(place) ?? []
    changes.set(place, changesAt)
    return changesAt
  }
  const max = Math.max(1, Math.min(maxPlaces, Math.floor(maxPlacesOfAll / quotes.length)))
  const firsts = new Map<number, ReadonlyArray<string>>()
  for (const { id, mark, text: quote } of quotes) {
    if (quote === "") continue
    const places = placesOf(text, quote, max)
    const [start] = places
    if (id !== undefined && start !== undefined) firsts.set(start, [...(firsts.get(start) ?? []), id])
    for (const place of places) {
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
      const ids = firsts.get(from) ?? []
      const last = pieces.at(-1)
      // touching and overlapping quotes of one mark are one piece
      if (last?.marks.join() === marks.join())
        pieces.splice(-1, 1, { text: last.text + text.slice(from, to), marks, ids: [...last.ids, ...ids] })
      else pieces.push({ text: text.slice(from, to), marks, ids })
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
