/** Compares subjects of NATS: `*` is one token, `>` the rest, at least one. */

const REST = '>'
const ANY = '*'

/** True when `pattern` matches every subject that `subject` matches. */
export const covers = (pattern: string, subject: string): boolean => {
  const [wide, narrow] = [pattern.split('.'), subject.split('.')]
  for (const [index, token] of wide.entries()) {
    if (token === REST) return narrow.length > index
    const other = narrow[index]
    if (other === undefined || other === REST) return false
    if (token !== ANY && token !== other) return false
  }
  return wide.length === narrow.length
}

/** True when some subject matches both. */
export const overlap = (one: string, two: string): boolean => {
  const [left, right] = [one.split('.'), two.split('.')]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [a, b] = [left[index], right[index]]
    if (a === undefined || b === undefined) return false
    if (a === REST || b === REST) return true
    if (a !== b && a !== ANY && b !== ANY) return false
  }
  return true
}
