/** Answers of the adb server about devices over the network. */
import type { ListedDevice } from './device.ts'

export type ConnectProblem = 'refused' | 'timeout' | 'unreachable' | 'unknown_host' | 'unauthorized' | 'failed'
export type PairProblem = 'wrong_code' | 'refused' | 'timeout' | 'unsupported' | 'failed'

/** `said` is what the server gives as its reason. */
export type ConnectAnswer = { ok: true; already: boolean } | { ok: false; reason: ConnectProblem; said: string }
export type PairAnswer = { ok: true; guid?: string } | { ok: false; reason: PairProblem; said: string }

/** `pairing` takes a code, `connect` a host that is paired, `classic` any host. */
export type ServiceKind = 'pairing' | 'connect' | 'classic'

export interface DiscoveredService {
  name: string
  kind: ServiceKind
  address: string
}

export type Discovered =
  | { ok: true; services: readonly DiscoveredService[] }
  | { ok: false; reason: 'unsupported' | 'off'; said: string }

/** A phone that was paired; `device` once it is connected, else the address where it can be, as far as that is known. */
export interface Paired {
  paired: { address: string; guid: string | null }
  device: ListedDevice | null
  connectAt: string | null
}
