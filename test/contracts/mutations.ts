/** Damages a JSON value in every place, one damage at a time. */

export interface Mutation {
  what: string
  value: unknown
}

const WRONG = [
  null,
  true,
  false,
  -1,
  0.5,
  1e300,
  '',
  ' ',
  'bogus',
  'nul\0',
  'lone\ud800',
  [],
  {},
  ['bogus'],
  { bogus: 1 },
]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inside = (value: unknown, path: string): Mutation[] => {
  const children: [string, unknown][] = Array.isArray(value)
    ? value.map((child, index) => [`${index}`, child])
    : Object.entries(isObject(value) ? value : {})
  return children.flatMap(([key, child]) =>
    damage(child, `${path}.${key}`).map(({ what, value: damaged }) => ({
      what,
      value: Array.isArray(value)
        ? value.map((old, index) => (`${index}` === key ? damaged : old))
        : { ...(value as object), [key]: damaged },
    })),
  )
}

const damage = (value: unknown, path: string): Mutation[] => [
  ...WRONG.map(wrong => ({ what: `${path} = ${JSON.stringify(wrong)}`, value: wrong as unknown })),
  ...(typeof value === 'string' ? [{ what: `${path} too long`, value: value + 'x'.repeat(5_000) }] : []),
  ...(isObject(value)
    ? [
        { what: `${path} + bogus`, value: { ...value, bogus: 1 } },
        ...Object.keys(value).map(key => ({
          what: `${path} - ${key}`,
          value: Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)),
        })),
      ]
    : []),
  ...inside(value, path),
]

export const mutations = (value: unknown): Mutation[] => damage(value, '$')
