import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import { FAILING_FLEET, RETRIES, SETTLED_CHANCE, SLOW, SLOW_MEMORY, shared } from './vitest.config.ts'

const PROPERTIES = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map(path => join('test', path))
  .filter(path => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('/property-runs.ts'))

/** More than the cores: much of each file is waiting. Projects that share their workers must have as many of them. */
const WORKERS = 6

/** What takes too long for every run of the tests. A shortened run leaves the properties as `npm test` tried them. */
const isShort = process.env.SVC_TRIALS !== undefined

const properties = {
  extends: true,
  test: {
    name: 'properties',
    include: PROPERTIES,
    env: { SVC_TEST_PROPERTIES: 'full' },
    isolate: false,
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
  },
} as const

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'slow',
            include: [...FAILING_FLEET, ...SLOW],
            retry: RETRIES,
            setupFiles: SETTLED_CHANCE,
            isolate: false,
            maxWorkers: WORKERS,
            sequence: { groupOrder: 0 },
          },
        },
        {
          extends: true,
          test: {
            name: 'memory',
            include: SLOW_MEMORY,
            retry: RETRIES,
            maxWorkers: WORKERS,
            sequence: { groupOrder: 0 },
          },
        },
        ...(isShort ? [] : [properties]),
        {
          extends: true,
          test: {
            // Random trials with real processes, crowds of them, and the demos.
            name: 'long',
            include: ['test/long/**/*.long.ts'],
            maxWorkers: 3,
            // Trials know nothing of each other, and much of each is waiting.
            sequence: { concurrent: true, groupOrder: 2 },
            maxConcurrency: 2,
          },
        },
      ],
      reporters: ['verbose'],
    },
  }),
)
