/** Who may run a command line on a phone: the rule holds for whoever asks, and also for an execution that waits or resumes. */
import { describe, expect, test } from 'vitest'
import { type Policy, Policy as PolicySchema } from '../../../src/contracts/policy.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { ExecutionOrder } from '../../../src/service/executions/order.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { accept } from '../../contracts/parse.ts'
import { shellOk } from '../../support/device/fake-link.ts'
import { deeds, phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { until } from '../../support/until.ts'

const clock = systemClock()
const RUN = '0197a9a0-0000-7000-8000-000000000001'
const APPS = 'com.example.notes'
const inFront = (packageName: string) => shellOk(`  mCurrentFocus=Window{1 u0 ${packageName}/.Main}\n`)

const executionOf = (actions: readonly object[]) => {
  const validation = validateExecution(payloadOf(actions))
  if (!validation.ok) throw new Error(validation.error.message)
  return validation.execution
}
const SHELL = [{ id: 'sh', type: 'shell', params: { command: 'id' } }]

const started = (
  policy?: object,
  answer: (command: string) => ReturnType<typeof shellOk> | undefined = () => undefined,
) => {
  const journal = memoryJournal({ alive: () => true, clock })
  const link = phone(clock, command => answer(command) ?? (command.startsWith('echo $$') ? shellOk() : undefined))
  const { execute } = svcProcess({
    journal,
    clock,
    link,
    ...(policy === undefined ? {} : { policy: accept(PolicySchema, policy) as Policy }),
  })
  const run = async (more: Partial<ExecutionOrder> = {}, actions: readonly object[] = SHELL) => {
    const request = { execution: executionOf(actions), deviceId: 'd1', operatorPackage: 'svc.shell', ...more }
    const { result } = await execute(request)
    return result.ok
      ? { code: result.envelope.errorCode ?? 'DONE', details: result.envelope.error?.details }
      : result.error
  }
  return { run, journal, link, execute }
}

const rules = (...given: object[]) => ({ rules: given.map((rule, index) => ({ id: `r${index}`, ...rule })) })
const allow = (more: object = {}) => ({ effect: 'allow', ...more })
const CALLERS: Record<string, Partial<ExecutionOrder>> = {
  cli: { caller: 'cli' },
  http: { caller: 'http' },
  mcp: { caller: 'mcp' },
  'http that names a run': { caller: 'http', skillRunId: RUN },
  'a run that this host does not know': { caller: 'cli', skillRunId: RUN },
}

describe.each(Object.entries(CALLERS))('%s', (name, who) => {
  const otherwise = name === 'cli' ? 'DONE' : 'SHELL_DENIED'
  test.each<[string, object | undefined, string]>([
    ['without a policy', undefined, otherwise],
    ['with one that says nothing of it', rules(), otherwise],
    ['with a rule that allows everything', rules(allow()), otherwise],
    ['with a rule that allows *', rules(allow({ actions: ['*'] })), otherwise],
    ['with a rule that allows a pattern of it', rules(allow({ actions: ['sh*'] })), otherwise],
    ['with a rule that allows it by name', rules(allow({ actions: ['click', 'shell'] })), 'DONE'],
    ['with one of another device', rules(allow({ actions: ['shell'], devices: ['d2'] })), otherwise],
    [
      'with one that asks a person',
      rules({ effect: 'confirm', actions: ['shell'] }),
      name === 'cli' ? 'EXECUTION_DENIED' : 'SHELL_DENIED',
    ],
    [
      'with one that denies it beside',
      rules(allow({ actions: ['shell'] }), { effect: 'deny', actions: ['shell'] }),
      'EXECUTION_DENIED',
    ],
    ['with one that denies everything', rules({ effect: 'deny' }), 'EXECUTION_DENIED'],
    ['where nothing is allowed by default', { default: 'deny' }, name === 'cli' ? 'EXECUTION_DENIED' : 'SHELL_DENIED'],
    ['where it alone is allowed', { default: 'deny', ...rules(allow({ actions: ['shell'] })) }, 'DONE'],
  ])('%s', async (_, policy, code) => {
    const { run, link } = started(policy)
    const answer = await run(who)
    expect(answer.code).toBe(code)
    expect(deeds(link)).toHaveLength(code === 'DONE' ? 1 : 0)
    if (code !== 'DONE') expect(answer.details).toMatchObject({ action: 'shell', dispatched: false })
  })
})

test('a rule for skills alone fits a run of any host, and one for a skill the runs that this host knows', async () => {
  const asRun = { caller: 'cli', skillRunId: RUN } as const
  expect(await started(rules(allow({ actions: ['shell'], callers: ['skill'] }))).run(asRun)).toMatchObject({
    code: 'DONE',
  })
  const named = rules(allow({ actions: ['shell'], skills: ['com.example.read'] }))
  expect(await started(named).run(asRun)).toMatchObject({ code: 'SHELL_DENIED' })
  const known = started(named)
  const event = { type: 'run.requested', skillId: 'com.example.read' }
  await known.journal.append(recordOf(`skill-run:${RUN}`, 0, { machine: 'skill-run', event, tags: ['in-flight'] }))
  expect(await known.run(asRun)).toMatchObject({ code: 'DONE' })
})

test('the denial is on record, and says what to do', async () => {
  const { run, journal } = started()
  expect(await run({ caller: 'http' })).toMatchObject({
    message: expect.stringContaining('names shell for http'),
    hint: expect.stringContaining('"actions":["shell"]'),
    details: { rule: 'default', effect: 'deny', caller: 'http' },
  })
  expect(journal.records({ actor: 'policy' })).toMatchObject([{ event: { type: 'execution.denied', action: 'shell' } }])
})

test('one step of several denies them all', async () => {
  const { run, link } = started()
  const home = { id: 'home', type: 'press_key', params: { key: 'home' } }
  expect(await run({ caller: 'mcp' }, [home, ...SHELL])).toMatchObject({ code: 'SHELL_DENIED' })
  expect(deeds(link)).toEqual([])
})

test.each([
  [APPS, 'DONE'],
  ['com.example.bank', 'SHELL_DENIED'],
])('a rule for an application holds while that is in front: %s', async (front, code) => {
  const policy = rules(allow({ actions: ['shell'], packages: [APPS] }))
  const { run, link } = started(policy, command => (command === 'dumpsys window' ? inFront(front) : undefined))
  expect(await run({ caller: 'http' })).toMatchObject({ code })
  expect(deeds(link)).toHaveLength(code === 'DONE' ? 1 : 0)
})

test('whoever may not run it does not wait for a busy phone', async () => {
  let end = () => {}
  const held = new Promise<void>(resolve => {
    end = resolve
  })
  const journal = memoryJournal({ alive: () => true, clock })
  const link = phone(clock, command => (command.startsWith('input') ? held.then(() => shellOk()) : undefined))
  const { execute } = svcProcess({ journal, clock, link })
  const first = execute(pressHome())
  await until(() => link.calls.some(call => call.includes('keyevent')), 'the first to act')
  const { result } = await execute({
    execution: executionOf(SHELL),
    deviceId: 'd1',
    operatorPackage: 'svc.shell',
    caller: 'http',
    waitMs: 60_000,
  })
  expect(result).toMatchObject({ ok: false, error: { code: 'SHELL_DENIED' } })
  end()
  await first
  expect(deeds(link)).toHaveLength(1)
})
