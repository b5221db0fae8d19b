/** Section Skills CLI rules: list, for-app and search of the CLI, and the plain filter of GET /skills. */
import type { RegistryEntry, SkillsOutput } from '../../contracts/skills/registry.ts'
import type { Registry } from './registry/load.ts'

const ALPHANUMERIC = /[\p{L}\p{N}]/u
const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]+/u

const wordsOf = (text: string): string[] => text.split(NOT_ALPHANUMERIC).filter(word => word !== '')

/** A surrogate alone is neither letter nor digit: half a character on the other side is looked at whole. */
const isPart = (text: string, at: number, step: 1 | -1): boolean => {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
  const low = step < 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
  const point = text.codePointAt(low)
  return point !== undefined && ALPHANUMERIC.test(String.fromCodePoint(point))
}

/** True when `word` is one of the words of `text`. Looking at the edges of a match is cheaper than splitting. */
const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const isStart = at === 0 || !isPart(text, at - 1, -1)
    if (isStart && (end === text.length || !isPart(text, end, 1))) return true
  }
  return false
}

/** 0 is the best; as many as the contract lists. */
const RANKS = 7

interface Query {
  text: string
  words: readonly string[]
  /** The text is one word: a field that has the word holds the text. */
  isWord: boolean
  /** One field of every entry that answers has all of them. They need no lower-cased copy of it; none for a keyword without words. */
  probes: readonly RegExp[]
}

/** The dot that lower case splits off a capital dotted I: the only letter that no pattern finds by its lower case. */
const SPLIT_OFF = '\u0307'

/** Undefined for a keyword that holds nothing to look for. */
export const queryOf = (keyword: string): Query | undefined => {
  const text = keyword.trim().toLowerCase()
  if (text === '') return undefined
  const words = wordsOf(text)
  const longestFirst = [...words].sort((a, b) => b.length - a.length)
  // A word is letters and digits only, so nothing in it is a pattern.
  const probes = text.includes(SPLIT_OFF) ? [] : longestFirst.map(word => new RegExp(word, 'iu'))
  return { text, words, isWord: words[0] === text, probes }
}

/*
 * A search of 10,000 entries runs in a process that has only just started, where nothing is compiled yet: there a loop
 * over indexes costs half of one over values, and a glance at an entry a third of ranking it.
 */

const NONE: readonly string[] = []
const NEVER = /(?!)/

const anyShows = (texts: readonly string[], probe: RegExp): boolean => {
  for (let index = 0; index < texts.length; index++) if (probe.test(texts[index] ?? '')) return true
  return false
}

const showsAll = (field: readonly string[], probes: readonly RegExp[]): boolean => {
  for (let index = 0; index < probes.length; index++) if (!anyShows(field, probes[index] ?? NEVER)) return false
  return true
}

const isCandidate = ({ id, applicationId, summary, keywords }: RegistryEntry, probes: readonly RegExp[]): boolean =>
  showsAll([id], probes) ||
  showsAll([summary], probes) ||
  showsAll(keywords ?? NONE, probes) ||
  showsAll([applicationId], probes)

const lower = (texts: readonly string[]): readonly string[] => {
  const lowered: string[] = []
  for (let index = 0; index < texts.length; index++) lowered.push((texts[index] ?? '').toLowerCase())
  return lowered
}

const anyHolds = (texts: readonly string[], part: string): boolean => {
  for (let index = 0; index < texts.length; index++) if (texts[index]?.includes(part)) return true
  return false
}

const anyHasWord = (texts: readonly string[], word: string): boolean => {
  for (let index = 0; index < texts.length; index++) if (hasWord(texts[index] ?? '', word)) return true
  return false
}

/** All words in one field; a keyword of punctuation alone has none, and is in no field that way. */
const hasAll = (field: readonly string[], words: readonly string[]): boolean => {
  for (let index = 0; index < words.length; index++) if (!anyHasWord(field, words[index] ?? '')) return false
  return words.length > 0
}

/** Undefined for an entry that does not answer at all. `keywords` is one field, `id` and `applicationId` are two. */
export const rankOf = (entry: RegistryEntry, { text, words, isWord, probes }: Query): number | undefined => {
  if (!isCandidate(entry, probes)) return undefined
  const keywords = entry.keywords === undefined ? NONE : lower(entry.keywords)
  const inKeywords = anyHolds(keywords, text)
  if (inKeywords && keywords.includes(text)) return 0
  if ((inKeywords || !isWord) && hasAll(keywords, words)) return 1
  const id = entry.id.toLowerCase()
  const applicationId = entry.applicationId.toLowerCase()
  const inNames = id.includes(text) || applicationId.includes(text)
  if (id === text || applicationId === text) return 2
  if ((inNames || !isWord) && (hasAll([id], words) || hasAll([applicationId], words))) return 3
  if (inKeywords) return 4
  if (inNames) return 5
  return entry.summary.toLowerCase().includes(text) ? 6 : undefined
}

export interface SkillFilter {
  /** Exactly the applicationId. */
  app?: string | undefined
  /** Exactly the intent. */
  intent?: string | undefined
  /** Blank counts as not given. */
  keyword?: string | undefined
}

type Skills = Pick<Registry, 'skills'>

const output = (skills: readonly RegistryEntry[]): SkillsOutput => ({ skills: [...skills], count: skills.length })

const exactly = (skills: readonly RegistryEntry[], { app, intent }: SkillFilter): readonly RegistryEntry[] =>
  app === undefined && intent === undefined
    ? skills
    : skills.filter(
        entry =>
          (app === undefined || entry.applicationId === app) && (intent === undefined || entry.intent === intent),
      )

/** Best rank first; within a rank in the order of the registry. */
const ranked = (skills: readonly RegistryEntry[], query: Query): RegistryEntry[] => {
  const ranks: RegistryEntry[][] = Array.from({ length: RANKS }, () => [])
  for (const entry of skills) {
    const rank = rankOf(entry, query)
    if (rank !== undefined) ranks[rank]?.push(entry)
  }
  return ranks.flat()
}

export const listSkills = ({ skills }: Skills): SkillsOutput => output(skills)

export const skillsForApp = (registry: Skills, app: string): SkillsOutput => searchSkills(registry, { app })

export const searchSkills = ({ skills }: Skills, filter: SkillFilter): SkillsOutput => {
  const found = exactly(skills, filter)
  const query = filter.keyword === undefined ? undefined : queryOf(filter.keyword)
  return output(query === undefined ? found : ranked(found, query))
}

/** GET /skills: a plain substring, in registry order. */
export const filterSkills = ({ skills }: Skills, filter: SkillFilter): SkillsOutput => {
  const found = exactly(skills, filter)
  const text = filter.keyword?.toLowerCase() ?? ''
  if (text === '') return output(found)
  return output(
    found.filter(({ id, summary, applicationId }) =>
      [id, summary, applicationId].some(field => field.toLowerCase().includes(text)),
    ),
  )
}
