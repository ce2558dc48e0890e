/** placeholder */
import { Layer } from "effect"
export const layer = Layer.empty
