/** Pairing with a QR code, step by step, on a clock of its own. */
import { expect, test } from 'vitest'
import type { DeviceRecord } from '../../../src/contracts/device/device.ts'
import type { ConnectAnswer, DiscoveredService, PairAnswer } from '../../../src/contracts/device/wireless.ts'
import { pairByQr } from '../../../src/service/wireless/qr-pairing.ts'
import { manualClock } from '../../support/manual-clock.ts'

const NAME = 'svc-abcdEFGH'
const PASSWORD = '0123456789'
const scanned: DiscoveredService = { name: NAME, kind: 'pairing', address: '192.168.1.20:41235' }
const connectable: DiscoveredService = { name: 'adb-S-x', kind: 'connect', address: '192.168.1.20:37099' }

interface World {
  services?: (ms: number) => readonly DiscoveredService[]
  devices?: (ms: number, connected: readonly string[]) => readonly DeviceRecord[]
  pair?: PairAnswer
}

/** Plays a world in which services and devices depend on the time that has passed. */
const pairing = async ({ services = () => [], devices = () => [], pair }: World, stopAt?: number) => {
  const clock = manualClock()
  const begun = clock.elapsed()
  const spent = () => clock.elapsed() - begun
  const connected: string[] = []
  const paired: string[] = []
  const stop = new AbortController()
  let isOver = false
  const outcome = pairByQr({
    clock,
    signal: stop.signal,
    scanMs: 20_000,
    ...{ name: NAME, password: PASSWORD },
    listDevices: async () => devices(spent(), connected),
    server: {
      discover: async () => ({ ok: true, services: services(spent()) }),
      async pair(address, code) {
        paired.push(`${address} ${code}`)
        return pair ?? { ok: true, guid: 'adb-S-x' }
      },
      async connect(address): Promise<ConnectAnswer> {
        connected.push(address)
        return { ok: true, already: false }
      },
    },
  }).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await new Promise(resolve => setImmediate(resolve))
    clock.advance(500)
    if (stopAt !== undefined && spent() >= stopAt) stop.abort()
  }
  return { outcome: await outcome, connected, paired, ms: spent() }
}

test('the phone that scans it late is paired with its password, and connected', async () => {
  const { outcome, connected, paired } = await pairing({
    services: ms => (ms < 10_000 ? [] : ms < 12_000 ? [scanned] : [connectable]),
    devices: (_, done) => done.map(serial => ({ serial, state: 'device' })),
  })
  expect(outcome).toEqual({ kind: 'paired', address: scanned.address, guid: 'adb-S-x', serial: connectable.address })
  expect({ connected, paired }).toEqual({
    connected: [connectable.address],
    paired: [`${scanned.address} ${PASSWORD}`],
  })
})

test('a server that connects by itself is left to it', async () => {
  const serial = 'adb-S-x._adb-tls-connect._tcp'
  const { outcome, connected } = await pairing({
    services: () => [scanned],
    devices: ms => (ms < 3_000 ? [{ serial, state: 'offline' }] : [{ serial, state: 'device' }]),
  })
  expect(outcome).toMatchObject({ kind: 'paired', serial })
  expect(connected).toEqual([])
})

test('without a guid, the phone is known by its host', async () => {
  const other = { ...connectable, name: 'adb-T-y', address: '192.168.1.21:37099' }
  const { outcome } = await pairing({
    services: () => [scanned, other, connectable],
    devices: (_, done) => done.map(serial => ({ serial, state: 'device' })),
    pair: { ok: true },
  })
  expect(outcome).toMatchObject({ kind: 'paired', serial: connectable.address })
})

test('one that is paired and cannot be connected is told as paired, in the end', async () => {
  const { outcome, ms } = await pairing({ services: () => [scanned] })
  expect(outcome).toMatchObject({ kind: 'paired', serial: undefined })
  expect(ms).toBeLessThan(20_000)
})

test('a refusal is told, and nothing is connected', async () => {
  const answer: PairAnswer = { ok: false, reason: 'wrong_code', said: 'Failed' }
  const { outcome, connected } = await pairing({ services: () => [scanned, connectable], pair: answer })
  expect(outcome).toEqual({ kind: 'refused', address: scanned.address, answer })
  expect(connected).toEqual([])
})

test('the wait for a phone ends by itself, and with an interruption', async () => {
  const others = () => [{ ...scanned, name: 'svc-somebody' }, connectable]
  const late = await pairing({ services: others })
  expect(late).toMatchObject({ outcome: { kind: 'unscanned' }, paired: [] })
  expect(late.ms).toBeGreaterThanOrEqual(20_000)
  expect((await pairing({ services: others }, 3_000)).ms).toBeLessThan(5_000)
})
