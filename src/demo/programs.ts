/** The programs that a demo starts: what each says, and none is left when the demo has ended, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { type Clock, pause } from '../runtime/clock.ts'

export interface Program {
  child: ChildProcess
  /** Everything on stdout; all of it once it has ended. */
  said(): string
  complained(): string
  /** Resolves to the exit code; undefined for one that a signal ended. */
  ended: Promise<number | undefined>
}

export interface StartOptions {
  env: NodeJS.ProcessEnv
  cwd: string
}

export interface Programs {
  start(file: string, args: readonly string[], options: StartOptions): Program
  /** With SIGTERM, and after a while with SIGKILL. */
  end(program: Program): Promise<void>
  endAll(): Promise<void>
}

const END_MS = 8_000

export const createPrograms = (clock: Clock): Programs => {
  const running = new Set<Program>()
  process.on('exit', () => {
    for (const { child } of running) child.kill('SIGKILL')
  })

  const end = async ({ child, ended }: Program) => {
    const over = new AbortController()
    child.kill('SIGTERM')
    await Promise.race([ended, pause(clock, END_MS, over.signal)])
    over.abort()
    child.kill('SIGKILL')
    await ended
  }

  return {
    // In a group of its own: Ctrl-C reaches the demo alone, which ends each in order.
    start(file, args, { env, cwd }) {
      const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      const texts = { stdout: '', stderr: '' }
      for (const stream of ['stdout', 'stderr'] as const) {
        child[stream].setEncoding('utf8').on('data', chunk => {
          texts[stream] += chunk
        })
      }
      const ended = new Promise<number | undefined>(resolve => {
        child.once('error', error => {
          texts.stderr += error.message
          resolve(undefined)
        })
        child.once('close', code => resolve(code ?? undefined))
      })
      const program = { child, said: () => texts.stdout, complained: () => texts.stderr, ended }
      running.add(program)
      void ended.then(() => running.delete(program))
      return program
    },
    end,
    async endAll() {
      await Promise.all([...running].map(end))
    },
  }
}

/** Another program could take it meanwhile, which then says so. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
