/** JSON values of callers: tells objects from all other values, and how deep a value is nested. */

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A loop, because a value that `JSON.parse` made may be nested deeper than the stack. */
export const isNestedDeeper = (root: unknown, levelsMax: number): boolean => {
  let open: unknown[] = [root]
  for (let level = 0; open.length > 0; level += 1) {
    const containers = open.filter(value => typeof value === 'object' && value !== null) as object[]
    if (containers.length > 0 && level >= levelsMax) return true
    open = containers.flatMap(container => Object.values(container))
  }
  return false
}
