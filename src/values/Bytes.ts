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

/** Bytes of a file: the first one, and the one after the last. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The bytes of the range; fewer if the content ends before. */
export const sliced =
  ({ end, start }: ByteRange) =>
  <E, R>(content: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.mapAccum(
      content,
      () => 0,
      (at, part): readonly [number, ReadonlyArray<readonly [number, Uint8Array]>] => [
        at + part.length,
        [[at, part.subarray(Math.max(0, start - at), Math.max(0, end - at))]],
      ],
    ).pipe(
      Stream.takeWhile(([at]) => at < end),
      Stream.map(([, part]) => part),
      Stream.filter(({ length }) => length > 0),
    )

interface Gathered {
  readonly parts: ReadonlyArray<Uint8Array>
  readonly length: number
}

/** Chunks of `size` bytes, also of a part that is longer; the last one may be shorter. */
export const pieces =
  (size: number) =>
  <E, R>(content: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.mapAccum(
      content,
      (): Gathered => ({ parts: [], length: 0 }),
      ({ length, parts }, part): readonly [Gathered, ReadonlyArray<Uint8Array>] => {
        if (part.length === 0) return [{ length, parts }, []]
        const all = [...parts, part]
        if (length + part.length < size) return [{ parts: all, length: length + part.length }, []]
        const bytes = joined(all)
        const count = Math.floor(bytes.length / size)
        const rest = bytes.subarray(count * size)
        return [
          { parts: rest.length === 0 ? [] : [rest], length: rest.length },
          Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
        ]
      },
      { onHalt: ({ length, parts }) => (length === 0 ? [] : [joined(parts)]) },
    )
