/** Runs targets in a process of its own, and begins another one behind a reader that hangs or ends its process. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainEnv } from '../support/run-program.ts'
import { readPresent } from './present-input.ts'
import type { WorkerSaid, WorkerTask } from './worker.ts'

/** A reader that takes so long for one input will not end, however slow the machine is. */
const HANG_MS = 60_000
const LOOK_MS = 1_000
const HEAP_MB = 2_048

export type WorkerEnd = { kind: 'ended' } | { kind: 'hangs' | 'died'; target: string; input: Buffer; said: string }

interface Watched {
  program: string
  task: Omit<WorkerTask, 'present'>
  hear(said: WorkerSaid): void
}

const flags = ['--enable-source-maps', `--max-old-space-size=${HEAP_MB}`, '--expose-gc']

const endOf = (child: ChildProcess): Promise<number | string> =>
  new Promise(resolve => child.once('close', (code, signal) => resolve(signal ?? code ?? 0)))

/** Undefined while each look finds another input. */
const watch = (child: ChildProcess, present: string, onHang: () => void): (() => void) => {
  let seen = { count: -1n, at: performance.now() }
  const timer = setInterval(() => {
    const { count } = readPresent(present)
    if (count !== seen.count) seen = { count, at: performance.now() }
    else if (performance.now() - seen.at > HANG_MS) {
      onHang()
      child.kill('SIGKILL')
    }
  }, LOOK_MS)
  return () => clearInterval(timer)
}

export const runWorker = async ({ program, task, hear }: Watched): Promise<WorkerEnd> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'))
  const present = join(folder, 'present')
  writeFileSync(present, '')
  try {
    const child = fork(program, ['--worker'], {
      env: plainEnv(),
      execArgv: flags,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let said = ''
    let target = ''
    let hangs = false
    child.stderr?.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-4_000)
    })
    child.on('message', (message: WorkerSaid) => {
      if (message.kind === 'begins') target = message.target
      hear(message)
    })
    const ended = endOf(child)
    child.send({ ...task, present })
    const unwatch = watch(child, present, () => {
      hangs = true
    })
    const code = await ended
    unwatch()
    if (code === 0) return { kind: 'ended' }
    return { kind: hangs ? 'hangs' : 'died', target, input: Buffer.from(readPresent(present).input), said }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
