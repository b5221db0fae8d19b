/** The windows of a phone as its window manager lists them. */
import type { FocusedApp, PhoneWindow } from '../phone-parts.ts'
import { type Metrics, pixelsOf } from '../render/typesetting.ts'
import type { Entry } from './entry.ts'
import type { Front } from './front.ts'
import type { Scene } from './scene.ts'
import { SYSTEM_UI } from './system-screens.ts'
import type { Tasks } from './tasks.ts'
import { NAVIGATION_BAR, STATUS_BAR } from './window.ts'

export const SYSTEM_KEYBOARD_PACKAGE = 'com.android.inputmethod.latin'
const SHADE = 'NotificationShade'

/** A dialog belongs to the activity that it was opened from. */
export const focusedApp = (entry: Entry, tasks: Pick<Tasks, 'stackOf'>): FocusedApp => {
  const host = tasks.stackOf(entry.app).findLast(({ screen }) => screen.dialog === undefined)
  const { app, screen } = entry.screen.dialog && host ? host : entry
  return { packageName: app.package, activity: screen.activity }
}

export interface WindowsOptions {
  front: Pick<Front, 'layer' | 'tasks'>
  scene: Scene
  metrics: Metrics
}

export const windowsOf = ({ front, scene, metrics }: WindowsOptions): PhoneWindow[] => {
  const { width, height } = metrics
  const screen = { left: 0, top: 0, right: width, bottom: height }
  const layer = front.layer()
  const isSystem = layer === 'shade' || layer === 'keyguard'
  const system = (title: string, packageName: string, bounds: typeof screen, hasFocus = false): PhoneWindow => ({
    ...{ title, packageName, bounds, hasFocus },
  })
  const ofApp = (entry: Entry, bounds: typeof screen, hasFocus: boolean): PhoneWindow => ({
    ...{ app: focusedApp(entry, front.tasks), packageName: entry.app.package, bounds, hasFocus },
  })
  const apps = isSystem
    ? [ofApp(front.tasks.front(), screen, false)]
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
