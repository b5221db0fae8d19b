/** Runs what a fleet relies on of NATS: against real servers, or against simulated ones. */
import { JetStreamApiError } from '@nats-io/jetstream'
import { test } from 'vitest'
import type { FleetConnection } from '../../../src/fleet/servers/connection.ts'
import { type Names, namesOf } from '../../../src/fleet/servers/names.ts'
import { type Clock, pause } from '../../../src/runtime/clock.ts'

export interface NatsBench {
  clock: Clock
  connect(names: Names, self: string): Promise<FleetConnection>
  /** All servers go away and come back with what they had stored. */
  restart(): Promise<void>
}

export interface BenchRunner {
  /** Has a bench, and moves its time on until the work is done. */
  run(work: (bench: NatsBench) => Promise<void>): Promise<void>
}

export const LONG_MS = 30_000

export const codeOf = async (work: Promise<unknown>): Promise<number | string> => {
  try {
    await work
    return 'no error'
  } catch (error) {
    return error instanceof JetStreamApiError ? error.code : String(error)
  }
}

let fleets = 0

export const benchTests = ({ run }: BenchRunner) => {
  const onBench = (says: string, work: (bench: NatsBench, link: FleetConnection, names: Names) => Promise<void>) =>
    test(says, () =>
      run(async bench => {
        const names = namesOf(`contract-${++fleets}`)
        await work(bench, await bench.connect(names, 'one'), names)
      }),
    )

  const until = async ({ clock }: NatsBench, isSo: () => boolean | Promise<boolean>) => {
    const latest = clock.elapsed() + LONG_MS
    while (!(await isSo())) {
      if (clock.elapsed() > latest) throw new Error(`it did not become so within ${LONG_MS} ms`)
      await pause(clock, 20)
    }
  }

  return { onBench, until }
}

export type BenchTests = ReturnType<typeof benchTests>
