/**
 * Rehearses executions once a server listens: the first callers find code that has run before. Nothing of it leaves this
 * process: the journal is in memory, there is no device, and the operator answers at once.
 */
import { PassThrough } from 'node:stream'
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
import { askNobody } from '../service/executions/evidence/ask-phone.ts'
import { createLearner } from '../service/executions/evidence/learn.ts'
import { createExecutor } from '../service/executions/execute.ts'
import { createExecutionPolicy } from '../service/executions/execution-policy.ts'
import { createExecutions } from '../service/executions/executions.ts'
import { NO_FENCE } from '../service/executions/fence.ts'
import { createWaitingRooms } from '../service/executions/waiting/waiting-room.ts'
import { createApp } from '../surfaces/http/app.ts'
import type { HttpDeps } from '../surfaces/http/deps.ts'
import type { App, HttpEnv } from '../surfaces/http/module.ts'

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

/** Builds a request in the form in which Node hands one over. */
const rehearsedRequest = () => {
  const incoming = new PassThrough()
  incoming.end(BODY)
  const headers = { host: 'localhost', 'content-type': 'application/json', 'content-length': `${BODY.length}` }
  return Object.assign(incoming, { method: 'POST', url: '/execute', headers })
}

const bindingsOf = (incoming: object): HttpEnv['Bindings'] =>
  ({ incoming, outgoing: new PassThrough() }) as unknown as HttpEnv['Bindings']

export interface RehearsalOptions {
  clock: Clock
  ids: Ids
  /** The app that the server answers with, and the parts of another one like it. */
  app: App
  deps: HttpDeps
  /** Aborted by the first caller, whose own requests do the rest, and by the end of the server. */
  signal: AbortSignal
}

const TIMES = 20
/** Whoever started the server may have a request ready. */
const FIRST_MS = 200
const APART_MS = 2

const appWithoutDevice = ({ clock, ids, deps }: RehearsalOptions) => {
  const journal = memoryJournal({ alive: () => true, clock })
  const ports = { device: { operator, deadline: deadlinePort(clock) } }
  const holder = { ...thisProcess(), instance: ids.instance() }
  const host = createHost({ journal, definitions: CATALOGUE, ports, clock, holder })
  const policy = createExecutionPolicy({ load: () => ({ kind: 'none' }), refuse: nothing, namesOf: names => names })
  const operatorChoice = { choose: async () => OPERATOR, forget() {} }
  const rooms = createWaitingRooms({ host, journal, clock, mayLive: () => true })
  const fence = NO_FENCE
  const learner = createLearner({ host, journal, clock, fence, askPhone: askNobody })
  const parts = { host, journal, clock, ids, rooms, fence, learner }
  const executor = createExecutor({ ...parts, links, leaseBy: 'adb-serial', operatorChoice, policy })
  const executions = createExecutions({ ...parts, executor })
  const { fleet: _, fleetLog: __, ...appDeps } = deps
  return { host, journal, app: createApp({ ...appDeps, journal, executions, listener: SERIAL }) }
}

/** Does a little at a time, so that a first caller waits for no more than that. */
export const rehearse = async (options: RehearsalOptions): Promise<void> => {
  const { clock, app, signal } = options
  await pause(clock, FIRST_MS, signal)
  if (signal.aborted) return
  await app.fetch(new Request('http://localhost/ping'), bindingsOf({ method: 'GET', url: '/ping', headers: {} }))
  await pause(clock, APART_MS, signal)
  if (signal.aborted) return
  const { host, journal, app: rehearsed } = appWithoutDevice(options)
  for (let time = 0; time < TIMES && !signal.aborted; time++) {
    const request = new Request('http://localhost/execute', { method: 'POST' })
    const answer = await rehearsed.fetch(request, bindingsOf(rehearsedRequest()))
    if (answer.status !== 200) throw new Error(await answer.text())
    await pause(clock, APART_MS, signal)
  }
  await host.stop({ graceMs: 0 })
  journal.close()
}
