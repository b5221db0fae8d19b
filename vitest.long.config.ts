import { defineConfig } from 'vitest/config'

/** Random trials with real processes, crowds of them, and the demos: too long for every run of the tests. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/long/**/*.long.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    // Trials know nothing of each other, and much of each is waiting.
    sequence: { concurrent: true },
    maxConcurrency: 2,
    reporters: ['verbose'],
  },
})
