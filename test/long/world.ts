/** Everything that runs in one trial: the phones, the servers and the commands; all of it ends with the phones. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CliEnded, type RunningCli, startCli } from '../support/run-cli.ts'
import { until } from '../support/until.ts'
import { type HomeProcess, kill as killProcess, processesOf } from './home-processes.ts'
import { type Phones, startPhones } from './phones.ts'
import type { Kill, Plan } from './plan.ts'
import { createServer, type Server } from './server.ts'
import { installSkill } from './tap-skill.ts'
import type { Death } from './timeline.ts'

/** Daemons that nobody asks any more end themselves. */
const IDLE_MS = '30000'
/** No trial is longer. */
const LONGEST_MS = 240_000
const NAME_CHARS = 80

export interface World {
  registry: string
  phones: Phones
  servers: readonly Server[]
  deaths: readonly Death[]
  cli(args: readonly string[]): RunningCli
  svc(...args: string[]): Promise<CliEnded>
  processes(): HomeProcess[]
  /** Undefined when nothing was alive. A server is known to be down afterwards. */
  kill(kill: Kill, pick: (count: number) => number): Promise<Death | undefined>
  close(): Promise<void>
}

const nameOf = ({ kind, words }: HomeProcess): string =>
  `${kind} ${words
    .slice(1)
    .join(' ')
    .replace(/\S*\/dist\//, '')}`.slice(0, NAME_CHARS)

export const openWorld = async (plan: Plan): Promise<World> => {
  // Short, so that the sockets of named devices fit.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-k-')))
  const home = join(folder, 'h')
  mkdirSync(home, { mode: 0o700 })
  const phones = await startPhones(home, plan.faults)
  const close = async () => {
    await phones.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const env = {
    HOME: folder,
    SVC_HOME: home,
    SVC_NO_DAEMON: '0',
    SVC_DAEMON_IDLE_MS: IDLE_MS,
    SVC_TCP_DEVICES: phones.serials.join(','),
  }
  const cli = (args: readonly string[]) => startCli(args, { input: '', cwd: folder, env, longestMs: LONGEST_MS })
  const servers: Server[] = []
  const deaths: Death[] = []
  try {
    for (let index = 0; index < plan.servers; index += 1) servers.push(await createServer(index, cli))
    await Promise.all(servers.map(server => server.start()))
  } catch (error) {
    await close()
    throw error
  }
  return {
    registry: installSkill(folder),
    phones,
    servers,
    deaths,
    cli,
    svc: (...args) => cli(args).ended,
    processes: () => processesOf(home),
    async kill({ order, server: aimedAt }, pick) {
      const alive = processesOf(home)
      const kind = order.find(one => alive.some(process => process.kind === one))
      const candidates = alive.filter(process => process.kind === kind)
      const aim = candidates.find(({ pid }) => pid === servers[aimedAt]?.pid())
      const victim = aim ?? candidates[pick(candidates.length)]
      if (!victim) return undefined
      const server = servers.find(one => one.pid() === victim.pid)
      if (!killProcess(victim.pid)) return undefined
      const death = {
        at: Date.now(),
        pid: victim.pid,
        what: nameOf(victim),
        server: server && { index: server.index, life: server.life() },
      }
      deaths.push(death)
      if (server) await until(() => !server.isUp(), 'a killed server to be gone')
      return death
    },
    close,
  }
}
