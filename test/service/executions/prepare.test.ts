/** What the policy says of an execution, asked of the executor: by whatever step an action is done, and whoever says it asks. */
import { describe, expect, test } from 'vitest'
import type { ExecutionResult } from '../../../src/contracts/executions/execution-result.ts'
import { type Policy, Policy as PolicySchema } from '../../../src/contracts/policy.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { ExecutionOrder } from '../../../src/service/executions/order.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { accept } from '../../contracts/parse.ts'
import { shellOk } from '../../support/device/fake-link.ts'
import { deeds, type ProcessOptions, phone, svcProcess } from '../../support/executions/executor-bench.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { recordOf } from '../../support/runtime/records.ts'

const clock = systemClock()
const DONE: ExecutionResult = {
  ok: false,
  error: { code: 'RESULT_ENVELOPE_TIMEOUT', message: 'It went to the phone.' },
}

const started = (policy: object, more: Partial<ProcessOptions> = {}) => {
  const journal = memoryJournal({ alive: () => true, clock })
  const link = phone(clock)
  const { execute } = svcProcess({
    journal,
    clock,
    link,
    policy: accept(PolicySchema, policy) as Policy,
    operator: async ({ executionId }, { send }) => {
      await send({ type: 'execution.settled', executionId, ok: false, body: DONE })
    },
    ...more,
  })
  const run = async (actions: readonly object[], more: Partial<ExecutionOrder> = {}) => {
    const validation = validateExecution(payloadOf(actions.map((action, index) => ({ id: `s${index}`, ...action }))))
    if (!validation.ok) throw new Error(validation.error.message)
    const request = { execution: validation.execution, deviceId: 'd1', operatorPackage: 'svc.shell', ...more }
    const { result } = await execute(request)
    if (!result.ok) return result.error
    const { errorCode, error } = result.envelope
    return { code: errorCode ?? 'DONE', message: error?.message ?? '', details: error?.details }
  }
  return { run, journal, link }
}

const OK = { textEquals: 'OK' }
const point = (x: number, y = 0) => ({ x, y })
const STEPS = {
  click: { type: 'click', params: { matcher: OK } },
  'long click': { type: 'tap', params: { matcher: OK, clickType: 'long' } },
  'click by a ref': { type: 'click', params: { matcher: { ref: '@1.1' } } },
  'scroll and click': { type: 'scroll_and_click', params: { matcher: OK } },
  'scroll and do not click': { type: 'scroll_and_click', params: { matcher: OK, clickAfter: false } },
  'scroll until': { type: 'scroll_until', params: { matcher: OK } },
  'scroll until, then click': { type: 'scroll_until', params: { matcher: OK, clickAfter: true } },
  scroll: { type: 'scroll' },
  swipe: { type: 'swipe', params: { start: point(0), end: point(500) } },
  'swipe in place': { type: 'swipe', params: { start: point(10, 10), end: point(12, 13), durationMs: 900 } },
  'enter text': { type: 'type_text', params: { matcher: OK, text: 'a' } },
  'enter text and submit': { type: 'enter_text', params: { matcher: OK, text: 'a', submit: true } },
  'enter two lines': { type: 'enter_text', params: { matcher: OK, text: 'a\nb' } },
  back: { type: 'key_press', params: { key: 'back' } },
  'open app': { type: 'open_app', params: { applicationId: 'a.b' } },
  'open uri': { type: 'open_url', params: { uri: 'app://x' } },
  read: { type: 'read', params: { matcher: OK } },
  'read pair': { type: 'read_key_value_pair', params: { labelMatcher: OK } },
  snapshot: { type: 'snapshot_ui' },
  screenshot: { type: 'screenshot' },
  wait: { type: 'find', params: { matcher: OK } },
} as const
type StepName = keyof typeof STEPS

/** Every step that a rule for that action forbids; all others it does not. */
const FORBIDS: Record<string, readonly StepName[]> = {
  click: ['click', 'long click', 'click by a ref', 'scroll and click', 'scroll until, then click', 'swipe in place'],
  scroll_and_click: ['scroll and click', 'scroll and do not click', 'scroll until, then click'],
  scroll_until: ['scroll until', 'scroll until, then click', 'scroll and click', 'scroll and do not click'],
  scroll: [
    'scroll',
    'scroll until',
    'scroll until, then click',
    'scroll and click',
    'scroll and do not click',
    'swipe',
    'swipe in place',
  ],
  enter_text: ['enter text', 'enter text and submit', 'enter two lines'],
  press_key: ['back', 'enter text and submit', 'enter two lines'],
  open_app: ['open app', 'open uri'],
  open_uri: ['open uri'],
  read_text: ['read', 'read pair', 'snapshot', 'click by a ref'],
  snapshot: ['snapshot', 'click by a ref'],
  take_screenshot: ['screenshot'],
  wait_for_node: ['wait'],
}

