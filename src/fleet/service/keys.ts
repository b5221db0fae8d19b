/** An Idempotency-Key in a fleet: it belongs to the device it was used for first, whichever host is asked later. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { executionUnder } from '../../service/executions/idempotency.ts'
import type { Fleet, HeldKey, KeyHolder } from '../fleet.ts'
import { executionUnanswered } from '../refusals.ts'

export interface KeyDeps {
  fleet: Fleet
  journal(): Journal
  clock: Clock
}

/** The device of the execution under this key, if this host has it. */
const ownUseOf = (key: string, { journal, clock, fleet }: KeyDeps, wanted = ''): KeyHolder | undefined => {
  const receipt = executionUnder(journal(), key, clock.now())
  // A repair of the journal may have found nothing but the key: then no device is another one.
  return receipt && { host: fleet.host, serial: receipt.deviceId || wanted }
}

/** A key whose execution this host has cannot be freed. */
export type KeyUse = KeyHolder & Partial<Pick<HeldKey, 'isNew' | 'free'>>

/** An execution may have been accepted under it already. */
export const isUsed = (use: KeyUse | undefined): use is KeyUse => use !== undefined && use.isNew !== true

/** Reads where the key was used before; undefined proves nothing. */
export const usedFor = async (key: string, deps: KeyDeps): Promise<KeyUse | undefined> =>
  ownUseOf(key, deps) ?? (await deps.fleet.keyUse(key).catch(() => undefined))

/** The device of an earlier use has the execution; a new key is held for the device that was chosen. */
export const holdFor = async (key: string, chosen: KeyHolder, deps: KeyDeps): Promise<KeyUse | undefined> => {
  const ownUse = ownUseOf(key, deps, chosen.serial)
  if (ownUse) return ownUse
  try {
    return await deps.fleet.holdKey(key, chosen)
  } catch {
    return undefined
  }
}

/** On a phone of this host it could run; but the same key could run elsewhere meanwhile, on the same phone plugged in there. */
export const keyNotHeld = ({ fleet }: KeyDeps): ErrorObject =>
  failure('FLEET_UNREACHABLE', 'No NATS server answers, so nobody can tell whether the Idempotency-Key is in use.', {
    details: { host: fleet.host, dispatched: false },
    hint: 'Send it again when `GET /fleet` shows a connection. Devices of this host take executions without a key.',
  })

/** Answers as a single host does, where the device is part of the payload. */
export const keyOfOtherDevice = ({ host, serial }: KeyHolder): ErrorObject =>
  failure('IDEMPOTENCY_KEY_REUSED', 'The key was used before with another device.', {
    details: { deviceId: `${serial}@${host}` },
    hint: 'Use a new key for another payload.',
  })

/** The host that has the execution under the key does not answer: the fleet may know what that host told of it. */
export const firstUseUnanswered = async (use: KeyUse, error: ErrorObject, fleet: Fleet): Promise<ErrorObject> => {
  const { host, executionId } = use
  const receipt = executionId === undefined ? undefined : await fleet.mirrored(executionId).catch(() => undefined)
  if (receipt) return executionUnanswered(receipt.host ?? host, receipt)
  if (error.details?.dispatched !== false) return error
  return {
    ...error,
    message: `Host ${host}, where the Idempotency-Key was used first, cannot be asked; whether anything was sent to the device then is unknown.`,
    details: { ...error.details, dispatched: 'unknown' },
    hint: 'Send it again with the same key when `GET /fleet` shows that host: it answers what became of the first request.',
  }
}
