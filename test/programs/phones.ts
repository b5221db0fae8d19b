/**
 * Simulated phones that outlive the process that drives them. Arguments: a home, and the faults of each phone as JSON. Says one JSON
 * line {serials}, then {seen} for each request that arrives, and {truth} for each line on stdin. Once stdin ends, it ends every
 * process of that home and itself, so that nothing is left of a test run that was killed.
 */
import { createInterface } from 'node:readline'
import type { UiNode } from '../../src/contracts/device/ui-tree.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Fault } from '../../src/simulator/scenario/fault.ts'
import { parseScenario } from '../../src/simulator/scenario/scenario.ts'
import { startSimulatedPhones } from '../../src/simulator/simulated-phones.ts'
import { kill, processesOf } from '../long/trial/home-processes.ts'
import { counterScenario } from '../long/trial/phone-scenario.ts'
import type { PhoneTruth } from '../long/trial/timeline.ts'

const LOOK_MS = 2
const [home = '', faults = '[]'] = process.argv.slice(2)
const parsed = parseScenario(counterScenario())
if (!parsed.ok) throw new Error(parsed.error)
const { scenario } = parsed
const clock = systemClock()
const fleets = await Promise.all(
  (JSON.parse(faults) as Fault[][]).map(of => startSimulatedPhones({ clock, scenario, faults: of })),
)
const devices = fleets.flatMap(fleet => fleet.devices)
const say = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`)

const everyNode = (nodes: readonly UiNode[]): UiNode[] => nodes.flatMap(node => [node, ...everyNode(node.children)])
const truth = (): PhoneTruth[] =>
  devices.map(({ serial, phone }) => {
    const rows = everyNode(phone.tree()?.roots ?? []).filter(({ text }) => text.startsWith('tap-'))
    const taps = Object.fromEntries(rows.map(({ text, contentDesc }) => [text, Number(contentDesc)]))
    return { serial, taps, requests: phone.arrivals() }
  })

let seen = 0
setInterval(() => {
  const now = devices.reduce((sum, { phone }) => sum + phone.executions().length, 0)
  for (; seen < now; seen += 1) say({ seen: seen + 1 })
}, LOOK_MS)

say({ serials: devices.map(({ serial }) => serial) })
const lines = createInterface({ input: process.stdin })
lines.on('line', () => say({ truth: truth() }))
lines.once('close', () => {
  for (let left = processesOf(home); left.length > 0; left = processesOf(home)) for (const { pid } of left) kill(pid)
  process.exit()
})
