/** An Idempotency-Key in a fleet: it belongs to the device it was used for first, whichever host is asked later. */
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { EXECUTION_ID_HEADER } from '../../contracts/headers.ts'
import { executionUnder } from '../../executions/idempotency.ts'
import type { FleetFront, HeldKey, KeyHolder } from '../../fleet/front.ts'
import { executionUnanswered } from '../../fleet/refusals.ts'
import { refuse } from '../answer.ts'
import type { HttpDeps } from '../deps.ts'

export interface KeyDeps {
  deps: HttpDeps
  fleet: FleetFront
}

/** Where the execution under this key is already, as far as this host knows without asking. */
const ownUseOf = (key: string, { deps: { journal, clock }, fleet }: KeyDeps, wanted = ''): KeyHolder | undefined => {
  const receipt = executionUnder(journal, key, clock.now())
  // A repair of the journal may have found nothing but the key: then no device is another one.
  return receipt && { host: fleet.host, serial: receipt.deviceId || wanted }
}

/** A key whose execution this host has cannot be freed. */
export type Held = KeyHolder & Partial<Pick<HeldKey, 'isNew' | 'free'>>

/** An execution may have been accepted under it already. */
export const isUsed = (held: Held | undefined): held is Held => held !== undefined && held.isNew !== true

/** Reads where the key was used before; undefined proves nothing. */
export const usedFor = async (key: string, gate: KeyDeps): Promise<Held | undefined> =>
  ownUseOf(key, gate) ?? (await gate.fleet.keyUse(key).catch(() => undefined))

/** The device of an earlier use has the execution; a new key is held for the device that was chosen. */
export const holderOf = async (key: string, chosen: KeyHolder, gate: KeyDeps): Promise<Held | undefined> => {
  const own = ownUseOf(key, gate, chosen.serial)
  if (own) return own
  try {
    return await gate.fleet.holdKey(key, chosen)
  } catch {
    return undefined
  }
}

/** On a phone of this host it could run; but the same key could run elsewhere meanwhile, on the same phone plugged in there. */
export const keyNotHeld = ({ fleet }: KeyDeps): Response =>
  refuse(
    failure('FLEET_UNREACHABLE', 'No NATS server answers, so nobody can tell whether the Idempotency-Key is in use.', {
      details: { host: fleet.host, dispatched: false },
      hint: 'Send it again when svc fleet status shows a connection. Devices of this host take executions without a key.',
    }),
  )

/** Answers as a single host does, where the device is part of the payload. */
export const keyOfOtherDevice = ({ host, serial }: KeyHolder): Response =>
  refuse(
    failure('IDEMPOTENCY_KEY_REUSED', 'The key was used before with another device.', {
      details: { deviceId: `${serial}@${host}` },
      hint: 'Use a new key for another payload.',
    }),
  )

/** The host that has the execution under the key does not answer: the fleet may know what that host told of it. */
export const firstUseOf = async (held: Held, error: ErrorObject, fleet: FleetFront): Promise<ErrorObject> => {
  const { host, executionId } = held
  const receipt = executionId === undefined ? undefined : await fleet.mirrored(executionId).catch(() => undefined)
  if (receipt) return executionUnanswered(receipt.host ?? host, receipt)
  if (error.details?.dispatched !== false) return error
  return {
    ...error,
    message: `Host ${host}, where the Idempotency-Key was used first, cannot be asked; whether anything was sent to the device then is unknown.`,
    details: { ...error.details, dispatched: 'unknown' },
    hint: 'Send it again with the same key when svc fleet status shows that host: it answers what became of the first request.',
  }
}

/** A key whose execution was refused is free again. An answer without the id of an execution accepted none. */
export const freeIfRefused = async (held: Held | undefined, response: Response): Promise<void> => {
  if (response.headers.has(EXECUTION_ID_HEADER)) return
  // A key that is not freed can be used for the same device at once, and for others after a day.
  await held?.free?.().catch(() => {})
}
