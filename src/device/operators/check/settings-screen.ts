/** The screen that checks act on: the settings of the phone, opened anew by their intent, as the operator app sees them. */

import { isTextField } from '../../../contracts/device/role.ts'
import {
  type FoundNode,
  isOnScreen,
  labelOf,
  type UiNode,
  type UiTree,
  walk,
} from '../../../contracts/device/ui-tree.ts'
import { pause } from '../../../runtime/clock.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { withoutPauses } from '../../../runtime/yielding.ts'
import { withAncestors } from '../../screen/match.ts'
import { parsingHierarchy } from '../../screen/parse-hierarchy.ts'
import type { CheckBench } from './bench.ts'
import { demand, LeftOut, orLeftOut } from './breach.ts'
import { judgeStepData } from './judge-envelope.ts'
import { success } from './judges.ts'

export interface SeenScreen {
  packageName: string
  tree: UiTree
  /** On the screen, with its parents. */
  nodes: readonly FoundNode[]
}

const SETTINGS_ACTION = 'android.settings.SETTINGS'
/** A new task that holds nothing else: the first screen of the settings, wherever somebody left them. */
const NEW_TASK_ALONE = '0x10008000'
const REFUSED = /unable to resolve|does not exist|Error|Exception/

/** The screen through a snapshot of the operator app. */
export const lookAt = async (bench: CheckBench): Promise<SeenScreen> => {
  const answer = await bench.ask([{ type: 'snapshot' }])
  success()(answer)
  const [step] = answer.envelope.stepResults
  const parsed = withoutPauses(parsingHierarchy(step?.data.text ?? ''))
  demand(
    parsed.ok,
    'The `text` of the snapshot is not a hierarchy.',
    'Send the XML that `uiautomator dump` writes: <hierarchy rotation="0"> with nested <node> elements and their attributes.',
  )
  if (step) judgeStepData(step)
  const nodes = [...walk(parsed.tree.roots)].filter(({ node }) => isOnScreen(node))
  return { packageName: step?.data.foreground_package ?? '', tree: parsed.tree, nodes }
}

export const labelsOf = ({ nodes }: SeenScreen): string => nodes.map(({ node }) => labelOf(node)).join('\n')

/** Each label with its place: a list that moved by a few pixels differs. */
export const placesOf = ({ nodes }: SeenScreen): string =>
  nodes.map(({ node }) => `${labelOf(node)} ${Object.values(node.bounds).join(' ')}`).join('\n')

const LOOKS = 10
const LOOK_PAUSE_MS = 500

/** Looks until the screen is as wanted; undefined when it never was. */
export const lookUntil = async (bench: CheckBench, isWanted: (screen: SeenScreen) => boolean) => {
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await pause(bench.clock, LOOK_PAUSE_MS, bench.signal)
    const screen = await lookAt(bench)
    if (isWanted(screen)) return screen
  }
  return undefined
}

/** The screen once it rests, or the last one seen: rows that still load would pass for the effect of an action. */
export const lookWhenStill = async (bench: CheckBench): Promise<SeenScreen> => {
  let last = await lookAt(bench)
  const isAsBefore = (seen: SeenScreen) => {
    const before = last
    last = seen
    return seen !== before && placesOf(seen) === placesOf(before)
  }
  return (await lookUntil(bench, isAsBefore)) ?? last
}

const ROWS_LEAST = 3

const isSettled = ({ nodes }: SeenScreen) => nodes.filter(({ node }) => node.text !== '').length >= ROWS_LEAST

const packageOfIntent = async (bench: CheckBench): Promise<string | undefined> => {
  const line = commandLine('cmd', 'package', 'resolve-activity', '--brief', '-a', SETTINGS_ACTION)
  const { stdout } = await bench.shell(line)
  return /^([\w.]+)\//m.exec(stdout)?.[1]
}

/** Opens the settings and waits until they are in front. */
export const openSettings = async (bench: CheckBench): Promise<SeenScreen> => {
  const { exitCode, stdout, stderr } = await bench.shell(
    commandLine('am', 'start', '-a', SETTINGS_ACTION, '-f', NEW_TASK_ALONE),
  )
  if (exitCode !== 0 || REFUSED.test(stdout + stderr)) {
    throw new LeftOut(`The phone opens no settings for the intent ${SETTINGS_ACTION}.`)
  }
  const owner = await packageOfIntent(bench)
  const screen = await lookUntil(bench, seen => isSettled(seen) && (owner === undefined || seen.packageName === owner))
  demand(
    screen,
    'The settings were opened, and no snapshot shows them.',
    'Take the snapshot of the window in front, with all nodes of its accessibility tree, and its package as `foreground_package`.',
  )
  return screen
}

const LABEL_CHARS_MAX = 60

/** A text that one node alone has. */
export const uniqueText = ({ nodes }: SeenScreen): FoundNode => {
  const count = (text: string) => nodes.filter(({ node }) => labelOf(node) === text).length
  const isFit = ({ text }: UiNode) =>
    text.length > 1 && text.length <= LABEL_CHARS_MAX && !/\p{Cc}/u.test(text) && count(text) === 1
  const found = nodes.find(({ node }) => isFit(node) && !isTextField(node))
  return orLeftOut(found, 'The settings show no text that one node alone has.')
}

const isSwitch = (node: UiNode): boolean => node.checkable || node.children.some(isSwitch)

const isInList = (found: FoundNode) => [...withAncestors(found)].some(({ node }) => node.scrollable)

/** The text of a row in a list, whose click opens another screen and switches nothing. */
export const rowText = ({ nodes }: SeenScreen): string => {
  const isRow = (found: FoundNode) =>
    found.node.clickable && !isSwitch(found.node) && !isTextField(found.node) && isInList(found)
  const isUnique = (text: string) => nodes.filter(({ node }) => labelOf(node) === text).length === 1
  const labels = nodes
    .filter(isRow)
    .map(row => [...walk([row.node])].map(({ node }) => node.text).find(text => text !== '' && isUnique(text)))
  const found = labels.find(label => label !== undefined && label.length <= LABEL_CHARS_MAX)
  return orLeftOut(found, 'The settings show no row that opens a screen and switches nothing.')
}

export const fieldOf = ({ nodes }: SeenScreen): UiNode => {
  const found = nodes.find(({ node }) => isTextField(node) && node.enabled && node.resourceId !== '')
  return orLeftOut(found, 'The settings show no text field with a resource id.').node
}

export const listOf = ({ nodes }: SeenScreen): UiNode => {
  const found = nodes.find(({ node }) => node.scrollable)
  return orLeftOut(found, 'The settings show nothing that scrolls.').node
}
