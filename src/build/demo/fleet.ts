/**
 * `npm run demo:fleet`: three hosts with a simulated phone each, on one nats-server or three (`-- --servers 3`). A click goes
 * from one host to the phone of another; that one is killed while it works, and its receipt is read elsewhere.
 * nats-server must be on the PATH.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { FleetStatus } from '../../contracts/fleet.ts'
import { pause, systemClock } from '../../runtime/clock.ts'
import { findProgram } from '../../runtime/processes/find-program.ts'
import type { SimulatedPhones } from '../../simulator/simulated-phones.ts'
import { createServices } from '../../start/command.ts'
import { createPrograms, type Program, say, startNats, stopOnSignals } from './programs.ts'

const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))
const HOSTS = ['host-1', 'host-2', 'host-3'] as const
type HostId = (typeof HOSTS)[number]

/** Bounds the start of a host until it is in the fleet, and the wait for the end of a receipt. */
const READY_MS = 30_000
const LOOK_MS = 250
const INTERRUPTED = 130

const clock = systemClock()
const programs = createPrograms(clock)
const stop = stopOnSignals(programs)

const folder = mkdtempSync(join(tmpdir(), 'svc-demo-fleet-'))

const serversWanted = (): number => {
  const at = process.argv.indexOf('--servers')
  if (at < 0) return 1
  const word = process.argv[at + 1]
  if (word === '1' || word === '3') return Number(word)
  throw new Error('--servers must be 1 or 3: two servers stand still when either is gone.')
}

interface Setting {
  urls: string[]
  monitors: string[]
  phones: SimulatedPhones
}

const environmentOf = (host: HostId, { urls, monitors, phones }: Setting): NodeJS.ProcessEnv => {
  const home = join(folder, host)
  mkdirSync(join(home, '.svc'), { recursive: true, mode: 0o700 })
  return {
    HOME: home,
    PATH: '',
    SVC_NO_DAEMON: '1',
    SVC_FLEET: urls.join(),
    SVC_FLEET_HOST: host,
    SVC_FLEET_MONITOR: monitors.join(),
    SVC_TCP_DEVICES: phones.devices[HOSTS.indexOf(host)]?.serial,
  }
}

const svc = (host: HostId, args: readonly string[], setting: Setting): Program => {
  stop.signal.throwIfAborted()
  return programs.start(process.execPath, [CLI, ...args], { env: environmentOf(host, setting), cwd: folder })
}

/** Parses the output of a command on a host. */
const answerOf = async <T>(host: HostId, args: readonly string[], setting: Setting): Promise<T> => {
  const program = svc(host, args, setting)
  await program.ended
  stop.signal.throwIfAborted()
  try {
    return JSON.parse(program.said()) as T
  } catch {
    throw new Error(`svc ${args.join(' ')} says: ${program.said()}${program.complained()}`)
  }
}

const until = async (isSo: () => Promise<boolean>, what: string) => {
  const latest = clock.elapsed() + READY_MS
  while (!(await isSo())) {
    if (clock.elapsed() > latest) throw new Error(`${what}: that took longer than ${READY_MS / 1_000} s.`)
    await pause(clock, LOOK_MS, stop.signal)
  }
}

const serve = (host: HostId, setting: Setting): Program => {
  // One server has one copy of everything, which is refused unless somebody wants it so.
  const flags = setting.urls.length === 1 ? ['--fleet-unsafe'] : []
  return svc(host, ['serve', '--port', '0', ...flags], setting)
}

const isServing = async (hosts: readonly string[], setting: Setting): Promise<boolean> => {
  const { hosts: found = [] } = await answerOf<Partial<FleetStatus>>('host-1', ['fleet', 'status'], setting)
  const serving = found.flatMap(({ host, state, ready }) => (state === 'serving' && ready > 0 ? [host] : []))
  return hosts.every(host => serving.includes(host))
}

/** Quoted where a shell would need it. */
const typed = (host: HostId, args: readonly string[]) =>
  say(`${host}$ svc ${args.map(arg => (/^[\w@:.=-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`)

const sayJson = (value: unknown) => say(`  ${JSON.stringify(value)}`)

interface Executed {
  envelope: { status: string; stepResults: { actionType: string; success: boolean }[] }
  host: string
  deviceId: string
}

