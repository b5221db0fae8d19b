/** One machine: `svc serve` with HTTP and MCP, commands on their own, and commands through the daemon; one home. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { startServeHere } from '../support/cli/serve.ts'
import { startSvcLab } from '../support/cli/svc-lab.ts'
import type { LabOptions } from '../support/executions/lab.ts'
import { call } from '../support/http/http-client.ts'
import { connectHttp } from '../support/mcp-client.ts'
import { overCli, overHttp, overMcp } from './doors.ts'

export const REGISTRY = fileURLToPath(new URL('../fixtures/skills/skills-registry.json', import.meta.url))
export const SKILL = 'com.android.settings.search-replay'

interface LocalOptions extends LabOptions {
  /** Also lists a device to which nothing can connect. */
  offline?: string
}

export const startLocal = async ({ offline, ...options }: LocalOptions = {}) => {
  const lab = await startSvcLab({ count: 3, ...options })
  if (offline !== undefined) lab.env.SVC_TCP_DEVICES += `,${offline}`
  const env = { ...lab.env, SVC_SKILLS_REGISTRY: REGISTRY }
  const serving = await startServeHere({ env: { ...env, SVC_NO_DAEMON: '1' }, cwd: lab.home })
  const mcp = await connectHttp(serving.url, 'modern')
  const serials = lab.fleet.devices.map(({ serial }) => serial)
  const names: Record<string, string> = Object.fromEntries(serials.map((serial, index) => [serial, `PHONE-${index}`]))
  if (offline !== undefined) names[offline] = 'OFFLINE'
  const world = { fleet: lab.fleet, names }
  const cli = (SVC_NO_DAEMON: string) => (args: readonly string[]) => lab.svc(args, { env: { ...env, SVC_NO_DAEMON } })
  const doors = {
    HTTP: overHttp(() => serving.url, world),
    CLI: overCli(cli('1'), world),
    MCP: overMcp(() => mcp, world),
  }
  return {
    lab,
    url: serving.url,
    phone: (index: number) => serials[index] ?? '',
    phones: serials,
    doors,
    /** The id of an execution that has run. */
    async ran(execution: object, deviceId = serials[0] ?? ''): Promise<string> {
      const { headers } = await call(`${serving.url}/execute`, { body: { execution, deviceId } })
      return String(headers['svc-execution-id'])
    },
    /** The daemon takes executions and resumptions only. */
    withDaemon: { ...doors, daemon: overCli(cli('0'), world) },
    async close() {
      await mcp.close()
      await serving.end()
      await lab.close()
    },
  }
}

export type Local = Awaited<ReturnType<typeof startLocal>>

/** The machine of the tests of a file. */
export const localOfTests = (options: LocalOptions = {}): (() => Local) => {
  let local: Local
  beforeAll(async () => {
    local = await startLocal(options)
  })
  afterAll(() => local?.close())
  return () => local
}

export const CONNECTED = { connected: ['PHONE-0', 'PHONE-1', 'PHONE-2'] }