describe('a rule that forbids an action forbids every step that contains it, and no other', () => {
  test.each(Object.entries(FORBIDS))('%s', async (action, forbidden) => {
    for (const effect of ['deny', 'confirm']) {
      const { run, link } = started({ rules: [{ id: 'no', effect, actions: [action] }] })
      const denied: string[] = []
      for (const [name, step] of Object.entries(STEPS)) {
        const error = await run([step])
        if (error.code !== 'EXECUTION_DENIED') continue
        denied.push(name)
        expect(error.details).toMatchObject({ rule: 'no', effect, dispatched: false })
        // The step is named as it was asked for, with what in it the rule is about.
        if (error.details?.action !== action) expect(error.details?.contained).toBe(action)
      }
      expect(denied.sort()).toEqual([...forbidden].sort())
      expect(deeds(link)).toEqual([])
    }
  })

  test('swipes and scrolls are the same gesture', async () => {
    const { run } = started({ rules: [{ id: 'no', effect: 'deny', actions: ['swipe'] }] })
    for (const name of FORBIDS.scroll ?? []) {
      expect([name, (await run([STEPS[name]])).code]).toEqual([name, 'EXECUTION_DENIED'])
    }
  })
})

test('a rule that allows an action allows no more than it names', async () => {
  const allowed = async (actions: string[], name: StepName) => {
    const { run } = started({ default: 'deny', rules: [{ id: 'yes', effect: 'allow', actions }] })
    return (await run([STEPS[name]])).code !== 'EXECUTION_DENIED'
  }
  expect(await allowed(['scroll_and_click'], 'scroll and click')).toBe(true)
  expect(await allowed(['click'], 'scroll and click')).toBe(false)
  expect(await allowed(['scroll_until'], 'scroll until')).toBe(true)
  expect(await allowed(['scroll_until'], 'scroll until, then click')).toBe(false)
  expect(await allowed(['scroll_until', 'click'], 'scroll until, then click')).toBe(true)
  expect(await allowed(['enter_text'], 'enter text and submit')).toBe(false)
  expect(await allowed(['swipe'], 'swipe in place')).toBe(false)
  expect(await allowed(['click'], 'click by a ref')).toBe(false)
  expect(await allowed(['click', 'snapshot'], 'click by a ref')).toBe(true)
})

describe('an installation, whose files alone name the application', () => {
  const INSTALL = { type: 'install_app', params: { paths: ['/tmp/app.apk'] } }
  const isDenied = async (policy: object) => (await started(policy).run([INSTALL])).code === 'EXECUTION_DENIED'
  const rule = (effect: string, more: object) => ({ id: 'r', effect, ...more })

  test('is forbidden by a rule that forbids it, or what it contains, for some application', async () => {
    expect(await isDenied({ rules: [rule('deny', { actions: ['install_app'], packages: ['com.bank'] })] })).toBe(true)
    expect(await isDenied({ rules: [rule('deny', { actions: ['close_app'], packages: ['com.bank'] })] })).toBe(true)
    expect(await isDenied({ rules: [rule('confirm', { actions: ['install_app'] })] })).toBe(true)
    expect(await isDenied({ rules: [rule('deny', { actions: ['click'], packages: ['com.bank'] })] })).toBe(false)
  })

  test('is not allowed by a rule that allows it for some application', async () => {
    const only = (more: object) => ({ default: 'deny', rules: [rule('allow', { actions: ['install_app'], ...more })] })
    expect(await isDenied(only({ packages: ['com.example.*'] }))).toBe(true)
    expect(await isDenied(only({}))).toBe(false)
  })
})

describe('a rule for a device counts whatever the device is called by', () => {
  const link = { ...phone(clock), hardwareSerial: async () => 'HW1' }
  const joined = async (journal: Journal) => {
    const event = { type: 'join.requested', host: 'box', fleet: 'f', instance: 'i' }
    await journal.append(recordOf('membership:fleet', 0, { machine: 'membership', event }))
  }

  test.each([
    ['d1', 'd1'],
    ['HW1', 'd1'],
    ['HW1', undefined],
    ['d1@box', 'd1'],
    ['HW1@box', undefined],
    ['*@box', ''],
  ])('a rule for %s, and the device %j', async (device, deviceId) => {
    const { run, journal } = started({ rules: [{ id: 'no', effect: 'deny', devices: [device] }] }, { link })
    await joined(journal)
    expect((await run([STEPS.click], { deviceId })).code).toBe('EXECUTION_DENIED')
  })

  test('and no rule of another device', async () => {
    const { run, journal } = started({ rules: [{ id: 'no', effect: 'deny', devices: ['d2', 'd1@other'] }] }, { link })
    await joined(journal)
    expect((await run([STEPS.click])).code).toBe(DONE.ok ? '' : DONE.error.code)
  })
})

