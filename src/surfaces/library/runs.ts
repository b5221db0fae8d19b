/** Runs of skills and of test flows: each is begun by one request; those of flows are followed until they are over. */

import { withErrors } from '../../contracts/run-errors.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { type Ask, followed } from './ask.ts'
import type {
  Requests,
  SkillRunBody,
  SkillRunResponse,
  SkillsQuery,
  TestRunRequest,
  TestRunResponse,
} from './generated/shapes.ts'
import { libraryHint } from './hint-words.ts'
import type { AskOptions } from './options.ts'
import { cancelled, SvcError } from './svc-error.ts'

type Answer<Id extends keyof Requests> = Requests[Id]['answer']

/** A run that did not fail: `ok` is null where nobody can say whether it succeeded. */
export type SkillRun = Exclude<SkillRunResponse, { ok: false }>

export interface Skills {
  list(query?: SkillsQuery, options?: AskOptions): Promise<Answer<'skills.list'>['skills']>
  get(skillId: string, options?: AskOptions): Promise<Answer<'skills.get'>['skill']>
  /** Runs a skill on a phone; a run that fails rejects. */
  run(skillId: string, request?: SkillRunBody, options?: AskOptions): Promise<SkillRun>
}

/** @internal */
export const createSkills = (ask: Ask): Skills => ({
  list: async (query = {}, options) => (await ask('skills.list', query, options)).skills,
  get: async (skillId, options) => (await ask('skills.get', { skillId }, options)).skill,
  run: async (skillId, request = {}, options) =>
    (await ask('skills.run', { skillId, ...request }, options)) as SkillRun,
})

export type TestRun = TestRunResponse['testRun']

export interface TestRuns {
  /** Runs flows and waits for their end; `verdict` of the run says how it went. An abort cancels the run. */
  run(request: TestRunRequest, options?: AskOptions): Promise<TestRun>
  list(options?: AskOptions): Promise<Requests['testRuns.list']['answer']['testRuns']>
  get(testRunId: string, options?: AskOptions): Promise<TestRun>
}

const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 2_000
/** A server that restarts is asked again for so long. */
const SILENT_MS = 30_000

const isOver = ({ state }: TestRun): boolean => state === 'ended' || state === 'interrupted'

const NO_SERVER: readonly string[] = ['SERVER_UNREACHABLE', 'DAEMON_START_FAILED']

/** The run has begun, whatever became of a request about it. */
const runLost = (testRunId: string, error: unknown): SvcError =>
  new SvcError({
    code: 'ANSWER_LOST',
    message: `The test run ${testRunId} was begun, and what became of it is not known: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'See what became of it with svc.test.get(error.details.testRunId) before you run the flows again.',
    dispatched: 'unknown',
    details: { testRunId, ...(error instanceof SvcError ? { cause: error.toJSON() } : {}) },
  })

/** Servers word the hints in a run for HTTP. */
const inWordsOfLibrary = (run: TestRun): TestRun =>
  // The answer is a server's own, which may lack what its document names.
  Array.isArray(run.flows)
    ? withErrors(run, error => (error.hint === undefined ? error : { ...error, hint: libraryHint(error.hint) }))
    : run

/** @internal */
export const createTestRuns = (ask: Ask, clock: Clock): TestRuns => {
  const get: TestRuns['get'] = async (testRunId, options) =>
    inWordsOfLibrary((await ask('testRuns.get', { testRunId }, options)).testRun)

  /** A silent server is asked again: the run goes on without its listeners. */
  const patiently = async <T>(testRunId: string, leave: AbortSignal, look: () => Promise<T>): Promise<T> => {
    const end = clock.now() + SILENT_MS
    for (;;) {
      try {
        return await look()
      } catch (error) {
        const isSilent = error instanceof SvcError && NO_SERVER.includes(error.code)
        if (!isSilent || leave.aborted || clock.now() >= end) throw runLost(testRunId, error)
        await pause(clock, LONGEST_LOOK_MS, leave)
      }
    }
  }

  return {
    get,
    list: async options => (await ask('testRuns.list', {}, options)).testRuns.map(inWordsOfLibrary),
    async run(request, { signal, timeoutMs } = {}) {
      const { controller, release } = followed(signal)
      const end = timeoutMs === undefined ? undefined : clock.now() + timeoutMs
      try {
        const { testRunId } = await ask('testRuns.start', request, { signal: controller.signal })
        const about = { testRunId }
        for (let ms = FIRST_LOOK_MS; ; ms = Math.min(2 * ms, LONGEST_LOOK_MS)) {
          const look = () => ask('testRuns.get', about, { isContinued: true })
          const { testRun } = await patiently(testRunId, controller.signal, look)
          if (isOver(testRun)) return inWordsOfLibrary(testRun)
          if (controller.signal.aborted || (end !== undefined && clock.now() >= end)) {
            const cancel = () => ask('testRuns.cancel', about, { isContinued: true })
            await patiently(testRunId, controller.signal, cancel)
            throw cancelled('unknown', { message: `The test run ${testRunId} was cancelled.`, details: { testRunId } })
          }
          await pause(clock, ms, controller.signal)
        }
      } finally {
        release()
      }
    },
  }
}
