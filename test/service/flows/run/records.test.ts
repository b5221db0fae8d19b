/** What is on record before anything happens, and what does not happen any more. */
import { describe, expect, test } from 'vitest'
import { flowBench } from '../../../support/flows/flow-bench.ts'
import { lostLink, stepFailed } from '../../../support/flows/flow-phone.ts'
import { settled } from '../../../support/settled.ts'

const flow = (...lines: readonly string[]) => `appId: a\n---\n${lines.join('\n')}\n`
const THREE = flow('- tapOn: a', '- tapOn: b', '- tapOn: c')

test('a command is on record before its call, and a call before the phone is asked', async () => {
  const bench = flowBench(THREE)
  const seen: string[][] = []
  bench.phone.onCall(({ executionId }) => {
    const events = bench.events()
    const call = events.at(-1)
    expect(call).toMatchObject({ type: 'call.begun', executionId })
    seen.push(events.slice(3).map(({ type }) => type))
  })
  await bench.perform()
  expect(seen[0]).toEqual(['command.begun', 'call.begun'])
  expect(bench.events().map(({ type }) => type)).toEqual([
    'actor.created',
    'flow.requested',
    'stage.ended',
    ...[1, 2, 3].flatMap(() => ['command.begun', 'call.begun', 'command.ended']),
    'stage.ended',
    'stage.ended',
  ])
})

test('each call has an id of its own, which the record of its command has', async () => {
  const bench = flowBench(flow('- repeat: { times: 2, commands: [tapOn: a] }', '- setClipboard: x'))
  await bench.perform()
  expect(bench.recorded().commands.map(({ executionIds }) => executionIds.length)).toEqual([0, 1, 1, 0])
  expect(bench.recorded().commands.flatMap(({ executionIds }) => executionIds)).toEqual(
    bench.phone.calls.map(({ executionId }) => executionId),
  )
})

describe('a journal that takes no more', () => {
  test('nothing more is asked of the phone, wherever that happens', async () => {
    const whole = flowBench(THREE)
    await whole.perform()
    const events = whole.events().slice(1)
    for (const [at, { type }] of events.entries()) {
      const bench = flowBench(THREE)
      const ending = await bench.perform({ cut: { write: at + 1, as: 'refused' } })
      const asked = events.slice(0, at).filter(event => event.type === 'call.begun').length
      expect({ type, ending: ending.kind, asked: bench.phone.calls.length }).toEqual({ type, ending: 'stopped', asked })
    }
  })

  test('with room again the attempt goes on where it was', async () => {
    const bench = flowBench(THREE)
    await bench.perform({ cut: { write: 6, as: 'refused' } })
    expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'passed' } })
    expect(bench.phone.touches.map(({ executionId }) => executionId)).toHaveLength(3)
  })
})

test('cancelled in the middle, nothing more is sent', async () => {
  const bench = flowBench(`appId: a\nonFlowComplete: [tapOn: last]\n---\n- tapOn: a\n- tapOn: b\n- tapOn: c\n`)
  bench.phone.onCall(async () => {
    if (bench.phone.calls.length === 2) await bench.cancel()
  })
  expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'cancelled' } })
  expect(bench.phone.calls).toHaveLength(2)
  expect(bench.phone.calls[1]?.signal.aborted).toBe(true)
  expect(bench.state()).toBe('cancelled')
})

