/** Pairing with a QR code: the phone that has scanned it appears under the name in the code, is paired, and connected. */

import type { DeviceRecord } from '../../contracts/device/device.ts'
import type { DiscoveredService, PairAnswer } from '../../contracts/device/wireless.ts'
import type { CallOptions } from '../../device/link/link.ts'
import type { Wireless } from '../../device/link/wireless.ts'
import { type Clock, pause } from '../../runtime/clock.ts'

const LOOK_MS = 500
const ASK_MS = 10_000
const PAIR_MS = 30_000
/** A phone that is paired says within seconds where it can be connected. */
const CONNECTABLE_MS = 15_000

interface QrPairingOptions {
  clock: Clock
  signal: AbortSignal
  server: Pick<Wireless, 'connect' | 'discover' | 'pair'>
  listDevices(): Promise<readonly DeviceRecord[]>
  /** How long a person has to scan the code. */
  scanMs: number
  /** The name and the password in the code. */
  name: string
  password: string
}

export type QrPairing =
  | { kind: 'unscanned' }
  | { kind: 'refused'; address: string; answer: Extract<PairAnswer, { ok: false }> }
  /** `serial` is undefined when the phone could not be connected. */
  | { kind: 'paired'; address: string; guid: string | undefined; serial: string | undefined }

/** The text for the phone's own reader of codes. */
export const qrContent = (name: string, password: string): string => `WIFI:T:ADB;S:${name};P:${password};;`

/** All services of one phone stand at one host. */
const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':'))

export const pairByQr = async (options: QrPairingOptions): Promise<QrPairing> => {
  const { clock, signal, server, listDevices, name, password } = options
  const within = (ms: number): CallOptions => ({ deadline: clock.now() + ms, signal })

  /** Undefined when the time is over, or the command is interrupted. */
  const untilFound = async <T>(ms: number, look: () => Promise<T | undefined>): Promise<T | undefined> => {
    const begun = clock.elapsed()
    while (!signal.aborted && clock.elapsed() - begun < ms) {
      const found = await look()
      if (found !== undefined) return found
      await pause(clock, LOOK_MS, signal)
    }
    return undefined
  }
  const services = async (): Promise<readonly DiscoveredService[]> => {
    const discovered = await server.discover(within(ASK_MS))
    return discovered.ok ? discovered.services : []
  }

  const scanned = await untilFound(options.scanMs, async () =>
    (await services()).find(service => service.kind === 'pairing' && service.name === name),
  )
  if (!scanned) return { kind: 'unscanned' }
  const { address } = scanned
  const answer = await server.pair(address, password, within(PAIR_MS))
  if (!answer.ok) return { kind: 'refused', address, answer }
  const { guid } = answer
  // Some adb servers connect a phone by themselves as soon as it is paired.
  const serial = await untilFound(CONNECTABLE_MS, async () => {
    const found = (await services()).find(
      each =>
        each.kind === 'connect' && (guid === undefined ? hostOf(each.address) === hostOf(address) : each.name === guid),
    )
    const isIt = (listed: string) => (guid !== undefined && listed.startsWith(`${guid}.`)) || listed === found?.address
    const ready = (await listDevices()).find(({ serial: listed, state }) => state === 'device' && isIt(listed))
    if (ready) return ready.serial
    if (found) await server.connect(found.address, within(PAIR_MS))
    return undefined
  })
  return { kind: 'paired', address, guid, serial }
}
