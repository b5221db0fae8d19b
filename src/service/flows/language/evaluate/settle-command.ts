/** A command of a file as the action that it stands for: expressions evaluated, defaults in place. */
import {
  type Coerced,
  coordinateOf,
  erasedOf,
  keyOf,
  latitudeOf,
  longitudeOf,
  modeOf,
  orientationOf,
  percentageOf,
  positiveOf,
  randomLengthOf,
  timeoutOf,
  timesOf,
} from '../coerce.ts'
import type { Action, Command } from '../command.ts'
import { type CommandKey, type LegacyAction, legacyActionOf } from '../command-table.ts'
import { type Evaluated, type SettleContext, settling } from './context.ts'
import { mediaOf, retryOf, runFlowOf, runScriptOf } from './settle-files.ts'
import { doubleTapOf, scrollUntilVisibleOf, swipeOf, tapOf } from './settle-gesture.ts'
import { settleTruth, settleValue } from './settle-selector.ts'
import { appIdOf, argumentsOf, permissionsOf, type Values, valuesOf } from './values.ts'

type Settler = (values: Values) => Promise<Action>

const ANIMATION_MS = 15_000
const ERASED_CHARACTERS = 50
const RANDOM_LENGTH = 8
const SCREENSHOT_THRESHOLD = 95
const TRAVEL_METERS_PER_SECOND = 4

const bare =
  (name: Extract<Action, { readonly name: BareName }>['name']): Settler =>
  async () => ({ name })
type BareName =
  | 'clearKeychain'
  | 'scroll'
  | 'pasteText'
  | 'hideKeyboard'
  | 'back'
  | 'assertDarkMode'
  | 'assertLightMode'
  | 'stopRecording'
  | 'toggleAirplaneMode'
  | 'toggleDarkMode'

const ofApp =
  (name: 'stopApp' | 'killApp' | 'clearState'): Settler =>
  async values => ({ name, appId: await appIdOf(values) })

type RandomKind = Extract<Action, { readonly name: 'inputRandom' }>['kind']

const random =
  (kind: RandomKind): Settler =>
  async ({ value }) => {
    const length = await value('length', randomLengthOf)
    return { name: 'inputRandom', kind, length: length === undefined || length <= 0 ? RANDOM_LENGTH : length }
  }

const mode =
  (name: 'setAirplaneMode' | 'setDarkMode'): Settler =>
  async ({ value }) => ({ name, enabled: (await value('value', modeOf)) ?? false })

const assertion =
  (name: 'assertVisible' | 'assertNotVisible'): Settler =>
  async ({ selector }) => ({ name, selector: (await selector('selector')) ?? {} })

/** A negative time means the default, as no time does. */
const timeOf = async ({ value }: Values, coerce: (text: string) => Coerced<number>): Promise<number | undefined> => {
  const timeout = await value('timeout', coerce)
  return timeout === undefined || timeout < 0 ? undefined : timeout
}

const LEGACY: Readonly<Record<LegacyAction, Settler>> = {
  back: bare('back'),
  hideKeyboard: bare('hideKeyboard'),
  scroll: bare('scroll'),
  clearKeychain: bare('clearKeychain'),
  pasteText: bare('pasteText'),
}

