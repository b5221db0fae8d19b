/** Finds the screen for each moment of a recording: the one seen then, else one seen before or after it. */

import { type Bounds, NO_FLAGS, type UiNode, walk } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { findFirst } from '../../device/screen/search.ts'
import type { Dump } from '../from-dump/read-dump.ts'
import { isEditable } from '../scenario/node.ts'
import type { RecordingInterval, RecordingPlan } from './recording-plan.ts'

/** A node that may still be changed: it belongs to one screen alone. */
export type RecordedNode = { -readonly [K in keyof Omit<UiNode, 'children'>]: UiNode[K] } & { children: RecordedNode[] }

export interface MomentScreen {
  root: RecordedNode
  rotation: number
  activity?: string | undefined
}

const SCREEN: Bounds = { left: 0, top: 0, right: 1_080, bottom: 2_400 }
const ROW_PIXELS = 150

export const plainNode = (packageName: string, bounds: Bounds, more: Partial<RecordedNode> = {}): RecordedNode => ({
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

export const foundIn = ({ root }: Pick<MomentScreen, 'root'>, matcher: Matcher): RecordedNode | undefined =>
  findFirst({ rotation: 0, roots: [root] }, matcher)?.node as RecordedNode | undefined

/** Builds a node that fits the matcher. */
export const nodeFor = (matcher: Matcher, packageName: string, bounds: Bounds, label?: string): RecordedNode => {
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
export const signatureOf = ({ root }: Pick<MomentScreen, 'root'>): string =>
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

const copied = (root: UiNode, mask: (text: string) => string): RecordedNode => {
  const { children, ...fields } = root
  const { hint, text, contentDesc } = fields
  const words = {
    text: mask(text),
    contentDesc: mask(contentDesc),
    ...(hint === undefined ? {} : { hint: mask(hint) }),
  }
  return { ...fields, ...words, children: children.map(child => copied(child, mask)) }
}

const fits = (screen: MomentScreen, { needs }: RecordingInterval) =>
  needs.every(({ matcher }) => foundIn(screen, matcher))

/** Adds what the steps found and no screen shows. */
const complete = (screen: MomentScreen, { needs }: RecordingInterval, notes: string[], at: string): MomentScreen => {
  const { root } = screen
  let { bottom } = root.bounds
  for (const { step, matcher, label, editable } of needs) {
    if (foundIn(screen, matcher)) continue
    const { left, right } = root.bounds
    const bounds = { left, top: Math.max(root.bounds.top, bottom - ROW_PIXELS), right, bottom }
    bottom -= ROW_PIXELS
    const node = nodeFor(matcher, root.packageName, bounds, label)
    root.children.push(editable ? { ...node, className: 'android.widget.EditText', text: '' } : node)
    notes.push(`${at}: no full snapshot shows what step "${step}" found; a node that fits it was added`)
  }
  return screen
}

export const momentScreensOf = (plan: RecordingPlan, mask: (text: string) => string) => {
  const { intervals, opening } = plan
  const notes: string[] = []
  const first = intervals.find(({ dump }) => dump)?.dump
  const blankPackage = opening?.packageName ?? first?.root.packageName ?? 'com.example.recorded'
  const screenOf = ({ root, rotation, activity }: Dump): MomentScreen => ({
    root: copied(root, mask),
    rotation,
    activity,
  })
  const screens: MomentScreen[] = []
  for (const [index, interval] of intervals.entries()) {
    const at = `screen-${index + 1}`
    const ownScreen = interval.dump && screenOf(interval.dump)
    const before = screens.at(-1)
    const previous = before && { ...before, root: copied(before.root, text => text) }
    const nextDump = intervals[index + 1]?.dump
    const next = nextDump && screenOf(nextDump)
    const candidates = [ownScreen, previous, next].filter(screen => screen !== undefined)
    const fitting = candidates.find(screen => fits(screen, interval))
    const base = fitting ?? candidates[0] ?? { root: plainNode(blankPackage, SCREEN), rotation: 0 }
    if (!ownScreen && fitting)
      notes.push(
        `${at}: no full snapshot was taken there; it is the screen ${fitting === next ? 'after' : 'before'} it`,
      )
    screens.push(complete(base, interval, notes, at))
  }
  return { screens, notes }
}
