/** Everything that runs in one trial: the phones, the servers and the commands; all of it ends with the phones. */
import { type CliEnded, type RunningCli, startCli } from '../../support/cli/run-cli.ts'
import { until } from '../../support/until.ts'
import { type HomeProcess, kill as killProcess, processesOf } from './home-processes.ts'
import { linkPhones, type PhoneLinks } from './links.ts'
import { otherBuild } from './other-build.ts'
import { type Phones, startPhones } from './phones.ts'
import type { Kill, Plan, Step } from './plan.ts'
import { createServer, type Server } from './server.ts'
import { CONTAINER, openSurroundings, type Surroundings } from './surroundings.ts'
import { installSkill } from './tap-skill.ts'
import type { Death, Suffered } from './timeline.ts'

/** Daemons that nobody asks any more end themselves. */
const IDLE_MS = '30000'
/** No trial is longer. */
const LONGEST_MS = 240_000
const NAME_CHARS = 80
/** For a server to answer those it has taken, and to end. */
const END_MS = 30_000

/** How a command is run. */
export type How = Partial<Pick<Step, 'isOtherBuild' | 'isContained'>> & {
  /** It stays open, and is the caller's to end. */
  hasStdin?: boolean
}

export interface World {
  registry: string
  folder: string
  home: string
  phones: Phones
  /** By which the hosts know the phones. */
  serials: readonly string[]
  links: PhoneLinks
  around: Surroundings
  servers: readonly Server[]
  deaths: readonly Death[]
  suffered: Suffered[]
  cli(args: readonly string[], how?: How): RunningCli
  svc(...args: string[]): Promise<CliEnded>
  processes(): HomeProcess[]
  /** Undefined when nothing is alive. */
  victim(kill: Pick<Kill, 'order' | 'server'>, pick: (count: number) => number): Victim | undefined
  /** A server is known to be down afterwards. */
  kill(victim: Victim, signal?: NodeJS.Signals): Promise<Death | undefined>
  close(): Promise<void>
}

export interface Victim {
  process: HomeProcess
  server: Server | undefined
}

const nameOf = ({ kind, words }: HomeProcess): string =>
  `${kind} ${words
    .slice(1)
    .join(' ')
    .replace(/\S*\/dist\//, '')}`.slice(0, NAME_CHARS)

export const openWorld = async (plan: Plan): Promise<World> => {
  const around = await openSurroundings(plan.setting)
  const { folder, home } = around
  const phones = await startPhones(home, plan.faults)
  const links = await linkPhones(phones.serials)
  const { serials } = links
  await around.connectAdb(serials)
  const close = async () => {
    await phones.close()
    await links.close()
    await around.close()
  }
  const env = { ...around.envOf(serials), SVC_NO_DAEMON: '0', SVC_DAEMON_IDLE_MS: IDLE_MS }
  const cli = (args: readonly string[], how: How = {}) =>
    startCli(args, {
      cwd: folder,
      env: how.isContained && around.canContain ? { ...env, PATH: process.env.PATH } : env,
      longestMs: LONGEST_MS,
      ...(how.hasStdin ? {} : { input: '' }),
      ...(how.isOtherBuild ? { program: otherBuild() } : {}),
      ...(how.isContained && around.canContain ? { within: CONTAINER } : {}),
    })
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
    folder,
    home,
    phones,
    serials,
    links,
    around,
    servers,
    deaths,
    suffered: [],
    cli,
    svc: (...args) => cli(args).ended,
    processes: () => processesOf(home),
    victim({ order, server: aimedAt }, pick) {
      const alive = processesOf(home)
      const kind = order.find(one => alive.some(process => process.kind === one))
      const candidates = alive.filter(process => process.kind === kind)
      const aim = candidates.find(({ pid }) => pid === servers[aimedAt]?.pid())
      const process = aim ?? candidates[pick(candidates.length)]
      return process && { process, server: servers.find(one => one.pid() === process.pid) }
    },
    async kill({ process: { pid, ...named }, server }, signal = 'SIGKILL') {
      const life = server?.life() ?? 0
      if (!killProcess(pid, signal)) return undefined
      const isGone = async () => {
        if (server) await until(() => !server.isUp() || server.life() !== life, 'a server to be gone', END_MS)
      }
      // What is told to end goes on answering for a while.
      if (signal !== 'SIGKILL') await isGone()
      const what = nameOf({ pid, ...named })
      const death = { at: Date.now(), pid, what, signal, server: server && { index: server.index, life } }
      deaths.push(death)
      await isGone()
      return death
    },
    close,
  }
}
