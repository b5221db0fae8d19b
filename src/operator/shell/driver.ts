/** The built-in operator's hands and eyes: a UiDriver over the shell of any device with debugging switched on. */
import type { Link } from '../../adb/link.ts'
import { OUTPUT_BYTES_MAX } from '../../adb/link-limits.ts'
import { commandLine } from '../../adb/quote.ts'
import { isPackageName } from '../apps/package-name.ts'
import type { DeviceKey, UiDriver } from '../engine/driver.ts'
import { roleOf } from '../engine/role.ts'
import { StepFailure } from '../engine/step-failure.ts'
import type { Point, UiNode } from '../engine/ui-tree.ts'
import { shellControls } from './controls.ts'
import { complaintOf, type DeviceShell, deviceShell, isTimeout, type ShellOptions } from './device-shell.ts'
import { dumpTree } from './dump.ts'
import { enterText } from './enter-text.ts'
import { coversIn, foregroundPackageIn } from './windows.ts'

/** Applications for a television declare themselves in a category of their own. */
export const LAUNCHERS = ['LAUNCHER', 'LEANBACK_LAUNCHER'].map(
  category => ['-a', 'android.intent.action.MAIN', '-c', `android.intent.category.${category}`] as const,
)
type Launcher = (typeof LAUNCHERS)[number]
/** The intent flags of a launcher: an existing task comes to the front as it was left. */
const NEW_TASK_AS_LEFT = '0x10200000'

/** A warning only by its name: nothing was started. */
const NOT_STARTED = /^[ \t]*Warning: Activity not started because the\s+current activity is being kept for the user.*$/m
const MISSING = /does not exist|unable to resolve|No activities found/

/** The component among the answer's lines that belongs to the package; the system's own chooser does not. */
const componentIn = (answer: string, applicationId: string): string | undefined =>
  answer
    .split('\n')
    .map(line => line.trim())
    .find(line => line.startsWith(`${applicationId}/`))

/** An application with several entries resolves to a chooser; then its entries are listed, and the first is taken. */
export const componentOf = async (shell: DeviceShell, launcher: Launcher, applicationId: string) => {
  for (const query of ['resolve-activity', 'query-activities']) {
    const { stdout } = await shell.ask(commandLine('cmd', 'package', query, '--brief', ...launcher, applicationId))
    const component = componentIn(stdout, applicationId)
    if (component !== undefined) return component
    if (!/ResolverActivity/.test(stdout)) return undefined
  }
  return undefined
}

const start = async (shell: DeviceShell, ...words: string[]): Promise<boolean> => {
  const result = await shell.ask(commandLine('am', 'start', ...words))
  const complaint =
    complaintOf(result) ?? (NOT_STARTED.exec(result.stderr) ?? NOT_STARTED.exec(result.stdout))?.[0].trim()
  if (complaint === undefined) return true
  if (MISSING.test(result.stderr) || MISSING.test(result.stdout)) return false
  throw new StepFailure('ACTION_FAILED', `the device refused: ${complaint}`)
}

const openApp = async (shell: DeviceShell, applicationId: string): Promise<'opened' | 'not-found'> => {
  if (!isPackageName(applicationId)) return 'not-found'
  for (const launcher of LAUNCHERS) {
    const component = await componentOf(shell, launcher, applicationId)
    if (component === undefined) continue
    return (await start(shell, ...launcher, '-f', NEW_TASK_AS_LEFT, '-n', component)) ? 'opened' : 'not-found'
  }
  return 'not-found'
}

const openUri = (shell: DeviceShell, uri: string): Promise<boolean> =>
  start(shell, '-a', 'android.intent.action.VIEW', '-d', uri)

/** Longer than the longest time that a person can choose for a long press. */
export const LONG_PRESS_MS = 1_800

const KEYCODES: Record<DeviceKey, string> = {
  back: 'KEYCODE_BACK',
  home: 'KEYCODE_HOME',
  recents: 'KEYCODE_APP_SWITCH',
  enter: 'KEYCODE_ENTER',
  delete: 'KEYCODE_DEL',
}

const numbers = (...values: number[]) => values.map(value => String(Math.round(value)))

/** One driver per execution: its deadline and signal hold for every call. It has no overlay. */
export const shellDriver = (link: Link, options: ShellOptions): UiDriver => {
  const shell = deviceShell(link, options)
  const gesture = (words: string[], ms?: number) => shell.insist(commandLine('input', ...words), 'GESTURE_FAILED', ms)
  const windows = async (until?: number) =>
    (await shell.ask('dumpsys window', { until, maxBytes: OUTPUT_BYTES_MAX.state })).stdout
  const swipe = (start: Point, end: Point, durationMs: number) =>
    gesture(['swipe', ...numbers(start.x, start.y, end.x, end.y, durationMs)], durationMs)
  const touch = (point: Point, how: 'default' | 'long_click') =>
    how === 'default' ? gesture(['tap', ...numbers(point.x, point.y)]) : swipe(point, point, LONG_PRESS_MS)
  const focus = async (node: UiNode, point: Point) => {
    if (node.focused) return true
    if (roleOf(node) === 'textfield') return await touch(point, 'default')
    throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'without an operator app only text fields can be focused')
  }
  return {
    tree: options => dumpTree(shell, options?.until),
    foregroundPackage: async until => {
      try {
        return foregroundPackageIn(await windows(until))
      } catch (error) {
        if (isTimeout(error) && until !== undefined && options.clock.now() < options.deadline) return ''
        throw error
      }
    },
    click: (node, how, point) => (how === 'focus' ? focus(node, point) : touch(point, how)),
    covers: async () => coversIn(await windows()),
    tap: touch,
    swipe,
    enterText: (node, text, how) => enterText(shell, node, text, how),
    pressKey: key => shell.insist(commandLine('input', 'keyevent', KEYCODES[key]), 'GLOBAL_ACTION_FAILED'),
    openApp: applicationId => openApp(shell, applicationId),
    openUri: uri => openUri(shell, uri),
    controls: shellControls(shell),
  }
}
