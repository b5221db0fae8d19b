/**
 * Rehearses executions once a server listens: the first callers find code that has run before. Nothing of it leaves this
 * process: the journal is in memory, there is no device, and the operator answers at once.
 */
import { CATALOGUE } from '../../machines/catalogue.ts'
import type { OperatorInput } from '../../machines/device/device-setup.ts'
import type { Link } from '../device/link/link.ts'
import type { Links } from '../device/link/links.ts'
import { type Clock, pause } from '../runtime/clock.ts'
import { createHost } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import { memoryJournal } from '../runtime/journal/memory.ts'
import { deadlinePort, type Port } from '../runtime/port.ts'
import { thisProcess } from '../runtime/processes/processes.ts'
import { readDispatch } from '../service/executions/dispatch.ts'
import { askNobody, askNothing } from '../service/executions/evidence/ask-phone.ts'
import { createLearner } from '../service/executions/evidence/learn.ts'
import { createExecutor } from '../service/executions/execute.ts'
import { createExecutionPolicy } from '../service/executions/execution-policy.ts'
import { createExecutions } from '../service/executions/executions.ts'
import { NO_FENCE } from '../service/executions/fence.ts'
import { createWaitingRooms } from '../service/executions/waiting/waiting-room.ts'
import { askApp, type InnerRequest } from '../surfaces/http/ask-app.ts'
import type { App } from '../surfaces/http/module.ts'
import { createListener, type ListenerParts } from './listener.ts'

const SERIAL = 'rehearsal'
const OPERATOR = 'com.svc.operator'
const TIMEOUT_MS = 1_000

const BODY = JSON.stringify({
  deviceId: SERIAL,
  execution: {
    commandId: SERIAL,
    taskId: SERIAL,
    source: SERIAL,
    expectedFormat: 'android-ui-automator',
    timeoutMs: TIMEOUT_MS,
    actions: [{ id: 'tap', type: 'click', params: { coordinate: { x: 0, y: 0 } } }],
  },
})

const nothing = () => Promise.reject(new Error('a rehearsal has no device'))

const noBytes = () => {
  throw new Error('a rehearsal has no device')
}

const link: Link = {
  serial: SERIAL,
  lost: new AbortController().signal,
  hardwareSerial: async () => SERIAL,
  shell: nothing,
  exec: nothing,
  stream: nothing,
  push: nothing,
  pull: nothing,
  read: noBytes,
  output: noBytes,
  socket: nothing,
}

const links: Links = {
  list: async () => ({ devices: [{ serial: SERIAL, state: 'device' }] }),
  known: async () => undefined,
  track: () => {},
  get: async () => link,
  current: serial => (serial === SERIAL ? link : undefined),
  probe: async () => undefined,
  close: async () => {},
}

const operator: Port<OperatorInput> = async ({ executionId, body }, { commit, send }) => {
  const { execution } = readDispatch(body)
  if (!(await commit({ type: 'execution.dispatched', executionId, segment: 0 }))) return
  const { commandId, taskId, actions } = execution
  const stepResults = actions.map(({ id, type }) => ({ id, actionType: type, success: true, data: {} }))
  const envelope = { commandId, taskId, status: 'success', stepResults, error: null }
  const result = { ok: true, deviceId: SERIAL, terminalSource: 'svc_result', operatorPackage: OPERATOR, envelope }
  await send({ type: 'execution.settled', executionId, ok: true, body: result })
}

const PING: InnerRequest = { method: 'GET', path: '/ping', headers: { host: 'localhost' } }
const EXECUTE: InnerRequest = {
  method: 'POST',
  path: '/execute',
  headers: { host: 'localhost', 'content-type': 'application/json' },
  body: Buffer.from(BODY),
}

export interface RehearsalOptions {
  clock: Clock
  ids: Ids
  /** The app that the server answers with, and the parts of another one like it. */
  app: App
  parts: Omit<ListenerParts, 'listener' | 'isPrivate'>
  /** Aborted by the first caller, whose own requests do the rest, and by the end of the server. */
  signal: AbortSignal
}

const TIMES = 20
/** Whoever started the server may have a request ready. */
const FIRST_MS = 200
const APART_MS = 2

const appWithoutDevice = ({ clock, ids, parts: served }: RehearsalOptions) => {
  const journal = memoryJournal({ alive: () => true, clock })
  const ports = { device: { operator, deadline: deadlinePort(clock) } }
  const holder = { ...thisProcess(), instance: ids.instance() }
  const host = createHost({ journal, definitions: CATALOGUE, ports, clock, holder })
  const policy = createExecutionPolicy({ load: () => ({ kind: 'none' }), refuse: nothing, namesOf: names => names })
  const operatorChoice = { choose: async () => OPERATOR, forget() {} }
  const rooms = createWaitingRooms({ host, journal, clock, mayLive: () => true })
  const fence = NO_FENCE
  const learner = createLearner({ host, journal, clock, fence, askPhone: askNobody, askRequest: askNothing })
  const parts = { host, journal, clock, ids, rooms, fence, learner }
  const executor = createExecutor({ ...parts, links, leaseBy: 'adb-serial', operatorChoice, policy })
  const executions = createExecutions({ ...parts, executor })
  const { fleet: _, fleetLog: __, ...alone } = served
  const own = { journal: () => journal, executions: () => executions, receipts: async () => executions }
  return { host, journal, app: createListener({ ...alone, ...own, listener: SERIAL, isPrivate: false }).app }
}

/** Does a little at a time, so that a first caller waits for no more than that. */
export const rehearse = async (options: RehearsalOptions): Promise<void> => {
  const { clock, app, signal } = options
  await pause(clock, FIRST_MS, signal)
  if (signal.aborted) return
  await askApp(app, PING)
  await pause(clock, APART_MS, signal)
  if (signal.aborted) return
  const { host, journal, app: rehearsed } = appWithoutDevice(options)
  for (let time = 0; time < TIMES && !signal.aborted; time++) {
    const answer = await askApp(rehearsed, EXECUTE)
    if (answer.status !== 200) throw new Error(await answer.text())
    await pause(clock, APART_MS, signal)
  }
  await host.stop({ graceMs: 0 })
  journal.close()
}
