import { configDefaults, defineConfig } from 'vitest/config'

/** Tests with real processes, real sockets to a simulated device, or a real adb: the rest is done within a minute. */
const SYSTEM = [
  'test/adb/{leak,real-adb,simulated}.test.ts',
  'test/cli/**/*.test.ts',
  'test/daemon/**/*.test.ts',
  'test/executions/execute/*.test.ts',
  'test/http/**/*.test.ts',
  'test/operator/over-simulator.test.ts',
  'test/runtime/recovery-law.test.ts',
  'test/runtime/journal/{damage,faults,processes,truncation}.test.ts',
  'test/runtime/lease/processes.test.ts',
  'test/simulator/real-adb*.test.ts',
  'test/skills/{install,run,surfaces}/**/*.test.ts',
  'test/skills/scaffold/{processes,scripts}.test.ts',
]

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        // Nothing in them reaches beyond its file, so they share what they import: that is half of their time.
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SYSTEM],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'system', include: SYSTEM } },
    ],
  },
})
