/** The `operator` port of the device machine, with all that it runs on: takes one execution to the device and brings exactly one answer back. */
import type { OperatorInput } from '../../../../machines/device/device-setup.ts'
import type { ExecutionResult } from '../../../contracts/executions/execution-result.ts'
import type { StoredEvent } from '../../../contracts/records/journal.ts'
import type { DraftOwners } from '../../../device/files/host-drafts.ts'
import { createInteractiveCheck } from '../../../device/link/interactive.ts'
import type { Links } from '../../../device/link/links.ts'
import { freshNonce } from '../../../device/operators/app/segment-request.ts'
import { recordOf } from '../../../device/operators/app/send-segment.ts'
import { createSessions, type Sessions } from '../../../device/operators/app/session/sessions.ts'
import { operatorOf } from '../../../device/operators/operators.ts'
import { isHostAction } from '../../../device/operators/segment.ts'
import { createPatterns } from '../../../device/patterns.ts'
import type { MatchPattern } from '../../../device/screen/patterns/pattern.ts'
import { type ChangeMemory, createChangeMemory } from '../../../device/settings/changes/change-memory.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Ids } from '../../../runtime/ids.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import type { Port, PortTools } from '../../../runtime/port.ts'
import { createSecrets, type Secrets } from '../../../runtime/secrets.ts'
import { threadFile } from '../../../runtime/threads/thread-file.ts'
import type { RecordDenial } from '../../policy/refuse.ts'
import { RESULT_WORDS } from '../../recorded-words.ts'
import { type Dispatch, readDispatch } from '../dispatch.ts'
import { createAskPhone, createAskRequest } from '../evidence/ask-phone.ts'
import { type AtWorkOptions, mayBeLeft, stillAtWork } from '../evidence/still-at-work.ts'
import type { Fence } from '../fence.ts'
import { endOfSegmentOf } from '../proven.ts'
import { createScreenMemory, type ScreenMemory } from '../screens/screen-memory.ts'
import { createScreenReader, type ScreenReader } from '../screens/screen-reader.ts'
import { createControl, dispatchedEvent } from './dispatch-gate.ts'
import type { ExecutionRun } from './execution-run.ts'
import { runExecution } from './run-execution.ts'

interface OperatorDeps {
  clock: Clock
  sessions: Sessions
  checkInteractive: ReturnType<typeof createInteractiveCheck>
  screens: ScreenMemory
  changes: ChangeMemory
  reader: ScreenReader
  matchPattern: MatchPattern
  ids: Ids
  bootId(): string | undefined
  /** Between 0 and 1. */
  random(): number
  /** Puts what the policy denies between steps on record. */
  recordDenial: RecordDenial
  draftOwners?: DraftOwners | undefined
  journal: AtWorkOptions['journal']
  learner(): AtWorkOptions['learner']
  /** Asked before each dispatch. */
  fence: Fence
  /** True when another process wants the execution to end; asked before each dispatch. */
  isCancelRequested: (executionId: string) => boolean
  /** Payloads of their owners hold tokens in the place of these, and so does everything that is recorded. */
  secrets?: Secrets | undefined
}

/** The facts of an event are words of svc. */
const concealedEvent = (event: StoredEvent & { body?: unknown }, { concealAll }: Secrets): StoredEvent =>
  event.body === undefined ? event : { ...event, body: concealAll(event.body, RESULT_WORDS) }

/** The port's events are recorded, so they say tokens in the place of secrets. */
const concealing = (tools: PortTools, secrets: Secrets): PortTools =>
  secrets.isNeeded
    ? Object.create(tools, {
        send: { value: (event: StoredEvent) => tools.send(concealedEvent(event, secrets)) },
        commit: { value: (event: StoredEvent) => tools.commit(concealedEvent(event, secrets)) },
        note: { value: (event: StoredEvent) => tools.note(concealedEvent(event, secrets)) },
      })
    : tools

/** A phone whose screen is known to be on and whose operator listens at an open socket: nothing has to be asked before. */
const isReadyFor = (
  { sessions, checkInteractive }: OperatorDeps,
  { execution, operatorPackage, ...dispatch }: Dispatch,
) => {
  const [first] = execution.actions
  if (dispatch.view || dispatch.inFront || !first || isHostAction(first)) return false
  const link = operatorOf(operatorPackage).listensOver(sessions.of(dispatch.serial))
  return link !== undefined && checkInteractive.isKnown(link)
}

