/** Two hosts of a fleet with a phone each: the first one is asked over HTTP and MCP, and by commands and `svc mcp` of a desk. */
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll } from 'vitest'
import { CLI } from '../support/cli/run-cli.ts'
import { startFleetLab } from '../support/fleet/fleet-lab.ts'
import { callerOf, connectHttp, newClient } from '../support/mcp-client.ts'
import { createClient } from '../surfaces/cli/fleet/client.ts'
import { overCli, overHttp, overMcp } from './doors.ts'
import { REGISTRY } from './doors-local.ts'

export const startFleetDoors = async () => {
  const lab = await startFleetLab({ inProcess: true, linked: true, env: { SVC_SKILLS_REGISTRY: REGISTRY } })
  const desk = createClient(lab, 'lab1')
  const lab1 = lab.host('lab1')
  const mcp = await connectHttp(lab1.url(), 'modern')
  const client = newClient('modern')
  const env = { PATH: '', HOME: desk.home, SVC_NO_DAEMON: '1', SVC_SKILLS_REGISTRY: REGISTRY }
  const fleetEnv = { SVC_FLEET: lab.nats.urls.join(','), SVC_FLEET_HOST: 'lab1' }
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp'],
      cwd: desk.home,
      env: { ...env, ...fleetEnv },
      stderr: 'ignore',
    }),
  )
  const stdio = callerOf(client)
  const [first, second] = [lab1.serial(0), lab.host('lab2').serial(1)]
  const world = { fleet: lab.fleet, names: { [first]: 'FIRST', [second]: 'SECOND' } }
  const cli = (more: NodeJS.ProcessEnv) => (args: readonly string[]) =>
    desk.svc(args, { SVC_SKILLS_REGISTRY: REGISTRY, ...more })
  return {
    lab,
    desk,
    mcp,
    stdio,
    isBusy(phone: number): boolean {
      const [last] = lab.fleet.devices[phone]?.phone.executions().slice(-1) ?? []
      return last !== undefined && last.finishedAt === undefined
    },
    here: `${first}@lab1`,
    there: `${second}@lab2`,
    doors: {
      HTTP: overHttp(lab1.url, world),
      CLI: overCli(cli({}), world),
      MCP: overMcp(() => mcp, world),
      'svc mcp': overMcp(() => stdio, world),
    },
    /** Through a desk that reaches no server of the fleet. */
    cutOff: overCli(cli({ SVC_FLEET: 'nats://127.0.0.1:1' }), world),
    async close() {
      await stdio.close()
      await mcp.close()
      desk.remove()
      await lab.close()
    },
  }
}

export type FleetDoors = Awaited<ReturnType<typeof startFleetDoors>>

/** The fleet of the tests of a block. */
export const fleetOfTests = (): (() => FleetDoors) => {
  let fleet: FleetDoors
  beforeAll(async () => {
    fleet = await startFleetDoors()
  }, 120_000)
  afterAll(() => fleet?.close())
  return () => fleet
}
