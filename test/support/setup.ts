/** Runs before each test file: clears LogWatch. */
import * as LogWatch from "./LogWatch.ts"

LogWatch.reset()
