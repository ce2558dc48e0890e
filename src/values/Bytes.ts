/** Regroups streams of bytes. */
import { Stream } from "effect"

export const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let length = 0
  for (const part of parts) {
    bytes.set(part, length)
    length += part.length
  }
  return bytes
}

interface Gathered {
  readonly parts: ReadonlyArray<Uint8Array>
  readonly length: number
}

/** Chunks of at least `size` bytes, except the last. */
export const pieces =
  (size: number) =>
  <E, R>(content: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.mapAccum(
      content,
      (): Gathered => ({ parts: [], length: 0 }),
      ({ length, parts }, part): readonly [Gathered, ReadonlyArray<Uint8Array>] => {
        if (part.length === 0) return [{ length, parts }, []]
        const all = [...parts, part]
        return length + part.length < size
          ? [{ parts: all, length: length + part.length }, []]
          : [{ parts: [], length: 0 }, [joined(all)]]
      },
      { onHalt: ({ length, parts }) => (length === 0 ? [] : [joined(parts)]) },
    )
