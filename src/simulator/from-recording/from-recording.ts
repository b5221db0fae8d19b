/** A scenario made of a recording: its screens one after the other, each with what led on from it. */
import type { Action } from '../../contracts/action.ts'
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
import { PACKAGE_NAME } from '../scenario/drawn.ts'
import { isEditable } from '../scenario/node.ts'
import type { WrittenScenario } from '../scenario/scenario.ts'
import { type FilmPlan, type FilmStep, planFilm } from './film-steps.ts'
import { type FilmNode, foundIn, masker, type Picture, picturesOf, signatureOf } from './pictures.ts'
import { type Lead, link, type Shot, Unfilmable } from './transitions.ts'

type Filmed =
  | { ok: true; scenario: WrittenScenario; notes: readonly string[] }
  | { ok: false; step: string; problem: string }

/** A typed text, or a finger in a field, that changes nothing else leads to no other screen. */
const stays = (act: Action, from: Picture, to: Picture): boolean => {
  if (signatureOf(from) !== signatureOf(to)) return false
  if (act.type === 'enter_text') return !act.params.submit
  if (act.type === 'click' && act.params.matcher) {
    const node = foundIn(from, act.params.matcher)
    return act.params.clickType === 'focus' || (node !== undefined && isEditable(node.className))
  }
  return ['scroll', 'scroll_until', 'swipe', 'open_app'].includes(act.type)
}

const shotsOf = (pictures: readonly Picture[], { intervals }: FilmPlan): Shot[] => {
  const shots: Shot[] = []
  for (const [index, picture] of pictures.entries()) {
    const act = intervals[index - 1]?.act
    const before = shots.at(-1)
    if (act && before && before.root.packageName === picture.root.packageName && stays(act, before, picture)) {
      shots.push(before)
      continue
    }
    const app = picture.root.packageName
    shots.push({ ...picture, name: `screen-${index + 1}`, app, more: new Map(), onKey: {} })
  }
  return shots
}

/** Another app can only be entered at its first screen. */
const leadTo = (shots: readonly Shot[], at: number): Lead => {
  const [from, to] = [shots[at], shots[at + 1]]
  if (!from || !to) throw new Unfilmable('there is no screen after it')
  if (from.app === to.app) return { goTo: to.name }
  if (shots.findIndex(({ app }) => app === to.app) === at + 1) return { openApp: to.app }
  throw new Unfilmable(`it goes back to the app ${to.app}, which had been left`)
}

const writeShot = ({ root, rotation, activity, app, more, onKey }: Shot, size: Size): WrittenScreen => {
  const { left, top, right, bottom } = root.bounds
  const isOver = isDialog(root.bounds, size)
  const node = writeNode(root, isOver ? root.bounds : boundsOf(size), {
    app,
    note: () => {},
    moreOf: one => more.get(one as FilmNode),
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

const writeApp = (app: string, shots: readonly Shot[], size: Size, uri: string | undefined): WrittenApp => {
  const own = shots.filter(shot => shot.app === app)
  const opens = uri !== undefined && shots[0]?.app === app
  return {
    package: app,
    label: app.slice(app.lastIndexOf('.') + 1).slice(0, LABEL_CHARS_MAX),
    screens: Object.fromEntries(own.map(shot => [shot.name, writeShot(shot, size)])),
    ...(opens ? { intents: [{ uri, goTo: own[0]?.name ?? '' }] } : {}),
  }
}

/** `secrets` are texts that must not be written. */
export const scenarioFromSteps = (steps: readonly FilmStep[], secrets: readonly string[]): Filmed => {
  const mask = masker(secrets)
  const plan = planFilm(steps, mask)
  const { pictures, notes: seen } = picturesOf(plan, mask)
  const notes = [...seen]
  const shots = shotsOf(pictures, plan)
  const { intervals, opening } = plan
  for (const [at, { act }] of intervals.entries()) {
    const [shot, next] = [shots[at], shots[at + 1]]
    if (!act || !shot || !next) continue
    try {
      link(shot, next, act, () => leadTo(shots, at), notes)
    } catch (error) {
      if (!(error instanceof Unfilmable)) throw error
      return { ok: false, step: act.id, problem: error.message }
    }
  }
  const [first] = shots
  const apps = [...new Set(shots.map(({ app }) => app))]
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
  const sized: AppScreen[] = shots.map(({ name, app, root, rotation }) => ({ name, app, dump: { root, rotation } }))
  const size = sizeOf(sized)
  const distinct = [...new Set(shots)]
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
