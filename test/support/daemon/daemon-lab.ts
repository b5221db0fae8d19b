/** A home of its own for daemons that are real processes, and the means to call them, watch them and end them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DaemonAsk } from '../../../machines/daemon/daemon-setup.ts'
import { isAlive, type ProcessIdentity } from '../../../src/runtime/processes/processes.ts'
import type { ProxyCommand } from '../../../src/surfaces/daemon/client/command.ts'
import type { ProxyResult } from '../../../src/surfaces/daemon/client/proxy.ts'
import { type Metadata, readMetadata } from '../../../src/surfaces/daemon/identity.ts'
import type { DaemonRequestResult } from '../../../src/surfaces/daemon/manage/manage.ts'
import { type DaemonPaths, daemonPaths } from '../../../src/surfaces/daemon/paths.ts'
import { perTest } from '../per-test.ts'
import { plainEnv, programPath } from '../run-program.ts'
import { until } from '../until.ts'
import type { Behaviour } from './daemon-app.ts'
import { daemonArguments, daemonCommands } from './daemon-commands.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface Called {
  code: number | null
  /** What the program printed, the last line parsed. */
  said: unknown
  stderr: string
}

export type ManagedHere = DaemonRequestResult & { code: number | null; stderr: string }

export interface Fact {
  pid: number
  executed?: string
  settled?: string
  interrupted?: string
  operatorPackage?: string
  deviceId?: string
}

/** Of a program that was killed while it spoke, what there is of it. */
const lastLine = (text: string): unknown => {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

const linesIn = <T>(path: string): T[] => {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as T)
}

export const command = (kind: ProxyCommand['kind'], commandId: string, behaviour: Behaviour = {}): ProxyCommand => ({
  kind,
  execution: { commandId, timeoutMs: 20_000, behaviour },
  device: undefined,
  operatorPackage: 'com.svc.operator',
})

export const createDaemonLab = () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-d-'))
  const home = join(folder, 'h')
  const files = { ledger: join(folder, 'ledger'), runs: join(folder, 'runs'), gate: join(folder, 'gate') }
  const children: { child: ChildProcess; ended: Promise<Called> }[] = []

  const envWith = (env: Env) => ({
    ...plainEnv(),
    ...{ SVC_HOME: home, TEST_LEDGER: files.ledger, TEST_RUNS: files.runs },
    ...env,
  })
  const commandsHere = (env: Env, note: (text: string) => void) => {
    const { signal } = new AbortController()
    return daemonCommands({ env: envWith(env), entry: programPath('daemon-host'), note, signal })
  }

  const start = (args: readonly string[], env: Env = {}) => {
    const child = spawn(process.execPath, [programPath('daemon-host'), ...args], {
      env: envWith(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', chunk => {
      stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', chunk => {
      stderr += chunk
    })
    const ended = new Promise<Called>(resolve => {
      child.on('close', code => {
        resolve({ code, said: lastLine(stdout), stderr })
      })
    })
    children.push({ child, ended })
    return { child, ended, stdout: () => stdout }
  }

  const daemons = () => linesIn<ProcessIdentity>(files.runs)

  return {
    folder,
    home,
    files,
    paths: (device?: string): DaemonPaths => daemonPaths(home, device),
    start,
    /** `svc daemon <ask>`: `run` in a process of its own, the others in this one. */
    manage: async (ask: string, env: Env = {}, flags: readonly string[] = []): Promise<ManagedHere> => {
      if (ask === 'run') {
        const { said, code, stderr } = await start(['daemon', ask, ...flags], env).ended
        return { ...(said as DaemonRequestResult), code, stderr }
      }
      const { device, operatorPackage } = daemonArguments(flags)
      const notes: string[] = []
      const commands = commandsHere(env, text => void notes.push(text))
      const managed = await commands.manage(ask as DaemonAsk, device, operatorPackage)
      commands.close()
      return { ...managed, code: managed.ok ? 0 : 1, stderr: notes.map(line => `${line}\n`).join('') }
    },
    /** In this process. */
    call: async (asked: ProxyCommand, env: Env = {}): Promise<ProxyResult> => {
      const commands = commandsHere(env, () => {})
      const proxied = await commands.call(asked)
      commands.close()
      return proxied
    },
    /** In a process of its own. */
    callApart: async (asked: ProxyCommand, env: Env = {}): Promise<ProxyResult> =>
      (await start(['call', JSON.stringify(asked)], env).ended).said as ProxyResult,
    makeHome: () => mkdirSync(join(home, 'daemon'), { recursive: true, mode: 0o700 }),
    /** Lets go of so many programs that were started with TEST_GATE, once all of them wait there. */
    async openGate(count: number) {
      await until(() => linesIn(`${files.gate}.ready`).length >= count, `${count} programs at the gate`, 40_000)
      writeFileSync(files.gate, '')
    },
    /** Every daemon process that was ever started here. */
    daemons,
    /** To the daemon process that was started as that one; never to a group, as a missing pid would be. */
    signal(signal: NodeJS.Signals, index = 0) {
      const daemon = daemons()[index]
      if (!daemon) throw new Error(`there is no daemon ${index}`)
      process.kill(daemon.pid, signal)
    },
    alive: () => daemons().filter(isAlive),
    facts: () => linesIn<Fact>(files.ledger),
    executed: (commandId: string) =>
      linesIn<Fact>(files.ledger).filter(({ executed }) => executed === commandId).length,
    metadata: (device?: string): Metadata | undefined => readMetadata(daemonPaths(home, device).metadata),
    async close() {
      for (const { child } of children) child.kill('SIGKILL')
      await Promise.all(children.map(({ ended }) => ended))
      for (const daemon of daemons()) if (isAlive(daemon)) process.kill(daemon.pid, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type DaemonLab = ReturnType<typeof createDaemonLab>

/** One for each test that asks for one, concurrent ones too, with nothing of it left afterwards. */
export const daemonLab = (): (() => DaemonLab) => perTest(createDaemonLab)
