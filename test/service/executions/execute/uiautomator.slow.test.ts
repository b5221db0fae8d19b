/** svc.uiautomator when things go wrong on the phone: every request is done once or not at all, and the answer says what is known. */
import { describe, expect, test } from 'vitest'
import { pause } from '../../../../src/runtime/clock.ts'
import type { Executed } from '../../../../src/service/executions/order.ts'
import type { HELPER_FAULT_KINDS } from '../../../../src/simulator/scenario/fault.ts'
import { startCli } from '../../../support/cli/run-cli.ts'
import { keyboardApk, snapshotApk } from '../../../support/device/helper-apks.ts'
import { type Lab, type LabExecution, type LabOptions, payloadOf, startLab } from '../../../support/executions/lab.ts'
import { until } from '../../../support/until.ts'

const PACKAGE = 'com.callstack.agentdevice.snapshothelper'
const KEYBOARD = 'com.callstack.agentdevice.imehelper/.TestInputMethodService'
const USUAL_KEYBOARD = 'com.android.inputmethod.latin/.LatinIME'
const SWITCH = { resourceId: 'com.android.settings:id/wifi_switch' }
const FIELD = { resourceId: 'com.android.settings:id/search' }
const open = { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }
const tap = { id: 'tap', type: 'click', params: { matcher: SWITCH } }
const look = { id: 'look', type: 'wait_for_node', params: { matcher: SWITCH } }

const setup = async (options: LabOptions = {}) => {
  const lab = await startLab({ operator: 'none', apks: [snapshotApk(), keyboardApk()], ...options })
  const phone = lab.fleet.devices[0]?.phone
  if (!phone?.helpers) throw new Error('there is no phone')
  const run = (actions: readonly unknown[], more: LabExecution = {}) =>
    lab.execute(actions, { operatorPackage: 'svc.uiautomator', ...more })
  /** The same where nothing is to go wrong; a failure says what it was. */
  const succeed = async (actions: readonly unknown[]) => {
    const executed = await run(actions)
    expect(executed.result).toMatchObject({ ok: true, envelope: { status: 'success' } })
    return executed
  }
  const attribute = (name: string, id: string) =>
    new RegExp(`"resourceId":"${id}".*?"${name}":("[^"]*"|\\w+)`).exec(JSON.stringify(phone.tree()))?.[1]
  return {
    lab,
    phone,
    helpers: phone.helpers,
    run,
    succeed,
    isOn: () => attribute('checked', SWITCH.resourceId) === 'true',
    text: () => {
      const [, text = ''] =
        new RegExp(`"text":("[^"]*"),"resourceId":"${FIELD.resourceId}"`).exec(JSON.stringify(phone.tree())) ?? []
      return JSON.parse(text || '""')
    },
  }
}
type Setup = Awaited<ReturnType<typeof setup>>

const withPhone = async (options: LabOptions, check: (on: Setup) => Promise<void>) => {
  const on = await setup(options)
  try {
    await check(on)
  } finally {
    await on.lab.close()
  }
}

/** How an execution ended: `success`, the code of the failed envelope, or the code of the refusal. */
const endOf = ({ result }: Executed) => (result.ok ? (result.envelope.errorCode ?? 'success') : result.error.code)
const errorOf = ({ result }: Executed) => (result.ok ? undefined : result.error)
const dataOf = ({ result }: Executed, id: string) =>
  result.ok ? result.envelope.stepResults.find(step => step.id === id)?.data : undefined
const receiptOf = (lab: Lab, { executionId = '' }: Executed) => lab.services.journal().receipt(executionId)

type Kind = (typeof HELPER_FAULT_KINDS)[number]
/** The helper is asked for the screen when it starts and when the node is looked for; the third request is the touch. */
const FIRST_LOOK = 1
const TOUCH = 2

describe.concurrent('a touch', () => {
  const cases: readonly [Kind, string, boolean][] = [
    ['helper-dies-before', 'DEVICE_LINK_LOST', false],
    ['helper-dies-after', 'DEVICE_LINK_LOST', true],
    ['helper-hangs-up', 'DEVICE_LINK_LOST', true],
    ['helper-silent', 'RESULT_ENVELOPE_TIMEOUT', true],
    ['helper-late', 'success', true],
    ['touch-refused', 'GESTURE_FAILED', false],
  ]
  test.each(cases)('%s: ends as %s, done: %s', async (kind, end, done) => {
    await withPhone(
      { faults: [{ after: TOUCH, do: kind, times: 1, ms: 300 }] },
      async ({ lab, run, isOn, succeed }) => {
        await succeed([open])
        const before = isOn()
        const hit = await run([tap], { timeoutMs: kind === 'helper-silent' ? 1_500 : 20_000 })
        expect(endOf(hit)).toBe(end)
        expect(isOn()).toBe(done ? !before : before)
        if (!hit.result.ok) {
          expect(hit.result.error).toMatchObject({ retriable: false })
          expect(hit.result.error.message).toContain('may have executed')
          if (end === 'DEVICE_LINK_LOST') expect(hit.result.error.details).toMatchObject({ dispatched: true })
          expect(receiptOf(lab, hit)).toMatchObject({ state: 'settled', dispatchedAt: expect.any(Number) })
        }
        // The next one has a helper again, and its touch is its own.
        const now = isOn()
        await succeed([tap])
        expect(isOn()).toBe(!now)
      },
    )
  })
})

