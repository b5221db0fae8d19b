/** A bench that is told to end leaves nothing: its children, and the daemons that its commands started, which are no children. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const
const daemons = new Map<string, readonly [cli: string, env: NodeJS.ProcessEnv]>()

/** The environment is the one in which commands start the daemon of this home. */
export const stopDaemonAtEnd = (home: string, cli: string, env: NodeJS.ProcessEnv): void =>
  void daemons.set(home, [cli, env])

const parentOf = (pid: string): number => {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    )
  } catch {
    return 0
  }
}

/** Linux only, as other benches are. */
const endChildren = (): void => {
  const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === process.pid)
  for (const pid of children) {
    try {
      process.kill(Number(pid), 'SIGTERM')
    } catch {
      // It has ended by itself.
    }
  }
}

export const endOnSignals = (): void => {
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.once(signal, async () => {
      // What is under way fails once its processes end.
      process.on('uncaughtException', () => {})
      if (process.platform === 'linux') endChildren()
      await Promise.all(
        [...daemons.values()].map(async ([cli, env]) => {
          const stop = spawn(process.execPath, [cli, 'daemon', 'stop'], { env, stdio: 'ignore' })
          await once(stop, 'close')
        }),
      )
      process.exit(code)
    })
  }
}
