/** Tracks what is in front on a phone: keyguard, notification shade, recent apps, or the open apps with their screens; and the keyboard. */
import type { Clock } from '../../runtime/clock.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { newOpenScreen, type OpenScreen } from './open-screen.ts'
import type { AppFailure } from './reactions.ts'
import { failureApp, type Keyguard, keyguardApp, recentsApp, type ShadeRow, shadeApp } from './system-screens.ts'

const SCREENS_MAX = 100

const createTasks = (home: ScenarioApp, clock: Clock) => {
  /** In the order in which they were last in front. */
  const stacks = new Map<ScenarioApp, OpenScreen[]>()

  const entryOf = (app: ScenarioApp, name: string): OpenScreen | undefined => {
    const screen = app.screens.get(name)
    return screen && newOpenScreen(app, screen, clock.now())
  }
  const bring = (app: ScenarioApp, stack: readonly (OpenScreen | undefined)[]) => {
    stacks.delete(app)
    stacks.set(app, stack.filter(entry => entry !== undefined).slice(-SCREENS_MAX))
  }
  /** Brings an app to the front as it was left, or with its first screen. */
  const resume = (app: ScenarioApp) => {
    const stack = stacks.get(app) ?? []
    bring(app, stack.length > 0 ? stack : [entryOf(app, app.start)])
  }
  /** Brings an app to the front with one screen alone. */
  const start = (app: ScenarioApp, screen = app.start) => bring(app, [entryOf(app, screen)])
  start(home)

  const frontStack = (): readonly OpenScreen[] => [...stacks.values()].at(-1) ?? []
  /** The screen in front. */
  const front = (): OpenScreen => {
    const entry = frontStack().at(-1)
    if (!entry) throw new Error(`the app ${home.package} has no start screen`)
    return entry
  }

  /** The app whose task is in front, also while a screen of the system covers it. */
  const frontApp = (): ScenarioApp => [...stacks.keys()].at(-1) ?? home

  const withoutDialogs = (stack: readonly OpenScreen[]): readonly OpenScreen[] =>
    stack.slice(0, stack.findLastIndex(({ screen }) => screen.dialog === undefined) + 1)

  const visible = (): readonly OpenScreen[] => {
    const all = [...stacks.values()].flat()
    const whole = all.findLastIndex(({ screen }) => screen.dialog === undefined)
    return all.slice(Math.max(0, whole))
  }

  return {
    front,
    resume,
    start,
    /** Puts a screen of an app on top of its others, in the place of a dialog that is open. */
    push(app: ScenarioApp, screen: string) {
      const below = withoutDialogs(stacks.get(app) ?? [])
      for (const entry of below) entry.ahead = undefined
      bring(app, [...below, entryOf(app, screen)])
    },
    /** Puts a screen that was left on top again, as it was. */
    reopen: (entry: OpenScreen) => bring(entry.app, [...(stacks.get(entry.app) ?? []), entry]),
    /** Puts a screen of the system over those of an app, as a part of its task. */
    cover(app: ScenarioApp, system: ScenarioApp, onTapped: (id: string | undefined) => void) {
      const entry = entryOf(system, system.start)
      bring(app, [...(stacks.get(app) ?? []), entry && { ...entry, onTapped }])
    },
    /** The screens of an app, the one on top last. */
    stackOf: (app: ScenarioApp): readonly OpenScreen[] => stacks.get(app) ?? [],
    /** The screens below the dialog in front, down to one that is not a dialog: they can be seen around it. */
    below: (): readonly OpenScreen[] => visible().slice(0, -1),
    /** The same with the one in front. */
    visible,
    back() {
      const app = frontApp()
      const below = frontStack().slice(0, -1)
      if (below.length > 0) return bring(app, below)
      if (app === home) return
      stacks.delete(app)
      resume(home)
    },
    home: () => start(home),
    stop(app: ScenarioApp) {
      const wasInFront = frontApp() === app
      stacks.delete(app)
      if (wasInFront) resume(home)
    },
    /** The apps besides the home screen, the last used first. */
    recent: (): readonly ScenarioApp[] => [...stacks.keys()].filter(app => app !== home).reverse(),
  }
}

