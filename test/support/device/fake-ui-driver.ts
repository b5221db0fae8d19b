/** A screen in memory: nodes made by hand, a list that scrolls, and a driver that notes what it is asked. */

import { type Bounds, NO_FLAGS, type Point, type UiNode, type UiTree } from '../../../src/contracts/device/ui-tree.ts'
import type { OverlaySettings, UiDriver } from '../../../src/device/screen/driver.ts'
import type { PhoneControls } from '../../../src/device/screen/phone-controls.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import type { Cover } from '../../../src/device/screen/tap-point.ts'

type Box = readonly [left: number, top: number, right: number, bottom: number]

export const box = ([left, top, right, bottom]: Box): Bounds => ({ left, top, right, bottom })

/** An enabled node of 100 by 100 pixels, unless told otherwise. */
export const node = ({ at, ...given }: Partial<UiNode> & { at?: Box } = {}): UiNode => ({
  text: '',
  resourceId: '',
  className: 'android.view.View',
  packageName: 'com.example',
  contentDesc: '',
  ...NO_FLAGS,
  enabled: true,
  bounds: box(at ?? [0, 0, 100, 100]),
  children: [],
  ...given,
})

export const screen = (...roots: UiNode[]): UiTree => ({ rotation: 0, roots })

export interface ScrollingList {
  tree(): UiTree
  swipe(start: Point, end: Point): void
}

/** Rows of 100 pixels in a window of 500; a swipe moves them by its length, as far as there are rows. */
export const scrollingList = (labels: readonly string[], extra: Partial<UiNode> = {}): ScrollingList => {
  const rowHeight = 100
  const shown = 500
  let offset = 0
  const row = (text: string, index: number) => {
    const top = index * rowHeight - offset
    return node({ text, clickable: true, at: [0, Math.max(top, 0), 400, Math.min(top + rowHeight, shown)] })
  }
  return {
    tree: () => {
      const rows = labels.map(row).filter(({ bounds }) => bounds.bottom > bounds.top)
      const list = { className: 'androidx.recyclerview.widget.RecyclerView', resourceId: 'list', scrollable: true }
      return screen(
        node({ at: [0, 0, 400, 800], children: [node({ ...list, at: [0, 0, 400, shown], children: rows, ...extra })] }),
      )
    },
    swipe: (start, end) => {
      const last = Math.max(0, labels.length * rowHeight - shown)
      offset = Math.min(last, Math.max(0, offset + start.y - end.y))
    },
  }
}

export interface FakeUi {
  tree: () => UiTree | undefined
  front: () => string
  onSwipe: (start: Point, end: Point) => void
  /** Methods that answer `false`. */
  refused: Set<string>
  apps: string[]
  /** Given for a driver that clicks by touching the screen. */
  covers: (() => readonly Cover[]) | undefined
  onKey: (key: string) => void
  isKeyboardShown: () => boolean
  /** False for an operator app. */
  hasControls: boolean
  /** Told by when the tree is wanted. */
  onTree: (until: number | undefined) => void
  /** `null` for a device that cannot draw. */
  values: Record<string, string> | null
}

export interface FakeDriver extends UiDriver {
  /** Method and arguments; a node is noted by its label or id. */
  calls: unknown[][]
  /** The calls that change something. */
  deeds(): unknown[][]
}

const READS = ['tree', 'foregroundPackage', 'placeholder']
const nameOf = (target: UiNode) => target.text || target.resourceId || target.className
const VISIBLE_CHARS = 20

export const fakeDriver = (given: Partial<FakeUi> = {}): FakeDriver => {
  const ui: FakeUi = {
    tree: () => screen(node()),
    front: () => 'com.example',
    onSwipe: () => {},
    refused: new Set(),
    apps: ['com.example'],
    covers: undefined,
    onKey: () => {},
    isKeyboardShown: () => false,
    hasControls: true,
    onTree: () => {},
    values: null,
    ...given,
  }
  const calls: unknown[][] = []
  const note = async (method: string, ...args: unknown[]) => {
    calls.push([method, ...args])
    return !ui.refused.has(method)
  }
  const { values, covers } = ui
  const overlay = values && {
    showToast: (text: string, duration: string) => note('showToast', text, duration),
    cancelToast: async () => void (await note('cancelToast')),
    show: async (settings: OverlaySettings) => {
      await note('show', settings)
      return { rendered: settings.text.slice(0, VISIBLE_CHARS), truncated: settings.text.length > VISIBLE_CHARS }
    },
    clear: async () => void (await note('clear')),
    placeholder: async (name: string) => {
      await note('placeholder', name)
      return values[name] ?? ''
    },
  }
  const gesture = async (method: string, ...args: unknown[]) => {
    if (!(await note(method, ...args))) throw new StepFailure('GESTURE_FAILED', 'the device refused')
  }
  let isShadeOpen = ui.refused.has('collapseShade')
  const controls: PhoneControls = {
    doubleTap: point => gesture('doubleTap', point),
    drag: (start, end, times) => gesture('drag', start, end, times),
    moveFingers: fingers => gesture('moveFingers', fingers),
    pinch: (centre, scale, durationMs) => gesture('pinch', centre, scale, durationMs),
    async pressKey(name, isLong) {
      ui.onKey(name)
      if (!(await note('controls.pressKey', name, isLong))) throw new StepFailure('GLOBAL_ACTION_FAILED', 'refused')
    },
    async erase(characters) {
      if (!(await note('erase', characters))) throw new StepFailure('ACTION_FAILED', 'the device refused')
    },
    isKeyboardShown: async () => ui.isKeyboardShown(),
    async expandShade(shade) {
      isShadeOpen = await note('expandShade', shade)
    },
    async collapseShade() {
      if (await note('collapseShade')) isShadeOpen = false
    },
    isShadeOpen: async () => isShadeOpen,
  }
  return {
    calls,
    deeds: () => calls.filter(([method]) => !READS.includes(String(method))),
    tree: async options => {
      ui.onTree(options?.until)
      await note('tree')
      return ui.tree()
    },
    foregroundPackage: async () => {
      await note('foregroundPackage')
      return ui.front()
    },
    click: (target, how, point) => note('click', nameOf(target), how, ...(covers ? [point] : [])),
    ...(covers ? { covers: async () => covers() } : {}),
    screenSize: async () => ({ width: 400, height: 800 }),
    tap: (point, how, holdMs) => note('tap', point, how, ...(holdMs === undefined ? [] : [holdMs])),
    swipe: async (start, end, durationMs) => {
      ui.onSwipe(start, end)
      return await note('swipe', start, end, durationMs)
    },
    enterText: (target, text, { point, ...how }) =>
      note('enterText', nameOf(target), text, covers ? { ...how, point } : how),
    pressKey: key => {
      ui.onKey(key)
      return note('pressKey', key)
    },
    openApp: async applicationId => {
      await note('openApp', applicationId)
      return ui.apps.includes(applicationId) ? 'opened' : 'not-found'
    },
    openUri: uri => note('openUri', uri),
    ...(overlay ? { overlay } : {}),
    ...(ui.hasControls ? { controls } : {}),
  }
}
