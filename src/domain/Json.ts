/** How large a request may be, however it is made up. Pure. */
import type { Fault } from "./Problem.ts"

/** Most levels of lists and objects in each other. */
export const mostLevels = 64

/** Most values of one request. Schemas look at each of them: 100,000 faulty ones take 0.6 s (measured). */
export const mostValues = 50_000

const tooLarge = (most: string): Fault => ({ pointer: "#", code: "too_large", message: `must have at most ${most}` })

/**
 * Why no schema should be asked about a parsed request; undefined when it may be. Walks without recursion, or 5,000
 * levels would end the stack.
 */
export const sizeFault = (request: unknown): Fault | undefined => {
  // grows while it is walked: level by level
  const places: Array<{ readonly value: unknown; readonly level: number }> = [{ value: request, level: 0 }]
  for (const { level, value } of places) {
    if (places.length > mostValues) return tooLarge(`${mostValues} values`)
    if (level > mostLevels) return tooLarge(`${mostLevels} levels`)
    if (typeof value !== "object" || value === null) continue
    for (const item of Object.values(value)) places.push({ value: item, level: level + 1 })
  }
  return undefined
}