describe('the verdict', () => {
  const app = stepFailed('APP_NOT_INSTALLED', 'no such app')
  const operator = stepFailed('SNAPSHOT_HIERARCHY_UNAVAILABLE', 'no hierarchy')
  test.each([
    ['the app is missing', app, 'failed', 'APP_NOT_INSTALLED'],
    ['a code of an operator that nobody knows', stepFailed('SOMETHING_ODD', 'odd'), 'failed', 'SOMETHING_ODD'],
    ['the screen cannot be read', operator, 'indeterminate', 'SNAPSHOT_HIERARCHY_UNAVAILABLE'],
    ['the link is lost', lostLink, 'indeterminate', 'DEVICE_LINK_LOST'],
  ] as const)('%s', async (_, answer, verdict, code) => {
    const bench = flowBench(THREE)
    bench.phone.answerWith([undefined, answer])
    expect(await bench.perform()).toMatchObject({ emitted: { verdict, failure: { code, index: 1 } } })
    expect(bench.recorded().commands[1]?.ended).toMatchObject({ verdict, code })
    expect(bench.phone.touches).toHaveLength(1)
  })

  test('what is ours is neither ignored nor tried again', async () => {
    for (const yaml of [
      flow('- tapOn: { text: a, optional: true }', '- tapOn: b'),
      flow('- retry: { maxRetries: 3, commands: [tapOn: a] }'),
    ]) {
      const bench = flowBench(yaml)
      bench.phone.answerWith([lostLink])
      expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'indeterminate' } })
      expect(bench.phone.touches).toEqual([])
    }
  })

  test('a phone that is gone is not asked for pictures of the failure, and one that is there is asked once', async () => {
    const gone = flowBench(THREE)
    gone.phone.answerWith([lostLink])
    await gone.perform()
    expect(gone.phone.calls).toHaveLength(1)
    const there = flowBench(flow('- assertVisible: missing'))
    await there.perform()
    expect(there.phone.calls.at(-1)?.steps.map(({ type }) => type)).toEqual(['snapshot', 'take_screenshot'])
    expect(there.recorded().stages[1]?.body.files).toContain('1-1/failure.xml')
  })
})

test('an execution that another host still performs is waited for', async () => {
  const bench = flowBench(THREE)
  await bench.perform({ death: { call: 1, step: 1, isDone: true } })
  const [executionId = ''] = bench.recorded().commands[1]?.executionIds ?? []
  const receipt = bench.phone.receipts.get(executionId)
  if (!receipt) throw new Error('no receipt')
  bench.phone.receipts.set(executionId, { ...receipt, state: 'dispatched' })
  const ending = bench.perform()
  await settled()
  bench.phone.receipts.set(executionId, { ...receipt, executedSteps: ['step-1', 'step-2'], doubtfulSteps: [] })
  bench.clock.advance(1_000)
  expect(await ending).toMatchObject({ emitted: { verdict: 'passed' } })
  expect(bench.phone.touches).toHaveLength(3)
})

test('an execution of several acts goes on after the last one that is proven', async () => {
  const bench = flowBench(flow('- setPermissions: { permissions: { camera: allow, location: deny, phone: deny } }'))
  await bench.perform({ death: { call: 0, step: 2, isDone: false } })
  const [executionId = ''] = bench.recorded().commands[0]?.executionIds ?? []
  const receipt = bench.phone.receipts.get(executionId)
  if (!receipt) throw new Error('no receipt')
  bench.phone.receipts.set(executionId, { ...receipt, doubtfulSteps: [] })
  expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'passed' } })
  const permissions = bench.phone.touches.map(({ params }) => (params as { permission: string }).permission)
  expect(permissions).toEqual(['camera', 'location', 'phone'])
})

test.each([true, false])('a toggle that may have run is not turned back: done is %s', async isDone => {
  const bench = flowBench(flow('- toggleDarkMode'))
  await bench.perform({ death: { call: 0, step: 0, isDone } })
  expect(await bench.perform()).toMatchObject({
    emitted: { verdict: 'indeterminate', failure: { code: 'COMMAND_IN_DOUBT' } },
  })
  expect(bench.phone.touches).toHaveLength(isDone ? 1 : 0)
})

test('a setting that may have been changed is set again', async () => {
  const bench = flowBench(flow('- setAirplaneMode: enabled'))
  await bench.perform({ death: { call: 0, step: 0, isDone: true } })
  expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'passed' } })
  expect(bench.phone.touches).toHaveLength(1)
})
