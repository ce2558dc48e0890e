import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    // files wait for databases, browsers and processes about as long as they compute
    maxWorkers: 2,
    // files share the loaded program of their worker: loading it again for each file was 17 % of the time
    isolate: false,
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    // no test measures time; what takes 40 s here takes longer where others are at work
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
