/** A scenario made of a recording: its screens one after the other, each with what led on from it. */
import type { Action } from '../../contracts/executions/action.ts'
import {
  type AppScreen,
  boundsOf,
  isDialog,
  LABEL_CHARS_MAX,
  type Size,
  sizeOf,
  type WrittenScreen,
} from '../from-dump/from-dump.ts'
import { writeNode } from '../from-dump/write-node.ts'
import type { WrittenApp } from '../scenario/app.ts'
import { PACKAGE_NAME } from '../scenario/field-schemas.ts'
import { isEditable } from '../scenario/node.ts'
import type { WrittenScenario } from '../scenario/scenario.ts'
import {
  foundIn,
  type MomentScreen,
  masker,
  momentScreensOf,
  type RecordedNode,
  signatureOf,
} from './moment-screens.ts'
import { planRecording, type RecordedStep, type RecordingPlan } from './recording-plan.ts'
import { linkScreens, type NextScreen, type ScreenDraft, UnsupportedStep } from './transitions.ts'

type ScenarioResult =
  | { ok: true; scenario: WrittenScenario; notes: readonly string[] }
  | { ok: false; step: string; problem: string }

/** A typed text, or a finger in a field, that changes nothing else leads to no other screen. */
const stays = (act: Action, from: MomentScreen, to: MomentScreen): boolean => {
  if (signatureOf(from) !== signatureOf(to)) return false
  if (act.type === 'enter_text') return !act.params.submit
  if (act.type === 'click' && act.params.matcher) {
    const node = foundIn(from, act.params.matcher)
    return act.params.clickType === 'focus' || (node !== undefined && isEditable(node.className))
  }
  return ['scroll', 'scroll_until', 'swipe', 'open_app'].includes(act.type)
}

const draftsOf = (screens: readonly MomentScreen[], { intervals }: RecordingPlan): ScreenDraft[] => {
  const drafts: ScreenDraft[] = []
  for (const [index, screen] of screens.entries()) {
    const act = intervals[index - 1]?.act
    const before = drafts.at(-1)
    if (act && before && before.root.packageName === screen.root.packageName && stays(act, before, screen)) {
      drafts.push(before)
      continue
    }
    const app = screen.root.packageName
    drafts.push({ ...screen, name: `screen-${index + 1}`, app, more: new Map(), onKey: {} })
  }
  return drafts
}

/** Another app can only be entered at its first screen. */
const leadTo = (drafts: readonly ScreenDraft[], at: number): NextScreen => {
  const [from, to] = [drafts[at], drafts[at + 1]]
  if (!from || !to) throw new UnsupportedStep('there is no screen after it')
  if (from.app === to.app) return { goTo: to.name }
  if (drafts.findIndex(({ app }) => app === to.app) === at + 1) return { openApp: to.app }
  throw new UnsupportedStep(`it goes back to the app ${to.app}, which had been left`)
}

/** A text without a matcher goes to the field that a click on the same screen gave the focus, as far as there was one. */
const withField = (act: Action, before: Action | undefined, hasStayed: boolean): Action => {
  if (act.type !== 'enter_text' || act.params.matcher || !hasStayed || before?.type !== 'click') return act
  return before.params.matcher ? { ...act, params: { ...act.params, matcher: before.params.matcher } } : act
}

const writeScreen = ({ root, rotation, activity, app, more, onKey }: ScreenDraft, size: Size): WrittenScreen => {
  const { left, top, right, bottom } = root.bounds
  const isOver = isDialog(root.bounds, size)
  const node = writeNode(root, isOver ? root.bounds : boundsOf(size), {
    app,
    note: () => {},
    moreOf: one => more.get(one as RecordedNode),
  })
  return {
    ...(activity === undefined ? {} : { activity }),
    frame: false,
    ...(rotation === 0 ? {} : { rotation }),
    ...(isOver ? { dialog: { bounds: [left, top, right, bottom], cancelable: false } } : {}),
    ...(Object.keys(onKey).length === 0 ? {} : { onKey }),
    nodes: [node],
  }
}

const writeApp = (app: string, drafts: readonly ScreenDraft[], size: Size, uri: string | undefined): WrittenApp => {
  const appDrafts = drafts.filter(draft => draft.app === app)
  const opens = uri !== undefined && drafts[0]?.app === app
  return {
    package: app,
    label: app.slice(app.lastIndexOf('.') + 1).slice(0, LABEL_CHARS_MAX),
    screens: Object.fromEntries(appDrafts.map(draft => [draft.name, writeScreen(draft, size)])),
    ...(opens ? { intents: [{ uri, goTo: appDrafts[0]?.name ?? '' }] } : {}),
  }
}

/** `secrets` are texts that must not be written. */
export const scenarioFromSteps = (steps: readonly RecordedStep[], secrets: readonly string[]): ScenarioResult => {
  const mask = masker(secrets)
  const plan = planRecording(steps, mask)
  const { screens, notes: seen } = momentScreensOf(plan, mask)
  const notes = [...seen]
  const drafts = draftsOf(screens, plan)
  const { intervals, opening } = plan
  for (const [at, { act }] of intervals.entries()) {
    const [draft, next] = [drafts[at], drafts[at + 1]]
    if (!act || !draft || !next) continue
    try {
      const before = intervals[at - 1]?.act
      linkScreens(draft, next, withField(act, before, drafts[at - 1] === draft), () => leadTo(drafts, at), notes)
    } catch (error) {
      if (!(error instanceof UnsupportedStep)) throw error
      return { ok: false, step: act.id, problem: error.message }
    }
  }
  const [first] = drafts
  const apps = [...new Set(drafts.map(({ app }) => app))]
  const nameless = apps.find(app => !PACKAGE_NAME.test(app))
  if (!first || nameless !== undefined) {
    return { ok: false, step: '', problem: `${JSON.stringify(nameless ?? '')} is not the name of an app` }
  }
  if (opening?.packageName !== undefined && opening.packageName !== first.app) {
    return {
      ok: false,
      step: '',
      problem: `it opens ${opening.packageName}, and the first screen belongs to ${first.app}`,
    }
  }
  const sized: AppScreen[] = drafts.map(({ name, app, root, rotation }) => ({ name, app, dump: { root, rotation } }))
  const size = sizeOf(sized)
  const distinct = [...new Set(drafts)]
  return {
    ok: true,
    scenario: {
      // The keyboard stays off: with one on the screen, Back would only close it, unlike in the recording.
      device: { size, keyboard: false },
      ...(opening ? {} : { front: first.app }),
      apps: apps.map(app => writeApp(app, distinct, size, opening?.uri)),
    },
    notes,
  }
}