const SETTLERS: Readonly<Record<CommandKey, Settler>> = {
  launchApp: async values => ({
    name: 'launchApp',
    appId: await appIdOf(values),
    clearState: (await values.flag('clearState')) ?? false,
    clearKeychain: (await values.flag('clearKeychain')) ?? false,
    stopApp: (await values.flag('stopApp')) ?? true,
    permissions: (await permissionsOf(values)) ?? { all: 'allow' },
    arguments: await argumentsOf(values),
  }),
  stopApp: ofApp('stopApp'),
  killApp: ofApp('killApp'),
  clearState: ofApp('clearState'),
  clearKeychain: bare('clearKeychain'),
  setPermissions: async values => ({
    name: 'setPermissions',
    appId: await appIdOf(values),
    permissions: (await permissionsOf(values)) ?? {},
  }),
  openLink: async ({ text, flag }) => ({
    name: 'openLink',
    link: (await text('link')) ?? '',
    browser: (await flag('browser')) ?? false,
    autoVerify: (await flag('autoVerify')) ?? false,
  }),
  openBrowser: async ({ text }) => ({
    name: 'openLink',
    link: (await text('link')) ?? '',
    browser: true,
    autoVerify: false,
  }),
  tapOn: async values => ({ name: 'tapOn', ...(await tapOf(values)) }),
  doubleTapOn: async values => ({ name: 'doubleTapOn', ...(await doubleTapOf(values)) }),
  longPressOn: async values => ({ name: 'longPressOn', ...(await tapOf(values)) }),
  swipe: swipeOf,
  scroll: bare('scroll'),
  scrollUntilVisible: scrollUntilVisibleOf,
  inputText: async ({ text }) => ({ name: 'inputText', text: (await text('text')) ?? '' }),
  inputRandomText: random('text'),
  inputRandomNumber: random('number'),
  inputRandomEmail: random('email'),
  inputRandomPersonName: random('personName'),
  inputRandomCityName: random('cityName'),
  inputRandomCountryName: random('countryName'),
  inputRandomColorName: random('colorName'),
  eraseText: async ({ value }) => ({
    name: 'eraseText',
    characters: (await value('charactersToErase', erasedOf)) ?? ERASED_CHARACTERS,
  }),
  copyTextFrom: async ({ selector }) => ({ name: 'copyTextFrom', selector: (await selector('selector')) ?? {} }),
  pasteText: bare('pasteText'),
  setClipboard: async ({ text }) => ({ name: 'setClipboard', text: (await text('text')) ?? '' }),
  hideKeyboard: bare('hideKeyboard'),
  pressKey: async ({ value }) => ({ name: 'pressKey', key: (await value('key', keyOf)) ?? '' }),
  back: bare('back'),
  action: async values => {
    const { action } = values.command.params
    const word = action?.kind === 'text' ? legacyActionOf(action.text) : undefined
    return (word === undefined ? bare('back') : LEGACY[word])(values)
  },
  assertVisible: assertion('assertVisible'),
  assertNotVisible: assertion('assertNotVisible'),
  assertTrue: async ({ work, command }) => {
    const { condition } = command.params
    if (condition?.kind !== 'text') return { name: 'assertTrue', holds: false, written: '' }
    return { name: 'assertTrue', holds: await settleTruth(work, condition), written: condition.text }
  },
  extendedWaitUntil: async values => ({
    name: 'extendedWaitUntil',
    visible: await values.selector('visible'),
    notVisible: await values.selector('notVisible'),
    timeoutMs: await timeOf(values, timeoutOf),
  }),
  assertScreenshot: async ({ text, value, selector }) => ({
    name: 'assertScreenshot',
    path: (await text('path')) ?? '',
    thresholdPercentage: (await value('thresholdPercentage', percentageOf)) ?? SCREENSHOT_THRESHOLD,
    cropOn: await selector('cropOn'),
  }),
  waitForAnimationToEnd: async values => ({
    name: 'waitForAnimationToEnd',
    timeoutMs: (await timeOf(values, timeoutOf)) ?? ANIMATION_MS,
  }),
  takeScreenshot: async ({ text, selector }) => ({
    name: 'takeScreenshot',
    path: (await text('path')) ?? '',
    cropOn: await selector('cropOn'),
  }),
  startRecording: async ({ text }) => ({ name: 'startRecording', path: (await text('path')) ?? '' }),
  stopRecording: bare('stopRecording'),
  setLocation: async ({ value }) => ({
    name: 'setLocation',
    latitude: (await value('latitude', latitudeOf)) ?? 0,
    longitude: (await value('longitude', longitudeOf)) ?? 0,
  }),
  travel: async ({ value, work, command }) => {
    const { points: pointsParam } = command.params
    const points: { latitude: number; longitude: number }[] = []
    for (const param of pointsParam?.kind === 'texts' ? pointsParam.texts : []) {
      const point = await settleValue(work, param, 'An entry of points', coordinateOf)
      if (point !== undefined) points.push(point)
    }
    const metersPerSecond = (await value('speed', positiveOf)) ?? TRAVEL_METERS_PER_SECOND
    return { name: 'travel', points, metersPerSecond }
  },
  setOrientation: async ({ value }) => ({
    name: 'setOrientation',
    orientation: (await value('orientation', orientationOf)) ?? 'portrait',
  }),
  setAirplaneMode: mode('setAirplaneMode'),
  toggleAirplaneMode: bare('toggleAirplaneMode'),
  setDarkMode: mode('setDarkMode'),
  toggleDarkMode: bare('toggleDarkMode'),
  assertDarkMode: bare('assertDarkMode'),
  assertLightMode: bare('assertLightMode'),
  addMedia: mediaOf,
  runFlow: runFlowOf,
  repeat: async ({ value, commands }) => {
    const times = await value('times', timesOf)
    return { name: 'repeat', times: times === undefined ? undefined : Math.max(0, times), commands: commands() }
  },
  retry: retryOf,
  runScript: runScriptOf,
  evalScript: async ({ command }) => {
    const { script } = command.params
    return { name: 'evalScript', source: script?.kind === 'text' ? script.text : '' }
  },
}

/** Rejects only as `interpolate` does. A condition of the command is settled before, by `settleCondition`. */
export const settleCommand = async (command: Command, context: SettleContext): Promise<Evaluated<Action>> => {
  const work = settling(context)
  const value = await SETTLERS[command.key](valuesOf(command, work))
  return work.problems.length === 0 ? { ok: true, value } : { ok: false, problems: work.problems }
}
