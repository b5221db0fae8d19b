/** Finds the screen for each moment of a recording: the one seen then, else one seen before or after it. */
import type { Matcher } from '../../contracts/matcher.ts'
import { findFirst, walk } from '../../operator/engine/match.ts'
import { type Bounds, NO_FLAGS, type UiNode } from '../../operator/engine/ui-tree.ts'
import type { Dump } from '../from-dump/read-dump.ts'
import { isEditable } from '../scenario/node.ts'
import type { FilmPlan, Interval } from './film-steps.ts'

/** A node that may still be changed: it belongs to one picture alone. */
export type FilmNode = { -readonly [K in keyof Omit<UiNode, 'children'>]: UiNode[K] } & { children: FilmNode[] }

export interface Picture {
  root: FilmNode
  rotation: number
  activity?: string | undefined
}

interface Pictures {
  pictures: readonly Picture[]
  notes: readonly string[]
}

const SCREEN: Bounds = { left: 0, top: 0, right: 1_080, bottom: 2_400 }
const ROW_PIXELS = 150

export const plainNode = (packageName: string, bounds: Bounds, more: Partial<FilmNode> = {}): FilmNode => ({
  text: '',
  resourceId: '',
  className: 'android.view.View',
  packageName,
  contentDesc: '',
  ...NO_FLAGS,
  enabled: true,
  bounds,
  children: [],
  ...more,
})

export const foundIn = ({ root }: Pick<Picture, 'root'>, matcher: Matcher): FilmNode | undefined =>
  findFirst({ rotation: 0, roots: [root] }, matcher)?.node as FilmNode | undefined

/** Builds a node that fits the matcher. */
export const nodeFor = (matcher: Matcher, packageName: string, bounds: Bounds, label?: string): FilmNode => {
  const { resourceId = '', textEquals, textContains, contentDescEquals, contentDescContains } = matcher
  const contentDesc = contentDescEquals ?? contentDescContains ?? ''
  const text = textEquals ?? label ?? textContains ?? ''
  const more = { resourceId, contentDesc, text: text === contentDesc ? '' : text }
  return plainNode(packageName, bounds, {
    ...more,
    className: 'android.widget.TextView',
    clickable: true,
    focusable: true,
  })
}

/** Two screens with the same nodes differ only in what was typed, and where the keyboard has moved things. */
export const signatureOf = ({ root }: Pick<Picture, 'root'>): string =>
  JSON.stringify(
    [...walk([root])].map(({ node: { className, resourceId, text, contentDesc, checked } }) => [
      className,
      resourceId,
      isEditable(className) ? '' : text,
      contentDesc,
      checked,
    ]),
  )

const MASKED_PART_CHARS = 4

/** Puts bullets where a secret is; one of few characters only where it is the whole text. */
export const masker = (secrets: readonly string[]) => (text: string) =>
  secrets.reduce((masked, secret) => {
    if (masked === secret) return '•'.repeat(secret.length)
    return secret.length < MASKED_PART_CHARS ? masked : masked.replaceAll(secret, '•'.repeat(secret.length))
  }, text)

const copied = (root: UiNode, mask: (text: string) => string): FilmNode => {
  const { children, ...own } = root
  const { hint, text, contentDesc } = own
  const words = {
    text: mask(text),
    contentDesc: mask(contentDesc),
    ...(hint === undefined ? {} : { hint: mask(hint) }),
  }
  return { ...own, ...words, children: children.map(child => copied(child, mask)) }
}

const fits = (picture: Picture, { needs }: Interval) => needs.every(({ matcher }) => foundIn(picture, matcher))

/** Adds what the steps found and no picture shows. */
const complete = (picture: Picture, { needs }: Interval, notes: string[], at: string): Picture => {
  const { root } = picture
  let { bottom } = root.bounds
  for (const { step, matcher, label, editable } of needs) {
    if (foundIn(picture, matcher)) continue
    const { left, right } = root.bounds
    const bounds = { left, top: Math.max(root.bounds.top, bottom - ROW_PIXELS), right, bottom }
    bottom -= ROW_PIXELS
    const node = nodeFor(matcher, root.packageName, bounds, label)
    root.children.push(editable ? { ...node, className: 'android.widget.EditText', text: '' } : node)
    notes.push(`${at}: no snapshot shows what step "${step}" found; a node that fits it was added`)
  }
  return picture
}

export const picturesOf = (plan: FilmPlan, mask: (text: string) => string): Pictures => {
  const { intervals, opening } = plan
  const notes: string[] = []
  const first = intervals.find(({ dump }) => dump)?.dump
  const blankPackage = opening?.packageName ?? first?.root.packageName ?? 'com.example.recorded'
  const pictureOf = ({ root, rotation, activity }: Dump): Picture => ({ root: copied(root, mask), rotation, activity })
  const pictures: Picture[] = []
  for (const [index, interval] of intervals.entries()) {
    const at = `screen-${index + 1}`
    const own = interval.dump && pictureOf(interval.dump)
    const before = pictures.at(-1)
    const previous = before && { ...before, root: copied(before.root, text => text) }
    const nextDump = intervals[index + 1]?.dump
    const next = nextDump && pictureOf(nextDump)
    const candidates = [own, previous, next].filter(picture => picture !== undefined)
    const fitting = candidates.find(picture => fits(picture, interval))
    const base = fitting ?? candidates[0] ?? { root: plainNode(blankPackage, SCREEN), rotation: 0 }
    if (!own && fitting)
      notes.push(`${at}: no snapshot was taken there; it is the screen ${fitting === next ? 'after' : 'before'} it`)
    pictures.push(complete(base, interval, notes, at))
  }
  return { pictures, notes }
}
