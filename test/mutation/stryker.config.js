/** How faults are planted and judged; `npm run mutation -- machines` says where (test/mutation/areas.js). */
const area = process.env.SVC_MUTATION_AREA ?? 'all'
const report = `.stryker/${area}`

/** @type {Record<string, unknown>} */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/plugins.js'],
  ignorers: ['words'],
  checkers: ['sample'],
  vitest: { configFile: 'test/mutation/mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.SVC_MUTATION_CONCURRENCY ?? 1),
  incremental: true,
  incrementalFile: `${report}.incremental.json`,
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  htmlReporter: { fileName: `${report}.html` },
  jsonReporter: { fileName: `${report}.json` },
  tempDirName: '.stryker/sandboxes',
  ignorePatterns: ['.ci', '.github', '.stryker', 'dist/docs', 'statecharts/*.svg'],
  // TypeScript 7 has no compiler in JavaScript, which both of these ask for.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  allowConsoleColors: false,
  // A fault that makes a test wait must not be mistaken for a slow machine.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 15,
  thresholds: { high: 90, low: 75, break: null },
  warnings: { slow: false },
}
