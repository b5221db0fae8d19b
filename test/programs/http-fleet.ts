/** Simulated devices whose screen has a hierarchy of some 53 KB: the argument is how many. Says `ready` and their serials. */
import { systemClock } from '../../src/runtime/clock.ts'
import { parseScenario } from '../../src/simulator/scenario/scenario.ts'
import { startSimulatedPhones } from '../../src/simulator/simulated-phones.ts'

const COLUMNS = 8
const ROWS = 18
const CELL = { width: 130, height: 100 }

const nodes = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
  const left = (index % COLUMNS) * CELL.width
  const top = 150 + Math.floor(index / COLUMNS) * CELL.height
  return {
    class: 'TextView',
    text: `Row ${index}`,
    contentDesc: `Cell ${index} of the table`,
    resourceId: `com.example.table:id/cell_${index}`,
    bounds: [left, top, left + CELL.width, top + CELL.height],
  }
})
const app = { package: 'com.example.table', label: 'Table', screens: { table: { nodes } } }
const parsed = parseScenario({ apps: [app], front: app.package })
if (!parsed.ok) throw new Error(parsed.error)
const fleet = await startSimulatedPhones({
  clock: systemClock(),
  count: Number(process.argv[2] ?? 1),
  scenario: parsed.scenario,
})
process.stdout.write(`ready\n${fleet.devices.map(({ serial }) => serial).join(',')}\n`)
