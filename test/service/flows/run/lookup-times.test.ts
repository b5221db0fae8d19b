import { expect, test } from 'vitest'
import { flowBench } from '../../../support/flows/flow-bench.ts'

/** How long each look of the flow was to take, in the order of the looks. */
const looks = async (commands: readonly string[], pausesMs: Readonly<Record<number, number>> = {}) => {
  const bench = flowBench(`appId: a\n---\n${commands.join('\n')}\n`)
  let call = 0
  bench.phone.onCall(() => {
    bench.clock.advance(pausesMs[call++] ?? 0)
  })
  await bench.perform()
  return bench.phone.calls.flatMap(({ steps }) =>
    steps.flatMap(({ type, params }) => (type === 'wait_for_node' ? (params?.timeoutMs as number) : [])),
  )
}

/** A step of the phone takes 10 ms, and what follows a touch is counted from the end of its command. */
test('a command looks for 17 s', async () => {
  expect(await looks(['- assertVisible: a'])).toEqual([17_000])
  expect(await looks(['- tapOn: a'])).toEqual([17_000])
  expect(await looks(['- copyTextFrom: a'])).toEqual([17_000])
})

test('one that may fail looks for 7 s, and so does a condition', async () => {
  expect(await looks(['- tapOn: { text: a, optional: true }'])).toEqual([7_000])
  expect(await looks(['- runFlow: { when: { visible: missing }, commands: [back] }'])).toEqual([7_000])
})

test('the time since the last touch counts as spent', async () => {
  // The look of 5 s in between touches nothing.
  expect(await looks(['- tapOn: a', '- assertVisible: b', '- assertVisible: c'], { 1: 5_000 })).toEqual([
    17_000,
    17_000,
    17_000 - 5_000 - 10,
  ])
})

test('it is counted anew from each touch', async () => {
  expect(await looks(['- tapOn: a', '- assertVisible: b', '- back', '- assertVisible: c'], { 1: 5_000 })).toEqual([
    17_000, 17_000, 17_000,
  ])
})

test('when all of the time is spent it looks once', async () => {
  expect(await looks(['- tapOn: a', '- assertVisible: b', '- assertVisible: c'], { 1: 60_000 })).toEqual([
    17_000, 17_000, 1,
  ])
})

test('a clock that is set changes nothing', async () => {
  const bench = flowBench('appId: a\n---\n- tapOn: a\n- assertVisible: b\n')
  bench.phone.onCall(() => bench.clock.set(3_600_000))
  await bench.perform()
  expect(bench.phone.calls[1]?.steps[0]?.params).toMatchObject({ timeoutMs: 17_000 })
})

test('extendedWaitUntil looks for as long as it says, in executions that the host allows', async () => {
  expect(await looks(['- extendedWaitUntil: { visible: missing, timeout: 200000 }'])).toEqual([80_000, 80_000, 40_000])
})
