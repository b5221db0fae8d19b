/** The operator side over real links to simulated devices: all ways, and each fault ends in its documented code in time. */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeviceEmitted } from '../../machines/device/device-setup.ts'
import { tcpDevices } from '../../src/contracts/device/addresses.ts'
import { SHELL_OPERATOR_PACKAGE } from '../../src/contracts/device/operator.ts'
import { Action } from '../../src/contracts/executions/action.ts'
import { ExecutionResult } from '../../src/contracts/executions/execution-result.ts'
import { DEFAULT_OPERATOR_PACKAGE } from '../../src/contracts/json/literals.ts'
import { ENVELOPE_GRACE_MS, LATE_ANSWER_MS } from '../../src/contracts/limits/limits.ts'
import { createInteractiveCheck } from '../../src/device/link/interactive.ts'
import { createLinks } from '../../src/device/link/links.ts'
import { createSessions } from '../../src/device/operators/app/session/sessions.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import type { Dispatch } from '../../src/service/executions/dispatch.ts'
import { NO_FENCE } from '../../src/service/executions/fence.ts'
import { operatorPort } from '../../src/service/executions/run/operator-port.ts'
import { defaultScenario } from '../../src/simulator/scenario/default/apps.ts'
import type { OPERATOR_FAULT_KINDS } from '../../src/simulator/scenario/fault.ts'
import { type FleetOptions, startSimulatedPhones } from '../../src/simulator/simulated-phones.ts'
import { accept } from '../contracts/parse.ts'
import { createRealAdb, type RealAdb } from '../support/adb/real-adb.ts'
import { executionOf } from '../support/device/operator-samples.ts'
import { screenParts } from '../support/device/screen-parts.ts'
import { answerFor, deviceHost, request, target } from '../support/executions/device-host.ts'
import { needs } from '../support/needs.ts'

const clock = systemClock()
const closers: Array<() => Promise<void> | void> = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})
const folder = mkdtempSync(join(tmpdir(), 'svc-over-simulator-'))
closers.push(() => rmSync(folder, { recursive: true, force: true }))

interface Setup extends Omit<FleetOptions, 'clock'> {
  /** The adb server to go over; left out, the device is spoken to directly. */
  adb?: RealAdb
}

/** A host that drives a device of its own. */
const setup = async ({ adb, ...options }: Setup) => {
  const fleet = await startSimulatedPhones({ ...options, clock })
  const serial = fleet.devices[0]?.serial ?? ''
  await adb?.run('connect', serial)
  const links = createLinks({
    clock,
    server: { path: adb?.socketPath ?? join(folder, 'no-adb-server') },
    program: { path: undefined, env: {} },
    tcpDevices: tcpDevices(adb ? undefined : serial),
    keyPath: join(folder, 'adbkey'),
  })
  const sessions = createSessions({ clock, openLink: links.get })
  const journal = memoryJournal({ alive: () => true, clock })
  const host = deviceHost({
    journal,
    clock,
    operator: operatorPort({
      fence: NO_FENCE,
      clock,
      sessions,
      checkInteractive: createInteractiveCheck(clock),
      ...screenParts(journal, clock),
    }),
  })
  closers.push(async () => {
    await host.stop({ graceMs: 0 })
    await sessions.close()
    await links.close()
    await fleet.close()
  })
  let executions = 0
  const run = async (actions: unknown[], more: { operatorPackage?: string; timeoutMs?: number } = {}) => {
    const { operatorPackage = DEFAULT_OPERATOR_PACKAGE, timeoutMs = 20_000 } = more
    const executionId = `e${executions++}`
    const parsed = actions.map((action, index) =>
      accept(Action, { id: `s${index}`, params: {}, ...(action as object) }),
    )
    const execution = executionOf(parsed, { timeoutMs })
    const screenshots = { relativeTo: folder, newFilesIn: folder }
    const body: Dispatch = { execution, operatorPackage, serial, screenshots }
    const { commandId, taskId } = execution
    const startedAt = clock.elapsed()
    const answer = await host.ask<DeviceEmitted>(
      target(serial),
      request(executionId, clock, { commandId, taskId, timeoutMs, body, deviceId: serial }),
      { matches: answerFor(executionId), until: clock.now() + 60_000 },
    )
    if (answer.kind !== 'answered' || answer.emitted.type !== 'execution.answered')
      throw new Error(JSON.stringify(answer))
    return { result: accept(ExecutionResult, answer.emitted.result), tookMs: clock.elapsed() - startedAt }
  }
  return { run, fleet }
}

