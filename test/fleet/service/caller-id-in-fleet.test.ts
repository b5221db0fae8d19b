/** When a host asks the others before it runs something under an id that its caller chose. */
import { expect, test } from 'vitest'
import { earlierUse } from '../../../src/fleet/service/caller-id-in-fleet.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import type { Service } from '../../../src/service/service.ts'
import { fakeFleet, rowOf } from '../../support/fleet/fake-fleet.ts'

const NOW = 1_700_000_000_000
/** Time stands still, and every rest is over at once. */
const hastyClock = {
  ...systemClock(),
  now: () => NOW,
  at: (_: number, then: () => void) => {
    queueMicrotask(then)
    return { cancel() {} }
  },
} as Clock
const ids = systemIds()
const madeBefore = (ms: number) => ids.at(NOW - ms)
const rows = ['S1@h1', 'S2@h2'].map(id => rowOf(id))

interface Given {
  heldSince?: number | undefined
  isUp?: boolean
  silent?: readonly string[]
  /** The host that has the execution. */
  holder?: string
}

const ask = async (executionId: string, { heldSince, isUp = true, silent = [], holder }: Given) => {
  const asked: string[] = []
  const fleet = {
    ...fakeFleet({ rows: rows.map(row => ({ ...row, isAlive: !silent.includes(row.host) })), isUp }),
    heldSince: () => heldSince,
  }
  const peer = (host: string) =>
    ({
      async 'executions.get'() {
        asked.push(host)
        return host === holder
          ? { ok: true, value: {} }
          : { ok: false, error: { code: 'EXECUTION_NOT_FOUND', message: '', retriable: false } }
      },
    }) as unknown as Service
  const call = { context: { caller: 'cli' as const } }
  const use = await earlierUse(executionId, 'S', call, { fleet, peer, clock: hastyClock })
  return { use, asked }
}

test('a host that had the phone all the time since the id was made asks nobody', async () => {
  expect(await ask(madeBefore(60_000), { heldSince: NOW - 120_000 })).toEqual({ use: { kind: 'none' }, asked: [] })
})

test('an id that was made a moment ago is not looked for where nothing is known of the phone', async () => {
  expect(await ask(madeBefore(100), {})).toEqual({ use: { kind: 'none' }, asked: [] })
})

test.each([
  ['made before the phone was taken', { heldSince: NOW - 30_000 }],
  ['made when the phone was just taken', { heldSince: NOW - 60_500 }],
  ['of a phone that is not claimed', {}],
])('an id %s is looked for at all other hosts', async (_, given) => {
  const { use, asked } = await ask(madeBefore(60_000), given)
  expect([use, asked.sort()]).toEqual([{ kind: 'none' }, ['h1', 'h2']])
})

test('the host that has the execution is named', async () => {
  const { use } = await ask(madeBefore(60_000), { heldSince: NOW, holder: 'h2' })
  expect(use).toMatchObject({ kind: 'elsewhere', location: { host: 'h2' } })
})

test.each([
  ['a host that does not answer', { silent: ['h1'] }, { gone: ['h1'] }],
  ['a fleet that cannot be reached', { isUp: false }, {}],
])('with %s nothing is sent, and the doubt is said', async (_, given, details) => {
  const { use } = await ask(madeBefore(60_000), { heldSince: NOW, ...given })
  expect(use).toMatchObject({
    kind: 'unknown',
    error: { code: 'FLEET_HOST_GONE', details: { ...details, dispatched: 'unknown' } },
  })
})
