/** Whatever goes wrong on the way ends in the documented code, within its deadline, and is sent at most once. */
import { describe, expect, test } from 'vitest'
import type { Executed } from '../../../../src/service/executions/order.ts'
import type { Fault } from '../../../../src/simulator/scenario/fault.ts'
import { type Lab, type LabOptions, startLab } from '../../../support/executions/lab.ts'

/** Those that are known at once get more: a busy machine would reach the end of the wait first. */
const timeoutOf = (fault: Fault['do']) => (['slow', 'link-lost-before', 'device-gone'].includes(fault) ? 4_000 : 1_000)
/** What comes on top of timeoutMs: 5 s of grace, and room for a slow machine. */
const MORE_MS = 5_000 + 10_000

const snapshot = [{ id: 'snap', type: 'snapshot' }]

const withLab = async (options: LabOptions, run: (lab: Lab) => Promise<void>) => {
  const lab = await startLab(options)
  try {
    await run(lab)
  } finally {
    await lab.close()
  }
}

const errorOf = ({ result }: Executed) => (result.ok ? undefined : result.error)
const seenBy = (lab: Lab) => lab.fleet.devices[0]?.phone.executions() ?? []

/** What the fault leads to: an answer all the same, or a code and whether the device may have acted. */
type Expected = { ok: true } | { code: string; dispatched: boolean }

const cases: readonly [Fault['do'], 'socket' | 'broadcast', Expected, number?][] = [
  ['no-result', 'socket', { code: 'RESULT_ENVELOPE_TIMEOUT', dispatched: true }],
  ['no-result', 'broadcast', { code: 'RESULT_ENVELOPE_TIMEOUT', dispatched: true }],
  ['late', 'socket', { ok: true }, 1_500],
  ['late', 'broadcast', { ok: true }, 1_500],
  ['slow', 'socket', { ok: true }, 700],
  ['slow', 'broadcast', { ok: true }, 700],
  ['truncate', 'socket', { code: 'RESULT_ENVELOPE_MALFORMED', dispatched: true }],
  ['truncate', 'broadcast', { code: 'RESULT_ENVELOPE_MALFORMED', dispatched: true }],
  ['drop-chunk', 'broadcast', { code: 'RESULT_ENVELOPE_MALFORMED', dispatched: true }],
  ['repeat-chunk', 'broadcast', { ok: true }],
  ['garbage', 'socket', { ok: true }],
  ['garbage', 'broadcast', { ok: true }],
  ['link-lost-before', 'socket', { code: 'DEVICE_LINK_LOST', dispatched: true }],
  // The log of the device is the only witness, and it is asked until the deadline.
  ['link-lost-before', 'broadcast', { code: 'RESULT_ENVELOPE_TIMEOUT', dispatched: true }],
  // The operator finishes it and, with its socket gone, says so in the log, where it is read back.
  ['link-lost-after', 'socket', { ok: true }],
  ['link-lost-after', 'broadcast', { ok: true }],
  ['device-gone', 'socket', { code: 'DEVICE_LINK_LOST', dispatched: true }],
  ['device-gone', 'broadcast', { code: 'DEVICE_LINK_LOST', dispatched: true }],
]

describe('a fault', () => {
  test.concurrent.each(cases)('%s over %s ends as %o', async (fault, operator, expected, ms) => {
    const faults = [{ after: 1, do: fault, times: 1, ...(ms === undefined ? {} : { ms }) }]
    await withLab({ operator, faults }, async lab => {
      expect((await lab.execute(snapshot)).result.ok).toBe(true)
      const start = lab.services.clock.elapsed()
      const timeoutMs = timeoutOf(fault)
      const hit = await lab.execute(snapshot, { timeoutMs })
      expect(lab.services.clock.elapsed() - start).toBeLessThan(timeoutMs + MORE_MS)
      const receipt = lab.services.journal().receipt(hit.executionId ?? '')
      if ('ok' in expected) {
        expect(hit.result.ok, JSON.stringify(errorOf(hit))).toBe(true)
      } else {
        expect(errorOf(hit)).toMatchObject({ code: expected.code, details: { executionId: hit.executionId } })
        expect(receipt?.dispatchedAt !== undefined).toBe(expected.dispatched)
      }
      expect(receipt?.state).toBe('settled')
      const mine = seenBy(lab).filter(({ wireId }) => wireId.startsWith(`${hit.executionId}.`))
      expect(mine.length).toBeLessThanOrEqual(1)
      if (fault !== 'device-gone') {
        // The device is free again and the next execution is not troubled by what came before.
        const next = await lab.execute(snapshot, { timeoutMs: 20_000 })
        expect(next.result.ok, JSON.stringify(errorOf(next))).toBe(true)
      }
    })
  })
})

describe('states of a device', () => {
  const stateCases: readonly [LabOptions['state'], string | undefined][] = [
    ['unauthorized', 'NO_DEVICES'],
    ['offline', 'NO_DEVICES'],
    ['locked', 'DEVICE_NOT_INTERACTIVE'],
    ['screen-off', undefined],
    ['no-operator', 'OPERATOR_NOT_INSTALLED'],
  ]
  test.concurrent.each(stateCases)('%s', async (state, code) => {
    await withLab(state === undefined ? {} : { state }, async lab => {
      const { result, executionId } = await lab.execute(snapshot)
      expect(result.ok ? undefined : result.error.code).toBe(code)
      if (executionId) expect(lab.services.journal().receipt(executionId)?.state).toBe('settled')
      if (state === 'no-operator') {
        expect(lab.services.journal().receipt(executionId ?? '')?.dispatchedAt).toBeUndefined()
      }
    })
  })

  test.concurrent('named though it is not ready: the state is the answer', async () => {
    await withLab({ state: 'unauthorized' }, async lab => {
      const serial = lab.fleet.devices[0]?.serial ?? ''
      expect(errorOf(await lab.execute(snapshot, { deviceId: serial }))?.code).toBe('DEVICE_UNAUTHORIZED')
      expect(errorOf(await lab.execute(snapshot, { deviceId: 'nobody' }))).toMatchObject({
        code: 'DEVICE_NOT_FOUND',
        details: { connected: [] },
      })
    })
  })

  test.concurrent('several and none named', async () => {
    await withLab({ count: 2 }, async lab => {
      const serials = lab.fleet.devices.map(({ serial }) => serial)
      expect(errorOf(await lab.execute(snapshot))).toMatchObject({
        code: 'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED',
        details: { connected: serials },
      })
      const both = await Promise.all(serials.map(deviceId => lab.execute(snapshot, { deviceId })))
      expect(both.map(({ result }) => result.ok)).toEqual([true, true])
    })
  })
})
