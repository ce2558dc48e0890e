import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    // test files wait for databases, browsers and processes about as long as they compute
    maxWorkers: 2,
    // files share the modules of their worker: loading them for each file took 17 % of the time
    isolate: false,
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    // no test measures time; the slowest takes 40 s here, and longer on a busy machine
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
