/** Vectors of the actions whose effect must show on the screen, beside what the app says of it. */

import { type Bounds, centreOf } from '../../../../contracts/device/ui-tree.ts'
import { commandLine } from '../../../../runtime/text/quote.ts'
import type { Answer, CheckBench } from '../bench.ts'
import { demand, LeftOut, orLeftOut } from '../breach.ts'
import { type Judge, success } from '../judges.ts'
import {
  labelsOf,
  listOf,
  lookAt,
  lookUntil,
  openSettings,
  placesOf,
  rowText,
  type SeenScreen,
} from '../settings-screen.ts'
import { ask, demandEffect, type Vector } from '../vector.ts'

const HOME = commandLine('input', 'keyevent', 'KEYCODE_HOME')
const BACK = commandLine('input', 'keyevent', 'KEYCODE_BACK')
const SWIPE_MS = 300
const KEY_REMEDY = 'Perform the global action, and report a failure when Android refuses it.'

const isAway = (from: SeenScreen) => (seen: SeenScreen) => seen.packageName !== from.packageName
const isMoved = (from: SeenScreen) => (seen: SeenScreen) => placesOf(seen) !== placesOf(from)

/** Up from the middle of the bounds, by a fifth of the way to their top. */
const swipeUp = (bounds: Bounds) => {
  const start = centreOf(bounds)
  const end = { x: start.x, y: Math.round(start.y - (start.y - bounds.top) / 5) }
  const line = commandLine('input', 'swipe', ...[start.x, start.y, end.x, end.y, SWIPE_MS].map(String))
  return { points: { start, end }, line }
}

const windowOf = ({ tree }: SeenScreen): Bounds => orLeftOut(tree.roots[0], 'The settings have no window.').bounds

/** Opens a row of the settings, and hands out the screen before. */
const clickRow = async (bench: CheckBench): Promise<SeenScreen> => {
  const before = await openSettings(bench)
  const matcher = { textEquals: rowText(before) }
  success({ click_type: 'default' })(await bench.ask([{ type: 'click', params: { matcher } }]))
  demand(
    await lookUntil(bench, seen => labelsOf(seen) !== labelsOf(before)),
    'The click is said to be a success, and the screen stayed as it was.',
    'Click the nearest ancestor that is clickable, or its middle.',
  )
  return before
}

/** By broadcast; from there, back once more would leave the first screen. */
export const pressBackOnSecondScreen = async (bench: CheckBench) => {
  const first = await clickRow(bench)
  const isFirstScreen = (seen: SeenScreen) => labelsOf(seen) === labelsOf(first)
  const request = bench.request([{ type: 'press_key', params: { key: 'back' } }])
  await bench.answerTo(await bench.send(request))
  const claim = 'Back is said to be pressed'
  await demandEffect(bench, { isSeen: isFirstScreen, claim, line: BACK, remedy: KEY_REMEDY })
  return { request, isFirstScreen }
}

const outcomeOf = (answer: Answer | undefined) => answer?.envelope.stepResults[0]?.data.scroll_outcome

export const EFFECT_VECTORS: readonly Vector[] = [
  {
    id: 'press-key-home',
    rule: '`press_key` performs home and says which key it was.',
    asks: '`press_key` with home, from the settings, which must leave the screen',
    on: 'settings',
    requests: [ask('press_key', { key: 'home' }, success({ key: 'home' }))],
    effect: before => ({
      isSeen: isAway(before),
      claim: 'Home is said to be pressed',
      line: HOME,
      remedy: KEY_REMEDY,
    }),
    held: 'The key was pressed, and the settings left the screen.',
  },
  {
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
      const opening = { type: 'open_app', params: { applicationId: packageName } }
      success({ application_id: packageName })(await bench.ask([opening]))
      const waiting = { type: 'wait_for_navigation', params: { expectedPackage: packageName, timeoutMs: 1_000 } }
      success({ resolved_package: packageName })(await bench.ask([waiting]))
      demand(
        await lookUntil(bench, seen => seen.packageName === packageName),
        `${packageName} is said to be in front, and no snapshot shows it.`,
        'Start its launcher activity, and answer when its window is in front.',
      )
      return `${packageName} came to the front.`
    },
  },
  {
    id: 'click',
    rule: '`click` on a text reaches the row around it.',
    asks: 'a row of the settings that opens another screen and switches nothing',
    async run(bench) {
      await clickRow(bench)
      return 'The row opened another screen.'
    },
  },
  {
    id: 'repeated-request-runs-once',
    rule: 'A request that arrives again, with the same wire id and nonce, is not performed again; the app may repeat its answer.',
    asks: '`press_key` back on the second screen of the settings, broadcast twice: the first screen must stay',
    async run(bench) {
      const { request, isFirstScreen } = await pressBackOnSecondScreen(bench)
      await bench.send(request)
      // Performed in its turn, the repetition comes before this.
      success({})(await bench.ask([{ type: 'sleep', params: { durationMs: 1_000 } }]))
      const remedy = 'Remember the wire ids of the last requests, and perform none of them again.'
      demand(isFirstScreen(await lookAt(bench)), 'It was performed twice.', remedy)
      return 'It was performed once.'
    },
  },
  {
    id: 'swipe',
    rule: '`swipe` takes two points in pixels, moves the screen and says how long it took.',
    asks: 'a short swipe in the middle of the settings, which must move them',
    on: 'resting settings',
    requests(screen) {
      const { points } = swipeUp(windowOf(screen))
      return [ask('swipe', { ...points, durationMs: SWIPE_MS }, success({ duration_ms: String(SWIPE_MS) }))]
    },
    effect: before => ({
      isSeen: isMoved(before),
      claim: 'The swipe is said to be a success',
      line: swipeUp(windowOf(before)).line,
      remedy: 'Dispatch the gesture, and report a failure when Android cancels it.',
    }),
    held: 'The swipe moved the screen.',
  },
  {
    id: 'scroll',
    rule: '`scroll` moves the list and says so.',
    asks: 'one scroll down in the settings, which must move them unless their end is reached',
    on: 'resting settings',
    requests(screen) {
      listOf(screen)
      const judge: Judge = answer => {
        success({ direction: 'down' })(answer)
        const outcome = outcomeOf(answer)
        const isDocumented = outcome === 'moved' || outcome === 'edge_reached'
        demand(isDocumented, `scroll_outcome is ${JSON.stringify(outcome)}.`, 'Answer moved or edge_reached.')
        return `Answered ${outcome}, and the list moved.`
      }
      return [ask('scroll', { direction: 'down' }, judge)]
    },
    effect: (before, [answer]) => ({
      isSeen: isMoved(before),
      claim: `scroll_outcome is ${outcomeOf(answer)}`,
      line: swipeUp(listOf(before).bounds).line,
      remedy: 'Scroll the list, and answer moved when it moved, or edge_reached when it cannot move further.',
    }),
  },
]
