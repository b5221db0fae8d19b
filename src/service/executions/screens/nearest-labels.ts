/** Ranks the labels of a screen by how near they are to what a step looked for and did not find. */

import { hasRole } from '../../../contracts/device/role.ts'
import { type Matcher, refOf } from '../../../contracts/executions/matcher.ts'
import { COMPACT_LABEL_CHARS, NEAREST_LABELS_MAX } from '../../../contracts/limits/limits.ts'
import { relationsOf } from '../../../device/screen/match.ts'
import { distance } from '../../../runtime/text/nearest-word.ts'
import type { NumberedScreen } from './compact-lines.ts'
import { isTouchedNode, type ScreenNode, shownText } from './screen.ts'

export interface NearestLabel {
  ref: string
  role: string
  label: string
}

/** The labels that are named where none is near. */
const SHOWN_LABELS_MAX = 10
/** Longer texts are compared by their beginnings. */
const COMPARED_CHARS = 100
/** The edit distance is worked out for these only: it costs the product of both lengths. */
const REFINED_MAX = 50
/** A label that is less like the wanted text says nothing: two labels of a language have letters in common by chance. */
const LIKENESS_MIN = 0.45
/** A label that is part of the wanted text says something only from this length on. */
const PART_CHARS_MIN = 3

const folded = (text: string): string =>
  shownText(text.slice(0, 4 * COMPARED_CHARS))
    .toLowerCase()
    .slice(0, COMPARED_CHARS)

const shortId = (id: string): string => id.slice(id.indexOf('/') + 1)

const shareOf = (a: readonly string[], b: readonly string[]): number => {
  if (a.length === 0 || b.length === 0) return 0
  const inB = new Set(b)
  return (2 * a.filter(each => inB.has(each)).length) / (a.length + b.length)
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')

const pairsOf = (text: string): string[] => {
  const pairs: string[] = []
  for (let at = 1; at < text.length; at++) pairs.push(text.slice(at - 1, at + 1))
  return pairs
}

/** A wanted text, prepared once for all labels that are compared with it. */
const likenessTo = (wanted: string) => {
  const text = folded(wanted)
  const [words, pairs] = [wordsOf(text), pairsOf(text)]
  const partly = (other: string): number => {
    const [short, long] = other.length < text.length ? [other, text] : [text, other]
    return short.length >= PART_CHARS_MIN && long.includes(short) ? 0.5 + short.length / (2 * long.length) : 0
  }
  return {
    /** From 0 to 1, by parts and words. */
    rough(label: string): number {
      const other = folded(label)
      if (other === text) return 1
      return Math.max(partly(other), 0.9 * shareOf(words, wordsOf(other)), 0.8 * shareOf(pairs, pairsOf(other)))
    },
    /** From 0 to 1, by the letters that differ. */
    byLetters(label: string): number {
      const other = folded(label)
      return 1 - distance(text, other) / Math.max(1, text.length, other.length)
    },
  }
}

/** The text that is hidden as it is typed is never shown; an empty password field shows its hint. */
const isSecret = ({ state, hint }: ScreenNode): boolean => state.includes('password') && hint === undefined

const textOf = (node: ScreenNode): string => (isSecret(node) ? '' : node.label || (node.hint ?? ''))

/** The same screen without the texts of its password fields. */
export const withoutSecrets = <S extends { nodes: ScreenNode[] }>(screen: S): S =>
  screen.nodes.some(node => isSecret(node) && node.label !== '')
    ? { ...screen, nodes: screen.nodes.map(node => (isSecret(node) ? { ...node, label: '' } : node)) }
    : screen

const cut = (text: string): string => {
  const characters = Array.from(text.slice(0, 2 * COMPACT_LABEL_CHARS + 2))
  return characters.length <= COMPACT_LABEL_CHARS ? text : `${characters.slice(0, COMPACT_LABEL_CHARS).join('')}…`
}

/** The id stands in for a label that is not there, as in compact lines. */
const labelOf = (node: ScreenNode): string => cut(textOf(node) || (node.id === '' ? '' : `#${shortId(node.id)}`))

type Likeness = ReturnType<typeof likenessTo>
type Compare = (likeness: Likeness, text: string) => number

/** The text of a pattern without its signs; undefined where nothing is left to compare with. */
const wordsOfPattern = (pattern: string | undefined): string | undefined =>
  pattern
    ?.replace(/\\[pP]\{[^}]*\}|\\\w|\[\^?\]?[^\]]*\]|\{\d+(?:,\d*)?\}|\(\?(?::|P?<\w+>)|[\\^$.|?*+()[\]{}]/g, ' ')
    .trim()
    .replace(/\s+/g, ' ') || undefined

