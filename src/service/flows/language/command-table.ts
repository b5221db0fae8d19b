/** Every command of the language with its parameters, as data: which there are, what each holds, how it may be shortened. */

/** How the value of a parameter is written. */
export type ParamKind =
  | 'text'
  /** A text with any number of bytes that a file may have. */
  | 'script'
  | 'integer'
  | 'times'
  | 'timeout'
  | 'taps'
  | 'tapDelay'
  | 'swipeMs'
  | 'randomLength'
  | 'erased'
  | 'positive'
  | 'percentage'
  | 'latitude'
  | 'longitude'
  | 'flag'
  | 'point'
  | 'direction'
  | 'orientation'
  | 'mode'
  | 'key'
  | 'selector'
  | 'commands'
  | 'condition'
  | 'env'
  | 'permissions'
  | 'arguments'
  | 'texts'
  | 'coordinates'

export interface CommandSpec {
  readonly params: Readonly<Record<string, ParamKind>>
  readonly required?: readonly string[]
  /** The parameter that a value stands for which is no map. */
  readonly short?: string
  /** May stand as a word without a value. */
  readonly isWord?: boolean
  /** The keys of a selector are keys of the command. */
  readonly isSelector?: boolean
  /** Keys that it does not have are passed over with a warning, as the format has it. */
  readonly passesOverKeys?: boolean
}

/** Every command has these two. */
export const COMMON_PARAMS = ['label', 'optional'] as const

const WORD: CommandSpec = { params: {}, isWord: true }
const OF_APP: CommandSpec = { params: { appId: 'text', url: 'text' }, short: 'appId', isWord: true }
const SELECTOR: CommandSpec = { params: {}, isSelector: true }
const TAP: CommandSpec = {
  params: {
    point: 'point',
    repeat: 'taps',
    delay: 'tapDelay',
    retryTapIfNoChange: 'flag',
    waitUntilVisible: 'flag',
    waitToSettleTimeoutMs: 'integer',
  },
  isSelector: true,
}
const RANDOM: CommandSpec = { params: { length: 'randomLength' }, isWord: true }
const MODE: CommandSpec = { params: { value: 'mode' }, required: ['value'], short: 'value' }
const OF_PATH: CommandSpec = { params: { path: 'text' }, required: ['path'], short: 'path' }

export const COMMANDS = {
  launchApp: {
    params: {
      appId: 'text',
      url: 'text',
      clearState: 'flag',
      clearKeychain: 'flag',
      stopApp: 'flag',
      permissions: 'permissions',
      arguments: 'arguments',
    },
    short: 'appId',
    isWord: true,
  },
  stopApp: OF_APP,
  killApp: OF_APP,
  clearState: OF_APP,
  clearKeychain: WORD,
  setPermissions: {
    params: { appId: 'text', url: 'text', permissions: 'permissions' },
    required: ['permissions'],
  },
  openLink: { params: { link: 'text', browser: 'flag', autoVerify: 'flag' }, required: ['link'], short: 'link' },
  openBrowser: { params: { link: 'text' }, required: ['link'], short: 'link' },
  tapOn: TAP,
  doubleTapOn: TAP,
  longPressOn: TAP,
  swipe: {
    params: {
      direction: 'direction',
      start: 'point',
      end: 'point',
      from: 'selector',
      point: 'point',
      duration: 'swipeMs',
      waitToSettleTimeoutMs: 'integer',
    },
  },
  scroll: WORD,
  scrollUntilVisible: {
    params: {
      element: 'selector',
      direction: 'direction',
      timeout: 'timeout',
      speed: 'integer',
      visibilityPercentage: 'integer',
      centerElement: 'flag',
      waitToSettleTimeoutMs: 'integer',
    },
    required: ['element'],
  },
  inputText: { params: { text: 'text' }, required: ['text'], short: 'text', passesOverKeys: true },
  inputRandomText: RANDOM,
  inputRandomNumber: RANDOM,
  inputRandomEmail: WORD,
  inputRandomPersonName: WORD,
  inputRandomCityName: WORD,
  inputRandomCountryName: WORD,
  inputRandomColorName: WORD,
  eraseText: { params: { charactersToErase: 'erased' }, short: 'charactersToErase', isWord: true },
  copyTextFrom: SELECTOR,
  pasteText: WORD,
  setClipboard: { params: { text: 'text' }, required: ['text'], short: 'text' },
  hideKeyboard: WORD,
  pressKey: { params: { key: 'key' }, required: ['key'], short: 'key' },
  back: WORD,
  action: { params: { action: 'text' }, required: ['action'], short: 'action' },
  assertVisible: SELECTOR,
  assertNotVisible: SELECTOR,
  assertTrue: { params: { condition: 'text' }, required: ['condition'], short: 'condition' },
  extendedWaitUntil: { params: { visible: 'selector', notVisible: 'selector', timeout: 'timeout' } },
  assertScreenshot: {
    params: { path: 'text', thresholdPercentage: 'percentage', cropOn: 'selector' },
    required: ['path'],
    short: 'path',
  },
  waitForAnimationToEnd: { params: { timeout: 'timeout' }, isWord: true },
  takeScreenshot: { params: { path: 'text', cropOn: 'selector' }, required: ['path'], short: 'path' },
  startRecording: OF_PATH,
  stopRecording: WORD,
  setLocation: { params: { latitude: 'latitude', longitude: 'longitude' }, required: ['latitude', 'longitude'] },
  travel: { params: { points: 'coordinates', speed: 'positive' }, required: ['points'] },
  setOrientation: { params: { orientation: 'orientation' }, required: ['orientation'], short: 'orientation' },
  setAirplaneMode: MODE,
  toggleAirplaneMode: WORD,
  setDarkMode: MODE,
  toggleDarkMode: WORD,
  assertDarkMode: WORD,
  assertLightMode: WORD,
  addMedia: { params: { files: 'texts' }, required: ['files'], short: 'files' },
  runFlow: {
    params: { file: 'text', commands: 'commands', when: 'condition', env: 'env' },
    short: 'file',
  },
  repeat: { params: { times: 'times', while: 'condition', commands: 'commands' }, required: ['commands'] },
  retry: { params: { maxRetries: 'integer', file: 'text', commands: 'commands', env: 'env' } },
  runScript: { params: { file: 'text', env: 'env', when: 'condition' }, required: ['file'], short: 'file' },
  evalScript: { params: { script: 'script' }, required: ['script'], short: 'script' },
} as const satisfies Readonly<Record<string, CommandSpec>>

export type CommandKey = keyof typeof COMMANDS

export const isCommandKey = (word: string): word is CommandKey => Object.hasOwn(COMMANDS, word)

/** Commands that need a model in a cloud. */
export const AI_COMMANDS: readonly string[] = ['assertWithAI', 'assertNoDefectsWithAI', 'extractTextWithAI']

/** The words that `action` stands for. */
export const LEGACY_ACTIONS = ['back', 'hideKeyboard', 'scroll', 'clearKeychain', 'pasteText'] as const
export type LegacyAction = (typeof LEGACY_ACTIONS)[number]

/** The spelling of early flows. */
export const OTHER_WORDS: ReadonlyMap<string, CommandKey> = new Map([['hide keyboard', 'hideKeyboard']])

/** The word that `action` has, also in the spelling of early flows. */
export const legacyActionOf = (word: string): LegacyAction | undefined =>
  LEGACY_ACTIONS.find(known => known === (OTHER_WORDS.get(word) ?? word))