describe.concurrent('a look', () => {
  const cases: readonly [Kind, number][] = [
    ['helper-dies-before', 1],
    ['helper-hangs-up', 1],
    ['helper-late', 1],
    ['helper-blank', 2],
    // The session that gave a tree gives none any more: a new one does.
    ['helper-blank', 3],
    ['helper-silent', 1],
  ]
  test.each(cases)('%s, %i times: is repeated until there is a tree', async (kind, times) => {
    await withPhone({ faults: [{ after: FIRST_LOOK + 1, do: kind, times, ms: 300 }] }, async ({ isOn, succeed }) => {
      await succeed([open, look])
      const before = isOn()
      await succeed([tap])
      expect(isOn()).toBe(!before)
    })
  })
})

describe.concurrent('the start', () => {
  test('on a phone without the helper', async () => {
    await withPhone({ apks: [] }, async ({ lab, run }) => {
      const refused = await run([tap])
      expect(errorOf(refused)).toMatchObject({ code: 'OPERATOR_NOT_INSTALLED', details: { dispatched: false } })
      expect(errorOf(refused)?.hint).toContain('svc operator install')
      expect(receiptOf(lab, refused)?.dispatchedAt).toBeUndefined()
    })
  })

  test('of another build of the same version', async () => {
    const other = Buffer.concat([snapshotApk(), Buffer.from('x')])
    await withPhone({ apks: [other] }, async ({ run, helpers }) => {
      expect(errorOf(await run([tap]))?.message).toContain('is not the build that this svc has')
      expect(helpers.snapshot.pid()).toBeUndefined()
    })
  })

  test.each([
    [2, 'success'],
    [3, 'OPERATOR_START_FAILED'],
  ])('with %i ports in a row that are taken: %s', async (times, end) => {
    await withPhone({ faults: [{ after: 0, do: 'port-taken', times }] }, async ({ run }) => {
      expect(endOf(await run([open, look]))).toBe(end)
    })
  })

  test('while somebody else has UiAutomation: named, not fought', async () => {
    await withPhone({}, async ({ lab, run, helpers, succeed }) => {
      const other = helpers.automation.connect('somebody')
      const refused = await run([tap])
      expect(errorOf(refused)).toMatchObject({
        code: 'OPERATOR_START_FAILED',
        retriable: true,
        details: { dispatched: false },
      })
      expect(errorOf(refused)?.message).toContain('The only UiAutomation of the phone is held by')
      expect(receiptOf(lab, refused)?.dispatchedAt).toBeUndefined()
      expect(helpers.snapshot.pid()).toBeUndefined()
      expect(helpers.automation.owner()).toBe('somebody')
      other?.release()
      await succeed([open, tap])
    })
  })
})

test.concurrent('a phone that gives UiAutomation to nobody says so, and is asked again the next time', async () => {
  await withPhone({ faults: [{ after: 0, do: 'automation-held', times: 1 }] }, async ({ run, helpers, succeed }) => {
    const refused = await run([tap])
    expect(errorOf(refused)).toMatchObject({ code: 'OPERATOR_START_FAILED', details: { dispatched: false } })
    expect(errorOf(refused)?.message).toContain('cannot read the screen')
    expect(helpers.snapshot.pid()).toBeUndefined()
    await succeed([open, tap])
  })
})

