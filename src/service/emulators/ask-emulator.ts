/** Asks the actor `emulator:<name>` for a change, and joins the same change when another process is at it. */
import { CATALOGUE } from '../../../machines/catalogue.ts'
import { IN_FLIGHT } from '../../../machines/definition.ts'
import type {
  EmulatorAsk,
  EmulatorContext,
  EmulatorEmitted,
  InterruptedChange,
} from '../../../machines/emulator/emulator-context.ts'
import { EMULATOR_ASK_SLACK_MS, EMULATOR_POLL_MS } from '../../contracts/limits/emulator-limits.ts'
import type { Ownership, StoredEvent } from '../../contracts/records/journal.ts'
import { pause } from '../../runtime/clock.ts'
import { foldActor } from '../../runtime/fold.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { thisProcess } from '../../runtime/processes/processes.ts'
import { type EmulatorFailure, emulatorFailure } from './failure.ts'
import { isStarting } from './repair.ts'
import type { EmulatorServiceDeps } from './sdk.ts'

export type Changed =
  /** `joined`: the change was under way already. */
  | { ok: true; serial: string | null; done: string | null; joined: boolean; adopted: boolean }
  | { ok: false; failure: EmulatorFailure }

export interface Change {
  avdName: string
  ask: EmulatorAsk
  event: Omit<StoredEvent, 'type'>
}

const ACTOR = 'emulator:'
export const actorOf = (avdName: string): string => `${ACTOR}${avdName}`
export const nameOf = (actor: string): string => actor.slice(ACTOR.length)

/** More than any change can last: every phase has a limit of its own. */
export const longestMs = ({ limits }: Pick<EmulatorServiceDeps, 'limits'>): number =>
  Object.values(limits).reduce((sum, ms) => sum + ms, EMULATOR_ASK_SLACK_MS)

const isBusy = (avdName: string, { journal }: Pick<EmulatorServiceDeps, 'journal'>): boolean =>
  journal.last(actorOf(avdName))?.tags.includes(IN_FLIGHT) ?? false

/** The state of the AVD's actor as it was last recorded, by whichever process. */
export const stateOf = (avdName: string, { journal }: Pick<EmulatorServiceDeps, 'journal'>): string | undefined =>
  journal.last(actorOf(avdName))?.to

/** Until no request changes it; what a dead process left in flight is settled. Says whether it came to rest in time. */
export const waitUntilIdle = async (
  avdName: string,
  deps: EmulatorServiceDeps,
  signal?: AbortSignal,
): Promise<boolean> => {
  const { clock, host } = deps
  const until = clock.elapsed() + longestMs(deps)
  while (isBusy(avdName, deps)) {
    if (signal?.aborted || clock.elapsed() >= until) return false
    await host.recover({ actor: actorOf(avdName) })
    if (!isBusy(avdName, deps)) break
    await pause(clock, EMULATOR_POLL_MS, signal)
  }
  return true
}

const LATER = 'Try again when that request has ended.'

const busy = ({ avdName }: Change, { holder, since, note }: Ownership): EmulatorFailure => {
  const other = typeof note.ask === 'string' ? note.ask : 'change'
  return emulatorFailure(
    'EMULATOR_BUSY',
    `The AVD ${avdName} is busy: process ${holder.pid} is at work on a request to ${other} it.`,
    { ask: other, holder: { pid: holder.pid, since }, hint: LATER },
  )
}

const contextOf = (avdName: string, { journal }: EmulatorServiceDeps): EmulatorContext | undefined =>
  foldActor(CATALOGUE.emulator, journal as Journal, actorOf(avdName)).snapshot?.context

/** The work that a dead process was doing, until somebody has examined it. */
export const interruptedChangeOf = (avdName: string, deps: EmulatorServiceDeps): InterruptedChange | null =>
  contextOf(avdName, deps)?.cut ?? null

/** True when a process died while the emulator of the AVD came up. */
export const isStart = (avdName: string, deps: EmulatorServiceDeps): boolean => {
  const phase = interruptedChangeOf(avdName, deps)?.phase
  return phase !== undefined && isStarting(phase)
}

