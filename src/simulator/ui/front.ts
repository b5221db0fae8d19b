/** Tracks the front of a phone: keyguard, notification shade, recent apps or an app; and the state of the keyboard. */
import type { Clock } from '../../runtime/clock.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { type Entry, newEntry } from './entry.ts'
import { type Keyguard, keyguardApp, recentsApp, shadeApp } from './system-screens.ts'
import { createTasks, type Tasks } from './tasks.ts'

export type Layer = 'keyguard' | 'shade' | 'recents' | 'app'

export interface Front {
  /** The screen that keys go to and that can be read. */
  entry(): Entry
  layer(): Layer
  /** The tasks for reactions: wherever they lead, the recent apps are left. */
  tasks: Tasks
  keyguard(): Keyguard
  setKeyguard(kind: Keyguard): void
  openShade(): void
  closeShade(): void
  toggleRecents(): void
  hasKeyboard(): boolean
  setKeyboard(isShown: boolean): void
  /** To be called after every change: what belongs to a screen that is no longer in front goes with it. */
  settle(): void
  /** How long the way from one screen to another still takes, in ms. */
  settlesIn(): number
}

export const createFront = ({ home, front, device }: Scenario, clock: Clock): Front => {
  const tasks = createTasks(home, clock)
  if (front !== home) tasks.start(front)
  let guard: { kind: Keyguard; entry: Entry } | undefined
  let shade: Entry | undefined
  let recents: Entry | undefined
  let typing: Entry | undefined

  const systemEntry = (app: ScenarioApp): Entry | undefined => {
    const screen = app.screens.get(app.start)
    return screen && newEntry(app, screen, clock.now())
  }
  /** The same one each time, so that what was switched in it stays. */
  let shadeMade: ScenarioApp | undefined
  const shadeOnce = () => {
    shadeMade ??= shadeApp()
    return shadeMade
  }
  const entry = () => guard?.entry ?? shade ?? recents ?? tasks.front()
  const layer = (): Layer => {
    if (guard) return 'keyguard'
    if (shade) return 'shade'
    return recents ? 'recents' : 'app'
  }
  let last = entry()
  let settledAt = clock.now()

  /** Leaves the recent apps; false when they were not there. */
  const leaveRecents = () => {
    const wereThere = recents !== undefined
    recents = undefined
    return wereThere
  }

  return {
    entry,
    layer,
    tasks: {
      ...tasks,
      resume: app => {
        shade = undefined
        leaveRecents()
        tasks.resume(app)
      },
      start: (app, screen) => {
        leaveRecents()
        tasks.start(app, screen)
      },
      home: () => {
        shade = undefined
        leaveRecents()
        tasks.home()
      },
      back: () => {
        if (shade) shade = undefined
        else if (!leaveRecents()) tasks.back()
      },
    },
    keyguard: () => guard?.kind ?? 'none',
    setKeyguard(kind) {
      const made = kind === 'none' ? undefined : systemEntry(keyguardApp(kind))
      guard = made && { kind, entry: made }
      shade = undefined
    },
    openShade() {
      shade ??= systemEntry(shadeOnce())
    },
    closeShade() {
      shade = undefined
    },
    toggleRecents() {
      shade = undefined
      recents = recents ? undefined : systemEntry(recentsApp(tasks.recent()))
    },
    hasKeyboard: () => typing !== undefined && typing === entry(),
    setKeyboard(isShown) {
      typing = isShown && device.keyboard ? entry() : undefined
    },
    settle() {
      const now = entry()
      if (typing !== now) typing = undefined
      if (now === last) return
      last = now
      settledAt = clock.now() + device.durations.transition
    },
    settlesIn: () => Math.max(0, settledAt - clock.now()),
  }
}
