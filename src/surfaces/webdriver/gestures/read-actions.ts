/** The body of POST actions, checked as W3C says: sources of input, each a list of items, with the path of what is wrong. */
import { isObject, type JsonObject } from '../../../contracts/json/json.ts'
import { ELEMENT_KEY } from '../commands/elements.ts'
import { invalid, unsupported } from '../protocol/arguments.ts'

export type Origin = 'viewport' | 'pointer' | { readonly elementId: string }

export type PointerItem =
  | { readonly kind: 'pause'; readonly durationMs: number }
  | { readonly kind: 'down' | 'up' }
  | {
      readonly kind: 'move'
      /** Undefined: as long as its tick. */
      readonly durationMs: number | undefined
      readonly x: number
      readonly y: number
      readonly origin: Origin
    }
export type KeyItem =
  | { readonly kind: 'pause'; readonly durationMs: number }
  | { readonly kind: 'down' | 'up'; readonly value: string }

export type InputSource =
  | { readonly type: 'pointer'; readonly id: string; readonly items: readonly PointerItem[] }
  | { readonly type: 'key'; readonly id: string; readonly items: readonly KeyItem[] }
  | { readonly type: 'none'; readonly id: string; readonly items: readonly Extract<KeyItem, { kind: 'pause' }>[] }

/** So many sources, and so many items in each, are taken. */
const SOURCES_MAX = 10
const ITEMS_MAX = 1_000
const DURATION_MS_MAX = 120_000
const POINTER_TYPES = ['touch', 'mouse', 'pen']
/** Beyond it numbers are no pixels. */
const PIXELS_MAX = 1_000_000

const wrong = (path: string, rule: string) => invalid(`${path} must be ${rule}.`)

const arrayAt = (value: unknown, path: string, most: number): readonly unknown[] => {
  if (!Array.isArray(value)) throw wrong(path, 'an array')
  if (value.length > most) throw wrong(path, `an array of at most ${most}`)
  return value
}

const objectAt = (value: unknown, path: string): JsonObject => {
  if (isObject(value)) return value
  throw wrong(path, 'an object')
}

const durationAt = (item: JsonObject, path: string): number | undefined => {
  const { duration } = item
  if (duration === undefined || duration === null) return undefined
  const isTime = typeof duration === 'number' && duration >= 0 && duration <= DURATION_MS_MAX
  if (!isTime) throw wrong(`${path}.duration`, `a number from 0 to ${DURATION_MS_MAX}`)
  return Math.round(duration)
}

const pixelsAt = (item: JsonObject, name: 'x' | 'y', path: string): number => {
  const value = item[name]
  if (typeof value === 'number' && Math.abs(value) <= PIXELS_MAX) return value
  throw wrong(`${path}.${name}`, 'a number of pixels')
}

const originAt = (item: JsonObject, path: string): Origin => {
  const { origin = 'viewport' } = item
  if (origin === 'viewport' || origin === 'pointer') return origin
  const elementId = isObject(origin) ? origin[ELEMENT_KEY] : undefined
  if (typeof elementId === 'string') return { elementId }
  throw wrong(`${path}.origin`, `viewport, pointer, or an element as {"${ELEMENT_KEY}": id}`)
}

const pauseAt = (item: JsonObject, path: string) =>
  ({ kind: 'pause', durationMs: durationAt(item, path) ?? 0 }) as const

const pointerItem = (item: JsonObject, path: string): PointerItem => {
  switch (item.type) {
    case 'pause':
      return pauseAt(item, path)
    case 'pointerDown':
    case 'pointerUp': {
      const { button = 0 } = item
      if (typeof button !== 'number') throw wrong(`${path}.button`, 'a number')
      if (button !== 0) throw unsupported(`${path}.button is ${button}: a finger has no button but 0.`)
      return { kind: item.type === 'pointerDown' ? 'down' : 'up' }
    }
    case 'pointerMove': {
      const at = { x: pixelsAt(item, 'x', path), y: pixelsAt(item, 'y', path) }
      return { kind: 'move', durationMs: durationAt(item, path), ...at, origin: originAt(item, path) }
    }
    case 'pointerCancel':
      throw unsupported(`${path}.type is pointerCancel, which is not supported: a finger that is down goes up.`)
    default:
      throw wrong(`${path}.type`, 'pause, pointerDown, pointerUp or pointerMove')
  }
}

const keyItem = (item: JsonObject, path: string): KeyItem => {
  if (item.type === 'pause') return pauseAt(item, path)
  if (item.type !== 'keyDown' && item.type !== 'keyUp') throw wrong(`${path}.type`, 'pause, keyDown or keyUp')
  const { value } = item
  if (typeof value !== 'string' || [...value].length !== 1) throw wrong(`${path}.value`, 'one character')
  return { kind: item.type === 'keyDown' ? 'down' : 'up', value }
}

const noneItem = (item: JsonObject, path: string) => {
  if (item.type === 'pause') return pauseAt(item, path)
  throw wrong(`${path}.type`, 'pause')
}

const sourceAt = (value: unknown, path: string): InputSource => {
  const source = objectAt(value, path)
  const { type, id } = source
  if (typeof id !== 'string' || id === '') throw wrong(`${path}.id`, 'a text that is not empty')
  const items = <T>(read: (item: JsonObject, at: string) => T): T[] =>
    arrayAt(source.actions, `${path}.actions`, ITEMS_MAX).map((item, index) => {
      const at = `${path}.actions.${index}`
      return read(objectAt(item, at), at)
    })
  if (type === 'key') return { type, id, items: items(keyItem) }
  if (type === 'none') return { type, id, items: items(noneItem) }
  if (type === 'wheel')
    throw unsupported(`${path}.type is wheel: a phone has none. Scroll with mobile: scrollGesture or with a finger.`)
  if (type !== 'pointer') throw wrong(`${path}.type`, 'pointer, key or none')
  const parameters = source.parameters === undefined ? {} : objectAt(source.parameters, `${path}.parameters`)
  const { pointerType = 'touch' } = parameters
  if (!POINTER_TYPES.includes(String(pointerType)))
    throw wrong(`${path}.parameters.pointerType`, POINTER_TYPES.join(', '))
  return { type, id, items: items(pointerItem) }
}

/** Throws `invalid argument`, or `unsupported operation` for what no phone has. */
export const readActions = (body: Readonly<Record<string, unknown>>): readonly InputSource[] => {
  const sources = arrayAt(body.actions, 'actions', SOURCES_MAX).map((each, at) => sourceAt(each, `actions.${at}`))
  const ids = sources.map(({ id }) => id)
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (twice >= 0) throw wrong(`actions.${twice}.id`, 'the id of one source alone')
  return sources
}
