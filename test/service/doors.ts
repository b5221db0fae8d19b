/** One request put through every door, and the answers in one form: the code, the details, and what reached a phone. */
import { expect } from 'vitest'
import { httpStatusOf } from '../../src/contracts/failures/failures.ts'
import type { SimulatedPhones } from '../../src/simulator/simulated-phones.ts'
import type { CliEnded } from '../support/cli/run-cli.ts'
import { call } from '../support/http/http-client.ts'
import type { McpCaller } from '../support/mcp-client.ts'

/** The same request as each door takes it. A door that has no such request is left out. */
export interface Asked {
  http?: { method?: 'GET' | 'POST' | 'DELETE'; path: string; body?: unknown; headers?: Record<string, string> }
  cli?: readonly string[]
  mcp?: readonly [tool: string, args: Record<string, unknown>]
}

export interface Answer {
  /** `ok`, or the code of the failure. */
  code: string
  /** Of a failure, with ids, times, processes and phones under names that are the same at each door. */
  details: Record<string, unknown>
  /** Says whether the device may have acted. */
  dispatched: unknown
  /** Executions that reached a phone meanwhile. */
  sent: number
  /** Of a failure: what to do next. */
  hint: string | undefined
  /** The whole answer as it came. */
  raw: Record<string, unknown>
}

export type Door = (asked: Asked) => Promise<Answer> | undefined

