/** The windows of a simulated phone: where each lies, what is visible in a picture, and how the window manager lists them. */
import { type Bounds, NO_FLAGS, type UiNode } from '../../contracts/device/ui-tree.ts'
import type { FocusedApp, PhoneWindow } from '../phone-parts.ts'
import { type Metrics, pixelsOf } from '../render/typesetting.ts'
import type { CurrentNode } from './current-node.ts'
import type { Foreground, Tasks } from './foreground.ts'
import type { LaidOutScreen } from './layout.ts'
import { type Box, heightOf, type Sizing } from './measure.ts'
import type { OpenScreen } from './open-screen.ts'
import { SYSTEM_UI } from './system-screens.ts'

export interface SceneLayer {
  entry: OpenScreen
  roots: LaidOutScreen['roots']
  window: Bounds
}

/** The content of a picture of the screen. The same object for as long as nothing has changed. */
export interface Scene extends SceneLayer {
  /** The layers that can be seen around a dialog, the lowest first. */
  below: readonly SceneLayer[]
  keyboard: Bounds | undefined
}

/** In density-independent pixels. */
export const STATUS_BAR = 28
export const NAVIGATION_BAR = 24
const DIALOG = { edge: 24, widest: 560 }
const KEYBOARD_HEIGHT = 280
/** The share of the height for the keyboard on a screen that is too low for all of it. */
const KEYBOARD_SHARE = 0.45

export const keyboardBounds = (metrics: Metrics): Bounds => {
  const { width, height } = metrics
  const rise = Math.min(pixelsOf(KEYBOARD_HEIGHT, metrics), Math.floor(height * KEYBOARD_SHARE))
  return { left: 0, top: height - rise, right: width, bottom: height }
}

export const rectangleOf = ({ left, top, width, height }: Box): Bounds => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})

const boxOf = ({ left, top, right, bottom }: Bounds): Box => ({ left, top, width: right - left, height: bottom - top })

const around = (all: readonly Bounds[]): Bounds | undefined =>
  all.length === 0
    ? undefined
    : {
        left: Math.min(...all.map(({ left }) => left)),
        top: Math.min(...all.map(({ top }) => top)),
        right: Math.max(...all.map(({ right }) => right)),
        bottom: Math.max(...all.map(({ bottom }) => bottom)),
      }

const ROOT = { text: '', resourceId: '', className: 'android.widget.FrameLayout', contentDesc: '' }

interface WindowInput {
  entry: OpenScreen
  nodes: readonly CurrentNode[]
  sizing: Sizing
  keyboardTop: number | undefined
}

interface WindowPlace {
  window: Bounds
  /** The area for its nodes. */
  content: Box
  /** The node of the window itself, around the others; undefined where the scenario writes it. */
  frame: ((children: readonly UiNode[]) => UiNode) | undefined
}

/** A dialog is as high as its nodes, unless the scenario gives its bounds. */
const dialogBounds = ({ entry, nodes, sizing }: WindowInput, room: Bounds): Bounds => {
  const { dialog, frame } = entry.screen
  const givenBounds = dialog?.bounds ?? (frame ? undefined : around(nodes.flatMap(({ bounds }) => bounds ?? [])))
  if (givenBounds) return givenBounds
  const edge = pixelsOf(DIALOG.edge, sizing.metrics)
  const atBottom = dialog?.at === 'bottom'
  const most = atBottom ? room.right : room.right - 2 * edge
  const width = Math.max(1, Math.min(most, pixelsOf(DIALOG.widest, sizing.metrics)))
  const wanted = nodes.reduce((sum, node) => sum + (node.bounds ? 0 : heightOf(node, width, sizing, undefined)), 0)
  const height = Math.max(1, Math.min(wanted, room.bottom - room.top))
  const left = Math.floor((room.left + room.right - width) / 2)
  const top = atBottom ? room.bottom - height : Math.floor((room.top + room.bottom - height) / 2)
  return { left, top, right: left + width, bottom: top + height }
}

export const windowFor = (input: WindowInput): WindowPlace => {
  const { entry, sizing, keyboardTop } = input
  const { frame, dialog, resizes } = entry.screen
  const { metrics } = sizing
  const { width, height } = metrics
  const screen = { left: 0, top: 0, right: width, bottom: height }
  const bars = { top: pixelsOf(STATUS_BAR, metrics), bottom: pixelsOf(NAVIGATION_BAR, metrics) }
  const inner = frame || dialog ? { ...screen, top: bars.top, bottom: height - bars.bottom } : screen
  const free = resizes && keyboardTop !== undefined ? Math.min(inner.bottom, keyboardTop) : inner.bottom
  const room = { ...inner, bottom: Math.max(inner.top, free) }
  const window = dialog ? dialogBounds(input, room) : screen
  const enabled = true
  return {
    window,
    content: boxOf(dialog ? window : room),
    frame: frame
      ? children => ({
          ...ROOT,
          ...NO_FLAGS,
          enabled,
          packageName: entry.app.package,
          bounds: window,
          children,
        })
      : undefined,
  }
}

export const SYSTEM_KEYBOARD_PACKAGE = 'com.android.inputmethod.latin'
const SHADE = 'NotificationShade'

/** A dialog belongs to the activity that it was opened from. */
export const focusedApp = (entry: OpenScreen, tasks: Pick<Tasks, 'stackOf'>): FocusedApp => {
  const host = tasks.stackOf(entry.app).findLast(({ screen }) => screen.dialog === undefined)
  const { app, screen } = entry.screen.dialog && host ? host : entry
  return { packageName: app.package, activity: screen.activity }
}

export const windowsOf = (
  front: Pick<Foreground, 'layer' | 'tasks' | 'alertTitle'>,
  scene: Scene,
  metrics: Metrics,
): PhoneWindow[] => {
  const { width, height } = metrics
  const screen = { left: 0, top: 0, right: width, bottom: height }
  const layer = front.layer()
  const isSystem = layer === 'shade' || layer === 'keyguard'
  const system = (title: string, packageName: string, bounds: typeof screen, hasFocus = false): PhoneWindow => ({
    ...{ title, packageName, bounds, hasFocus },
  })
  const ofApp = (entry: OpenScreen, bounds: typeof screen, hasFocus: boolean): PhoneWindow => ({
    ...{ app: focusedApp(entry, front.tasks), packageName: entry.app.package, bounds, hasFocus },
  })
  const apps = isSystem
    ? [ofApp(front.tasks.front(), screen, false)]
    : layer === 'alert'
      ? [system(front.alertTitle(), 'android', scene.window, true), ofApp(front.tasks.front(), screen, false)]
      : [
          ofApp(scene.entry, scene.window, true),
          ...scene.below.map(({ entry, window }) => ofApp(entry, window, false)).reverse(),
        ]
  const navigation = { ...screen, top: height - pixelsOf(NAVIGATION_BAR, metrics) }
  return [
    system('NavigationBar0', SYSTEM_UI, navigation),
    ...(isSystem ? [system(SHADE, SYSTEM_UI, screen, true)] : []),
    system('StatusBar', SYSTEM_UI, { ...screen, bottom: pixelsOf(STATUS_BAR, metrics) }),
    ...(scene.keyboard ? [system('InputMethod', SYSTEM_KEYBOARD_PACKAGE, scene.keyboard)] : []),
    ...apps,
  ]
}
