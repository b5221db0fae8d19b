/** Which parts of an earlier answer a present one no longer has: whoever read the earlier one must find all that it had. */

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

/**
 * Paths that are missing or of another kind; values may differ. Of a list, the parts of its first entry are looked for in the
 * first one of today.
 */
export const missingParts = (earlier: unknown, today: unknown, path = ''): string[] => {
  const [was, is] = [kindOf(earlier), kindOf(today)]
  if (was !== is) return [`${path || 'all'}: ${was}, now ${is}`]
  if (was === 'list') {
    const [first] = earlier as unknown[]
    return first === undefined ? [] : missingParts(first, (today as unknown[])[0], `${path}[0]`)
  }
  if (was !== 'object') return []
  return Object.entries(earlier as object).flatMap(([key, value]) =>
    key in (today as object)
      ? missingParts(value, (today as Record<string, unknown>)[key], `${path}.${key}`)
      : [`${path}.${key}: missing`],
  )
}
