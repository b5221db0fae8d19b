/** Runs of test flows: begun by one request, and followed until they are over. */
import { type Clock, pause } from '../runtime/clock.ts'
import { type Ask, followed } from './ask.ts'
import type { AskOptions } from './options.ts'
import type { Requests, TestRunRequest, TestRunResponse } from './shapes.ts'
import { cancelled } from './svc-error.ts'

export type TestRun = TestRunResponse['testRun']

export interface TestRuns {
  /** Runs flows and waits for their end; `verdict` of the run says how it went. An abort cancels the run. */
  run(request: TestRunRequest, options?: AskOptions): Promise<TestRun>
  list(options?: AskOptions): Promise<Requests['testRuns.list']['answer']['testRuns']>
  get(testRunId: string, options?: AskOptions): Promise<TestRun>
}

const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 2_000

const isOver = ({ state }: TestRun): boolean => state === 'ended' || state === 'interrupted'

/** @internal */
export const createTestRuns = (ask: Ask, clock: Clock): TestRuns => {
  const get: TestRuns['get'] = async (testRunId, options) => (await ask('testRuns.get', { testRunId }, options)).testRun
  return {
    get,
    list: async options => (await ask('testRuns.list', {}, options)).testRuns,
    async run(request, { signal, timeoutMs } = {}) {
      const { own, release } = followed(signal)
      const end = timeoutMs === undefined ? undefined : clock.now() + timeoutMs
      try {
        const { testRunId } = await ask('testRuns.start', request, { signal: own.signal })
        for (let ms = FIRST_LOOK_MS; ; ms = Math.min(2 * ms, LONGEST_LOOK_MS)) {
          const run = await get(testRunId)
          if (isOver(run)) return run
          if (own.signal.aborted || (end !== undefined && clock.now() >= end)) {
            await ask('testRuns.cancel', { testRunId })
            throw cancelled(true, { message: `The test run ${testRunId} was cancelled.`, details: { testRunId } })
          }
          await pause(clock, ms, own.signal)
        }
      } finally {
        release()
      }
    },
  }
}