const showReceipt = async (host: HostId, executionId: string, setting: Setting): Promise<Receipt> => {
  const args = ['executions', 'show', executionId]
  const { execution } = await answerOf<{ execution: Receipt }>(host, args, setting)
  const { state, dispatchedAt, host: at, result } = execution
  typed(host, args)
  const error = result?.ok === false ? { error: result.error.code } : {}
  sayJson({ host: at, state, dispatched: dispatchedAt !== undefined, ...error })
  return execution
}

const act = async (setting: Setting) => {
  const servers = new Map(HOSTS.map(host => [host, serve(host, setting)]))
  await until(async () => {
    const dead = [...servers].find(([, { child }]) => child.exitCode !== null)
    if (dead) throw new Error(`${dead[0]} did not start: ${dead[1].said()}${dead[1].complained()}`)
    return isServing(HOSTS, setting)
  }, 'Three hosts in the fleet')

  say('Three hosts, each with a phone of its own, are one service:\n')
  typed('host-1', ['devices'])
  const { devices } = await answerOf<{ devices: { serial: string; host: string }[] }>('host-1', ['devices'], setting)
  for (const { serial, host } of devices) say(`  ${serial}@${host}`)

  const there = 'any:host=host-2'
  say('\nHost 1 has a phone of host 2 clicked. A device can be named, or chosen by what it is:\n')
  for (const args of [
    ['open', 'com.android.settings', '--device', there],
    ['click', '--text', 'Wi-Fi', '--device', there],
  ]) {
    typed('host-1', args)
    const { envelope, host, deviceId } = await answerOf<Executed>('host-1', args, setting)
    sayJson({ status: envelope.status, deviceId, host })
    if (envelope.status !== 'success') throw new Error('the phone of host 2 did not do it')
  }

  say('\nHost 2 is killed (kill -9) while its phone waits for something that does not come:\n')
  const wait = ['wait', '--text', 'Downloaded', '--timeout', '30000', '--device', `${serialOf(setting)}@host-2`]
  typed('host-1', [...wait, '--verbose'])
  const waiting = svc('host-1', [...wait, '--verbose'], setting)
  await until(async () => waiting.complained().includes('was dispatched'), 'The wait on its way')
  for (const line of waiting.complained().trim().split('\n')) say(`  ${line}`)
  const killed = servers.get('host-2')
  killed?.child.kill('SIGKILL')
  await killed?.ended
  await waiting.ended
  const { code, message, details } = JSON.parse(waiting.said()) as ErrorObject
  sayJson({ code, message, dispatched: details?.dispatched })
  const executionId = String(details?.executionId)
  if (code !== 'FLEET_HOST_GONE') throw new Error('the caller was not told that the host is gone')

  say('\nDid it happen? Any host says what was known of it last:\n')
  await showReceipt('host-3', executionId, setting)

  say('\nHost 2 is started again, and its own journal says how that ended:\n')
  serve('host-2', setting)
  await until(() => isServing(['host-2'], setting), 'Host 2 back in the fleet')
  const stateNow = async () => {
    const args = ['executions', 'show', executionId]
    return (await answerOf<{ execution?: Receipt }>('host-3', args, setting)).execution?.state
  }
  await until(async () => (await stateNow()) === 'interrupted', 'The receipt')
  await showReceipt('host-3', executionId, setting)
}

const serialOf = ({ phones }: Setting) => phones.devices[HOSTS.indexOf('host-2')]?.serial ?? ''

const run = async (program: string, servers: number) => {
  const lab = createServices({ env: { HOME: folder, PATH: '' }, cwd: folder, note: say })
  const phones = await lab.simulate({ count: HOSTS.length })
  try {
    const nats = await startNats({
      program,
      servers,
      folder: join(folder, 'nats'),
      programs,
      clock,
      signal: stop.signal,
    })
    say(`${servers === 1 ? 'A nats-server listens' : 'nats-servers listen'} on ${nats.urls.join(', ')}.`)
    await act({ ...nats, phones })
  } finally {
    await programs.endAll()
    await phones.close()
    await lab.close()
  }
}

try {
  const program = findProgram(['nats-server'], process.env.PATH)
  if (program === undefined) {
    throw new Error('The PATH has no nats-server, which a fleet needs: install it (2.11 or newer) and try again.')
  }
  await run(program, serversWanted())
} catch (error) {
  process.exitCode = stop.signal.aborted ? INTERRUPTED : 1
  if (!stop.signal.aborted) process.stderr.write(`${(error as Error).message}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
