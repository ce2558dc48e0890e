/** Matrices and boxes of PDF (ISO 32000-2, 8.3). */

export type Matrix = readonly [number, number, number, number, number, number]

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

export const matrixOf = (value: unknown): Matrix => {
  const [a, b, c, d, e, f] =
    ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value as ArrayLike<unknown>) : []
  return [a, b, c, d, e, f].every((one) => typeof one === "number") ? ([a, b, c, d, e, f] as Matrix) : identity
}

export const at = (m: Matrix, x: number, y: number) => ({
  x: m[0] * x + m[2] * y + m[4],
  y: m[1] * x + m[3] * y + m[5],
})

export const boxOf = (m: Matrix, bounds: unknown): Box | undefined => {
  const [x0, y0, x1, y1] = ArrayBuffer.isView(bounds) ? Array.from(bounds as Float32Array) : []
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return undefined
  const corners = [at(m, x0, y0), at(m, x1, y0), at(m, x0, y1), at(m, x1, y1)]
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

export const intersection = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
})

export const holds = (box: Box, x: number, y: number) =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
