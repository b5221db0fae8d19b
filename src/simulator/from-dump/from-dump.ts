/** A scenario made of dumps of real screens: one screen for each, as it was, and apps by their packages. */

import { type Bounds, labelOf, type UiNode } from '../../contracts/device/ui-tree.ts'
import type { WrittenApp } from '../scenario/app.ts'
import { DEVICE_PIXELS } from '../scenario/device.ts'
import { PACKAGE_NAME } from '../scenario/field-schemas.ts'
import { parseScenario, type Scenario, type WrittenScenario } from '../scenario/scenario.ts'
import { type Dump, readDump } from './read-dump.ts'
import { writeNode } from './write-node.ts'

const BACK_LABELS = ['Navigate up', 'Back']

/** The label that is read first in the node. */
const firstLabel = (node: UiNode): string =>
  labelOf(node) || (node.children.map(firstLabel).find(label => label !== '') ?? '')

/** The first text that is not part of something to tap. */
const titleOf = (node: UiNode): string => {
  if (node.clickable) return ''
  return node.text || (node.children.map(titleOf).find(title => title !== '') ?? '')
}

type Tap = { back: true } | { goTo: string }

/** `from` is the screen that the node is on. */
type TapOf = (node: UiNode, from: string) => Tap | undefined

/** A title that two screens have says nothing. */
const tapsAmong = (screens: readonly { name: string; title: string }[]): TapOf => {
  const byTitle = new Map<string, string | undefined>()
  for (const { name, title } of screens) if (title !== '') byTitle.set(title, byTitle.has(title) ? undefined : name)
  return (node, from) => {
    if (!node.clickable) return undefined
    const label = firstLabel(node)
    if (BACK_LABELS.includes(label) && node.text === '') return { back: true }
    const name = byTitle.get(label)
    return name === undefined || name === from ? undefined : { goTo: name }
  }
}

interface NamedDump {
  /** The name for its screen. */
  name: string
  dump: Dump
}

type ScenarioFromDump =
  | { ok: true; scenario: WrittenScenario; notes: readonly string[] }
  | { ok: false; problem: string }

export type WrittenScreen = WrittenApp['screens'][string]

export interface AppScreen extends NamedDump {
  app: string
}

/** The size that all windows fit into. */
export const sizeOf = (screens: readonly AppScreen[]) => {
  const most = (edge: 'right' | 'bottom') =>
    Math.min(DEVICE_PIXELS.max, Math.max(DEVICE_PIXELS.min, ...screens.map(({ dump }) => dump.root.bounds[edge])))
  return { width: most('right'), height: most('bottom') }
}
export type Size = ReturnType<typeof sizeOf>

export const boundsOf = ({ width, height }: Size): Bounds => ({ left: 0, top: 0, right: width, bottom: height })

/** A window that leaves some of the screen free at both sides, or much of it above, lies over another. */
export const isDialog = ({ left, top, right, bottom }: Bounds, { width, height }: Size): boolean =>
  left < right && top < bottom && ((left > 0 && right < width) || top > height / 4)

/** No key of an object that everybody would take. */
const UNUSABLE = ['__proto__', 'constructor', 'prototype', '']

const unique = (dumps: readonly NamedDump[]): NamedDump[] => {
  const taken = new Set<string>()
  return dumps.map(({ name: dumpName, dump }) => {
    const name = UNUSABLE.includes(dumpName) ? `screen${dumpName}` : dumpName
    let free = name
    for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`
    taken.add(free)
    return { name: free, dump }
  })
}

export const LABEL_CHARS_MAX = 50

/** Fit for a terminal: a label of a dump may hold anything. */
const plainLabel = (label: string) => label.replace(/\p{Cc}/gu, ' ').slice(0, LABEL_CHARS_MAX)

const writeScreen = ({ name, app, dump }: AppScreen, size: Size, tapOf: TapOf, notes: string[]): WrittenScreen => {
  const { root, rotation, activity } = dump
  const { left, top, right, bottom } = root.bounds
  const isOver = isDialog(root.bounds, size)
  let idle = 0
  const node = writeNode(root, isOver ? root.bounds : boundsOf(size), {
    app,
    note: message => notes.push(`${name}: ${message}`),
    tapOf(one) {
      const tap = tapOf(one, name)
      idle += Number(one.clickable && !tap)
      const where = tap && ('back' in tap ? 'goes back' : `opens ${tap.goTo}`)
      if (where) notes.push(`${name}: a tap on "${plainLabel(firstLabel(one))}" ${where} (inferred)`)
      return tap
    },
  })
  if (idle > 0) notes.push(`${name}: ${idle} clickable nodes do nothing yet`)
  return {
    ...(activity === undefined ? {} : { activity }),
    frame: false,
    ...(rotation === 0 ? {} : { rotation }),
    ...(isOver ? { dialog: { bounds: [left, top, right, bottom] } } : {}),
    nodes: [node],
  }
}

const writeApp = (app: string, screens: readonly AppScreen[], size: Size, notes: string[]): WrittenApp => {
  const tapOf = tapsAmong(screens.map(({ name, dump }) => ({ name, title: titleOf(dump.root) })))
  return {
    package: app,
    label: app.slice(app.lastIndexOf('.') + 1).slice(0, LABEL_CHARS_MAX),
    screens: Object.fromEntries(screens.map(screen => [screen.name, writeScreen(screen, size, tapOf, notes)])),
  }
}

const HOW =
  'Say what a tap does by adding "onTap": {"goTo": "<screen>"} to a node (also {"back": true}, {"toggle": "<id>"}, {"set": ...}).'

/** `packageName` is the app that all screens belong to; left out, each belongs to that of its window. */
export const scenarioFromDumps = (dumps: readonly NamedDump[], packageName?: string): ScenarioFromDump => {
  const screens = unique(dumps).map(
    (named): AppScreen => ({ ...named, app: packageName ?? named.dump.root.packageName }),
  )
  const nameless = screens.find(({ app }) => !PACKAGE_NAME.test(app))
  if (nameless) {
    return {
      ok: false,
      problem: `${nameless.name}: ${JSON.stringify(nameless.app)} is not a package name: give --package`,
    }
  }
  const size = sizeOf(screens)
  const apps = [...new Set(screens.map(({ app }) => app))]
  const notes: string[] = []
  const written = apps.map(app =>
    writeApp(
      app,
      screens.filter(screen => screen.app === app),
      size,
      notes,
    ),
  )
  const [front = ''] = apps
  const scenario: WrittenScenario = { device: { size }, front, apps: written }
  return { ok: true, scenario, notes: [...notes, HOW] }
}

export interface DumpFile {
  /** The name for its screen. */
  name: string
  path: string
  text: string
}

/** The same from files: `written` is what was made, `scenario` the same as it was read again. */
export const scenarioFromFiles = (
  files: readonly DumpFile[],
  packageName?: string,
):
  | { ok: true; written: WrittenScenario; scenario: Scenario; notes: readonly string[] }
  | { ok: false; problem: string } => {
  const dumps: NamedDump[] = []
  for (const { name, path, text } of files) {
    const read = readDump(text, packageName)
    if (!read.ok) return { ok: false, problem: `${path} is not a dump: ${read.problem}` }
    dumps.push({ name, dump: read.dump })
  }
  const made = scenarioFromDumps(dumps, packageName)
  if (!made.ok) return made
  const parsed = parseScenario(made.scenario)
  if (!parsed.ok) return { ok: false, problem: `The scenario made of these dumps is not valid: ${parsed.error}` }
  return { ok: true, written: made.scenario, scenario: parsed.scenario, notes: made.notes }
}
