/** Whatever happens to operator, link and caller: what was done was recorded before, was done once, and ended with one answer. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OperatorRequest } from '../../src/contracts/device/operator.ts'
import { cutSegments } from '../../src/device/operators/segment.ts'
import { envelopeFor, type FakeDevice } from '../support/device/fake-device.ts'
import { operatorHost } from '../support/device/operator-host.ts'
import { answerLines, closeStep, okStep, sleepStep } from '../support/device/operator-samples.ts'
import { RUNTIME_TIMERS } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

const move = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 500, 1_000, 3_000, 15_000) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), ms: fc.constant(0) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...([
          'fail',
          'half',
          'garbage',
          'lose',
          'gone',
          'back',
          'kill-readers',
          'end-socket',
          'cancel',
          'deafen',
        ] as const),
      ),
      ms: fc.constant(0),
    }),
  },
)
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never
const actions = fc.array(
  fc.boolean().map(host => (host ? closeStep('h') : sleepStep('o'))),
  { minLength: 1, maxLength: 5 },
)
const scenario = fc.record({
  way: fc.constantFrom('broadcast' as const, 'socket' as const),
  actions,
  long: fc.boolean(),
  answersAtOnce: fc.boolean(),
  moves: fc.array(move, { maxLength: 12 }),
})

const half = (device: FakeDevice, request: OperatorRequest) => {
  const envelope = envelopeFor(request, { stepResults: [okStep('a', { text: 'x'.repeat(6_000) })] })
  device.log(...answerLines(envelope).slice(1))
}

test('is a law', async () => {
  const kinds = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(scenario, async ({ way, actions: steps, long, answersAtOnce, moves }) => {
      const host = operatorHost()
      const { device } = host
      device.operator = way
      const deeds: string[] = []
      const unrecorded: string[] = []
      const hostSegments = cutSegments(steps).flatMap(({ kind, index }) => (kind === 'host' ? [index] : []))
      let closed = 0
      let answeredAfter: number | undefined
      const did = (deed: string, segment: number) => {
        deeds.push(deed)
        if (host.segments().at(-1) !== segment) unrecorded.push(deed)
      }
      device.behave = request => {
        did(`request ${request.commandId}`, Number(request.commandId.split('.')[1]))
        if (answersAtOnce) device.answer(request)
      }
      device.onShell = command => {
        if (command.startsWith('am force-stop')) did(`close ${closed++}`, hostSegments[closed - 1] ?? -1)
        return undefined
      }
      const run = host.start('e1', steps, long ? { taskId: 'y'.repeat(62_000) } : {})
      const perform = (next: Move) => {
        const request = device.requests.at(-1)
        switch (next.do) {
          case 'answer':
            return request && device.answer(request)
          case 'fail':
            return request && device.answer(request, { status: 'failed', error: 'no', errorCode: 'ACTION_FAILED' })
          case 'half':
            return request && half(device, request)
          case 'garbage':
            return device.log(`[Svc-Result] {"commandId":"${request?.commandId}","nonce":"${request?.nonce}"`, '\ufffd')
          case 'gone':
            device.reachable = false
            return device.links.at(-1)?.lose()
          case 'lose':
            return device.links.at(-1)?.lose()
          case 'back':
            device.reachable = true
            return
          case 'kill-readers':
            return device.killReaders()
          case 'end-socket':
            return device.sockets().at(-1)?.end()
          case 'cancel':
            return host.cancel('e1')
          case 'deafen':
            device.readersLive = !device.readersLive
        }
      }
      for (const next of moves) {
        await settled()
        if (run.outcome) answeredAfter ??= deeds.length
        perform(next)
        await host.later(next.ms)
      }
      for (let second = 0; second < 50; second++) {
        if (run.outcome) answeredAfter ??= deeds.length
        await host.later(1_000)
      }
      const { outcome } = run
      expect(outcome, 'there is an answer').toBeDefined()
      if (!outcome) return
      kinds.set(outcome.result.ok ? 'ok' : outcome.result.error.code, 1)
      expect(unrecorded, 'what was done is of the segment that was recorded last').toEqual([])
      expect(deeds.length, 'nothing is done after the answer').toBe(answeredAfter ?? deeds.length)
      expect(new Set(deeds).size, 'nothing is done twice').toBe(deeds.length)
      const segments = host.segments()
      expect(segments, 'segments are in order, without a gap').toEqual([...segments.keys()])
      expect(host.events().filter(({ type }) => type === 'execution.settled').length).toBeLessThan(2)
      expect(host.host.inFlight(), 'the device is free').toEqual([])
      if (!outcome.result.ok) {
        const { details, code, hint } = outcome.result.error
        expect(details).toMatchObject({ executionId: 'e1', dispatched: expect.any(Boolean) })
        if (deeds.length > 0 && code !== 'EXECUTION_CANCELLED') expect(details).toMatchObject({ dispatched: true })
        if (details?.dispatched === true && details.inDoubt !== false) {
          expect(hint, 'who is in doubt is told where to ask').toMatch(/\be1\b|^Install /)
        }
      }
      await host.sessions.close()
      await host.later(0)
      expect(host.clock.pending(), 'no timer is left').toBeLessThanOrEqual(RUNTIME_TIMERS)
    }),
    // Never fewer: the kinds of outcomes below are counted over the runs.
    { numRuns: 150 },
  )
  expect(kinds.size, [...kinds.keys()].join()).toBeGreaterThanOrEqual(4)
})
