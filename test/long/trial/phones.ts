/** The phones of a trial, in a process of their own; it ends when its stdin does, with everything that uses its home. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Fault } from '../../../src/simulator/scenario/fault.ts'
import { plainEnv, programPath } from '../../support/run-program.ts'
import { until } from '../../support/until.ts'
import type { PhoneTruth } from './timeline.ts'

export interface Phones {
  serials: readonly string[]
  /** How many requests the phones have got. */
  seen(): number
  truth(): Promise<readonly PhoneTruth[]>
  /** Ends them, and every process of the home. */
  close(): Promise<void>
}

interface Fact {
  serials?: string[]
  seen?: number
  truth?: PhoneTruth[]
}

export const startPhones = async (home: string, faults: readonly (readonly Fault[])[]): Promise<Phones> => {
  const child = spawn(process.execPath, [programPath('phones'), home, JSON.stringify(faults)], {
    env: plainEnv(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => {})
  const closed = once(child, 'close')
  let serials: string[] = []
  let seen = 0
  const waiting: ((truth: PhoneTruth[]) => void)[] = []
  createInterface({ input: child.stdout }).on('line', line => {
    const fact = JSON.parse(line) as Fact
    serials = fact.serials ?? serials
    seen = fact.seen ?? seen
    if (fact.truth) waiting.shift()?.(fact.truth)
  })
  await until(() => serials.length > 0 || child.exitCode !== null, 'the phones to start')
  if (serials.length === 0) throw new Error(`the phones ended with ${child.exitCode}`)
  return {
    serials,
    seen: () => seen,
    truth: () =>
      new Promise(resolve => {
        waiting.push(resolve)
        child.stdin.write('\n')
      }),
    async close() {
      child.stdin.end()
      await closed
    },
  }
}
