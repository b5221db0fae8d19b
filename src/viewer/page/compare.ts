/** Lists the differences between two pieces of JSON, leaf by leaf. */

export interface Difference {
  path: string
  before: unknown
  after: unknown
}

const leaves = (value: unknown, path: string, into: Map<string, unknown>): Map<string, unknown> => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return into.set(path, value)
  for (const [key, member] of Object.entries(value)) leaves(member, `${path}/${key}`, into)
  return into
}

const isSame = (a: unknown, b: unknown) => Object.is(a, b) || JSON.stringify(a) === JSON.stringify(b)

export const differences = (before: unknown, after: unknown): readonly Difference[] => {
  const left = leaves(before, '', new Map())
  const right = leaves(after, '', new Map())
  return [...new Set([...left.keys(), ...right.keys()])]
    .map(path => ({ path, before: left.get(path), after: right.get(path) }))
    .filter(({ before: was, after: is }) => !isSame(was, is))
}
