/**
 * All of `svc` that daemons need, without devices: `daemon start|stop|status|restart|run` as the CLI has them, `call` for
 * one proxied command (its ProxyCommand as JSON), and `lock` to hold a lifecycle lock until it is killed.
 */
import { appendFileSync, existsSync } from 'node:fs'
import type { DaemonAsk } from '../../machines/daemon/daemon-setup.ts'
import { pause } from '../../src/runtime/clock.ts'
import { acquireLock } from '../../src/runtime/files/lock-file.ts'
import { thisProcess } from '../../src/runtime/processes/processes.ts'
import type { ProxyCommand } from '../../src/surfaces/daemon/client/command.ts'
import { environmentOf } from '../../src/surfaces/daemon/identity.ts'
import { daemonPaths } from '../../src/surfaces/daemon/paths.ts'
import { runDaemon } from '../../src/surfaces/daemon/run/run.ts'
import { daemonApp, type Moment } from '../support/daemon/daemon-app.ts'
import { daemonArguments, daemonCommands } from '../support/daemon/daemon-commands.ts'

const { env } = process
const entry = process.argv[1] ?? ''
const { positionals, device, operatorPackage } = daemonArguments(process.argv.slice(2))
const [word = '', argument = ''] = positionals

const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

const note = (text: string) => void process.stderr.write(`${new Date().toISOString()} ${text}\n`)
const commands = daemonCommands({ env, entry, note, signal: stop.signal })
const { home, clock, ids, version, journal } = commands

const app = daemonApp({
  ledger: env.TEST_LEDGER ?? '',
  version,
  killedAt: env.TEST_KILLED_AT as Moment | undefined,
  serveProblem: env.TEST_SERVE_FAILS,
})

const run = async () => {
  if (env.TEST_RUNS) appendFileSync(env.TEST_RUNS, `${JSON.stringify(thisProcess())}\n`)
  await pause(clock, Number(env.TEST_STARTS_AFTER_MS ?? 0))
  const times = { idleMs: Number(env.SVC_DAEMON_IDLE_MS ?? 60_000), checkMs: Number(env.TEST_CHECK_MS ?? 100) }
  const { TEST_KNOWN } = env
  const isDeviceKnown = TEST_KNOWN === undefined ? undefined : async () => TEST_KNOWN === '1'
  const facts = { isDeviceKnown, home, device, cliEntryPath: entry, environment: environmentOf(env), version }
  return runDaemon({ ...facts, ...times, ...app, clock, ids, journal, note, signal: stop.signal })
}

/** Holds the lock, says so, and waits to be killed. */
const holdLock = async () => {
  const locked = await acquireLock(daemonPaths(home, device).lock, { clock, waitMs: Number(argument) })
  process.stdout.write(`${locked.kind}\n`)
  if (locked.kind === 'held') await new Promise(resolve => setTimeout(resolve, 20_000))
  return locked.kind
}

/** Says that it is ready and waits for a sign, so that many processes begin at the same moment. */
const gate = async () => {
  if (!env.TEST_GATE) return
  appendFileSync(`${env.TEST_GATE}.ready`, `${process.pid}\n`)
  while (!existsSync(env.TEST_GATE)) await pause(clock, 20)
}

const act = async (): Promise<unknown> => {
  await gate()
  if (word === 'call') return commands.call(JSON.parse(argument) as ProxyCommand)
  if (word === 'lock') return holdLock()
  if (argument === 'run') return run()
  return commands.manage(argument as DaemonAsk, device, operatorPackage)
}

const result = await act()
commands.close()
const code = (result as { ok?: boolean }).ok === false ? 1 : 0
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(code))
