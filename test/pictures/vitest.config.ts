import { defineConfig } from "vitest/config"
import tests from "../vitest.config.ts"

/** Of `npm run pictures`. */
export default defineConfig({ test: { ...tests.test, include: ["test/pictures/takePictures.ts"] } })
