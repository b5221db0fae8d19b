/** `npm run bench`: a table of what things cost here, each with its ratio to a stated floor of the same run. */
import { cliRows } from './cli.ts'
import { crowdRows } from './crowd.ts'
import { daemonRows } from './daemon.ts'
import { endOnSignals } from './end-on-signal.ts'
import { executionRows } from './executions.ts'
import { fleetRows } from './fleet.ts'
import { hotRows } from './hot.ts'
import { httpRows } from './http.ts'
import { journalRows } from './journal.ts'
import { operatorRows } from './operators.ts'
import type { BenchRow } from './row.ts'
import { runtimeRows } from './runtime.ts'
import { skillRows } from './skills.ts'
import { soakRows } from './soak.ts'
import { webDriverRows } from './webdriver.ts'

const SUITES: Record<string, () => Promise<BenchRow[]>> = {
  journal: journalRows,
  runtime: runtimeRows,
  executions: executionRows,
  hot: hotRows,
  crowd: crowdRows,
  operators: operatorRows,
  http: httpRows,
  webdriver: webDriverRows,
  cli: cliRows,
  daemon: daemonRows,
  skills: skillRows,
  fleet: fleetRows,
  soak: soakRows,
}
/** Takes longer than all others: only where it is named. */
const NAMED_ONLY = ['soak']

const USAGE = `npm run bench -- [NAME...]

  The benches: ${Object.keys(SUITES).join(', ')}.
  With names only these run, without one all but soak, which takes 40 to 60 minutes on two cores.`

const chosen = process.argv.slice(2)
const isHelp = chosen.includes('--help')
const unknown = chosen.filter(name => !(name in SUITES))

if (isHelp) process.stdout.write(`${USAGE}\n`)
else if (unknown.length > 0) {
  process.stderr.write(`there is no bench "${unknown.join(', ')}"; there are: ${Object.keys(SUITES).join(', ')}\n`)
  process.exitCode = 1
} else {
  endOnSignals()
  const rows: BenchRow[] = []
  for (const [name, suite] of Object.entries(SUITES)) {
    if (chosen.length > 0 ? !chosen.includes(name) : NAMED_ONLY.includes(name)) continue
    rows.push(...(await suite()))
  }
  const cells = rows.map(({ name, value, unit, floor, ratio }) => [
    name,
    `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`,
    `${ratio.toFixed(2)}x`,
    floor,
  ])
  const head = ['what', 'cost', 'ratio', 'to the floor']
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map(row => row[column]?.length ?? 0)))
  for (const row of [head, widths.map(width => '-'.repeat(width)), ...cells]) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`)
  }
}
