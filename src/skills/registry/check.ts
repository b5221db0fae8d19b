/** Checks that a parsed file is a registry, by hand: the schema of 10,000 entries would cost more than reading them. */

import { isObject, type JsonObject } from '../../contracts/json.ts'
import type { RegistryEntry, SKILLS_ARRAY_REQUIRED } from '../../contracts/registry.ts'

/** Importing the value would load every schema with it; the type keeps the two the same. */
const REQUIRED: typeof SKILLS_ARRAY_REQUIRED = 'Invalid registry: skills array required'

export type Checked = { ok: true; skills: readonly RegistryEntry[] } | { ok: false; problem: string }

const TEXTS = ['applicationId', 'intent', 'summary', 'path', 'skillFile'] as const
const LISTS = ['scripts', 'artifacts'] as const
const KNOWN_LISTS: ReadonlySet<string> = new Set([...LISTS, 'keywords'])

/** An entry is printed with all that it holds, and turning a value into text recurses as deep as it nests. */
const DEPTH_MAX = 64

/** Loops over indexes and keys by name: of 10,000 entries, a process that has only just started feels the difference. */
const isTexts = (value: unknown): boolean => {
  if (!Array.isArray(value)) return false
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'string') return false
  return true
}

const isDeeper = (value: unknown, depth: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some(child => isDeeper(child, depth - 1))
}

/** The first key that the contract does not bound, and whose value nests too deep. */
const deepKey = (entry: JsonObject): string | undefined => {
  for (const key in entry) {
    if (typeof entry[key] === 'object' && !KNOWN_LISTS.has(key) && isDeeper(entry[key], DEPTH_MAX)) return key
  }
  return undefined
}

const isEntry = (entry: unknown): entry is RegistryEntry =>
  isObject(entry) &&
  typeof entry.id === 'string' &&
  entry.id !== '' &&
  typeof entry.applicationId === 'string' &&
  typeof entry.intent === 'string' &&
  typeof entry.summary === 'string' &&
  typeof entry.path === 'string' &&
  typeof entry.skillFile === 'string' &&
  isTexts(entry.scripts) &&
  isTexts(entry.artifacts) &&
  (entry.keywords === undefined || isTexts(entry.keywords)) &&
  deepKey(entry) === undefined

/** Names the fault of an invalid entry. */
const entryProblem = (entry: unknown): string => {
  if (!isObject(entry)) return ': an object is required'
  if (typeof entry.id !== 'string' || entry.id === '') return '.id: a non-empty string is required'
  const text = TEXTS.find(key => typeof entry[key] !== 'string')
  if (text !== undefined) return ` (${entry.id}).${text}: a string is required`
  const list = LISTS.find(key => !isTexts(entry[key]))
  const deep = deepKey(entry)
  if (list === undefined && deep !== undefined) return ` (${entry.id}).${deep}: nested deeper than ${DEPTH_MAX} levels`
  return ` (${entry.id}).${list ?? 'keywords'}: an array of strings is required`
}

/** Checks a registry. Members beyond the contract belong to the user and stay. */
export const checkRegistry = (file: unknown): Checked => {
  const skills: unknown = isObject(file) ? file.skills : undefined
  if (!Array.isArray(skills)) return { ok: false, problem: REQUIRED }
  for (let index = 0; index < skills.length; index++) {
    if (isEntry(skills[index])) continue
    return { ok: false, problem: `Invalid registry: skills[${index}]${entryProblem(skills[index])}` }
  }
  return { ok: true, skills }
}
