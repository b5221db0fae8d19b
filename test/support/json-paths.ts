/** The places of a JSON value, for tests that put something wrong in each of them. */

export type Path = (string | number)[]

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

export const pathsIn = (value: unknown, path: Path = []): Path[] => {
  const children: [string | number, unknown][] = Array.isArray(value)
    ? value.map((child, index) => [index, child])
    : Object.entries(isHolder(value) ? value : {})
  return [path, ...children.flatMap(([key, child]) => pathsIn(child, [...path, key]))]
}

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (isHolder(at) ? (at as Record<string | number, unknown>)[key] : undefined), value)

export const kindOf = (value: unknown) => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