/** How a change ended that another process made. */
const endOf = (avdName: string, requestId: unknown, deps: EmulatorServiceDeps): Changed | undefined => {
  const last = contextOf(avdName, deps)?.last
  if (!last || last.requestId !== requestId) return undefined
  if (last.ok) return { ok: true, serial: last.serial, done: last.done, joined: true, adopted: last.adopted }
  return { ok: false, failure: last.failure as EmulatorFailure }
}

export const unanswered = (kind: string, error: unknown): EmulatorFailure => {
  if (error instanceof JournalError) {
    return emulatorFailure('JOURNAL_UNAVAILABLE', `${error.message}; the change may have been made.`, {
      reason: error.reason,
      hint: error.hint,
    })
  }
  return emulatorFailure('INTERNAL_ERROR', `The request got no answer (${kind}); the change may have been made.`, {
    hint: 'Check its state with `GET /android/emulators`.',
  })
}

/** How often a request is repeated that finds the owner of the AVD dead, or its answer gone. */
const ATTEMPTS = 5
/** Bounds the cleanup after a dead process, because a request waits for it. */
const REPAIR_WAIT_MS = 30_000

/** True when the answer to that request also answers this one. */
const isSame = ({ ask, event }: Change, note: Ownership['note']): boolean =>
  ask !== 'create' && note.ask === ask && JSON.stringify(note.options) === JSON.stringify(event.options)

/** A machine knows requests, and not that it is this process that is at work on them. */
const refusalOf = ({
  code,
  message,
  details,
}: {
  code: string
  message: string
  details: unknown
}): EmulatorFailure => {
  const more = code === 'EMULATOR_BUSY' ? { holder: { pid: thisProcess().pid }, hint: LATER } : {}
  return { code, message, details: { ...(details as object | null), ...more } } as EmulatorFailure
}

/** Only cleaned up, and not waited for until it has booted. */
const isRepaired = (failed: { code: string; details: unknown }, avdName: string, deps: EmulatorServiceDeps): boolean =>
  failed.code === 'EMULATOR_BUSY' &&
  (failed.details as { ask?: unknown } | null)?.ask === 'repair' &&
  !stateOf(avdName, deps)?.startsWith('busy.starting')

export const askEmulator = async (change: Change, deps: EmulatorServiceDeps): Promise<Changed> => {
  const { avdName, ask, event } = change
  const { host, clock, ids, limits } = deps
  const repairedBy = clock.elapsed() + REPAIR_WAIT_MS
  for (let attempt = 1; ; attempt++) {
    const requestId = ids.at(clock.now())
    const note = { ask, avdName, requestId, options: event.options }
    const target = { id: actorOf(avdName), machine: 'emulator', input: { avdName }, note }
    const outcome = await host.ask<EmulatorEmitted>(
      target,
      { ...event, type: `${ask}.requested`, requestId, limits },
      { matches: ({ requestIds }) => requestIds.includes(requestId), until: clock.now() + longestMs(deps) },
    )
    if (outcome.kind === 'answered') {
      const { emitted } = outcome
      if (emitted.type === 'emulator.reported') {
        const { serial, done, requestIds, adopted } = emitted
        return { ok: true, serial, done, joined: requestIds[0] !== requestId, adopted }
      }
      if (isRepaired(emitted, avdName, deps) && clock.elapsed() < repairedBy) {
        await pause(clock, EMULATOR_POLL_MS)
        continue
      }
      return { ok: false, failure: refusalOf(emitted) }
    }
    if (outcome.kind !== 'held') {
      return { ok: false, failure: unanswered(outcome.kind, 'error' in outcome ? outcome.error : undefined) }
    }
    const { lease } = outcome
    const isRepair = lease.note.ask === 'repair' && ask !== 'repair'
    if (!(isRepair || isSame(change, lease.note)) || attempt === ATTEMPTS) {
      return { ok: false, failure: busy(change, lease) }
    }
    await waitUntilIdle(avdName, deps)
    const end = endOf(avdName, lease.note.requestId, deps)
    // A start that finds the emulator of a dead process waited for is answered when that has booted.
    if (end && (!isRepair || (ask === 'start' && (!end.ok || end.adopted)))) return end
  }
}
