/** Reads the windows on the screen from `dumpsys window`: which one has the focus, and what lies over it. */

import { type Bounds, hasArea } from '../../../contracts/device/ui-tree.ts'
import type { Cover } from '../../screen/tap-point.ts'

/** Longer lines are none that are read here; the patterns look no further. */
const LINE_CHARS_MAX = 2_000

const SECTION = /^WINDOW MANAGER .{0,80}\(dumpsys window (\w{1,40})\)/
const ANR_SECTION = 'lastanr'

interface Section {
  /** Empty for what stands before the first section. */
  name: string
  lines: string[]
}

/**
 * The state of the last application that did not respond is kept, and printed first: with the focus and the windows of
 * that time, on newer versions in whole sections with the names of the live ones. Of two sections with one name the live
 * one stands before that state, or else last.
 */
const liveLines = (dump: string): string[] => {
  const sections: Section[] = [{ name: '', lines: [] }]
  for (const line of dump.split('\n')) {
    const name = SECTION.exec(line)?.[1]
    if (name !== undefined) sections.push({ name, lines: [] })
    sections.at(-1)?.lines.push(line.slice(0, LINE_CHARS_MAX))
  }
  const kept = sections.findIndex(({ name }) => name === ANR_SECTION)
  if (kept < 0) return sections.flatMap(({ lines }) => lines)
  const before = sections.slice(0, kept)
  const live = new Map<string, Section>()
  for (const section of sections.slice(kept)) live.set(section.name, section)
  live.delete(ANR_SECTION)
  for (const { name } of before) live.delete(name)
  return [...before, ...live.values()].flatMap(({ lines }) => lines)
}

