import { readFileSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { memoryFolder } from './test/support/memory-folder.ts'

const temporaryFolder = process.env.TMPDIR ?? memoryFolder()
if (temporaryFolder !== undefined) process.env.TMPDIR = temporaryFolder

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Tests with real processes, real sockets to a simulated device, or a real adb: the rest is done within a minute. */
const SYSTEM = [
  'test/adb/{authorize,flood,leak,link,real-adb,simulated}.test.ts',
  'test/adb/forwards/held-forwards.test.ts',
  'test/cli/**/*.test.ts',
  'test/client/{abort,real-server,secure-server}.test.ts',
  'test/daemon/**/*.test.ts',
  'test/docs/library-examples.test.ts',
  'test/emulators/{broken,faults,foreign-abi,killed,life,making,prepare,provision,repair,together,tools}.test.ts',
  'test/executions/execute/*.test.ts',
  'test/fixtures/sdk/*.test.ts',
  'test/flows/suite*.test.ts',
  'test/fleet/**/*.test.ts',
  'test/flows/script/{bounds,child-process,escape,faker,http,isolation,repeat,scripts}.test.ts',
  'test/http/**/*.test.ts',
  'test/mcp/**/*.test.ts',
  'test/install/**/*.test.ts',
  'test/operator/{check/run-checks,files/open-place,over-simulator,uiautomator/helper}.test.ts',
  'test/operator/web/{browser,page-scripts.browser,page-steps.browser}.test.ts',
  'test/policy/refuse.test.ts',
  'test/recordings/recording.test.ts',
  'test/runtime/{clock,lock-file,recovery-law,with-lock}.test.ts',
  'test/runtime/journal/{damage,faults,processes,truncation,vanished}.test.ts',
  'test/runtime/lease/processes.test.ts',
  'test/service/{apps,device-info,doors,files,logs,pictures,settings,shell}*.test.ts',
  'test/simulator/{docs-example,real-adb*}.test.ts',
  'test/skills/{install,run,surfaces}/**/*.test.ts',
  'test/skills/scaffold/{processes,scripts}.test.ts',
  'test/statecharts/browser.test.ts',
  'test/webdriver/{clients,server}/*.test.ts',
  'test/viewer/page/{active-sentence,actors,api,chart,devices,docs,failure-screen,hostile,large,layout,limit-notes,overview,report,reservations,seen-next,test-runs,traces}.test.ts',
]

/** What a fleet does while hosts, servers and links fail: mostly waiting, for leases to end and for elections. */
export const FAILING_FLEET = [
  'test/cli/fleet/{failures,hosts}.test.ts',
  'test/fleet/{cluster,cut-off,failures,ownership}.test.ts',
  'test/fleet/chaos/short.test.ts',
  'test/fleet/events/failures.test.ts',
  'test/fleet/exchange/{hostile,lossy,processes}.test.ts',
]

/** Browsers, tools of an SDK, fleets and whole walks through texts, each of which takes tens of seconds on a small machine. */
export const SLOW = [
  'test/cli/{completion-hostile,completion-typed,full-disk,journal-damage,loaded,operator-check}.test.ts',
  'test/cli/fleet/commands.test.ts',
  'test/cli/ports/daemon.test.ts',
  'test/cli/test/web-pages.test.ts',
  'test/adb/real-adb.test.ts',
  'test/daemon/{builds,cold-start,killed,lifecycle}.test.ts',
  'test/daemon/svc/killed.test.ts',
  'test/docs/library-examples.test.ts',
  'test/emulators/{broken,faults,foreign-abi,killed,making,provision,together,tools}.test.ts',
  'test/executions/execute/{faults,uiautomator}.test.ts',
  'test/fixtures/sdk/{emulator,start,tools}.test.ts',
  'test/fleet/{hosts,lab,mcp,safety,versions}.test.ts',
  'test/fleet/events/{http,watch}.test.ts',
  'test/fleet/exchange/exchange.test.ts',
  'test/flows/suite*.test.ts',
  'test/http/two-servers.test.ts',
  'test/install/packages.test.ts',
  'test/mcp/{sessions,stdio/serve}.test.ts',
  'test/operator/check/run-checks.test.ts',
  'test/operator/web/{browser,page-scripts.browser,page-steps.browser}.test.ts',
  'test/recordings/recording.test.ts',
  'test/runtime/clock.test.ts',
  'test/service/doors-{fleet,fleet-away}.test.ts',
  'test/simulator/real-adb-{install,ports,states}.test.ts',
  'test/skills/surfaces/{catalogue,flow,live,on-device,outcomes,record}.test.ts',
  'test/statecharts/browser.test.ts',
  'test/viewer/page/{actors,api,chart,devices,docs,large,layout,overview,report,reservations,test-runs,traces}.test.ts',
  'test/webdriver/clients/hybrid-{browser,clients}.test.ts',
  'test/webdriver/server/{client-killed,fleet,web-context}.test.ts',
]

/** Tests of how much a process holds, or with another module in the place of one: what other files left there would hide that. */
export const SLOW_MEMORY = ['test/adb/{flood,leak}.test.ts', 'test/http/events/subscribers.test.ts']
const MEMORY = [
  'test/executions/execute/fleet.test.ts',
  'test/http/wrong-values.test.ts',
  'test/operator/files/open-place.test.ts',
  'test/skills/run/output-bounds.test.ts',
]

/** Random trials are the same in every run but the long one. */
export const SETTLED_CHANCE = ['test/support/settled-chance.ts']

/** Where machines are small and shared: a test that fails and passes at once is reported as retried. */
export const RETRIES = Number(process.env.SVC_TEST_RETRY ?? 0)

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

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    // What files import is evaluated once for each worker and not for each file: that is a good part of the time.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          retry: RETRIES,
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SYSTEM],
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
          include: SYSTEM,
          exclude: [...configDefaults.exclude, ...MEMORY, ...SLOW_MEMORY, ...FAILING_FLEET, ...SLOW],
          setupFiles: SETTLED_CHANCE,
          isolate: false,
          // They wait for other processes and for time to pass, so there are more of them than cores.
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'memory', include: MEMORY, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
    ],
  },
})