const journey = (shot: string) => [
  { type: 'open_app', params: { applicationId: 'com.android.settings' } },
  { type: 'scroll_and_click', params: { matcher: { textEquals: 'About phone' } } },
  { type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Android version' } } },
  { type: 'take_screenshot', params: { path: shot } },
  { type: 'snapshot' },
  { type: 'close_app', params: { applicationId: 'com.android.settings' } },
  { type: 'wait_for_navigation', params: { expectedNode: { textEquals: 'Settings' }, timeoutMs: 5_000 } },
]

const OPERATORS = [
  ['broadcast', DEFAULT_OPERATOR_PACKAGE],
  ['socket', DEFAULT_OPERATOR_PACKAGE],
  ['none', SHELL_OPERATOR_PACKAGE],
] as const

const journeys = (adb?: RealAdb) => {
  test.each(OPERATORS)('takes an execution through its segments (%s, %s)', async (operator, operatorPackage) => {
    const { run, fleet } = await setup({ operator, ...(adb ? { adb } : {}) })
    const shot = `${operator}-${adb ? 'server' : 'direct'}.png`
    const { result } = await run(journey(shot), { operatorPackage, timeoutMs: 60_000 })
    expect(result).toMatchObject({
      ok: true,
      envelope: {
        commandId: 'caller-command',
        status: 'success',
        stepResults: [
          {},
          {},
          { data: { value: '15' } },
          { actionType: 'take_screenshot', data: { path: join(folder, shot) } },
          { data: { text: expect.stringContaining('<hierarchy') } },
          {},
          {},
        ],
      },
    })
    expect(statSync(join(folder, shot)).size).toBeGreaterThan(1_000)
    const ways = fleet.devices[0]?.phone.executions().map(({ way }) => way)
    expect(ways).toEqual(operator === 'none' ? [] : [operator, operator, operator])
  })

  test.each(['broadcast', 'socket'] as const)('survives a link that breaks and comes back (%s)', async operator => {
    const faults = [{ after: 1, do: 'link-lost-after' as const, times: 1 }]
    const { run, fleet } = await setup({ operator, faults, ...(adb ? { adb } : {}) })
    for (let round = 0; round < 3; round++) {
      expect((await run([{ type: 'press_key', params: { key: 'home' } }])).result).toMatchObject({ ok: true })
    }
    expect(fleet.devices[0]?.phone.executions()).toHaveLength(3)
  })
}

describe.concurrent('directly', () => journeys())

/** `svc.shell` on a device of the default scenario with the search of Settings in front. */
const overShell = async (options: Setup) => {
  const { run, fleet } = await setup({ operator: 'none', ...options })
  const perform = (...actions: object[]) => run(actions, { operatorPackage: SHELL_OPERATOR_PACKAGE })
  await perform({ type: 'open_app', params: { applicationId: 'com.android.settings' } })
  return { perform, tree: () => JSON.stringify(fleet.devices[0]?.phone.tree()) }
}
const SEARCH = { resourceId: 'com.android.settings:id/search' }

describe.concurrent('svc.shell on a device with habits', () => {
  test('that keeps the windows of an app that did not respond: what is in front now counts', async () => {
    const scenario = defaultScenario()
    const device = { ...scenario.device, lastAnr: 'com.example.stuck' }
    const { perform } = await overShell({ scenario: { ...scenario, device } })
    const waitFor = (expectedPackage: string) => ({
      ...{ type: 'wait_for_navigation', params: { expectedPackage, timeoutMs: 1_000 } },
    })
    expect((await perform(waitFor('com.android.settings'))).result).toMatchObject({ ok: true })
    expect((await perform(waitFor('com.example.stuck'))).result).toMatchObject({
      ok: true,
      envelope: { status: 'failed' },
    })
    const click = { type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } }
    expect((await perform(click)).result).toMatchObject({ ok: true, envelope: { status: 'success' } })
  })

  test('that dies of a text with exit code 0: nothing was typed, and the step says so', async () => {
    const { perform, tree } = await overShell({ faults: [{ after: 0, do: 'text-dies', times: 1 }] })
    const enter = { type: 'enter_text', params: { text: 'lost', matcher: SEARCH } }
    expect((await perform(enter)).result).toMatchObject({ envelope: { status: 'failed', errorCode: 'ACTION_FAILED' } })
    expect(tree()).not.toContain('lost')
    expect((await perform(enter)).result).toMatchObject({ ok: true, envelope: { status: 'success' } })
    expect(tree()).toContain('"text":"lost"')
  })
})

describe.skipIf(!needs('adb'))('over the adb server', { concurrent: true }, () => {
  const adb = createRealAdb()
  beforeAll(adb.start)
  closers.push(adb.stop)
  journeys(adb)
})

