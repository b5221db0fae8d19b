/** Executions of a session: each with an id that is known before it is asked for, and with the reservation of the session. */

import { chosenStepId } from '../../../contracts/chosen-step-ids.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { EXPECTED_FORMAT, WEBDRIVER_SOURCE } from '../../../contracts/json/literals.ts'
import type { ReadScreen } from '../../../service/read-screens.ts'
import type { RequestOptions } from '../../../service/service.ts'
import type { OpenSession, WebDriverDeps } from '../deps.ts'
import { webDriverErrorOf } from '../protocol/failure-error.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { noteOf } from './end-of-session.ts'
import type { Performed, PerformOptions, SessionStep } from './live-session.ts'

interface AskedExecution {
  readonly id: string
  /** False for a look. */
  readonly acts: boolean
}

/** The last one was refused before there was an execution: nobody would find one by its id. */
const isUnbegun = ({ data }: WebDriverError): boolean => data?.dispatched === false && data.executionId === undefined

/** The executions that one command has asked for, and which of them the header of its answer names. */
export const createAskedExecutions = () => {
  const executions: AskedExecution[] = []
  const lastActing = (problem?: WebDriverError): string | undefined =>
    (problem && isUnbegun(problem) ? executions.slice(0, -1) : executions).findLast(({ acts }) => acts)?.id
  return {
    add: (id: string, acts: boolean) => void executions.push({ id, acts }),
    ids: () => executions.map(({ id }) => id),
    /** Counts only executions that may have reached the phone. */
    lastActing,
  }
}

const TIMEOUT_MS = 30_000
/** Somebody who looks at the phone, or shares its reservation, is done by then. */
const WAIT_MS = 10_000
/** Tells executions of one session apart for people: their ids begin alike. */
const SHOWN_ID_CHARS = 12

type Deps = Pick<WebDriverDeps, 'clock' | 'ids' | 'screens' | 'service' | 'undo'>

/** Who asks; `executionId` is the one that the request gets if it makes an execution. */
export const callOf = (
  { phone, conditions, cancelled }: OpenSession,
  executionId?: string,
  { ownFiles = false, isFollowUp = false }: Pick<PerformOptions, 'ownFiles' | 'isFollowUp'> = {},
): RequestOptions => {
  const { leave } = conditions
  const fileRoots = ownFiles ? undefined : conditions.fileRoots
  return {
    context: {
      caller: 'webdriver',
      ...(phone === undefined ? {} : { leaseId: phone.leaseId }),
      ...(fileRoots === undefined ? {} : { fileRoots }),
      ...(executionId === undefined ? {} : { executionId }),
      ...(isFollowUp ? { isFollowUp } : {}),
    },
    signal: cancelled.signal,
    ...(leave === undefined ? {} : { leave }),
  }
}

const nextId = ({ conditions }: OpenSession, { clock, ids }: Deps, acts: boolean): string => {
  const executionId = conditions.takeFirstId() ?? ids.at(clock.now())
  conditions.onExecution(executionId, acts)
  return executionId
}

export const executionOf = (
  { sessionId }: OpenSession,
  executionId: string,
  steps: readonly SessionStep[],
  { timeoutMs = TIMEOUT_MS }: PerformOptions,
) => ({
  commandId: `webdriver-${executionId.slice(-SHOWN_ID_CHARS)}`,
  taskId: sessionId,
  source: WEBDRIVER_SOURCE,
  expectedFormat: EXPECTED_FORMAT,
  timeoutMs,
  actions: steps.map((step, at) => ({ id: chosenStepId(at), ...step })),
})

/** Requests outlive no session: what is asked for without a phone is a fault of this program. */
const deviceOf = ({ phone, sessionId }: OpenSession): string => {
  if (!phone) throw new Error(`the session ${sessionId} has no phone`)
  return phone.deviceId
}

const operatorOf = ({ wish: { operatorPackage } }: OpenSession) =>
  operatorPackage === undefined ? {} : { operatorPackage }

/** The settings that the steps change are put back at the end of the session. Answers why that could not be noted. */
const noteSettings = async (
  session: OpenSession,
  { undo }: Pick<Deps, 'undo'>,
  steps: readonly SessionStep[],
): Promise<ErrorObject | undefined> => {
  const { changedSettings, sessionId } = session
  const settings = steps.flatMap(({ type, params }) => (type === 'change_setting' ? [String(params?.setting)] : []))
  const added = [...new Set(settings)].filter(setting => !changedSettings.has(setting))
  if (added.length === 0) return undefined
  const work = { kind: 'settings', settings: added } as const
  const problem = await undo().remember(noteOf(sessionId, deviceOf(session), work))
  if (!problem) for (const setting of added) changedSettings.add(setting)
  return problem
}

export const performIn = async (
  session: OpenSession,
  deps: Deps,
  steps: readonly SessionStep[],
  options: PerformOptions = {},
): Promise<Performed> => {
  const deviceId = deviceOf(session)
  const executionId = nextId(session, deps, options.looks !== true)
  const execution = executionOf(session, executionId, steps, options)
  const problem = await noteSettings(session, deps, steps)
  if (problem) return { ok: false, error: problem, steps: [] }
  const result = await (await deps.service()).execute(
    { execution, deviceId, waitMs: WAIT_MS, ...operatorOf(session) },
    callOf(session, executionId, options),
  )
  if (!result.ok) return { ok: false, error: result.error, steps: [], executionId: result.executionId }
  const { stepResults, error } = result.value.envelope
  return error === null
    ? { ok: true, steps: stepResults, executionId }
    : { ok: false, error, steps: stepResults, executionId }
}

const noHierarchy = (): ErrorObject =>
  failure('SNAPSHOT_HIERARCHY_UNAVAILABLE', 'The screen has no hierarchy that can be read.')

/** One read of the screen. Throws WebDriverError. */
export const lookIn = async (session: OpenSession, deps: Deps): Promise<ReadScreen> => {
  const deviceId = deviceOf(session)
  const executionId = nextId(session, deps, false)
  const result = await (await deps.service()).snapshot(
    { deviceId, waitMs: WAIT_MS, ...operatorOf(session) },
    callOf(session, executionId),
  )
  if (!result.ok) throw webDriverErrorOf(result.error, result.executionId)
  const { stepResults, error } = result.value.envelope
  if (error !== null) throw webDriverErrorOf(error, executionId)
  const data = stepResults[0]?.data ?? {}
  const reader = session.reader ?? deps.screens.reader()
  session.reader = reader
  const read = await reader.read(data.text ?? '', data.foreground_package ?? '')
  if (read.ok) return read.screen
  const { message } = noHierarchy()
  throw new WebDriverError('unknown error', `${message} It is damaged: ${read.problem}.`, { executionId })
}
