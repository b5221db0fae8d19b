/** A phone that has not told which phone it is may be another one that is listed: it is counted when it has told. */
import { expect, test } from 'vitest'
import { createFlowPhones } from '../../../src/service/flow-phones.ts'
import { flowLibrary } from '../../../src/service/flows/language/flow-library.ts'
import { planRun } from '../../../src/service/flows/plan-run.ts'
import type { RecordedRequest } from '../../../src/service/flows/request.ts'
import { memoryFlowFiles } from '../../support/flows/flow-files.ts'
import { manualClock } from '../../support/manual-clock.ts'

interface ListedOnce {
  readonly usb?: string
  readonly wifi?: string
}

/** The listings of a host with one phone on a cable and in the network; the last one stays. */
const phonesWith = (listings: readonly ListedOnce[], leases: readonly object[] = []) => {
  let count = 0
  const service = {
    'devices.list': async () => {
      const listing = listings[Math.min(count++, listings.length - 1)] ?? {}
      const devices = (['usb', 'wifi'] as const).map(serial => {
        const phone = listing[serial]
        return { serial, deviceId: serial, state: 'device', ...(phone === undefined ? {} : { phone }) }
      })
      return { ok: true, value: { ok: true, devices } }
    },
    'leases.list': async () => ({ ok: true, value: { leases } }),
  }
  const phones = createFlowPhones({
    service: async () => service,
    context: () => ({ caller: 'flow' }),
    undo: () => ({ lookAgain: () => {} }),
  } as never)
  return { phones, listed: () => phones.list(new AbortController().signal), counts: () => count }
}

const planned = async (listings: readonly ListedOnce[], devices?: string[]) => {
  const { phones, counts } = phonesWith(listings)
  const clock = manualClock()
  const request: RecordedRequest = {
    ...{ cwd: '/', paths: ['/a.yaml'], folder: '/run', caller: 'cli', shardAll: true },
    ...(devices ? { devices } : {}),
  }
  const library = flowLibrary(memoryFlowFiles({ '/a.yaml': 'appId: a\n---\n- back\n' }))
  const run = { request, env: {}, library, planned: [], outputFolder: '', onProgress: () => {}, onBroken: () => {} }
  let isPlanned = false
  const plan = planRun(run, { phones, clock }, new AbortController().signal).finally(() => {
    isPlanned = true
  })
  while (!isPlanned) {
    await new Promise<void>(resolve => setImmediate(resolve))
    clock.advance(1_000)
  }
  const found = await plan
  return { flows: found.ok ? found.flows.map(({ deviceId }) => deviceId) : found.problems[0]?.message, counts }
}

test.each([
  ['all that are there', undefined],
  ['both serials named', ['usb', 'wifi']],
])(
  '--shard-all, %s: the flow is planned once when the phone has told under which serials it is listed',
  async (_, devices) => {
    const both = { usb: 'A', wifi: 'A' }
    expect((await planned([{}, { usb: 'A' }, both], devices)).flows).toEqual(['usb'])
  },
)

test('--shard-all leaves out a phone that does not tell, and refuses where it was named', async () => {
  expect((await planned([{ usb: 'A' }])).flows).toEqual(['usb'])
  expect((await planned([{ usb: 'A' }], ['usb', 'wifi'])).flows).toContain('wifi did not answer which phone it is')
})

test('one named phone need not tell which it is', async () => {
  const { flows, counts } = await planned([{}], ['wifi'])
  expect(flows).toEqual(['wifi'])
  expect(counts()).toBe(1)
})

test('a phone that has told stays that phone while it is silent, and no other serial of it is free', async () => {
  const { listed } = phonesWith([{ usb: 'A' }, { wifi: 'A' }])
  expect(await listed()).toMatchObject([{ phone: 'A', state: 'free' }, { state: 'unidentified' }])
  expect(await listed()).toMatchObject([
    { phone: 'A', state: 'free' },
    { phone: 'A', state: 'free' },
  ])
})

test('a phone that is reserved under its other serial is not free before it has told', async () => {
  const lease = { leaseId: 'l1', deviceId: 'usb', phone: 'A', until: 1, caller: 'cli' }
  const { listed } = phonesWith([{ usb: 'A' }, { usb: 'A', wifi: 'A' }], [lease])
  expect((await listed()).map(({ state }) => state)).toEqual(['reserved', 'unidentified'])
  expect((await listed()).map(({ state }) => state)).toEqual(['reserved', 'reserved'])
})
