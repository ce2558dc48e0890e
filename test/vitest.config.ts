import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    // no test measures time; what takes 40 s here takes longer where others are at work
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