/** `Window{3a0e2f1 u0 com.example/com.example.Main}`; a popup or the status bar has a title without a slash. */
const FOCUSED_WINDOW = /^\s*mCurrentFocus=Window\{(\S{1,64}) u\d{1,9} (?:([\w.]{1,255})\/|(\S{1,255})\})/
/** `ActivityRecord{6d1c0a7 u0 com.example/.Main t12}`, in older versions within a token. */
const FOCUSED_ACTIVITY = /^\s*mFocusedApp=.{0,200}?ActivityRecord\{\S{1,64} u\d{1,9} ([\w.]{1,255})\//
const WINDOW = /^\s*Window #\d{1,6} Window\{(\S{1,64}) u\d{1,9} ([^}]{1,255})\}/
const PACKAGE = /\bpackage=([\w.]{1,255})/

interface WindowBlock {
  token: string
  title: string
  text: string
}

/** The windows, the uppermost first. */
const blocksOf = (lines: readonly string[]): WindowBlock[] => {
  const blocks: WindowBlock[] = []
  for (const line of lines) {
    const [, token, title] = WINDOW.exec(line) ?? []
    const last = blocks.at(-1)
    if (token !== undefined && title !== undefined) blocks.push({ token, title, text: '' })
    else if (SECTION.test(line)) blocks.push({ token: '', title: '', text: '' })
    else if (last) last.text += `${line}\n`
  }
  return blocks.filter(({ token }) => token !== '')
}

const first = <T>(lines: readonly string[], read: (line: string) => T | undefined): T | undefined => {
  for (const line of lines) {
    const found = read(line)
    if (found !== undefined) return found
  }
  return undefined
}

/** Windows of the system whose title is all that some versions say of them. */
export const SYSTEM_UI = 'com.android.systemui'
const SYSTEM_UI_TITLES = ['NotificationShade', 'StatusBar']

/** Empty when nothing of an application has the focus. The lines come once per display, the empty ones among them. */
export const foregroundPackageIn = (dump: string): string => {
  const lines = liveLines(dump)
  const focus = first(lines, line => FOCUSED_WINDOW.exec(line) ?? undefined)
  const [, token, owner, title = ''] = focus ?? []
  if (owner !== undefined) return owner
  const block = token === undefined ? undefined : blocksOf(lines).find(window => window.token === token)
  const named = PACKAGE.exec(block?.text ?? '')?.[1]
  if (named !== undefined) return named
  if (SYSTEM_UI_TITLES.includes(title)) return SYSTEM_UI
  return first(lines, line => FOCUSED_ACTIVITY.exec(line)?.[1]) ?? ''
}

/** The title of the focused window is its activity, unless it is a dialog or a popup. */
const NAMED_ACTIVITY = /\b([\w.]{1,255})\/([\w.$]{1,255})/

/** The full name of its class; undefined when nothing of an application has the focus. */
export const foregroundActivityIn = (dump: string): string | undefined => {
  const lines = liveLines(dump)
  const found =
    first(lines, line => (FOCUSED_WINDOW.test(line) ? (NAMED_ACTIVITY.exec(line) ?? undefined) : undefined)) ??
    first(lines, line => (FOCUSED_ACTIVITY.test(line) ? (NAMED_ACTIVITY.exec(line) ?? undefined) : undefined))
  const [, owner = '', name = ''] = found ?? []
  if (name === '') return undefined
  return name.startsWith('.') ? owner + name : name
}

/** Undefined where the dump names no window at all. */
export const isKeyboardShownIn = (dump: string): boolean | undefined =>
  liveLines(dump).some(line => WINDOW.test(line)) ? coversIn(dump).some(({ kind }) => kind === 'keyboard') : undefined

/** The size of the first display as it is turned now, and as an override makes it. */
const SCREEN_SIZE = /^\s*init=.{0,80}\bcur=(\d{1,6})x(\d{1,6})\b/

export const screenSizeIn = (dump: string): { width: number; height: number } | undefined => {
  const found = first(liveLines(dump), line => SCREEN_SIZE.exec(line) ?? undefined)
  return found ? { width: Number(found[1]), height: Number(found[2]) } : undefined
}

/** The notification shade takes the focus while it is open; its window is that of the status bar up to Android 10. */
export const isShadeFocusedIn = (dump: string): boolean => {
  const focus = first(liveLines(dump), line => FOCUSED_WINDOW.exec(line) ?? undefined)
  return SYSTEM_UI_TITLES.includes(focus?.[3] ?? '')
}

/** By the name of its type, or its number in older versions: windows that lie over applications and take touches. */
const KEYBOARD = 'the keyboard'
const OVER_APPLICATIONS: Readonly<Record<string, Pick<Cover, 'kind' | 'name'>>> = {
  INPUT_METHOD: { kind: 'keyboard', name: KEYBOARD },
  2011: { kind: 'keyboard', name: KEYBOARD },
  STATUS_BAR: { kind: 'window', name: 'the status bar' },
  2000: { kind: 'window', name: 'the status bar' },
  NOTIFICATION_SHADE: { kind: 'window', name: 'the notification shade' },
  2040: { kind: 'window', name: 'the notification shade' },
  NAVIGATION_BAR: { kind: 'window', name: 'the navigation bar' },
  2019: { kind: 'window', name: 'the navigation bar' },
  NAVIGATION_BAR_PANEL: { kind: 'window', name: 'the navigation bar' },
  2024: { kind: 'window', name: 'the navigation bar' },
  APPLICATION_OVERLAY: { kind: 'window', name: 'an overlay of another application' },
  2038: { kind: 'window', name: 'an overlay of another application' },
}

/** Types by title, for dumps that leave the types out. */
const TITLES: Readonly<Record<string, string>> = {
  InputMethod: 'INPUT_METHOD',
  StatusBar: 'STATUS_BAR',
  NotificationShade: 'NOTIFICATION_SHADE',
  NavigationBar: 'NAVIGATION_BAR',
  NavigationBar0: 'NAVIGATION_BAR',
}

const TYPE = /\bty=(\w{1,40})/
const FLAGS = /\bfl=(#[\da-f]{1,8}|0x[\da-f]{1,8}|[A-Z_ \d]{1,1000})/
const NOT_TOUCHABLE = 0x10
const VISIBLE = /\bisVisible=(true|false)/
const HAS_SURFACE = /\bmHasSurface=(true|false)/
const FRAME = /(?:^|\s)(?:mFrame|frame)=\[(-?\d{1,6}),(-?\d{1,6})\]\[(-?\d{1,6}),(-?\d{1,6})\]/
const CONTENT_INSETS = /\bmGivenContentInsets=\[(\d{1,6}),(\d{1,6})\]\[(\d{1,6}),(\d{1,6})\]/
const TOUCHABLE = /\btouchable region=SkRegion\(((?:\(-?\d{1,6}(?:,-?\d{1,6}){3}\)){0,50})/
/** The area that the keyboard takes from the windows below it, as newer versions repeat it. */
const IME_SOURCE =
  /\bInsetsSource .{0,60}\btype=(?:ITYPE_)?ime frame=\[(-?\d{1,6}),(-?\d{1,6})\]\[(-?\d{1,6}),(-?\d{1,6})\] visible=true/i
const RECTANGLE = /\((-?\d{1,6}),(-?\d{1,6}),(-?\d{1,6}),(-?\d{1,6})\)/g

const boundsOf = ([left = 0, top = 0, right = 0, bottom = 0]: readonly number[]): Bounds => ({
  left,
  top,
  right,
  bottom,
})

const isTouchable = (text: string): boolean => {
  const flags = FLAGS.exec(text)?.[1] ?? ''
  const bits = /^(?:#|0x)/.test(flags) ? Number.parseInt(flags.replace(/^(?:#|0x)/, ''), 16) : undefined
  if (bits !== undefined) return (bits & NOT_TOUCHABLE) === 0
  return !flags.split(' ').includes('NOT_TOUCHABLE')
}

const isShown = (text: string): boolean => (VISIBLE.exec(text) ?? HAS_SURFACE.exec(text))?.[1] === 'true'

/** The areas in which a window takes touches: its touchable region, else its frame without the content insets. */
const areasOf = (text: string): Bounds[] => {
  const region = TOUCHABLE.exec(text)
  if (region) return [...(region[1] ?? '').matchAll(RECTANGLE)].map(found => boundsOf(found.slice(1).map(Number)))
  const frame = FRAME.exec(text)
  if (!frame) return []
  const [left = 0, top = 0, right = 0, bottom = 0] = (CONTENT_INSETS.exec(text) ?? []).slice(1).map(Number)
  const bounds = boundsOf(frame.slice(1).map(Number))
  return [
    { left: bounds.left + left, top: bounds.top + top, right: bounds.right - right, bottom: bounds.bottom - bottom },
  ]
}

/** The keyboard, the bars and whatever else takes touches over the window that has the focus. */
export const coversIn = (dump: string): Cover[] => {
  const lines = liveLines(dump)
  const focused = first(lines, line => FOCUSED_WINDOW.exec(line)?.[1])
  const covers = blocksOf(lines).flatMap(({ token, title, text }): Cover[] => {
    const type = TYPE.exec(text)?.[1] ?? (Object.hasOwn(TITLES, title) ? TITLES[title] : undefined) ?? ''
    const cover = Object.hasOwn(OVER_APPLICATIONS, type) ? OVER_APPLICATIONS[type] : undefined
    if (!cover || token === focused || !isShown(text) || !isTouchable(text)) return []
    return areasOf(text)
      .filter(hasArea)
      .map(bounds => ({ ...cover, bounds }))
  })
  if (covers.some(({ kind }) => kind === 'keyboard')) return covers
  const source = first(lines, line => IME_SOURCE.exec(line) ?? undefined)
  const bounds = boundsOf((source ?? []).slice(1).map(Number))
  return source && hasArea(bounds) ? [...covers, { kind: 'keyboard', name: KEYBOARD, bounds }] : covers
}
