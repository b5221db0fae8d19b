import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import { FAILING_FLEET, RETRIES, SLOW, shared } from './vitest.config.ts'

const PROPERTIES = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map(path => join('test', path))
  .filter(path => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('/property-runs.ts'))

/** What takes too long for every run of the tests. */
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
            isolate: false,
            maxWorkers: 5,
            sequence: { groupOrder: 0 },
          },
        },
        {
          extends: true,
          test: {
            name: 'properties',
            include: PROPERTIES,
            env: { SVC_TEST_PROPERTIES: 'full' },
            isolate: false,
            maxWorkers: 2,
            sequence: { groupOrder: 1 },
          },
        },
        {
          extends: true,
          test: {
            // Random trials with real processes, crowds of them, and the demos.
            name: 'long',
            include: ['test/long/**/*.long.ts'],
            maxWorkers: 1,
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