describe.concurrent.each(['broadcast', 'socket'] as const)('faults over %s', operator => {
  /** Those that are known at once get more: a busy machine would reach the end of the wait first. */
  const timeoutOf = (fault: string) => (['slow', 'link-lost-before', 'device-gone'].includes(fault) ? 4_000 : 1_000)
  type FaultKind = (typeof OPERATOR_FAULT_KINDS)[number]
  const ENDS: Record<FaultKind, readonly string[]> = {
    'no-result': ['RESULT_ENVELOPE_TIMEOUT'],
    late: ['RESULT_ENVELOPE_TIMEOUT'],
    truncate: ['RESULT_ENVELOPE_MALFORMED'],
    'drop-chunk': ['RESULT_ENVELOPE_MALFORMED'],
    'repeat-chunk': ['ok'],
    garbage: ['ok'],
    slow: ['ok'],
    'link-lost-before': operator === 'broadcast' ? ['RESULT_ENVELOPE_TIMEOUT'] : ['DEVICE_LINK_LOST'],
    'link-lost-after': ['ok'],
    'device-gone': ['DEVICE_LINK_LOST'],
  }

  const happen = async (fault: FaultKind) => {
    const { run, fleet } = await setup({ operator, faults: [{ after: 1, do: fault, times: 1 }] })
    const click = [{ type: 'press_key', params: { key: 'home' } }]
    const before = await run(click)
    const during = await run(click, { timeoutMs: timeoutOf(fault) })
    const after = fault === 'device-gone' ? undefined : await run(click)
    return { before, during, after, seen: fleet.devices[0]?.phone.executions().map(({ wireId }) => wireId) ?? [] }
  }

  // Most of them are waited out, each on a device of its own, so all wait together.
  const happening = new Map<FaultKind, ReturnType<typeof happen>>()
  beforeAll(async () => {
    for (const fault of Object.keys(ENDS) as FaultKind[]) happening.set(fault, happen(fault))
    await Promise.allSettled(happening.values())
  })

  test.each(Object.entries(ENDS) as [FaultKind, string[]][])('%s', async (fault, [end]) => {
    const happened = await happening.get(fault)
    expect(happened?.before.result.ok).toBe(true)
    const { result, tookMs } = happened?.during ?? {}
    expect(result?.ok ? 'ok' : result?.error.code).toBe(end)
    if (!result?.ok) {
      expect(result?.error.details).toMatchObject({ executionId: 'e1' })
      expect(tookMs).toBeLessThan(timeoutOf(fault) + ENVELOPE_GRACE_MS + 2 * LATE_ANSWER_MS)
    }
    if (fault !== 'device-gone') expect(happened?.after?.result.ok).toBe(true)
    const seen = happened?.seen ?? []
    expect(new Set(seen).size).toBe(seen.length)
  })
})

test.concurrent('a payload that no command line can carry is read from its file', async () => {
  const { run, fleet } = await setup({ operator: 'broadcast' })
  const texts = Array.from({ length: 30 }, (_, index) => ({
    type: 'show_toast',
    params: { text: `'${index}`.padEnd(2_000, "'") },
  }))
  const { result } = await run(texts)
  expect(result).toMatchObject({ ok: true, envelope: { status: 'success' } })
  expect(fleet.devices[0]?.phone.files.list('/data/local/tmp') ?? []).toEqual([])
})

test.concurrent('a hostile package name is not installed, and does nothing else', async () => {
  const { run, fleet } = await setup({ operator: 'broadcast' })
  for (const operatorPackage of ['x; echo pwned > /sdcard/pwned #', "'; rm -rf / '", '$(reboot)', '-a x']) {
    const { result } = await run([{ type: 'sleep', params: { durationMs: 0 } }], { operatorPackage })
    expect(result).toMatchObject({ error: { code: 'OPERATOR_NOT_INSTALLED', details: { dispatched: false } } })
  }
  expect(fleet.devices[0]?.phone.files.read('/sdcard/pwned')).toBeUndefined()
})

test('keys of the screen wake nothing themselves, and the step behind them finds the phone in use', async () => {
  const { run, fleet } = await setup({})
  const phone = fleet.devices[0]?.phone
  const press = (key: string) => run([{ type: 'press_key', params: { key } }])
  const open = { type: 'open_app', params: { applicationId: 'com.android.settings' } }
  await run([open])
  expect((await press('soft_sleep')).result).toMatchObject({ ok: true, envelope: { status: 'success' } })
  expect(phone?.isAwake()).toBe(false)
  await press('power')
  expect([phone?.isAwake(), phone?.isLocked()]).toEqual([true, true])
  expect((await run([open])).result).toMatchObject({ ok: true, envelope: { status: 'success' } })
  expect(phone?.isLocked()).toBe(false)
})
