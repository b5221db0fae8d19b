/** Reads the labels of a device, and finds the devices that `any:<terms>` means. */
import type { Labels } from '../../contracts/fleet.ts'
import { LABEL_KEY, LABEL_VALUE_CHARS_MAX } from '../../contracts/limits/fleet-limits.ts'

const PROPERTIES: Readonly<Record<string, string>> = {
  android: 'ro.build.version.release',
  api: 'ro.build.version.sdk',
  model: 'ro.product.model',
  manufacturer: 'ro.product.manufacturer',
  abi: 'ro.product.cpu.abi',
}

/** One command for all of them; each answer is one line. */
export const ASK_LABELS = Object.values(PROPERTIES)
  .map(name => `getprop ${name}`)
  .join('; ')

/** A device is not believed to keep to any length or to printable characters. */
const clean = (text: string) =>
  text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, LABEL_VALUE_CHARS_MAX)

export const readLabels = (output: string): Labels => {
  const lines = output.split('\n')
  return Object.fromEntries(
    Object.keys(PROPERTIES).flatMap((key, index) => {
      const value = clean(lines[index] ?? '')
      return value === '' ? [] : [[key, value]]
    }),
  )
}

const COMPARED = ['>=', '<=', '!=', '=', '>', '<'] as const
type Comparison = (typeof COMPARED)[number]

export interface Term {
  key: string
  comparison: Comparison
  value: string
}

const PREFIX = 'any'

export const isPlacement = (deviceId: string): boolean => deviceId === PREFIX || deviceId.startsWith(`${PREFIX}:`)

export type TermsRead = { ok: true; terms: Term[] } | { ok: false; message: string }

/** `any`, or `any:android>=14,tag=lab`. */
export const readTerms = (deviceId: string): TermsRead => {
  const text = deviceId.slice(PREFIX.length + 1).trim()
  if (text === '' && deviceId.includes(':')) return { ok: false, message: 'it has no term behind the colon' }
  const terms: Term[] = []
  for (const part of text === '' ? [] : text.split(',')) {
    const at = part.search(/[<>=!]/)
    const comparison = at < 0 ? undefined : COMPARED.find(each => part.startsWith(each, at))
    const key = part.slice(0, Math.max(at, 0)).trim()
    const value = comparison ? part.slice(at + comparison.length).trim() : ''
    if (!comparison || !LABEL_KEY.test(key) || value === '') {
      return { ok: false, message: `${JSON.stringify(part)} is not a term such as android>=14 or tag=lab` }
    }
    terms.push({ key, comparison, value })
  }
  return { ok: true, terms }
}

const NUMBERS = /^\d+(\.\d+)*$/

/** Numbers by their parts (9 < 10, 14 < 14.1), anything else by its characters. */
const compare = (a: string, b: string): number => {
  if (!NUMBERS.test(a) || !NUMBERS.test(b)) return a === b ? 0 : a < b ? -1 : 1
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** A label that a device does not have satisfies `!=` only. */
const satisfies = (found: string | undefined, { comparison, value }: Term): boolean => {
  if (found === undefined) return comparison === '!='
  const order = compare(found, value)
  switch (comparison) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '>=':
      return order >= 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '<':
      return order < 0
  }
}

/** True when labels satisfy all terms; `ownLabels` takes precedence. Equal labels of many devices are compared once. */
export const fitting = (terms: readonly Term[]): ((labels: Labels, ownLabels: Labels) => boolean) => {
  const judged = terms.map(term => ({ term, verdicts: new Map<string | undefined, boolean>() }))
  return (labels, ownLabels) =>
    judged.every(({ term, verdicts }) => {
      const { key } = term
      const found = Object.hasOwn(ownLabels, key)
        ? ownLabels[key]
        : Object.hasOwn(labels, key)
          ? labels[key]
          : undefined
      const before = verdicts.get(found)
      if (before !== undefined) return before
      const verdict = satisfies(found, term)
      verdicts.set(found, verdict)
      return verdict
    })
}
