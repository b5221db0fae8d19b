/** The checks of actions whose effect must show on the screen, beside what the app says of it. */
import { commandLine } from '../../link/quote.ts'
import { type Bounds, centreOf } from '../../screen/ui-tree.ts'
import type { CheckBench } from './bench.ts'
import { Breach, LeftOut } from './breach.ts'
import type { Check } from './check.ts'
import { demandEffect } from './demand-effect.ts'
import { expectData, succeeds } from './judge-step.ts'
import {
  labelsOf,
  listOf,
  lookAt,
  lookUntil,
  lookWhenStill,
  onSettings,
  openSettings,
  placesOf,
  rowText,
  type SeenScreen,
} from './settings-screen.ts'

const HOME = commandLine('input', 'keyevent', 'KEYCODE_HOME')
const BACK = commandLine('input', 'keyevent', 'KEYCODE_BACK')

const isAway = (from: SeenScreen) => (seen: SeenScreen) => seen.packageName !== from.packageName

const home = onSettings(
  'press-key-home',
  '`press_key` performs home and says which key it was.',
  '`press_key` with home, from the settings, which must leave the screen',
  async (bench, screen) => {
    expectData(await succeeds(bench, { type: 'press_key', params: { key: 'home' } }), 'key', 'home')
    await demandEffect(bench, {
      isSeen: isAway(screen),
      claim: 'Home is said to be pressed',
      line: HOME,
      remedy: 'Perform the global action, and report a failure when Android refuses it.',
    })
    return 'The key was pressed, and the settings left the screen.'
  },
)

const openApp: Check = {
  id: 'open-app',
  rule: '`open_app` brings the application to the front before it is answered.',
  asks: 'the settings, from the home screen',
  async run(bench) {
    const settings = await openSettings(bench)
    const { packageName } = settings
    await bench.shell(HOME)
    if (!(await lookUntil(bench, isAway(settings)))) {
      throw new LeftOut('The settings stay in front after home, so that they cannot be seen to come to the front.')
    }
    const step = await succeeds(bench, { type: 'open_app', params: { applicationId: packageName } })
    expectData(step, 'application_id', packageName)
    const waited = await succeeds(bench, {
      type: 'wait_for_navigation',
      params: { expectedPackage: packageName, timeoutMs: 1_000 },
    })
    expectData(waited, 'resolved_package', packageName)
    if (await lookUntil(bench, seen => seen.packageName === packageName)) return `${packageName} came to the front.`
    throw new Breach(
      `${packageName} is said to be in front, and no snapshot shows it.`,
      'Start its launcher activity, and answer when its window is in front.',
    )
  },
}

/** Opens a row of the settings, and hands out the screen before. */
const clickRow = async (bench: CheckBench): Promise<SeenScreen> => {
  const before = await openSettings(bench)
  const matcher = { textEquals: rowText(before) }
  expectData(await succeeds(bench, { type: 'click', params: { matcher } }), 'click_type', 'default')
  if (await lookUntil(bench, seen => labelsOf(seen) !== labelsOf(before))) return before
  throw new Breach(
    'The click is said to be a success, and the screen stayed as it was.',
    'Click the nearest ancestor that is clickable, or its middle.',
  )
}

const click: Check = {
  id: 'click',
  rule: '`click` on a text reaches the row around it.',
  asks: 'a row of the settings that opens another screen and switches nothing',
  async run(bench) {
    await clickRow(bench)
    return 'The row opened another screen.'
  },
}

const repeated: Check = {
  id: 'repeated-request-runs-once',
  rule: 'A request that arrives again, with the same wire id and nonce, is not performed again; the app may repeat its answer.',
  asks: '`press_key` back on the second screen of the settings, broadcast twice: the first screen must stay',
  async run(bench) {
    const first = await clickRow(bench)
    const isFirst = (seen: SeenScreen) => labelsOf(seen) === labelsOf(first)
    const request = bench.request([{ type: 'press_key', params: { key: 'back' } }])
    await bench.answerTo(await bench.send(request))
    await demandEffect(bench, {
      isSeen: isFirst,
      claim: 'Back is said to be pressed',
      line: BACK,
      remedy: 'Perform the global action, and report a failure when Android refuses it.',
    })
    await bench.send(request)
    // Performed in its turn, the repetition comes before this.
    await succeeds(bench, { type: 'sleep', params: { durationMs: 1_000 } })
    if (isFirst(await lookAt(bench))) return 'It was performed once.'
    throw new Breach(
      'It was performed twice.',
      'Remember the wire ids of the last requests, and perform none of them again.',
    )
  },
}

const isMoved = (from: SeenScreen) => (seen: SeenScreen) => placesOf(seen) !== placesOf(from)

const SWIPE_MS = 300

/** Up from the middle of the bounds, by a fifth of the way to their top. */
const swipeUp = (bounds: Bounds) => {
  const start = centreOf(bounds)
  const end = { x: start.x, y: Math.round(start.y - (start.y - bounds.top) / 5) }
  const line = commandLine('input', 'swipe', ...[start.x, start.y, end.x, end.y, SWIPE_MS].map(String))
  return { start, end, line }
}

const swipe = onSettings(
  'swipe',
  '`swipe` takes two points in pixels, moves the screen and says how long it took.',
  'a short swipe in the middle of the settings, which must move them',
  async bench => {
    const before = await lookWhenStill(bench)
    const [root] = before.tree.roots
    if (!root) throw new LeftOut('The settings have no window.')
    const { line, ...points } = swipeUp(root.bounds)
    const params = { ...points, durationMs: SWIPE_MS }
    expectData(await succeeds(bench, { type: 'swipe', params }), 'duration_ms', String(SWIPE_MS))
    await demandEffect(bench, {
      isSeen: isMoved(before),
      claim: 'The swipe is said to be a success',
      line,
      remedy: 'Dispatch the gesture, and report a failure when Android cancels it.',
    })
    return 'The swipe moved the screen.'
  },
)

const scroll = onSettings(
  'scroll',
  '`scroll` moves the list and says so.',
  'one scroll down in the settings, which must move them unless their end is reached',
  async bench => {
    const before = await lookWhenStill(bench)
    const { bounds } = listOf(before)
    const step = await succeeds(bench, { type: 'scroll', params: { direction: 'down' } })
    expectData(step, 'direction', 'down')
    const outcome = step.data.scroll_outcome
    if (outcome !== 'moved' && outcome !== 'edge_reached')
      throw new Breach(`scroll_outcome is ${JSON.stringify(outcome)}.`, 'Answer moved or edge_reached.')
    await demandEffect(bench, {
      isSeen: isMoved(before),
      claim: `scroll_outcome is ${outcome}`,
      line: swipeUp(bounds).line,
      remedy: 'Scroll the list, and answer moved when it moved, or edge_reached when it cannot move further.',
    })
    return `Answered ${outcome}, and the list moved.`
  },
)

export const effectChecks: readonly Check[] = [home, openApp, click, repeated, swipe, scroll]
