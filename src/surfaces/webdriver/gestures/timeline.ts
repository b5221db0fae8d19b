/** What the sources of input do together, in time: ticks that last as long as the longest of their items. */
import { unsupported } from '../protocol/arguments.ts'
import type { InputSource, Origin, PointerItem } from './read-actions.ts'

/** A place, from the upper left corner of the screen or from the centre of an element. */
export interface Spot {
  readonly elementId?: string
  readonly x: number
  readonly y: number
}

/** One leg of the way of a finger. */
export interface Leg {
  readonly fromMs: number
  readonly untilMs: number
  readonly to: Spot
}

/** One finger, from coming down to going up. */
export interface Touch {
  readonly sourceId: string
  readonly startMs: number
  readonly endMs: number
  readonly start: Spot
  readonly legs: readonly Leg[]
}

export interface KeyEvent {
  readonly atMs: number
  readonly kind: 'down' | 'up'
  readonly value: string
}

export interface Timeline {
  /** By their beginnings. */
  readonly touches: readonly Touch[]
  readonly keys: readonly KeyEvent[]
  readonly durationMs: number
}

interface Tick {
  startMs: number
  durationMs: number
}

const lengthOf = (item: PointerItem | { kind: string; durationMs?: number } | undefined): number =>
  item && 'durationMs' in item ? (item.durationMs ?? 0) : 0

const ticksOf = (sources: readonly InputSource[]): Tick[] => {
  const count = Math.max(0, ...sources.map(({ items }) => items.length))
  const ticks: Tick[] = []
  let startMs = 0
  for (let at = 0; at < count; at++) {
    const durationMs = Math.max(0, ...sources.map(({ items }) => lengthOf(items[at])))
    ticks.push({ startMs, durationMs })
    startMs += durationMs
  }
  return ticks
}

const moved = (from: Spot | undefined, origin: Origin, x: number, y: number, id: string): Spot => {
  if (origin === 'viewport') return { x, y }
  if (origin !== 'pointer') return { elementId: origin.elementId, x, y }
  if (from) return { ...from, x: from.x + x, y: from.y + y }
  throw unsupported(
    `The pointer ${id} moves from where it is, but was nowhere before. Begin with a viewport or an element.`,
  )
}

interface Down {
  startMs: number
  start: Spot
  legs: Leg[]
}

const FINGER_RULE = 'Each finger must come down and go up within one request.'

const touchesOf = ({ id, items }: Extract<InputSource, { type: 'pointer' }>, ticks: readonly Tick[]): Touch[] => {
  const touches: Touch[] = []
  let at: Spot | undefined
  let down: Down | undefined
  for (const [index, item] of items.entries()) {
    const { startMs, durationMs } = ticks[index] ?? { startMs: 0, durationMs: 0 }
    if (item.kind === 'move') {
      at = moved(at, item.origin, item.x, item.y, id)
      down?.legs.push({ fromMs: startMs, untilMs: startMs + (item.durationMs ?? durationMs), to: at })
    } else if (item.kind === 'down') {
      if (!at) throw unsupported(`The pointer ${id} comes down, but has moved nowhere before.`)
      if (down) throw unsupported(`The pointer ${id} comes down twice. ${FINGER_RULE}`)
      down = { startMs, start: at, legs: [] }
    } else if (item.kind === 'up' && down) {
      touches.push({ sourceId: id, endMs: startMs, ...down })
      down = undefined
    }
  }
  if (down) throw unsupported(`The pointer ${id} is still down at the end. ${FINGER_RULE}`)
  return touches
}

export const timelineOf = (sources: readonly InputSource[]): Timeline => {
  const ticks = ticksOf(sources)
  const touches = sources.flatMap(source => (source.type === 'pointer' ? touchesOf(source, ticks) : []))
  const keys = sources.flatMap(source =>
    source.type !== 'key'
      ? []
      : source.items.flatMap((item, at): KeyEvent[] =>
          item.kind === 'pause' ? [] : [{ atMs: ticks[at]?.startMs ?? 0, kind: item.kind, value: item.value }],
        ),
  )
  const last = ticks.at(-1)
  return {
    touches: touches.sort((a, b) => a.startMs - b.startMs),
    keys: keys.sort((a, b) => a.atMs - b.atMs),
    durationMs: last ? last.startMs + last.durationMs : 0,
  }
}

export const isSameSpot = (a: Spot, b: Spot): boolean => a.elementId === b.elementId && a.x === b.x && a.y === b.y

/** A finger that goes nowhere. */
export const isStill = ({ start, legs }: Touch): boolean => legs.every(({ to }) => isSameSpot(to, start))