export type Tasks = ReturnType<typeof createTasks>

type Layer = 'keyguard' | 'shade' | 'recents' | 'alert' | 'app'

/** The notifications of the phone, and a number that changes with them. */
export interface ShownNotifications {
  list(): readonly ShadeRow[]
  version(): number
}

const NO_NOTIFICATIONS: ShownNotifications = { list: () => [], version: () => 0 }

/** The words that the window manager has for the window of such a dialog. */
const ALERT_TITLES: Readonly<Record<AppFailure, string>> = {
  crash: 'Application Error',
  anr: 'Application Not Responding',
}

export const createForeground = (
  { apps, home, front, device }: Scenario,
  clock: Clock,
  notifications = NO_NOTIFICATIONS,
) => {
  const tasks = createTasks(home, clock)
  if (front !== home) tasks.start(front)
  let guard: { kind: Keyguard; entry: OpenScreen } | undefined
  let shade: OpenScreen | undefined
  let recents: OpenScreen | undefined
  let alert: { title: string; entry: OpenScreen } | undefined
  let typing: OpenScreen | undefined

  const systemEntry = (app: ScenarioApp): OpenScreen | undefined => {
    const screen = app.screens.get(app.start)
    return screen && newOpenScreen(app, screen, clock.now())
  }
  /** The same one until other notifications come, so that what was switched in it stays. */
  let shadeMade: { version: number; app: ScenarioApp } | undefined
  const shadeOnce = () => {
    const version = notifications.version()
    if (shadeMade?.version !== version) {
      const labelled = notifications.list().map(row => ({
        ...row,
        label: apps.find(app => app.package === row.packageName)?.label ?? row.packageName,
      }))
      shadeMade = { version, app: shadeApp(labelled) }
    }
    return shadeMade.app
  }
  /** The screen that keys go to and that can be read. */
  const entry = (): OpenScreen => guard?.entry ?? shade ?? recents ?? alert?.entry ?? tasks.front()
  const layer = (): Layer => {
    if (guard) return 'keyguard'
    if (shade) return 'shade'
    if (recents) return 'recents'
    return alert ? 'alert' : 'app'
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
    /** The tasks for reactions: wherever they lead, the recent apps are left. */
    tasks: {
      ...tasks,
      resume: (app: ScenarioApp) => {
        shade = undefined
        leaveRecents()
        tasks.resume(app)
      },
      start: (app: ScenarioApp, screen?: string) => {
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
        else if (leaveRecents()) return
        else if (alert) alert = undefined
        else tasks.back()
      },
    },
    /** The screens that can be seen around the dialog in front. */
    below: (): readonly OpenScreen[] => (layer() === 'alert' ? tasks.visible() : tasks.below()),
    /** Lies over every app until it is answered. */
    alert(failure: AppFailure, app: ScenarioApp) {
      const entry = systemEntry(failureApp(failure, app))
      alert = entry && { title: `${ALERT_TITLES[failure]}: ${app.package}`, entry }
    },
    alertTitle: (): string => alert?.title ?? '',
    keyguard: (): Keyguard => guard?.kind ?? 'none',
    setKeyguard(kind: Keyguard) {
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
    setKeyboard(isShown: boolean) {
      typing = isShown && device.keyboard ? entry() : undefined
    },
    /** To be called after every change: what belongs to a screen that is no longer in front goes with it. */
    settle() {
      const now = entry()
      if (typing !== now) typing = undefined
      if (now === last) return
      last = now
      settledAt = clock.now() + device.durations.transition
    },
    /** How long the way from one screen to another still takes, in ms. */
    settlesIn: () => Math.max(0, settledAt - clock.now()),
  }
}

export type Foreground = ReturnType<typeof createForeground>
