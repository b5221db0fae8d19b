/** What an execution over HTTP costs: one at a time, and sustained over fleets of two sizes. */
import type { Agent } from 'node:http'
import { inTurn, type Program, perSecond, post, start, stopAll, sustained, us } from './http-load.ts'
import type { BenchRow } from './row.ts'

const CALLS = 1_000
const FLEETS = [8, 50] as const

const click = JSON.stringify({
  execution: {
    commandId: 'bench',
    taskId: 'bench',
    source: 'bench',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 20_000,
    actions: [{ id: 'tap', type: 'click', params: { coordinate: { x: 5, y: 200 } } }],
  },
})
const clickOn = (serial: string) => `${click.slice(0, -1)},"deviceId":${JSON.stringify(serial)}}`
const snapshotOf = (serial: string | undefined) => JSON.stringify({ deviceId: serial })

/** The server, and the bare ones that answer as many bytes as a snapshot and as a click. */
interface Field {
  serials: readonly string[]
  served: Program
  bare: Program
  tiny: Program
  bytes: number
}

const fieldOf = async (devices: number, home: string, agent: Agent): Promise<Field> => {
  const fleet = await start('http-fleet', `${devices}`)
  const served = await start('http-serve', home, fleet.said)
  const serials = fleet.said.split(',')
  const bytes = await post(served.said, '/snapshot', agent, snapshotOf(serials[0]))
  return { serials, served, bytes, bare: await start('http-bare', `${bytes}`), tiny: await start('http-bare', '11') }
}

const kilobytes = ({ bytes }: Field) => `${(bytes / 1_000).toFixed(0)} KB`

const singleRow = async (field: Field, agent: Agent): Promise<BenchRow> => {
  const { serials, served, bare } = field
  const [snapshot = 0, floor = 0] = await inTurn(
    [() => post(served.said, '/snapshot', agent, snapshotOf(serials[0])), () => post(bare.said, '/', agent)],
    CALLS,
  )
  return us(`POST /snapshot, ${kilobytes(field)}`, snapshot, 'bare HTTP, the same bytes', floor)
}

const sustainedRows = async (field: Field, agent: Agent): Promise<BenchRow[]> => {
  const { serials, served, bare, tiny } = field
  const clicks = serials.map(serial => () => post(served.said, '/execute', agent, clickOn(serial)))
  await Promise.all(clicks.map(work => work()))
  const rate = await sustained(clicks)
  const trees = await sustained(serials.map(serial => () => post(served.said, '/snapshot', agent, snapshotOf(serial))))
  const bareRate = await sustained(serials.map(() => () => post(tiny.said, '/', agent)))
  const bareTrees = await sustained(serials.map(() => () => post(bare.said, '/', agent)))
  const workers = `bare HTTP, ${serials.length} workers`
  return [
    perSecond(`${serials.length} devices, clicks`, rate, workers, bareRate),
    perSecond(`${serials.length} devices, snapshots`, trees, `${workers}, ${kilobytes(field)}`, bareTrees),
  ]
}

export const executionRows = async (home: string, agent: Agent): Promise<BenchRow[]> => {
  const rows: BenchRow[] = []
  for (const devices of FLEETS) {
    const field = await fieldOf(devices, home, agent)
    if (devices === FLEETS[0]) rows.push(await singleRow(field, agent))
    rows.push(...(await sustainedRows(field, agent)))
    await stopAll()
  }
  return rows
}
