/** Asks the actor `emulator:<name>` for a change, and joins the same change when another process is at it. */
import { CATALOGUE } from '../../machines/catalogue.ts'
import { IN_FLIGHT } from '../../machines/definition.ts'
import type { EmulatorAsk, EmulatorContext, EmulatorEmitted } from '../../machines/emulator-context.ts'
import type { Lease, StoredEvent } from '../contracts/journal.ts'
import { EMULATOR_ASK_SLACK_MS, EMULATOR_POLL_MS } from '../contracts/limits.ts'
import { pause } from '../runtime/clock.ts'
import { foldActor } from '../runtime/fold.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { EmulatorServiceDeps } from './deps.ts'
import { type EmulatorFailure, emulatorFailure } from './failure.ts'

export type Changed =
  /** `joined`: the change was under way already. */
  { ok: true; serial: string | null; done: string | null; joined: boolean } | { ok: false; failure: EmulatorFailure }

export interface Change {
  avdName: string
  ask: EmulatorAsk
  event: Omit<StoredEvent, 'type'>
}

export const actorOf = (avdName: string): string => `emulator:${avdName}`

/** More than any change can last: every phase has a limit of its own. */
export const longestMs = ({ limits }: Pick<EmulatorServiceDeps, 'limits'>): number =>
  Object.values(limits).reduce((sum, ms) => sum + ms, EMULATOR_ASK_SLACK_MS)

const isBusy = (avdName: string, { journal }: Pick<EmulatorServiceDeps, 'journal'>): boolean =>
  journal.last(actorOf(avdName))?.tags.includes(IN_FLIGHT) ?? false

/** The state of the AVD's actor as it was last recorded, by whichever process. */
export const stateOf = (avdName: string, { journal }: Pick<EmulatorServiceDeps, 'journal'>): string | undefined =>
  journal.last(actorOf(avdName))?.to

/** Until no request changes it; what a dead process left in flight is settled. Says whether it came to rest in time. */
export const untilAtRest = async (
  avdName: string,
  deps: EmulatorServiceDeps,
  signal?: AbortSignal,
): Promise<boolean> => {
  const { clock, host } = deps
  const until = clock.elapsed() + longestMs(deps)
  while (isBusy(avdName, deps)) {
    if (signal?.aborted || clock.elapsed() >= until) return false
    await host.recover(actorOf(avdName))
    if (!isBusy(avdName, deps)) break
    await pause(clock, EMULATOR_POLL_MS, signal)
  }
  return true
}

const busy = ({ avdName, ask }: Change, { holder, since, note }: Lease): EmulatorFailure => {
  const other = typeof note.ask === 'string' ? note.ask : 'change'
  return emulatorFailure(
    'EMULATOR_BUSY',
    `The AVD ${avdName} is busy: process ${holder.pid} is at work on a request to ${other} it.`,
    { ask, holder: { pid: holder.pid, ask: note.ask ?? null, since }, hint: 'Try again when that request has ended.' },
  )
}

/** How a change ended that another process made. */
const endOf = (avdName: string, requestId: unknown, deps: EmulatorServiceDeps): Changed | undefined => {
  const { snapshot } = foldActor(CATALOGUE.emulator, deps.journal as Journal, actorOf(avdName))
  const last = (snapshot?.context as EmulatorContext | undefined)?.last
  if (!last || last.requestId !== requestId) return undefined
  if (last.ok) return { ok: true, serial: last.serial, done: last.done, joined: true }
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
    hint: 'Look with svc emulators list.',
  })
}

/** How often a request is repeated that finds the owner of the AVD dead, or its answer gone. */
const ATTEMPTS = 5

export const askEmulator = async (change: Change, deps: EmulatorServiceDeps): Promise<Changed> => {
  const { avdName, ask, event } = change
  const { host, clock, ids, limits } = deps
  for (let attempt = 1; ; attempt++) {
    const requestId = ids.at(clock.now())
    const note = { ask, avdName, requestId }
    const target = { id: actorOf(avdName), machine: 'emulator', input: { avdName }, note }
    const asked = await host.ask<EmulatorEmitted>(
      target,
      { ...event, type: `${ask}.requested`, requestId, limits },
      { matches: ({ requestIds }) => requestIds.includes(requestId), until: clock.now() + longestMs(deps) },
    )
    if (asked.kind === 'answered') {
      const { emitted } = asked
      if (emitted.type === 'emulator.refused') {
        const { code, message, details } = emitted
        return { ok: false, failure: { code, message, details } as EmulatorFailure }
      }
      const { serial, done, requestIds } = emitted
      return { ok: true, serial, done, joined: requestIds[0] !== requestId }
    }
    if (asked.kind !== 'held') {
      return { ok: false, failure: unanswered(asked.kind, 'error' in asked ? asked.error : undefined) }
    }
    const { lease } = asked
    const isSame = lease.note.ask === ask && ask !== 'create'
    if (!isSame || attempt === ATTEMPTS) return { ok: false, failure: busy(change, lease) }
    await untilAtRest(avdName, deps)
    const end = endOf(avdName, lease.note.requestId, deps)
    if (end) return end
  }
}
