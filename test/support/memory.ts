/** What this process holds on to, in MB, after everything that can be collected was. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { wait } from './until.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const ROUNDS = 5

/** The least of several looks: buffers are given back by another thread, some time after they were found unused. */
export const heldMegabytes = async (): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    collect()
    await wait(20)
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    least = Math.min(least, (heapUsed + arrayBuffers) / 1_024 / 1_024)
  }
  return least
}
