/** Asking a phone: what decides without an answer, and when to ask again would bring no more. */
import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../../src/device/link/link.ts'
import type { DeviceSession } from '../../../../src/device/operators/app/session/sessions.ts'
import { createSecrets } from '../../../../src/runtime/secrets.ts'
import { createAskPhone, createAskRequest } from '../../../../src/service/executions/evidence/ask-phone.ts'
import { NO_FENCE } from '../../../../src/service/executions/fence.ts'
import type { RecordedExecution, StepEnd } from '../../../../src/service/executions/recorded.ts'
import { actionsOf, BACK, NAP, recordedOf } from '../../../support/executions/recorded-execution.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { receiptOf, resultOf } from '../../../support/runtime/records.ts'

const NOW = 1_000_000
const LIST = actionsOf(BACK, NAP, BACK)
const LOST = receiptOf('e1', {
  state: 'interrupted',
  dispatchedAt: NOW - 5_000,
  settledAt: NOW,
  result: resultOf('lost'),
})

const endsOf = (...successes: boolean[]) =>
  new Map(successes.map((success, step) => [step, { success, source: 'progress', at: 1 } satisfies StepEnd]))

/** The app has no session socket, and the log of the phone has nothing, or cannot be read. */
const setup = (readLog: () => Promise<undefined> = async () => undefined) => {
  const clock = manualClock(NOW)
  let looks = 0
  const session = {
    sockets: { get: async () => undefined },
    log: {
      find: () => {
        looks += 1
        return readLog()
      },
    },
  } as unknown as DeviceSession
  const askRequest = createAskRequest({ sessions: { of: () => session }, clock, fence: NO_FENCE })
  const askPhone = createAskPhone({ askRequest, clock, secrets: createSecrets() })
  const ask = (recorded: Partial<RecordedExecution> = {}, again?: boolean) =>
    askPhone(LOST, recordedOf(LIST, recorded), { withinMs: 2_000, again })
  return { clock, ask, looks: () => looks }
}

describe('an app that keeps no results', () => {
  test('is asked again as long as its list may run, and then only by who insists', async () => {
    const { clock, ask, looks } = setup()
    expect(await ask()).toEqual({
      kind: 'nothing',
      why: 'com.svc.operator cannot be asked for results, and the log of the phone has none',
      isFinal: false,
    })
    clock.advance(30_000)
    expect(await ask()).toMatchObject({ kind: 'nothing', isFinal: true })
    await ask()
    expect(looks()).toBe(2)
    await ask({}, true)
    expect(looks()).toBe(3)
  })

  test('on a phone that is gone leaves it open, in the words of the link', async () => {
    const { ask } = setup(async () => {
      throw new LinkError('DEVICE_OFFLINE', 'Device d1 is offline.')
    })
    expect(await ask()).toMatchObject({ kind: 'nothing', why: 'Device d1 is offline', isFinal: false })
  })
})

test('what the host performed itself can be asked of nobody', async () => {
  expect(await setup().ask({ nonce: undefined, ended: endsOf(true) })).toMatchObject({
    kind: 'nothing',
    why: expect.stringContaining('the host performs the step that it was at itself'),
    isFinal: true,
  })
})
