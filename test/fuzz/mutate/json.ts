/** Changes of JSON as a tree: members removed, renamed, replaced and nested, with the keys that harm careless readers. */
import { isNestedDeeper } from '../../../src/contracts/json/json.ts'
import type { Random } from '../../long/trial/random.ts'
import type { Mutate, Tools } from '../target.ts'
import { mutateBytes } from './bytes.ts'
import { mutateText } from './text.ts'
import { DEPTHS, NASTY_NUMBERS, NASTY_TEXTS, REPEATS, someOf } from './words.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Stands for a value that is nested deeper than a tree can be written. */
const DEEP = '\u0001deep\u0001'
const TREE_DEPTH_MAX = 400
const NODES_MAX = 20_000

const parsed = (input: Buffer): Json | undefined => {
  try {
    const value = JSON.parse(input.toString('utf8')) as Json
    return isNestedDeeper(value, TREE_DEPTH_MAX) ? undefined : value
  } catch {
    return undefined
  }
}

const isParent = (value: Json): value is Json[] | { [key: string]: Json } => typeof value === 'object' && value !== null

/** A member called `__proto__` is a member. */
const setMember = (parent: Json[] | { [key: string]: Json }, key: string, value: Json): void => {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true })
}

interface Place {
  parent: Json[] | { [key: string]: Json }
  key: string
}

const placesIn = (root: Json): Place[] => {
  const places: Place[] = []
  let level: Json[] = [root]
  for (let depth = 0; level.length > 0 && depth < TREE_DEPTH_MAX && places.length < NODES_MAX; depth++) {
    const next: Json[] = []
    for (const value of level) {
      if (!isParent(value)) continue
      for (const key of Object.keys(value)) {
        places.push({ parent: value, key })
        next.push(Reflect.get(value, key) as Json)
      }
    }
    level = next
  }
  return places
}

const valueAt = ({ parent, key }: Place): Json => Reflect.get(parent, key) as Json

const removeAt = ({ parent, key }: Place): void => {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

const inText = mutateText(['a', 'A', '1', '.', ':', '-', '_', ' ', '\n'])

const changedText = (text: string, tools: Tools): string => {
  if (tools.random.chance(0.3)) return text + tools.random.pick(NASTY_TEXTS)
  return inText(Buffer.from(text), tools).toString('utf8')
}

const someValue = (random: Random): Json => {
  const makes: [() => Json, ...(() => Json)[]] = [
    () => null,
    () => random.chance(0.5),
    () => random.pick(NASTY_NUMBERS),
    () => random.pick(NASTY_TEXTS),
    () => [],
    () => ({}),
    () => [null],
    () => ({ [random.pick(NASTY_TEXTS)]: random.pick(NASTY_TEXTS) }),
    () => 'x'.repeat(someOf(random, REPEATS)),
    () => DEEP,
  ]
  return random.pick(makes)()
}

const changedValue = (value: Json, tools: Tools): Json => {
  const { random } = tools
  if (random.chance(0.4)) return someValue(random)
  if (typeof value === 'string') return changedText(value, tools)
  if (typeof value === 'number') return random.pick([value + 1, value - 1, -value, value * 1_000, value + 0.5])
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) {
    const times = someOf(random, REPEATS)
    const list = value.slice(0, Math.ceil(NODES_MAX / times))
    return Array.from({ length: times }, () => list).flat()
  }
  return random.chance(0.5) ? [value] : { ...(isParent(value) ? value : {}), [random.pick(NASTY_TEXTS)]: value }
}

const changeTree = (root: Json, tools: Tools): Json => {
  const { random, other } = tools
  const [place, ...rest] = placesIn(root)
  if (!place) return changedValue(root, tools)
  const at = random.pick([place, ...rest])
  const replace = (value: Json) => setMember(at.parent, at.key, value)
  const changes: [() => void, ...(() => void)[]] = [
    () => removeAt(at),
    () => replace(changedValue(valueAt(at), tools)),
    () => replace(changedValue(valueAt(at), tools)),
    () => replace(changedValue(valueAt(at), tools)),
    () => replace(structuredClone(valueAt(random.pick([place, ...rest])))),
    () => {
      const [first, ...others] = placesIn(parsed(other()) ?? null)
      if (first) replace(valueAt(random.pick([first, ...others])))
    },
    () => {
      const key = random.chance(0.5) ? random.pick(NASTY_TEXTS) : changedText(at.key, tools)
      setMember(at.parent, Array.isArray(at.parent) ? String(at.parent.length) : key, valueAt(at))
    },
    () => {
      const [first, ...others] = placesIn(parsed(other()) ?? null)
      if (!first) return
      const brought = random.pick([first, ...others])
      if (!Array.isArray(at.parent)) setMember(at.parent, brought.key, valueAt(brought))
    },
  ]
  random.pick(changes)()
  return root
}

/** Texts in escapes, members twice, blanks: the same value written in another way, or nearly. */
const rewritten = (text: string, { random }: Tools): string => {
  const ways: [() => string, ...(() => string)[]] = [
    () => text.replace(/"([^"\\]+)":("[^"\\]*"|\d+)/, '"$1":$2,"$1":$2'),
    () =>
      text.replace(/"([a-zA-Z])/, (_, letter: string) => `"\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
    () => ` \n${text}\t `,
    () => `\uFEFF${text}`,
    () => text.replace(/\d+/, found => `${found}.0e0`),
    () => text + text,
  ]
  return random.pick(ways)()
}

const withDepth = (text: string, random: Random): string => {
  if (!text.includes(DEEP.slice(1, -1))) return text
  const depth = someOf(random, DEPTHS)
  const deep = random.chance(0.5)
    ? '['.repeat(depth) + ']'.repeat(depth)
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  return text.replaceAll(JSON.stringify(DEEP), deep)
}

export const mutateJson: Mutate = (input, tools) => {
  const { random } = tools
  const tree = random.chance(0.9) ? parsed(input) : undefined
  if (tree === undefined) return mutateBytes(input, tools)
  const text = withDepth(JSON.stringify(changeTree(tree, tools)), random)
  return Buffer.from(random.chance(0.1) ? rewritten(text, tools) : text)
}
