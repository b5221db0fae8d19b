/** What can be followed: the transitions of all actors, and the log of a phone. */
import { ROUTES } from '../../contracts/operations/routes.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Door } from './door.ts'
import { follow } from './follow.ts'
import type { GapData, LogGap, LogLine, LogsQuery, TransitionRecord } from './generated/shapes.ts'
import { messageFor } from './message.ts'
import type { Signal } from './outside.ts'
import { SvcError } from './svc-error.ts'

/** An async iterable that can also be ended by `return()`, or by leaving a block that it was declared in with `await using`. */
export type Stream<T> = AsyncIterableIterator<T> & AsyncDisposable

/** A transition, with the id under which a later stream goes on behind it. */
export interface Transition extends TransitionRecord {
  eventId: string
}

export interface TransitionsOptions {
  /** The `seq` or the `eventId` of a transition: those after it come first. Without it, only new ones come. */
  after?: number | string | undefined
  /** Those of one actor, such as `device:emulator-5554`. */
  actor?: string | undefined
  /** Those of one kind of actor, such as `device`. */
  machine?: string | undefined
  /** In a fleet: those of the asked host alone. */
  scope?: 'host' | 'fleet' | undefined
  /** Ends the stream. */
  signal?: Signal | undefined
  /** Called where transitions are missing, which only a fleet can say; without it, that is an error. */
  onGap?: ((gap: GapData) => void) | undefined
}

/** A line of the log, with the id under which a later stream goes on behind it. */
export interface FollowedLine extends LogLine {
  position: string
}

export interface LogsOptions extends LogsQuery {
  /** The `position` of a line: those after it come first. */
  after?: string | undefined
  /** Ends the stream. */
  signal?: Signal | undefined
  /** Called where the phone no longer had lines when they could be read. */
  onGap?: ((gap: LogGap) => void) | undefined
}

/** @internal */
interface StreamDeps {
  door: Door
  clock: Clock
  closed: AbortSignal
}

const gapError = (gap: GapData) =>
  new SvcError({
    code: 'EVENTS_MISSING',
    message: `The stream cannot tell all transitions: ${gap.reason}.`,
    hint: 'Give onGap to go on in spite of gaps.',
    details: { ...gap },
    dispatched: false,
  })

/** @internal */
export const followTransitions = (
  { door, clock, closed }: StreamDeps,
  { after, signal, onGap, ...query }: TransitionsOptions,
): Stream<Transition> => {
  const [, path] = ROUTES['actors.follow']
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
  return follow<Transition>(
    {
      door,
      clock,
      path: search.size === 0 ? path : `${path}?${search}`,
      after: after === undefined ? undefined : String(after),
      signals: [signal, closed],
    },
    ({ name, id = '', data }) => {
      if (name === 'svc:transition') return { ...(data as unknown as TransitionRecord), eventId: id }
      if (name !== 'svc:gap') return undefined
      const gap = data as unknown as GapData
      if (onGap === undefined) throw gapError(gap)
      onGap(gap)
      return undefined
    },
  )
}

/** @internal */
export const followLogs = (
  { door, clock, closed }: StreamDeps,
  deviceId: string,
  { after, signal, onGap, ...query }: LogsOptions,
): Stream<FollowedLine> => {
  const { path } = messageFor('logs.follow', { deviceId, ...query })
  return follow<FollowedLine>({ door, clock, path, after, signals: [signal, closed] }, ({ name, id = '', data }) => {
    if (name === 'svc:log') return { ...(data as unknown as LogLine), position: id }
    if (name === 'svc:gap') onGap?.(data as unknown as LogGap)
    return undefined
  })
}
