import { configDefaults, defineConfig } from 'vitest/config'
import { shared } from '../../vitest.config.ts'

const words = (name: string) => process.env[name]?.split(' ').filter(word => word !== '') ?? []

/** The tests that must notice planted faults: `run.js` says which. */
export default defineConfig({
  ...shared,
  root: process.cwd(),
  test: {
    ...shared.test,
    include: words('SVC_MUTATION_TESTS'),
    exclude: [...configDefaults.exclude, ...words('SVC_MUTATION_WITHOUT')],
    // Programs that tests spawn come from the build, where no fault is planted.
    globalSetup: [],
    // Each process plants its faults in modules of its own.
    experimental: { fsModuleCache: false },
    isolate: false,
    testTimeout: 20_000,
  },
})
