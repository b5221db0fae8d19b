/** Tracks the open apps, with the screens that each would go back to; the last one is in front. */
import type { Clock } from '../../runtime/clock.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import { type Entry, newEntry } from './entry.ts'

export interface Tasks {
  /** The screen in front. */
  front(): Entry
  /** Brings an app to the front as it was left, or with its first screen. */
  resume(app: ScenarioApp): void
  /** Brings an app to the front with one screen alone. */
  start(app: ScenarioApp, screen?: string): void
  /** Puts a screen of an app on top of its others, in the place of a dialog that is open. */
  push(app: ScenarioApp, screen: string): void
  back(): void
  home(): void
  stop(app: ScenarioApp): void
  /** The screens of an app, the one on top last. */
  stackOf(app: ScenarioApp): readonly Entry[]
  /** The screens below the dialog in front, down to one that is not a dialog: they can be seen around it. */
  below(): readonly Entry[]
  /** The apps besides the home screen, the last used first. */
  recent(): readonly ScenarioApp[]
}

const SCREENS_MAX = 100

export const createTasks = (home: ScenarioApp, clock: Clock): Tasks => {
  /** In the order in which they were last in front. */
  const stacks = new Map<ScenarioApp, Entry[]>()

  const entryOf = (app: ScenarioApp, name: string): Entry | undefined => {
    const screen = app.screens.get(name)
    return screen && newEntry(app, screen, clock.now())
  }
  const bring = (app: ScenarioApp, stack: readonly (Entry | undefined)[]) => {
    stacks.delete(app)
    stacks.set(app, stack.filter(entry => entry !== undefined).slice(-SCREENS_MAX))
  }
  const resume = (app: ScenarioApp) => {
    const stack = stacks.get(app) ?? []
    bring(app, stack.length > 0 ? stack : [entryOf(app, app.start)])
  }
  const start = (app: ScenarioApp, screen = app.start) => bring(app, [entryOf(app, screen)])
  start(home)

  const frontStack = (): readonly Entry[] => [...stacks.values()].at(-1) ?? []
  const front = (): Entry => {
    const entry = frontStack().at(-1)
    if (!entry) throw new Error(`the app ${home.package} has no start screen`)
    return entry
  }

  const withoutDialogs = (stack: readonly Entry[]): readonly Entry[] =>
    stack.slice(0, stack.findLastIndex(({ screen }) => screen.dialog === undefined) + 1)

  return {
    front,
    resume,
    start,
    push: (app, screen) => bring(app, [...withoutDialogs(stacks.get(app) ?? []), entryOf(app, screen)]),
    stackOf: app => stacks.get(app) ?? [],
    below() {
      const all = [...stacks.values()].flat()
      const whole = all.findLastIndex(({ screen }) => screen.dialog === undefined)
      return all.slice(Math.max(0, whole), -1)
    },
    back() {
      const { app } = front()
      const below = frontStack().slice(0, -1)
      if (below.length > 0) return bring(app, below)
      if (app === home) return
      stacks.delete(app)
      resume(home)
    },
    home: () => start(home),
    stop(app) {
      const wasInFront = front().app === app
      stacks.delete(app)
      if (wasInFront) resume(home)
    },
    recent: () => [...stacks.keys()].filter(app => app !== home).reverse(),
  }
}