export interface World {
  fleet: SimulatedPhones
  /** Serials as hosts list them, by the names that the answers get. */
  names: Readonly<Record<string, string>>
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Lists of devices begin with those of the host that made them. */
const sorted = (details: Record<string, unknown>) =>
  Array.isArray(details.connected)
    ? {
        ...details,
        connected: [...details.connected].sort(),
        ...(Array.isArray(details.devices) ? { devices: [...details.devices].sort(byDeviceId) } : {}),
      }
    : details

const byDeviceId = (a: { deviceId: string }, b: { deviceId: string }) => a.deviceId.localeCompare(b.deviceId)

export const plain = <T>(value: T, { names }: Pick<World, 'names'>): T => {
  let text = JSON.stringify(value) ?? 'null'
  for (const [serial, name] of Object.entries(names)) text = text.replaceAll(serial, name)
  return JSON.parse(
    text
      .replace(ID, 'ID')
      .replace(/@\d+\.(\d+)/g, '@SCREEN.$1')
      .replace(/"(pid|since)":\d+/g, '"$1":0'),
  )
}

const reached = (fleet: SimulatedPhones) => fleet.devices.reduce((sum, { phone }) => sum + phone.executions().length, 0)

interface Failed {
  code: string
  hint?: string
  details?: Record<string, unknown>
}

interface Said {
  error?: Failed | undefined
  raw: Record<string, unknown>
}

/** The failure of an execution that has an envelope is in there. */
const inEnvelope = ({ envelope }: Record<string, unknown>): Failed | undefined =>
  (envelope as { error?: Failed | null } | undefined)?.error ?? undefined

/** Facts that only the tools have in the failure itself; elsewhere they stand beside it. */
const BESIDE = ['runId', 'executionIds', 'exitCode', 'skillResult', 'stdout', 'stderr']

const answerOf = async (world: World, ask: () => Promise<Said>): Promise<Answer> => {
  const before = reached(world.fleet)
  const { error, raw } = await ask()
  const isRun = inEnvelope(raw) !== undefined
  const { dispatched = error === undefined || isRun, ...details } = error?.details ?? {}
  for (const key of BESIDE) delete details[key]
  return {
    code: error?.code ?? 'ok',
    details: sorted(plain(details, world)),
    dispatched,
    sent: reached(world.fleet) - before,
    hint: error?.hint,
    raw,
  }
}

export const overHttp =
  (url: () => string, world: World): Door =>
  ({ http }) =>
    http &&
    answerOf(world, async () => {
      const { path, method = 'POST', body, headers } = http
      const answer = await call(`${url()}${path}`, {
        method,
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
      })
      const raw = answer.json as Record<string, unknown>
      const refusal = raw.error as Said['error']
      expect(answer.status, answer.text).toBe(refusal ? httpStatusOf(refusal.code) : 200)
      return { raw, error: refusal ?? inEnvelope(raw) }
    })

export const overCli =
  (svc: (args: readonly string[]) => Promise<CliEnded>, world: World): Door =>
  ({ cli }) =>
    cli &&
    answerOf(world, async () => {
      const { json, code } = await svc(cli)
      const raw = json()
      const error = typeof raw.code === 'string' ? (raw as unknown as Failed) : inEnvelope(raw)
      const hasFailedFlows = (raw.testRun as { verdict?: string } | undefined)?.verdict === 'failed'
      expect(code, `the exit code of svc ${cli.join(' ')}`).toBe(error || hasFailedFlows ? 1 : 0)
      return { raw, error }
    })

/** The tools say the execution and the effect beside the details. */
export const overMcp =
  (caller: () => McpCaller, world: World): Door =>
  ({ mcp }) =>
    mcp &&
    answerOf(world, async () => {
      const { isError, structured: raw } = await caller().call(...mcp)
      if (!isError) return { raw }
      const { code, hint, executionId, dispatched, details } = raw as Failed & Record<string, unknown>
      const named = executionId === undefined ? {} : { executionId }
      return {
        raw,
        error: {
          code,
          ...(hint === undefined ? {} : { hint }),
          details: { ...(details as object), ...named, dispatched },
        },
      }
    })

/** Through every door that has the request, one after the other. */
export const throughAll = async (
  doors: Readonly<Record<string, Door>>,
  ask: () => Asked | Promise<Asked>,
): Promise<Record<string, Answer>> => {
  const answers: Record<string, Answer> = {}
  for (const [name, door] of Object.entries(doors)) {
    const answer = await door(await ask())
    if (answer) answers[name] = answer
  }
  return answers
}

export const rawOf = (answers: Record<string, Answer>, door: string): Record<string, unknown> => {
  const answer = answers[door]
  if (!answer) throw new Error(`${door} was not asked`)
  return answer.raw
}

/** The parts that have to be the same at each door. */
export const outcomes = (answers: Record<string, Answer>) =>
  Object.fromEntries(Object.entries(answers).map(([name, { raw: _, hint: __, ...outcome }]) => [name, outcome]))

/** The same outcome for each door that has answered. */
export const each = (answers: Record<string, Answer>, outcome: Outcome) =>
  Object.fromEntries(Object.keys(answers).map(name => [name, outcome]))

export const executionOf = (actions: readonly object[], more: object = {}) => ({
  commandId: 'c1',
  taskId: 't1',
  source: 'test',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 20_000,
  actions,
  ...more,
})

export const nap = (durationMs: number) => ({ id: 'nap', type: 'sleep', params: { durationMs } })
/** The details of MISSING: the screen on which it was not found is looked at once more, which the phone counts as sent. */
export const MISSED = {
  details: {
    actionId: 'tap',
    actionType: 'click',
    foreground: expect.any(String),
    nearest: expect.any(Array),
    onScreen: expect.any(Array),
    screen: expect.any(Number),
    text: expect.stringMatching(/^screen /),
  },
  sent: 2,
}
export const MISSING = { id: 'tap', type: 'click', params: { matcher: { textEquals: 'No such row' } } }

/** A blank device is left to svc. */
export const execute = (execution: object, device = ''): Required<Asked> => ({
  http: { path: '/execute', body: { execution, ...(device === '' ? {} : { deviceId: device }) } },
  cli: ['exec', JSON.stringify(execution), ...(device === '' ? [] : ['--device', device])],
  mcp: ['execute', { execution, ...(device === '' ? {} : { device }) }],
})

export const runSkill = (id: string, device = '', args: readonly string[] = []): Required<Asked> => ({
  http: { path: `/skills/${id}/run`, body: { args, ...(device === '' ? {} : { deviceId: device }) } },
  cli: ['skills', 'run', id, ...(device === '' ? [] : ['--device', device]), ...args],
  mcp: ['skills_run', { id, args, ...(device === '' ? {} : { device }) }],
})

export const lookUp = (executionId: string): Required<Asked> => ({
  http: { method: 'GET', path: `/executions/${executionId}` },
  cli: ['executions', 'show', executionId],
  mcp: ['receipt', { executionId }],
})

/** No tool cancels by an id: a call is cancelled. */
export const cancel = (executionId: string): Asked => ({
  http: { method: 'DELETE', path: `/executions/${executionId}` },
  cli: ['executions', 'cancel', executionId],
})

export const resume = (executionId: string, device = ''): Asked => ({
  http: { path: `/executions/${executionId}/resume`, body: device === '' ? {} : { deviceId: device } },
  cli: ['executions', 'resume', executionId, ...(device === '' ? [] : ['--device', device])],
})

export const NO_ID = '01890000-0000-7000-8000-000000000000'

export type Outcome = Omit<Answer, 'raw' | 'hint'>

export const UNSENT = { dispatched: false, sent: 0 }
export const DONE: Outcome = { code: 'ok', details: {}, dispatched: true, sent: 1 }
export const LOOKED: Outcome = { ...DONE, sent: 0 }

/** Asserts that every door that has the request answers this; a failure says at each door what to do next. */
export const same = async (
  doors: Readonly<Record<string, Door>>,
  ask: () => Asked | Promise<Asked>,
  outcome: Outcome,
): Promise<Record<string, Answer>> => {
  const answers = await throughAll(doors, ask)
  expect(outcomes(answers)).toEqual(each(answers, outcome))
  if (outcome.code === 'ok') return answers
  for (const [door, { hint }] of Object.entries(answers)) expect(hint, `the hint of ${door}`).toMatch(/\S/)
  return answers
}
