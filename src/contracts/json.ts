/** JSON values of callers: tells objects from all other values, and how deep a value is nested. */

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Goes no deeper than `levelsMax`: a value that `JSON.parse` made may be nested deeper than the stack. */
export const isNestedDeeper = (value: unknown, levelsMax: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (levelsMax === 0) return true
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return children.some(child => isNestedDeeper(child, levelsMax - 1))
}