describe('the caller', () => {
  const inFlight = async (journal: Journal) => {
    const event = { type: 'run.requested', runId: 'r1', skillId: 'com.example.pay' }
    await journal.append(recordOf('skill-run:r1', 0, { machine: 'skill-run', event, tags: ['in-flight'] }))
  }
  const isDenied = async (rule: object, more: Partial<ExecutionOrder>) => {
    const { run, journal } = started({ rules: [{ id: 'no', effect: 'deny', ...rule }] })
    await inFlight(journal)
    return (await run([STEPS.click], more)).code === 'EXECUTION_DENIED'
  }

  test('of a command of the script of a skill is the skill', async () => {
    for (const caller of ['cli', 'mcp'] as const) {
      const ofRun = { caller, skillRunId: 'r1' }
      expect(await isDenied({ callers: ['skill'] }, ofRun)).toBe(true)
      expect(await isDenied({ skills: ['com.example.*'] }, ofRun)).toBe(true)
      expect(await isDenied({ callers: [caller] }, ofRun)).toBe(false)
      expect(await isDenied({ callers: ['skill'] }, { caller, skillRunId: 'r2' })).toBe(false)
    }
  })

  test('over HTTP stays that, whichever run it names, and the run stays on record as a link', async () => {
    const ofRun = { caller: 'http', skillRunId: 'r1' } as const
    expect(await isDenied({ callers: ['http'] }, ofRun)).toBe(true)
    expect(await isDenied({ callers: ['skill'] }, ofRun)).toBe(false)
    expect(await isDenied({ skills: ['com.example.pay'] }, ofRun)).toBe(false)
    const { run, journal } = started({ rules: [{ id: 'no', effect: 'deny' }] })
    await inFlight(journal)
    await run([STEPS.click], ofRun)
    expect(journal.last('policy')?.event).toMatchObject({ caller: 'http', skillRunId: 'r1' })
    expect(journal.last('policy')?.event).not.toHaveProperty('skill')
  })
})

describe('a rule for the application in front', () => {
  const focus = (window: string) => shellOk(`  mCurrentFocus=Window{3a0e2f1 u0 ${window}}`)
  const BANK = 'com.bank/com.bank.Main'
  const asleep = (window: (isAwake: boolean) => string) => {
    let isAwake = false
    return phone(
      clock,
      command => {
        if (command.includes('KEYCODE_WAKEUP')) isAwake = true
        return command === 'dumpsys window' ? focus(window(isAwake)) : undefined
      },
      'Asleep',
    )
  }
  const noBank = { rules: [{ id: 'no', effect: 'deny', packages: ['com.bank'] }] }

  test('wakes no phone that shows it, and is on record', async () => {
    const link = asleep(() => BANK)
    const { run, journal } = started(noBank, { link, operator: undefined })
    const error = await run([STEPS.click])
    expect(error).toMatchObject({ code: 'EXECUTION_DENIED', details: { package: 'com.bank', dispatched: false } })
    expect(error.message).toContain('nothing was done on the device')
    expect(deeds(link)).toEqual([])
    const { executionId } = error.details ?? {}
    expect(journal.last('policy')?.event).toMatchObject({ rule: 'no', package: 'com.bank', executionId })
  })

  test('says that the phone was woken, where only that showed it', async () => {
    const link = asleep(isAwake => (isAwake ? BANK : 'NotificationShade'))
    const error = await started(noBank, { link, operator: undefined }).run([STEPS.click])
    expect(error).toMatchObject({ code: 'EXECUTION_DENIED', details: { dispatched: false, woken: true } })
    expect(error.message).toContain('only the screen of the device was switched on')
    expect(deeds(link)).toHaveLength(1)
  })

  test('of which nothing is known: what forbids may fit, what is for another action does not', async () => {
    const link = asleep(() => 'null')
    const rule = { id: 'no', effect: 'confirm', packages: ['com.bank'], actions: ['click'] }
    const { run } = started({ rules: [rule] }, { link, operator: undefined })
    expect((await run([STEPS.click])).details).toMatchObject({ rule: 'no', effect: 'confirm' })
    expect((await run([STEPS.click], { confirmed: ['no'] })).code).not.toBe('EXECUTION_DENIED')
    expect((await run([STEPS.back])).code).not.toBe('EXECUTION_DENIED')
  })
})