describe.concurrent('the life of the helper', () => {
  test('dead between two steps, it is started again once', async () => {
    await withPhone({}, async ({ run, helpers, isOn, succeed }) => {
      await succeed([open])
      const before = isOn()
      const first = helpers.snapshot.pid()
      const running = run([look, { id: 'nap', type: 'sleep', params: { durationMs: 500 } }, tap])
      await until(() => helpers.automation.owner() !== undefined, 'the first step')
      helpers.snapshot.kill()
      expect(endOf(await running)).toBe('success')
      expect(isOn()).toBe(!before)
      expect(helpers.snapshot.pid()).not.toBe(first)
    })
  })

  test('a lost link ends it on the phone itself, and the next execution starts another', async () => {
    await withPhone({}, async ({ lab, run, helpers, succeed }) => {
      await succeed([open, look])
      const first = helpers.snapshot.pid()
      expect(first).toBeDefined()
      lab.fleet.devices[0]?.adbd.cutLinks()
      await until(() => helpers.snapshot.pid() === undefined, 'the guard on the phone')
      expect(helpers.automation.owner()).toBeUndefined()
      // A link that was lost soon after it was opened is not opened again at once.
      const ends: string[] = []
      while (ends.length < 20 && ends.at(-1) !== 'success') {
        await pause(lab.services.clock, 250)
        ends.push(endOf(await run([open, tap])))
      }
      expect(ends.filter(end => end !== 'NO_DEVICES')).toEqual(['success'])
    })
  })

  test('a host that is killed leaves nothing running on the phone', async () => {
    await withPhone({}, async ({ lab, helpers, succeed }) => {
      const nap = { id: 'nap', type: 'sleep', params: { durationMs: 30_000 } }
      const payload = JSON.stringify(payloadOf([open, look, nap], { timeoutMs: 60_000 }))
      const env = { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '' }
      const host = startCli(['exec', payload, '--operator-package', 'svc.uiautomator'], { env })
      await until(() => helpers.automation.owner() !== undefined, 'the helper to work')
      host.child.kill('SIGKILL')
      await host.ended
      await until(() => helpers.snapshot.pid() === undefined, 'the guard on the phone')
      expect(helpers.automation.owner()).toBeUndefined()
      await succeed([open, tap])
    })
  })

  test('another operator has the screen for itself', async () => {
    await withPhone({}, async ({ run, helpers, succeed }) => {
      await succeed([open, look])
      expect(helpers.automation.owner()).toBe(PACKAGE)
      expect(endOf(await run([{ id: 'snap', type: 'snapshot' }], { operatorPackage: 'svc.shell' }))).toBe('success')
      expect(helpers.snapshot.pid()).toBeUndefined()
      await succeed([look])
    })
  })

  test('the end of its host is its own', async () => {
    const on = await setup()
    await on.succeed([open, look])
    expect(on.helpers.snapshot.pid()).toBeDefined()
    await on.lab.services.close()
    expect(on.helpers.snapshot.pid()).toBeUndefined()
    await on.lab.close()
  })
})

describe.concurrent('a snapshot', () => {
  const snap = { id: 'snap', type: 'snapshot' }
  test('says what is checked where something can be, and else leaves out what it does not know', async () => {
    await withPhone({}, async ({ run }) => {
      const settings = dataOf(await run([open, snap]), 'snap')?.text
      expect(settings).toMatch(/wifi_switch"[^>]* checked="(?:true|false)"/)
      expect(settings).toMatch(/long-clickable="/)
      const home = dataOf(await run([{ id: 'home', type: 'press_key', params: { key: 'home' } }, snap]), 'snap')?.text
      expect(home).toContain('<node index="0"')
      expect(home).not.toMatch(/check(?:ed|able)=|long-clickable=/)
    })
  })
})

describe.concurrent('text', () => {
  const TEXT = 'Grüße, 世界 😀'
  const type = (text: string, more: object = {}) => ({
    id: 'type',
    type: 'enter_text',
    params: { matcher: FIELD, text, clear: true, ...more },
  })
  const keyboardOf = ({ phone }: Setup) => phone.settings.get('secure/default_input_method')
  const isAsBefore = (on: Setup) => {
    expect(keyboardOf(on)).toBe(USUAL_KEYBOARD)
    expect(on.helpers.keyboards.enabled()).toEqual([USUAL_KEYBOARD])
    expect(on.phone.settings.has('secure/svc_previous_input_method')).toBe(false)
  }

  test('of any kind is typed, seen, and the keyboard is as it was', async () => {
    await withPhone({}, async on => {
      await on.succeed([open, type('old'), type(TEXT)])
      expect(on.text()).toBe(TEXT)
      isAsBefore(on)
    })
  })

  test('that the keyboard did not take is sent again, and arrives once', async () => {
    await withPhone({ faults: [{ after: 0, do: 'keyboard-deaf', times: 1 }] }, async on => {
      await on.succeed([open, type(TEXT)])
      expect(on.text()).toBe(TEXT)
      isAsBefore(on)
    })
  })

  test('that it never takes fails the step, and the keyboard is as it was', async () => {
    await withPhone({ faults: [{ after: 0, do: 'keyboard-deaf', times: 9 }] }, async on => {
      expect(endOf(await on.run([open, type(TEXT)]))).toBe('ACTION_FAILED')
      isAsBefore(on)
    })
  })

  test('without the keyboard helper: refused, as svc.shell does', async () => {
    await withPhone({ apks: [snapshotApk()] }, async ({ run, text }) => {
      const refused = await run([open, type(TEXT)])
      expect(endOf(refused)).toBe('EXECUTION_ACTION_UNSUPPORTED')
      expect(text()).not.toContain('世界')
    })
  })

  test('a keyboard that was left switched is switched back at the next start', async () => {
    await withPhone({}, async on => {
      on.helpers.keyboards.setEnabled(KEYBOARD, true)
      on.helpers.keyboards.select(KEYBOARD)
      on.phone.settings.set('secure/svc_previous_input_method', USUAL_KEYBOARD)
      expect(endOf(await on.succeed([open, look]))).toBe('success')
      isAsBefore(on)
    })
  })

  test('a hint names an empty field, and is not read as its text', async () => {
    await withPhone({}, async ({ run, text, succeed }) => {
      await succeed([open])
      const matcher = { textEquals: text() }
      const read = await run([{ id: 'read', type: 'read_text', params: { matcher } }])
      expect(endOf(read)).toBe('success')
      expect(dataOf(read, 'read')).toMatchObject({ text: '', count: '1' })
    })
  })
})
