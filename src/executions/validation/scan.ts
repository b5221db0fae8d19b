/** A first look at an untrusted value, without recursion: is it JSON, flat enough and small enough to be judged at all. */
import { EXECUTION_BYTES } from '../../contracts/limits.ts'

/** A legal execution nests 5 levels deep; whatever passes this cannot exhaust the stack of what walks it later. */
export const DEPTH_MAX = 64
/** A legal execution nests no deeper; the path of a deeper value is cut here. */
const NAMED_LEVELS = 5

export type Finding =
  | { kind: 'deep'; path: string[] }
  | { kind: 'large' }
  | { kind: 'foreign'; path: string[]; what: string }

interface Spot {
  value: unknown
  key: string
  depth: number
  parent: Spot | undefined
}

const FOREIGN = ['bigint', 'function', 'symbol']

const pathOf = (spot: Spot): string[] => {
  const path: string[] = []
  for (let at = spot; at.parent !== undefined; at = at.parent) path.push(at.key)
  return path.reverse().slice(0, NAMED_LEVELS)
}

/** Every value and every UTF-16 unit is at least one byte of JSON, so counting them bounds the work before any is measured. */
export const scan = (root: unknown): Finding | undefined => {
  const open: Spot[] = [{ value: root, key: '', depth: 0, parent: undefined }]
  let least = 0
  for (let spot = open.pop(); spot !== undefined; spot = open.pop()) {
    const { value } = spot
    least += typeof value === 'string' ? value.length : 1
    if (least > EXECUTION_BYTES) return { kind: 'large' }
    if (FOREIGN.includes(typeof value)) return { kind: 'foreign', path: pathOf(spot), what: typeof value }
    if (typeof value !== 'object' || value === null) continue
    if (spot.depth >= DEPTH_MAX) return { kind: 'deep', path: pathOf(spot) }
    const size = Array.isArray(value) ? value.length : Object.keys(value).length
    if (least + size > EXECUTION_BYTES) return { kind: 'large' }
    for (const [key, child] of Object.entries(value)) {
      least += Array.isArray(value) ? 0 : key.length
      open.push({ value: child, key, depth: spot.depth + 1, parent: spot })
    }
  }
  return undefined
}
