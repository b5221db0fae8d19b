/** The screen of a simulated phone: what is shown, and what gestures, keys and intents do to it. */

import { contains, type Point, type UiNode, type UiTree } from '../../contracts/device/ui-tree.ts'
import type { ClickType } from '../../device/screen/driver.ts'
import type { FocusedApp, Intent, PhoneWindow } from '../phone-parts.ts'
import { type Metrics, pixelsOf } from '../render/typesetting.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import type { Values } from './current-node.ts'
import { createForeground } from './foreground.ts'
import { drag, holdAt, longPressNode, openPage, tapAt, tapNode } from './gestures.ts'
import { hasActivity, isExported, mayStart, resolveIntent } from './intents.ts'
import { isKeyName } from './key-names.ts'
import { type KeyContext, pressKey, replaceText, typeText } from './keys.ts'
import { type LaidOutScreen, placedNodeLike } from './layout.ts'
import { focusOn, type OpenScreen } from './open-screen.ts'
import { pageBack, pageForward } from './page-history.ts'
import { askPermissions } from './permission-dialog.ts'
import { conditionHolds, performReactions } from './reactions.ts'
import { holdsItsOrientation, isSideways } from './rotation.ts'
import { createState } from './state.ts'
import type { Keyguard } from './system-screens.ts'
import type { UiOptions } from './ui-options.ts'
import { focusedApp, keyboardBounds, type SceneLayer as Layer, type Scene, STATUS_BAR, windowsOf } from './windows.ts'

const TOUCH_SLOP_DP = 8
const LONG_PRESS_MS = 500

