/** Runs before each test file. */
import * as LogWatch from "./LogWatch.ts"

LogWatch.reset()