/** How near a node is to the matcher: its words before its id, and its id before its role. */
const wordsOfMatcher = (matcher: Matcher): string | undefined =>
  matcher.textEquals ??
  matcher.textContains ??
  wordsOfPattern(matcher.textMatches) ??
  matcher.contentDescEquals ??
  matcher.contentDescContains ??
  wordsOfPattern(matcher.flow?.text)

const scorer = (matcher: Matcher) => {
  const { role } = matcher
  const resourceId = matcher.resourceId ?? wordsOfPattern(matcher.flow?.id)
  // Where only relations name a node, the other node may be the missing one.
  const wanted =
    wordsOfMatcher(matcher) ??
    (resourceId === undefined ? relationsOf(matcher).flatMap(({ to }) => wordsOfMatcher(to) ?? [])[0] : undefined)
  const label = wanted === undefined ? undefined : likenessTo(wanted)
  const id = resourceId === undefined ? undefined : likenessTo(shortId(resourceId))
  const score = (node: ScreenNode, compare: Compare): number => {
    const byId = id && node.id !== '' ? compare(id, shortId(node.id)) : 0
    const byRole = role !== undefined && hasRole(node, role) ? 1 : 0
    if (label) return compare(label, textOf(node)) + 0.2 * byId + 0.1 * byRole
    return id ? byId + 0.1 * byRole : byRole
  }
  return { score, least: label || id ? LIKENESS_MIN : 0 }
}

interface Candidate {
  node: ScreenNode
  /** Its position on the screen, from 1. */
  at: number
  label: string
  score: number
}

/** The nearest first; among equals what can be touched, then the order of the screen. */
const inOrder = (a: Candidate, b: Candidate): number =>
  b.score - a.score || Number(isTouchedNode(b.node)) - Number(isTouchedNode(a.node)) || a.at - b.at

/** Rows of a list often say the same; one of them is enough. */
const distinct = (candidates: readonly Candidate[]): Candidate[] => {
  const seen = new Set<string>()
  return candidates.filter(({ node, label }) => {
    const key = `${node.role}\0${label}`
    if (label === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** At most NEAREST_LABELS_MAX that are like it; without a text or an id to compare with, the first that can be touched. */
export const nearestLabels = ({ number, screen }: NumberedScreen, matcher: Matcher): NearestLabel[] => {
  const { score, least } = scorer(matcher)
  const rough = screen.nodes
    .map((node, index): Candidate => {
      const compare: Compare = (likeness, text) => likeness.rough(text)
      return { node, at: index + 1, label: labelOf(node), score: score(node, compare) }
    })
    .sort(inOrder)
  const refined = distinct(rough)
    .slice(0, REFINED_MAX)
    .map(candidate => {
      const compare: Compare = (likeness, text) => Math.max(likeness.rough(text), likeness.byLetters(text))
      return { ...candidate, score: score(candidate.node, compare) }
    })
    .filter(({ score: reached }) => reached >= least)
    .sort(inOrder)
  return refined
    .slice(0, NEAREST_LABELS_MAX)
    .map(({ node: { role }, at, label }) => ({ ref: refOf(number, at), role, label }))
}

/** At most SHOWN_LABELS_MAX in the order of the screen, for a screen that has nothing like what was looked for. */
export const firstLabels = ({ number, screen }: NumberedScreen): NearestLabel[] =>
  distinct(screen.nodes.map((node, index): Candidate => ({ node, at: index + 1, label: labelOf(node), score: 0 })))
    .slice(0, SHOWN_LABELS_MAX)
    .map(({ node: { role }, at, label }) => ({ ref: refOf(number, at), role, label }))
