/** The progress of a segment on its way from an operator app to who delivers it. */
import { describe, expect, test } from 'vitest'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { createSessions } from '../../../../src/device/operators/app/session/sessions.ts'
import type { SegmentProgress } from '../../../../src/device/operators/segment-run.ts'
import { envelopeFor, type FakeDevice, fakeDevice } from '../../../support/device/fake-device.ts'
import { progressLine, resultLine, sleepStep } from '../../../support/device/operator-samples.ts'
import { deliverSegment } from '../../../support/device/segment-run.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

const steps = [sleepStep('a'), sleepStep('b'), sleepStep('c')]

const setup = (way: FakeDevice['operator'], capabilities?: string[]) => {
  const clock = manualClock()
  const device = fakeDevice(clock)
  Object.assign(device, { operator: way, capabilities })
  const heard: SegmentProgress[] = []
  const session = createSessions({ clock, openLink: device.openLink }).of('d1')
  const deliver = (actions: readonly Action[], onProgress?: (progress: SegmentProgress) => void, index = 0) =>
    deliverSegment({ clock, session, index }, actions, onProgress)
  return { device, heard, deliver }
}

describe.each(['socket', 'broadcast'] as const)('the progress of a segment by %s', way => {
  test('is heard before its result, with the segment that it is of', async () => {
    const { device, heard, deliver } = setup(way, ['progress'])
    device.behave = () => {}
    const outcome = deliver(steps, progress => heard.push(progress), 2)
    await settled()
    const [request] = device.requests
    if (!request) throw new Error('no request has come')
    device.progress(request, 0)
    await settled()
    expect(heard).toEqual([{ segment: 2, step: 0, success: true }])
    device.progress(request, 1, false)
    device.answer(request)
    expect(await outcome).toMatchObject({ kind: 'done' })
    expect(heard).toEqual([
      { segment: 2, step: 0, success: true },
      { segment: 2, step: 1, success: false },
    ])
  })

  test('is no more than the request has, each step once and in order, and of this request only', async () => {
    const { device, heard, deliver } = setup(way, ['progress'])
    device.behave = request => {
      device.progress({ ...request, nonce: '0'.repeat(32) }, 2)
      device.progress({ ...request, commandId: 'e0.0' }, 2)
      for (const step of [0, 0, 1, 0, 3, 49, 2, 2]) device.progress(request, step)
      device.answer(request)
      device.progress(request, 2)
    }
    expect(await deliver(steps, progress => heard.push(progress))).toMatchObject({ kind: 'done' })
    await settled()
    expect(heard.map(({ step }) => step)).toEqual([0, 1, 2])
  })

  test('is passed over where nobody listens', async () => {
    const { device, deliver } = setup(way, ['progress'])
    device.behave = request => {
      device.progress(request, 0)
      device.answer(request)
    }
    expect(await deliver(steps)).toMatchObject({ kind: 'done', part: { stepResults: [{ id: 'a' }, {}, {}] } })
  })

  test('is none of an app that tells none', async () => {
    const { device, heard, deliver } = setup(way)
    expect(await deliver(steps, progress => heard.push(progress))).toMatchObject({ kind: 'done' })
    expect(device.requests).toHaveLength(1)
    expect(heard).toEqual([])
  })
})

test('progress goes on in the log once the socket is closed, and what was heard is not told again', async () => {
  const { device, heard, deliver } = setup('socket', ['progress'])
  device.behave = request => {
    device.progress(request, 0)
    device.sockets().at(-1)?.end()
  }
  const outcome = deliver(steps, progress => heard.push(progress))
  await settled()
  const [request] = device.requests
  if (!request) throw new Error('no request has come')
  const { commandId, nonce } = request
  for (const step of [0, 1]) device.log(progressLine({ commandId, nonce, step, success: true }))
  await settled()
  expect(heard.map(({ step }) => step)).toEqual([0, 1])
  device.log(resultLine(envelopeFor(request)), 'and more')
  expect(await outcome).toMatchObject({ kind: 'done' })
  expect(device.requests).toHaveLength(1)
})

test('progress that was logged while no reader was attached is read back', async () => {
  const { device, heard, deliver } = setup('broadcast')
  device.behave = request => {
    device.readersLive = false
    device.progress(request, 0)
    device.readersLive = true
    device.killReaders()
  }
  const outcome = deliver(steps, progress => heard.push(progress))
  await settled()
  expect(heard).toEqual([{ segment: 0, step: 0, success: true }])
  const [request] = device.requests
  if (request) device.answer(request)
  expect(await outcome).toMatchObject({ kind: 'done' })
})
