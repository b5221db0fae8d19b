/** A message bus in memory that loses, repeats and reorders as it is told, in the place of NATS. */
import type { Heard, Wire } from '../../../src/fleet/exchange/wire.ts'
import { clock } from './server.ts'

export interface Weather {
  /** Of each message, for each of its ways. */
  lost: number
  twice: number
  /** Each message takes between none and this many ms, so that they overtake each other. */
  upToMs: number
}

export interface BusWire extends Wire {
  /** Nothing goes in or out meanwhile; it says so, unless the cut is silent. */
  cut(silent?: boolean): void
  heal(): void
}

export interface Bus {
  weather: Weather
  wire(): BusWire
  /** Looks at each message before the weather does; false loses it. */
  onPublish: (subject: string, payload: Uint8Array, reply: string | undefined) => boolean
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const matches = (pattern: string, subject: string): boolean => {
  const [wanted, given] = [pattern.split('.'), subject.split('.')]
  const last = wanted.at(-1) === '>' ? wanted.length - 1 : undefined
  if (last === undefined ? wanted.length !== given.length : given.length <= last) return false
  return wanted.slice(0, last).every((token, index) => token === '*' || token === given[index])
}

export const CALM: Weather = { lost: 0, twice: 0, upToMs: 0 }

export const createBus = (random: () => number, weather: Weather = CALM): Bus => {
  const listening = new Set<{ subject: string; hear: (heard: Heard) => void; isCut: () => boolean }>()

  const bus: Bus = {
    weather,
    onPublish: () => true,
    wire() {
      let state: 'up' | 'silent' | 'down' = 'up'
      const watching = new Set<(isUp: boolean) => void>()
      const isCut = () => state !== 'up'
      const become = (now: typeof state) => {
        const before = state
        state = now
        if ((before === 'down') !== (now === 'down')) for (const listener of watching) listener(now !== 'down')
      }

      const deliver = (to: Iterable<{ hear: (heard: Heard) => void; isCut: () => boolean }>, heard: Heard) => {
        for (const { hear, isCut: isAway } of to) {
          const copies = random() < bus.weather.twice ? 2 : 1
          for (let copy = 0; copy < copies; copy++) {
            if (random() < bus.weather.lost) continue
            clock.at(clock.now() + random() * bus.weather.upToMs, () => {
              if (!isCut() && !isAway()) hear(heard)
            })
          }
        }
      }

      return {
        isUp: () => state !== 'down',
        onChange(listener) {
          watching.add(listener)
          return () => watching.delete(listener)
        },
        maxPayload: () => 1_024 * 1_024,
        publish(subject, payload, reply) {
          if (state === 'down') return false
          if (!bus.onPublish(subject, payload, reply) || state === 'silent') return true
          const to = [...listening].filter(one => matches(one.subject, subject))
          if (to.length > 0) deliver(to, { subject, data: Uint8Array.from(payload), reply, isNobodyThere: false })
          else if (reply !== undefined) {
            const back = [...listening].filter(one => matches(one.subject, reply))
            deliver(back, { subject: reply, data: new Uint8Array(), reply: undefined, isNobodyThere: true })
          }
          return true
        },
        subscribe(subject, hear) {
          const one = { subject, hear, isCut }
          listening.add(one)
          return { close: () => void listening.delete(one) }
        },
        flush: async () => {},
        cut: (silent = false) => become(silent ? 'silent' : 'down'),
        heal: () => become('up'),
      }
    },
  }
  return bus
}
