/** JSON values of callers: tells objects from all other values and how deep a value is nested, and leaves members out. */

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Leaves out what is undefined. */
export const defined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** Undefined for a text that is not JSON. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True for values whose JSON is the same text. */
export const isSameJson = (a: unknown, b: unknown): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [ofA, ofB] = [Object.entries(a), Object.entries(b)]
  return (
    ofA.length === ofB.length &&
    ofA.every(([key, value], at) => ofB[at]?.[0] === key && isSameJson(value, ofB[at]?.[1]))
  )
}

/** Goes no deeper than `levelsMax`: a value that `JSON.parse` made may be nested deeper than the stack. */
export const isNestedDeeper = (value: unknown, levelsMax: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (levelsMax === 0) return true
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return children.some(child => isNestedDeeper(child, levelsMax - 1))
}
