/** One machine: `svc serve` with HTTP and MCP, commands on their own, and commands through the daemon; one home. */
import { fileURLToPath } from 'node:url'
import { connectHttp } from '../support/mcp-client.ts'
import { startServeHere } from '../support/serve.ts'
import { startSvcLab } from '../support/svc-lab.ts'
import { overCli, overHttp, overMcp } from './doors.ts'

export const REGISTRY = fileURLToPath(new URL('../fixtures/skills/skills-registry.json', import.meta.url))
export const SKILL = 'com.android.settings.search-replay'

export const startLocal = async () => {
  const lab = await startSvcLab({ count: 3 })
  const env = { ...lab.env, SVC_SKILLS_REGISTRY: REGISTRY }
  const serving = await startServeHere({ env: { ...env, SVC_NO_DAEMON: '1' }, cwd: lab.home })
  const mcp = await connectHttp(serving.url, 'modern')
  const serials = lab.fleet.devices.map(({ serial }) => serial)
  const names = Object.fromEntries(serials.map((serial, index) => [serial, `PHONE-${index}`]))
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