export const operatorPort = (deps: OperatorDeps): Port<OperatorInput> => {
  const {
    clock,
    sessions,
    checkInteractive,
    screens,
    changes,
    reader,
    matchPattern,
    ids,
    bootId,
    random,
    recordDenial,
    fence,
    secrets = createSecrets(),
  } = deps
  const run: Port<OperatorInput> = async ({ executionId, body, acceptUntil, doubts }, portTools) => {
    const dispatch = readDispatch(secrets.of(executionId).revealAll(body))
    const tools = concealing(portTools, secrets)
    const { phone } = dispatch
    const fenced = () => (phone === undefined ? undefined : fence.refusal(phone, dispatch))
    const { timeoutMs } = dispatch.execution
    const isCancelled = () => deps.isCancelRequested(executionId)
    const limits = { timeoutMs, acceptUntil }
    const control = createControl({ executionId, ...limits, tools, clock, fenced, isCancelled, ids, bootId })
    const device = { deviceId: dispatch.serial, phone, context: { doubts } }
    const busy = mayBeLeft(device, deps) ? await stillAtWork(device, { ...deps, learner: deps.learner() }) : undefined
    if (busy) {
      const body: ExecutionResult = { ok: false, error: { ...busy, details: { ...busy.details, executionId } } }
      await tools.send({ type: 'execution.settled', executionId, ok: false, code: busy.code, dispatched: false, body })
      return
    }
    const session = sessions.of(dispatch.serial)
    const { draftOwners } = deps
    const parts = { checkInteractive, screens, changes, reader, matchPattern, ids, random, recordDenial, draftOwners }
    const operator = operatorOf(dispatch.operatorPackage)
    const onProgress: ExecutionRun['onProgress'] = ({ step, success }) => void control.stepped(step, success)
    const result = await runExecution({
      executionId,
      dispatch,
      operator,
      session,
      control,
      clock,
      onProgress,
      ...parts,
    })
    if (!result) return
    const refusal = result.ok ? {} : { code: result.error.code }
    // Recorded as dispatched before it left, and then refused by the device: the receipt shall not say that it acted.
    const { dispatched, inDoubt } = (result.ok ? undefined : result.error.details) ?? {}
    const known = { ...(dispatched === false ? { dispatched } : {}), ...(inDoubt === false ? { inDoubt } : {}) }
    await tools.send({ type: 'execution.settled', executionId, ok: result.ok, ...refusal, ...known, body: result })
  }
  return Object.assign(run, {
    ahead: ({ type, executionId, body }: StoredEvent, context: unknown) => {
      if (type !== 'execution.requested') return undefined
      const dispatch = readDispatch(body)
      if (mayBeLeft({ phone: dispatch.phone, context }, deps) || !isReadyFor(deps, dispatch)) return undefined
      const { actions } = dispatch.execution
      const { understands } = operatorOf(dispatch.operatorPackage)
      const end = endOfSegmentOf(actions, 0)
      const foreign = actions.slice(0, end).findIndex(action => !understands(action))
      const count = foreign < 0 ? end : foreign
      return dispatchedEvent(String(executionId), 0, {
        nonce: freshNonce(ids),
        // The host looks before it sends a gesture.
        ...recordOf({ isListed: count > 0, isShort: count < end, isUnbegun: true }, count),
      })
    },
  })
}

export interface OperatorOptions {
  clock: Clock
  ids: Ids
  bootId(): string | undefined
  random(): number
  journal: Journal
  links: () => Links
  /** The program file, beside which the bundles of threads are. */
  program: string | undefined
  fence: Fence
  recordDenial: RecordDenial
  learner: OperatorDeps['learner']
  /** The processes of this machine unless told. */
  draftOwners?: DraftOwners | undefined
  isCancelRequested: (journal: Journal, executionId: string) => boolean
  secrets?: Secrets | undefined
}

export const createOperator = (options: OperatorOptions) => {
  const {
    clock,
    ids,
    bootId,
    random,
    journal,
    links,
    program,
    fence,
    recordDenial,
    secrets = createSecrets(),
  } = options
  const sessions = createSessions({ clock, openLink: (serial, options) => links().get(serial, options) })
  const reader = createScreenReader(threadFile(program, 'screen'))
  const patterns = createPatterns(threadFile(program, 'pattern'))
  const screens = createScreenMemory({ journal, clock, secrets })
  const changes = createChangeMemory({ journal, clock })
  const checkInteractive = createInteractiveCheck(clock)
  const askRequest = createAskRequest({ sessions, clock, fence })
  return {
    askRequest,
    askPhone: createAskPhone({ askRequest, clock, secrets }),
    port: operatorPort({
      journal,
      learner: options.learner,
      clock,
      sessions,
      checkInteractive,
      screens,
      changes,
      reader,
      matchPattern: patterns.match,
      ids,
      bootId,
      random,
      recordDenial,
      draftOwners: options.draftOwners,
      fence,
      secrets,
      isCancelRequested: executionId => options.isCancelRequested(journal, executionId),
    }),
    async close() {
      await sessions.close()
      await Promise.all([reader.close(), patterns.close()])
    },
  }
}
