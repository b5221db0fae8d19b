import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { memoryFolder } from './test/support/memory-folder.ts'

const temporaryFolder = process.env.TMPDIR ?? memoryFolder()
if (temporaryFolder !== undefined) process.env.TMPDIR = temporaryFolder

// Each test has a home of its own, and nothing compiled in it.
process.env.SVC_CACHE_DIR ??= resolve('node_modules/.cache/svc-code')

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

// The name of a test says its kind; without one it needs no process, no socket and little time.
/** Real processes, real sockets to a simulated device, or a real adb. */
const SYSTEM = 'test/**/*.system.test.ts'
/** Browsers, tools of an SDK, fleets that fail and whole walks through texts: tens of seconds on a small machine. */
const SLOW = 'test/**/*.slow.test.ts'
/** Tests of how much a process holds, or with another module in the place of one: what other files left there would hide that. */
const ALONE = 'test/**/*.alone.test.ts'
const SLOW_ALONE = 'test/**/*.alone.slow.test.ts'
/** Random trials with real processes, crowds of them, and the demos. */
const LONG = 'test/**/*.long.ts'

/** Random trials are the same in every run but the long one. */
const SETTLED_CHANCE = ['test/support/settled-chance.ts']

/** Where machines are small and shared: a test that fails and passes at once is reported as retried. */
const RETRIES = Number(process.env.SVC_TEST_RETRY ?? 0)

/** More than the cores: much of each file is waiting. Projects that share their workers must have as many of them. */
const WORKERS = 6

export const shared = defineConfig({
  // What the build puts into the bundles.
  define: { __SVC_VERSION__: JSON.stringify(version) },
  plugins: [
    {
      name: 'version',
      // Compiled modules hold the version.
      configureVitest: ({ experimental_defineCacheKeyGenerator: addToKey }) => addToKey(() => version),
    },
  ],
  test: {
    // Each project compiles modules by itself, so they share those that are in node_modules/.experimental-vitest-cache.
    experimental: { fsModuleCache: true },
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

/** `npm test`. What files import is evaluated once for each worker and not for each file: that is a good part of the time. */
const projects: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'unit',
      retry: RETRIES,
      include: ['test/**/*.test.ts'],
      exclude: [...configDefaults.exclude, SYSTEM, SLOW, ALONE],
      setupFiles: SETTLED_CHANCE,
      isolate: false,
      maxWorkers: 2,
      sequence: { groupOrder: 0 },
    },
  },
  {
    extends: true,
    test: {
      name: 'system',
      retry: RETRIES,
      include: [SYSTEM],
      setupFiles: SETTLED_CHANCE,
      isolate: false,
      // They wait for other processes and for time to pass, so there are more of them than cores.
      maxWorkers: WORKERS,
      sequence: { groupOrder: 1 },
    },
  },
  {
    extends: true,
    test: { name: 'alone', include: [ALONE], maxWorkers: 2, sequence: { groupOrder: 0 } },
  },
]

const propertyTests = () =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map(path => join('test', path))
    .filter(path => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('/property-runs.ts'))

/** `npm run test:long`: what takes too long for every run of the tests. */
const longProjects = (): TestProjectInlineConfiguration[] => [
  {
    extends: true,
    test: {
      name: 'slow',
      include: [SLOW],
      exclude: [...configDefaults.exclude, SLOW_ALONE],
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
      name: 'alone',
      include: [SLOW_ALONE],
      retry: RETRIES,
      maxWorkers: WORKERS,
      sequence: { groupOrder: 0 },
    },
  },
  // A shortened run leaves the properties as `npm test` tried them.
  ...(process.env.SVC_TRIALS === undefined
    ? [
        {
          extends: true as const,
          test: {
            name: 'properties',
            include: propertyTests(),
            env: { SVC_TEST_PROPERTIES: 'full' },
            isolate: false,
            maxWorkers: 2,
            sequence: { groupOrder: 1 },
          },
        },
      ]
    : []),
  {
    extends: true,
    test: {
      name: 'long',
      include: [LONG],
      maxWorkers: 3,
      // Trials know nothing of each other, and much of each is waiting.
      sequence: { concurrent: true, groupOrder: 2 },
      maxConcurrency: 2,
    },
  },
]

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long'
  return {
    ...shared,
    test: {
      ...shared.test,
      ...(isLong ? { reporters: ['verbose'] } : { reporters: ['default'], sequence: { sequencer: LongestFirst } }),
      projects: isLong ? longProjects() : projects,
    },
  }
})
