/** Finds the app that an intent opens, and its screen. */
import type { Intent } from '../phone-parts.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import type { Condition, Effects } from '../scenario/reaction.ts'

const MAIN = 'android.intent.action.MAIN'
const VIEW = 'android.intent.action.VIEW'

interface ResolvedIntent {
  app: ScenarioApp
  /** Undefined for the start screen. */
  screen?: string
  reaction?: Effects
}

const matchesUri = (pattern: string, uri: string): boolean => {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return uri === pattern
  const last = rest.pop() ?? ''
  let at = first.length
  if (!uri.startsWith(first)) return false
  for (const part of rest) {
    const found = uri.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return uri.length - last.length >= at && uri.endsWith(last)
}

const fullActivity = (packageName: string, activity: string) =>
  activity.startsWith('.') ? packageName + activity : activity

const explicit = (component: string, apps: readonly ScenarioApp[]): ResolvedIntent | undefined => {
  const [packageName = '', activity = ''] = component.split('/')
  const app = apps.find(one => one.package === packageName)
  const wanted = fullActivity(packageName, activity)
  const screens = [...(app?.screens.values() ?? [])].filter(
    screen => fullActivity(packageName, screen.activity) === wanted,
  )
  const screen = screens.find(({ name }) => name === app?.start) ?? screens[0]
  return app && screen && { app, screen: screen.name }
}

export const hasActivity = (component: string, apps: readonly ScenarioApp[]): boolean =>
  explicit(component, apps) !== undefined

const isOpenToOthers = ({ app, screen = app.start }: ResolvedIntent): boolean =>
  app.screens.get(screen)?.exported ?? true

/** True for activities that other apps may start, and for those that do not exist. */
export const isExported = (component: string, apps: readonly ScenarioApp[]): boolean => {
  const found = explicit(component, apps)
  return !found || isOpenToOthers(found)
}

type ConditionTest = (condition: Condition | undefined, app: ScenarioApp) => boolean

/** Takes the first rule of an app that matches, and whose condition holds. */
export const resolveIntent = (
  intent: Intent,
  apps: readonly ScenarioApp[],
  holds: ConditionTest,
): ResolvedIntent | undefined => {
  const { action, data, packageName, component } = intent
  if (component !== undefined) return explicit(component, apps)
  const candidates = apps.filter(app => packageName === undefined || app.package === packageName)
  for (const app of candidates) {
    const rule = app.intents.find(
      ({ action: wanted = VIEW, uri, if: condition }) =>
        wanted === (action ?? VIEW) &&
        (uri === undefined ? data === undefined : matchesUri(uri, data ?? '')) &&
        holds(condition, app),
    )
    if (rule) {
      const { action: _action, uri: _uri, if: _if, goTo, ...reaction } = rule
      return { app, reaction, ...(goTo === undefined ? {} : { screen: goTo }) }
    }
  }
  const launched = packageName !== undefined && data === undefined && (action === undefined || action === MAIN)
  const app = launched ? candidates[0] : undefined
  return app && { app }
}

/** False where the intent leads to an activity that only its own app may start. */
export const mayStart = (intent: Intent, apps: readonly ScenarioApp[], holds: ConditionTest): boolean => {
  const found = resolveIntent(intent, apps, holds)
  return !found || isOpenToOthers(found)
}
