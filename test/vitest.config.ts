import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    // files wait for databases, browsers and processes about as long as they compute
    maxWorkers: 2,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    // no test measures time; what takes 40 s here takes longer where others are at work
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