export const createUi = (options: UiOptions) => {
  const {
    scenario,
    clock,
    metrics: upright,
    turning,
    layouts,
    clipboard,
    toast,
    permissions,
    tell = () => {},
  } = options
  const { apps } = scenario
  const state = createState()
  const front = createForeground(scenario, clock, options.notifications)
  const { tasks } = front
  let known: { scene: Scene; tree: UiTree; rotation: number } | undefined

  /** A dialog is turned with the screen that it lies over. */
  const turns = (): { rotation: number; metrics: Metrics } => {
    const entry = front.entry()
    const { dialog, rotation: ownRotation } = entry.screen
    const holder = dialog && ownRotation === 0 ? (tasks.below()[0] ?? entry) : entry
    if (!turning || holdsItsOrientation(holder)) return { rotation: holder.screen.rotation, metrics: upright }
    const rotation = turning.rotation()
    return { rotation, metrics: isSideways(rotation) ? turning.sideways : upright }
  }
  const rotation = (): number => turns().rotation
  const metrics = (): Metrics => turns().metrics
  const keyboard = () => keyboardBounds(metrics())

  const permissionOf = (app: ScenarioApp, permission: string) =>
    permissions?.().state(app.package, permission) ?? 'unset'
  const moment = () => ({ state, permissionOf, front: front.entry(), stackOf: tasks.stackOf })
  const holdsNow: KeyContext['holds'] = (condition, app) => conditionHolds(condition, app, moment())
  const layOut = (entry: OpenScreen): LaidOutScreen =>
    layouts.of({
      entry,
      state,
      metrics: metrics(),
      rotation: rotation(),
      now: clock.now(),
      keyboardTop: front.hasKeyboard() ? keyboard().top : undefined,
      holds: condition => holdsNow(condition, entry.app),
    })
  const layer = (entry: OpenScreen): Layer => ({ entry, ...layOut(entry) })

  const fresh = () => {
    const entry = front.entry()
    const turned = rotation()
    if (!known || known.scene.entry !== entry || known.rotation !== turned || entry.screen.gated) {
      const { roots, tree, window } = layOut(entry)
      const below = entry.screen.dialog ? front.below().map(layer) : []
      const keyboardBox = front.hasKeyboard() ? keyboard() : undefined
      known = { scene: { entry, roots, window, below, keyboard: keyboardBox }, tree, rotation: turned }
    }
    return known
  }

  const stopApp = (app: ScenarioApp, { data }: { data: boolean } = { data: false }) => {
    tasks.stop(app)
    state.forget(app, { kept: data })
  }

  const changing = <T>(change: (context: KeyContext) => T): T => {
    const { scene } = fresh()
    const { entry, roots } = scene
    const result = change({
      ...{ apps, tasks, state, toast, tell, stopApp, entry, roots, holds: holdsNow },
      alert: front.alert,
      keyboard: front.setKeyboard,
      showRecents: front.toggleRecents,
      pasted: () => clipboard?.get() ?? '',
      askPermissions: (app, names) => askPermissions(app, names, { tasks, permissions: permissions?.() }),
    })
    front.settle()
    known = undefined
    return result
  }

  const open = (app: ScenarioApp, screen: string | undefined, values: Values, context: KeyContext): KeyContext => {
    tasks.start(app, screen)
    const entry = front.entry()
    const opened = { ...context, entry }
    performReactions(entry.screen.onStart, app, opened, { values })
    return opened
  }

  /** True when a touch there reaches the window in front; a tap beside a dialog closes it. */
  const reaches = (point: Point, isTap: boolean): boolean => {
    const { scene } = fresh()
    if (scene.keyboard && contains(scene.keyboard, point)) return false
    const { dialog } = scene.entry.screen
    if (!dialog || contains(scene.window, point)) return true
    if (isTap && dialog.cancelable) changing(context => context.tasks.back())
    return false
  }
  const touch = (point: Point, act: (point: Point, context: KeyContext) => void) => {
    if (reaches(point, true)) changing(context => act(point, context))
  }
  const setShade = (isOpen: boolean) =>
    changing(() => {
      if (!isOpen) front.closeShade()
      else if (front.layer() !== 'keyguard') front.openShade()
    })

  const swipe = (start: Point, end: Point, durationMs: number) => {
    const distance = Math.hypot(end.x - start.x, end.y - start.y)
    if (distance < pixelsOf(TOUCH_SLOP_DP, upright)) {
      return touch(start, durationMs >= LONG_PRESS_MS ? holdAt : tapAt)
    }
    const isSteep = Math.abs(end.y - start.y) > Math.abs(end.x - start.x)
    const [isUp, isDown] = [end.y < start.y, isSteep && end.y > start.y]
    if (isUp && front.keyguard() === 'swipe') return changing(() => front.setKeyguard('none'))
    if (isUp && front.layer() === 'shade') return setShade(false)
    if (isDown && start.y < pixelsOf(STATUS_BAR, upright)) return setShade(true)
    if (reaches(start, false)) changing(context => drag(start, end, context))
  }

  const key = (name: string): boolean => {
    if (front.layer() === 'keyguard') return isKeyName(name)
    if (name === 'BACK' && front.hasKeyboard()) {
      changing(() => front.setKeyboard(false))
      return true
    }
    return changing(context => pressKey(name, context))
  }

  /** The same, with what each node of the tree stands for. */
  const reading = (): { tree: UiTree; roots: Scene['roots'] } => {
    front.entry().reads += 1
    const { tree, scene } = fresh()
    return { tree, roots: scene.roots }
  }

  return {
    scene: (): Scene => fresh().scene,
    /** In quarter turns. */
    rotation,
    /** The screen as it is turned. */
    metrics,
    reading,
    /** Counts as a reading for nodes that come or go after some. */
    tree: (): UiTree => reading().tree,
    foreground: (): FocusedApp => focusedApp(front.entry(), tasks),
    /** The app that has the focus, also while the system lies over it. */
    focusedApp: (): FocusedApp => focusedApp(tasks.front(), tasks),
    /** From the one on top down. */
    windows: (): readonly PhoneWindow[] => windowsOf(front, fresh().scene, metrics()),
    /** How long the change of screens that goes on now still takes. */
    settlesIn: front.settlesIn,
    tap: (point: Point) => touch(point, tapAt),
    longPress: (point: Point) => touch(point, holdAt),
    swipe,
    key,
    type: (text: string) => changing(context => typeText(context, text)),
    /** Empties the field that has the focus. */
    clear: () => changing(context => replaceText(context, '')),
    /** Acts as an accessibility service does, without a finger; false when the node is gone or does not take it. */
    click: (node: UiNode, how: ClickType) =>
      changing(context => {
        const placed = placedNodeLike(context.roots, node)
        if (!placed?.current.enabled) return false
        if (how === 'default') return tapNode(placed, context)
        if (how === 'long_click') return longPressNode(placed, context)
        if (placed.current.focusable) focusOn(context.entry, placed.source, state)
        return placed.current.focusable
      }),
    setText: (node: UiNode, text: string, { append, submit }: { append: boolean; submit: boolean }) =>
      changing(context => {
        const placed = placedNodeLike(context.roots, node)
        if (!placed?.current.enabled || !placed.current.editable) return false
        focusOn(context.entry, placed.source, state)
        if (append) typeText(context, text)
        else replaceText(context, text)
        if (text !== '') context.keyboard(true)
        if (submit) pressKey('ENTER', context)
        return true
      }),
    /** Shows another page in the app in front; false where it has none at that address. */
    openPage: (url: string) => changing(context => openPage(url, context)),
    pageBack: () => changing(pageBack),
    pageForward: () => changing(pageForward),
    /** With its first screen; false when there is no such app. */
    launch(packageName: string) {
      const app = apps.find(one => one.package === packageName)
      if (app) changing(context => open(app, undefined, {}, context))
      return app !== undefined
    },
    hasActivity: (component: string) => hasActivity(component, apps),
    isExported: (component: string) => isExported(component, apps),
    mayStart: (intent: Intent) => mayStart(intent, apps, holdsNow),
    /** Something beside the screens has changed. */
    refresh() {
      known = undefined
    },
    start(intent: Intent) {
      const opening = resolveIntent(intent, apps, holdsNow)
      if (!opening) return false
      const { app, screen, reaction } = opening
      changing(context => {
        const values = { uri: intent.data ?? '', extras: intent.extras }
        const opened = open(app, screen, values, context)
        if (reaction) performReactions([reaction], app, opened, { values })
      })
      return true
    },
    /** Ends an app with everything that is not kept; `data`: and with what is. */
    stop(packageName: string, { data }: { data: boolean } = { data: false }) {
      const app = apps.find(one => one.package === packageName)
      if (app) changing(() => stopApp(app, { data }))
    },
    isRunning: (packageName: string) => apps.some(app => app.package === packageName && tasks.stackOf(app).length > 0),
    setShade,
    keyguard: front.keyguard,
    setKeyguard: (kind: Keyguard) => changing(() => front.setKeyguard(kind)),
  }
}

export type Ui = ReturnType<typeof createUi>
