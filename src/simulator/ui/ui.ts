/** The screen of a simulated phone: what is shown, and what gestures, keys and intents do to it. */
import type { ClickType } from '../../operator/engine/driver.ts'
import type { Point, UiNode, UiTree } from '../../operator/engine/ui-tree.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Intent } from '../phone.ts'
import { type Metrics, pixelsOf } from '../render/typesetting.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { NodeChanges } from '../scenario/reaction.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { perform } from './effects.ts'
import { type Entry, newEntry } from './entry.ts'
import { drag, hold, holdAt, press, tapAt } from './gestures.ts'
import { placedAs } from './hit.ts'
import { resolveIntent } from './intents.ts'
import { isKeyName } from './key-names.ts'
import { type KeyContext, pressKey } from './keys.ts'
import type { Laid, Layouts } from './layouts.ts'
import { type Keyguard, keyguardApp, recentsApp } from './system-screens.ts'
import { createTasks, type Tasks } from './tasks.ts'
import { focusOn, replaceAll, type } from './text-field.ts'

/** What a picture of the screen shows. The same object for as long as nothing has changed. */
export interface Scene {
  entry: Entry
  roots: Laid['roots']
}

export interface Ui {
  scene(): Scene
  /** Counts as a reading for nodes that come or go after some. */
  tree(): UiTree
  foreground(): { packageName: string; activity: string }
  tap(point: Point): void
  longPress(point: Point): void
  swipe(start: Point, end: Point, durationMs: number): void
  key(name: string): boolean
  type(text: string): void
  /** As an accessibility service does it, without a finger; false when the node is gone or does not take it. */
  click(node: UiNode, how: ClickType): boolean
  setText(node: UiNode, text: string, options: { append: boolean; submit: boolean }): boolean
  /** With its first screen; false when there is no such app. */
  launch(packageName: string): boolean
  start(intent: Intent): boolean
  stop(packageName: string): void
  keyguard(): Keyguard
  setKeyguard(keyguard: Keyguard): void
}

export interface UiOptions {
  scenario: Scenario
  /** Of the device, whose time may run at its own speed. */
  clock: Clock
  metrics: Metrics
  /** May be shared with other phones. */
  layouts: Layouts
  toast(text: string): void
}

const TOUCH_SLOP_DP = 8
const LONG_PRESS_MS = 500

export const createUi = ({ scenario, clock, metrics, layouts, toast }: UiOptions): Ui => {
  const { apps, home, front } = scenario
  const changes = new Map<ScenarioNode, NodeChanges>()
  const tasks = createTasks(home, clock)
  if (front !== home) tasks.start(front)
  let guard: { kind: Keyguard; entry: Entry } | undefined
  let recents: Entry | undefined
  let known: { scene: Scene; tree: UiTree } | undefined

  const systemEntry = (app: ScenarioApp): Entry | undefined => {
    const screen = app.screens.get(app.start)
    return screen && newEntry(app, screen, clock.now())
  }
  const current = (): Entry => guard?.entry ?? recents ?? tasks.front()

  const fresh = () => {
    const entry = current()
    if (!known || known.scene.entry !== entry || entry.screen.gated) {
      const { roots, tree } = layouts.of({ entry, changes, metrics, now: clock.now() })
      known = { scene: { entry, roots }, tree }
    }
    return known
  }

  /** Wherever the list of recent apps leads, it is gone then. */
  const leaving: Tasks = {
    ...tasks,
    resume: app => {
      recents = undefined
      tasks.resume(app)
    },
    home: () => {
      recents = undefined
      tasks.home()
    },
    back: () => {
      if (recents) recents = undefined
      else tasks.back()
    },
  }
  const showRecents = () => {
    recents = recents ? undefined : systemEntry(recentsApp(tasks.recent()))
  }
  const changing = <T>(change: (context: KeyContext) => T): T => {
    const { scene } = fresh()
    const result = change({ apps, tasks: leaving, changes, toast, showRecents, ...scene })
    known = undefined
    return result
  }

  const open = (app: ScenarioApp, screen?: string) => {
    recents = undefined
    tasks.start(app, screen)
  }
  const swipe = (start: Point, end: Point, durationMs: number) => {
    const distance = Math.hypot(end.x - start.x, end.y - start.y)
    if (distance < pixelsOf(TOUCH_SLOP_DP, metrics)) {
      return changing(context => (durationMs >= LONG_PRESS_MS ? holdAt(start, context) : tapAt(start, context)))
    }
    if (guard?.kind === 'swipe' && end.y < start.y) {
      guard = undefined
      return undefined
    }
    return changing(context => drag(start, end, context))
  }

  return {
    scene: () => fresh().scene,
    tree() {
      current().reads += 1
      return fresh().tree
    },
    foreground() {
      const { app, screen } = current()
      return { packageName: app.package, activity: screen.activity }
    },
    tap: point => changing(context => tapAt(point, context)),
    longPress: point => changing(context => holdAt(point, context)),
    swipe,
    key: name => (guard ? isKeyName(name) : changing(context => pressKey(name, context))),
    type: text => changing(context => type(context, text)),
    click: (node, how) =>
      changing(context => {
        const placed = placedAs(context.roots, node)
        if (!placed?.look.enabled) return false
        if (how === 'default') return press(placed, context)
        if (how === 'long_click') return hold(placed, context)
        if (placed.source.focusable) focusOn(context.entry, placed.source, changes)
        return placed.source.focusable
      }),
    setText: (node, text, { append, submit }) =>
      changing(context => {
        const placed = placedAs(context.roots, node)
        if (!placed?.look.enabled || !placed.source.editable) return false
        focusOn(context.entry, placed.source, changes)
        if (append) type(context, text)
        else replaceAll(context, text)
        if (submit) pressKey('ENTER', context)
        return true
      }),
    launch(packageName) {
      const app = apps.find(one => one.package === packageName)
      if (app) changing(() => open(app))
      return app !== undefined
    },
    start(intent) {
      const opening = resolveIntent(intent, apps)
      if (!opening) return false
      const { app, screen, reaction } = opening
      changing(context => {
        open(app, screen)
        if (reaction) perform([reaction], app, context, { values: { uri: intent.data ?? '' } })
      })
      return true
    },
    stop(packageName) {
      const app = apps.find(one => one.package === packageName)
      if (app) changing(() => tasks.stop(app))
    },
    keyguard: () => guard?.kind ?? 'none',
    setKeyguard(kind) {
      const entry = kind === 'none' ? undefined : systemEntry(keyguardApp(kind))
      guard = entry && { kind, entry }
    },
  }
}
