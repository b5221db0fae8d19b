/** The look for a crash after a step that failed: only of the application in front, only since the execution began, in its time. */
import { describe, expect, test } from 'vitest'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { FLOW_SOURCE, WEBDRIVER_SOURCE } from '../../../../src/contracts/json/literals.ts'
import { FAILURE_LOOK_MS } from '../../../../src/contracts/limits/limits.ts'
import { LinkError } from '../../../../src/device/link/link.ts'
import { createCrashMemory } from '../../../../src/device/operators/app/session/crash-memory.ts'
import type { SegmentResult } from '../../../../src/device/operators/app/wire/merge.ts'
import { noteActs, startCrashLook } from '../../../../src/service/executions/run/crash-look.ts'
import type { ExecutionRun } from '../../../../src/service/executions/run/execution-run.ts'
import { createPhone } from '../../../../src/simulator/device.ts'
import { phoneLink } from '../../../support/adb/phone-link.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'
import { appOf, middleOf, nodeIn, scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const APP = 'com.example'
const FAILED: SegmentResult = { stepResults: [], error: { code: 'NODE_NOT_FOUND', message: 'no node', hint: 'Look.' } }
const OPEN = { id: 'open', type: 'open_app', params: { applicationId: APP } } as Action

const lab = (crash: object | true = true) => {
  const clock = manualClock(1_700_000_000_000)
  const nodes = [{ class: 'Button', text: 'Die', onTap: { crash } }]
  const scenario = scenarioOf(appOf({ main: { activity: '.Main', nodes: nodes as [] } }))
  const phone = createPhone({ name: 'p', serialno: 'S1', scenario, clock })
  const link = phoneLink(phone, clock)
  const crashes = createCrashMemory()
  const run = ({
    spentMs = 1_000,
    actions = [] as Action[],
    answerLeftMs = 10_000,
    dispatch = {},
    open = async () => link,
    session = undefined as string | undefined,
  } = {}) =>
    ({
      clock,
      dispatch: {
        execution: { actions, ...(session === undefined ? {} : { taskId: session, source: WEBDRIVER_SOURCE }) },
        ...dispatch,
      },
      session: { link: open, crashes },
      control: {
        spentMs: () => spentMs,
        answerLeftMs: () => answerLeftMs,
        dispatched: () => ({ at: 0, elapsed: 0 }),
        halt: { aborted: false, onAbort: () => () => {} },
      },
    }) as unknown as ExecutionRun
  return {
    clock,
    phone,
    link,
    run,
    die: () => phone.tap(middleOf(nodeIn(phone.tree() ?? { rotation: 0, roots: [] }, 'Die'))),
  }
}

const crashIn = ({ error }: SegmentResult) => error?.details?.crash

describe('a crash of the application in front', () => {
  test('is added to the failure, with its hint', async () => {
    const { run, die } = lab({ exception: 'a.B', message: 'no' })
    die()
    const part = await startCrashLook(run()).addTo(FAILED)
    expect(crashIn(part)).toMatchObject({ kind: 'crash', applicationId: APP, exception: 'a.B', message: 'no' })
    expect(part.error?.hint).toBe('com.example crashed (a.B: no). Look.')
  })

  test('of native code has its signal and its frames', async () => {
    const { run, die } = lab({ native: true })
    die()
    expect(crashIn(await startCrashLook(run()).addTo(FAILED))).toMatchObject({
      exception: 'signal 11 (SIGSEGV)',
      stackTop: [expect.stringContaining('libnative.so'), expect.any(String)],
    })
  })

  test('is told once to each session, and with each failure of others', async () => {
    const { run, die } = lab()
    const isTold = async (session?: string) =>
      crashIn(await startCrashLook(run({ session })).addTo(FAILED)) !== undefined
    die()
    expect([await isTold('s1'), await isTold('s1'), await isTold('s2')]).toEqual([true, false, true])
    expect([await isTold(), await isTold()]).toEqual([true, true])
  })

  test('that comes after one that was told is told, too', async () => {
    const { run, die, clock, phone } = lab()
    die()
    await startCrashLook(run({ session: 's1' })).addTo(FAILED)
    clock.advance(1_500)
    phone.startActivity({ action: 'android.intent.action.MAIN', packageName: APP, extras: {} })
    die()
    const told = crashIn(await startCrashLook(run({ session: 's1' })).addTo(FAILED))
    expect(told).toMatchObject({ kind: 'crash', applicationId: APP })
  })

  test('before the execution is none of it', async () => {
    const { run, die, clock } = lab()
    die()
    clock.advance(1_100)
    expect(await startCrashLook(run()).addTo(FAILED)).toBe(FAILED)
  })

  test('after what its flow did last is told, however long the look for it waits', async () => {
    const { run, die, clock } = lab()
    const ofFlow = (actions: Action[]) => {
      const flowRun = run({ actions })
      Object.assign(flowRun.dispatch.execution, { taskId: 'flow-1', source: FLOW_SOURCE })
      return flowRun
    }
    const isTold = async () => crashIn(await startCrashLook(ofFlow([])).addTo(FAILED)) !== undefined
    const done = (actions: Action[]) => {
      const flowRun = ofFlow(actions)
      flowRun.control.dispatched = () => ({ at: clock.now(), elapsed: clock.elapsed() })
      noteActs(flowRun)
    }
    done([OPEN])
    die()
    clock.advance(30_000)
    done([{ id: 'look', type: 'snapshot', params: {} } as Action])
    clock.advance(1_100)
    expect(await isTold()).toBe(true)
    done([OPEN])
    clock.advance(1_100)
    expect(await isTold()).toBe(false)
  })

  test('right behind the dispatch is told, also over a link that answers late', async () => {
    const { run, die, clock, link } = lab()
    const slow = {
      ...link,
      shell: async (...args: Parameters<typeof link.shell>) => {
        const answer = await link.shell(...args)
        clock.advance(400)
        return answer
      },
    }
    const sentAt = clock.now()
    const late = run({ open: async () => slow })
    late.control.spentMs = () => clock.now() - sentAt
    die()
    expect(crashIn(await startCrashLook(late).addTo(FAILED))).toMatchObject({ applicationId: APP })
  })

  test('says no more than its kind where the caller may not see the screen', async () => {
    const { run, die } = lab({ exception: 'a.B', message: 'secret' })
    die()
    const part = await startCrashLook(run({ dispatch: { isScreenHidden: true } })).addTo(FAILED)
    expect(crashIn(part)).toEqual({ kind: 'crash', applicationId: APP, time: expect.any(String) })
    expect(JSON.stringify(part)).not.toContain('secret')
  })
})

test('a crash in the background counts only for an application that the execution opened', async () => {
  const { phone, run } = lab()
  const lines = 'FATAL EXCEPTION: worker\nProcess: com.example:remote, PID: 7\na.B: no\n\tat a.b.c(d.java:1)'
  phone.log.write('E', 'AndroidRuntime', lines, { pid: 7, buffer: 'crash' })
  expect(await startCrashLook(run()).addTo(FAILED)).toBe(FAILED)
  expect(crashIn(await startCrashLook(run({ actions: [OPEN] })).addTo(FAILED))).toMatchObject({
    applicationId: APP,
    process: 'com.example:remote',
  })
})

describe('in its time', () => {
  test('a device that does not answer costs the look and nothing else', async () => {
    const { run, clock } = lab()
    const adding = startCrashLook(run({ open: () => new Promise(() => {}) })).addTo(FAILED)
    await settled()
    clock.advance(FAILURE_LOOK_MS)
    expect(await adding).toBe(FAILED)
  })

  test('a device that is gone is no other failure', async () => {
    const { run } = lab()
    const open = () => Promise.reject(new LinkError('DEVICE_LINK_LOST', 'gone'))
    expect(await startCrashLook(run({ open })).addTo(FAILED)).toBe(FAILED)
  })

  test('no time left asks nothing', async () => {
    const { run, die, link } = lab()
    die()
    expect(await startCrashLook(run({ answerLeftMs: 400 })).addTo(FAILED)).toBe(FAILED)
    expect(link.commands).toEqual([])
  })
})
