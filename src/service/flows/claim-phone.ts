/** A phone belongs to one attempt of a flow at a time, and to nobody else until that has ended. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { FlowsDeps } from './deps.ts'
import { isLostPhone, type KeptPhone, type ListedPhone, type PhonePool, type Phones } from './phones.ts'

const LOOK_MS = 500
/** Then it is looked again at whose the phone is: a reservation of somebody else can last for hours. */
const WAIT_MS = 5_000
/** A phone that cannot be reserved, for no fault of its own, is asked for again for so long. */
const TROUBLE_MS = 10_000
/** Well before the reservation is over. */
const EXTEND_MS = 30_000

interface OwnPhone {
  deviceId: string
  flowRunId: string
  /** The reservation of the caller of the run, in which its attempts are. */
  leaseId: string | undefined
  /** Aborted once nobody wants the attempt any more. */
  signal: AbortSignal
}

type Work<T> = (phones: Phones) => Promise<T>
type Deps = Pick<FlowsDeps, 'host' | 'clock' | 'note' | 'phonesInUse' | 'phones'>

/** Attempts under one reservation keep out of each other's way by this key. */
const flowsKey = (phone: string): string => `flows:${phone}`

const holderOf = ({ details }: ErrorObject) =>
  (details?.holder ?? {}) as { flowRunId?: unknown; leaseId?: unknown; expiresAt?: unknown }

/** Requests that only wait to reserve the phone have no end yet. */
const isReservedByOthers = (error: ErrorObject): boolean => {
  const { flowRunId, leaseId, expiresAt } = holderOf(error)
  return leaseId !== undefined && expiresAt !== undefined && flowRunId === undefined
}

const kept = async <T>({ phones, extend, release }: KeptPhone, clock: Clock, work: Work<T>): Promise<T> => {
  const ended = new AbortController()
  const keep = async () => {
    for (;;) {
      await pause(clock, EXTEND_MS, ended.signal)
      if (ended.signal.aborted) return
      await extend()
    }
  }
  const keeping = keep()
  try {
    return await work(phones)
  } finally {
    ended.abort()
    await keeping
    // A disk that was full may have space again.
    const until = clock.elapsed() + TROUBLE_MS
    while (!(await release().catch(() => false)) && clock.elapsed() < until) await pause(clock, LOOK_MS)
  }
}

/** Nothing is asked of the phone: the attempt ends with the reason. */
const refusing = (phones: Phones, error: ErrorObject): Phones => ({
  ...phones,
  perform: async () => ({ kind: 'unperformed', error }),
  startRecording: async () => error,
})

const reserved = async <T>(
  { phones, clock, note }: Deps,
  { deviceId, flowRunId, signal }: OwnPhone,
  work: Work<T>,
): Promise<T | 'reserved' | undefined> => {
  const began = clock.elapsed()
  let waitMs = 0
  while (!signal.aborted) {
    const reservation = await phones.reserve({ deviceId, flowRunId, waitMs, signal })
    if (reservation.ok) return kept(reservation, clock, work)
    if (signal.aborted) return undefined
    const { error } = reservation
    if (error.code !== 'EXECUTION_CONFLICT_IN_FLIGHT') {
      if (isLostPhone(error.code) || clock.elapsed() - began > TROUBLE_MS) return work(refusing(phones, error))
    } else if (isReservedByOthers(error)) {
      note(`${error.message.replace(/\.$/, '')}: its flow waits for another phone`)
      return 'reserved'
    } else {
      const { flowRunId: other } = holderOf(error)
      if (waitMs === 0)
        note(`${deviceId} ${other === undefined ? 'is busy' : 'runs another flow'}: waiting for the end of that`)
      waitMs = WAIT_MS
    }
    await pause(clock, LOOK_MS, signal)
  }
  return undefined
}

const listedPhone = async (
  phones: Pick<PhonePool, 'list'>,
  { deviceId, leaseId, signal }: Omit<OwnPhone, 'flowRunId'>,
): Promise<ListedPhone | undefined> =>
  (await phones.list(signal, leaseId).catch(() => [])).find(each => each.deviceId === deviceId)

const unidentified = (deviceId: string): ErrorObject =>
  failure('DEVICE_OFFLINE', `Device ${deviceId} did not answer which phone it is.`, { details: { deviceId } })

/** In the reservation of the caller everything of that caller is let through, other attempts too. */
const within = async <T>(
  { phones, host, clock, note, phonesInUse }: Deps,
  { deviceId, leaseId, signal }: OwnPhone,
  work: Work<T>,
): Promise<T | undefined> => {
  const began = clock.elapsed()
  let found = await listedPhone(phones, { deviceId, leaseId, signal })
  // Under its other serial another attempt may be at work on it.
  while (found?.state === 'unidentified' && !signal.aborted) {
    if (clock.elapsed() - began > TROUBLE_MS) return work(refusing(phones, unidentified(deviceId)))
    await pause(clock, LOOK_MS, signal)
    found = await listedPhone(phones, { deviceId, leaseId, signal })
  }
  const phone = found?.phone ?? deviceId
  let isTold = false
  while (!signal.aborted) {
    if (!phonesInUse.has(phone)) {
      phonesInUse.add(phone)
      try {
        let result: { value: T } | undefined
        await host.whileOwned(flowsKey(phone), { deviceId }, async () => {
          result = { value: await work(phones) }
        })
        if (result) return result.value
      } finally {
        phonesInUse.delete(phone)
      }
    }
    if (!isTold) note(`${deviceId} runs another flow: waiting for the end of that`)
    isTold = true
    await pause(clock, LOOK_MS, signal)
  }
  return undefined
}

/**
 * Waits for the phone, then works; undefined when the attempt was not wanted any more before that. A phone that another
 * caller has reserved is passed over.
 */
export const withOwnPhone = <T>(deps: Deps, ownPhone: OwnPhone, work: Work<T>): Promise<T | 'reserved' | undefined> =>
  ownPhone.leaseId === undefined ? reserved(deps, ownPhone, work) : within(deps, ownPhone, work)
