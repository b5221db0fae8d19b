/**
 * Commands and selectors in one line of words. A command, for progress and reports, is its label, else what it does,
 * with expressions as written; a selector, for messages, has them evaluated.
 */

import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'
import { orientationOf } from './coerce.ts'
import type { Command } from './command.ts'
import type { CommandKey } from './command-table.ts'
import { type ConditionSource, type Params, SELECTOR_RELATIONS, type SelectorSource } from './params.ts'

const RELATION_WORDS = {
  below: 'below',
  above: 'above',
  leftOf: 'left of',
  rightOf: 'right of',
  childOf: 'in',
  containsChild: 'with the child',
} as const satisfies Record<(typeof SELECTOR_RELATIONS)[number], string>

const SELECTOR_STATES = ['enabled', 'selected', 'checked', 'focused'] as const

export const describeSelector = (selector: FlowSelector): string => {
  const { text, id, css, index, traits, width, height, containsDescendants = [] } = selector
  const named = [
    ...(text === undefined ? [] : [`the text ${JSON.stringify(text)}`]),
    ...(id === undefined ? [] : [`the id ${JSON.stringify(id)}`]),
    ...(css === undefined ? [] : [`the css ${JSON.stringify(css)}`]),
    ...(traits === undefined ? [] : [`the traits ${traits.join(' ')}`]),
    ...(width === undefined && height === undefined ? [] : [`the size ${width ?? 'any'} x ${height ?? 'any'}`]),
    ...SELECTOR_STATES.flatMap(state => (selector[state] === undefined ? [] : [`${state} ${selector[state]}`])),
  ].join(', ')
  const related = SELECTOR_RELATIONS.flatMap(key => {
    const other = selector[key]
    return other === undefined ? [] : [`${RELATION_WORDS[key]} an element with ${describeSelector(other)}`]
  })
  const inside = containsDescendants.map(one => `around an element with ${describeSelector(one)}`)
  const place = index === undefined ? [] : [`at index ${index}`]
  return [named || 'any look', ...related, ...inside, ...place].join(' ')
}

const VALUE_CHARS = 60
const LINE_CHARS = 160

const cut = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line
}

const quoted = (text: string) => `"${cut(text, VALUE_CHARS)}"`

const STATES = ['enabled', 'selected', 'checked', 'focused'] as const

export const selectorWords = ({ texts, relations, containsDescendants }: SelectorSource): string => {
  const { text, id, css, index, traits, width, height } = texts
  const words = [
    ...(text === undefined ? [] : [quoted(text.text)]),
    ...(id === undefined ? [] : [`id ${cut(id.text, VALUE_CHARS)}`]),
    ...(css === undefined ? [] : [`css ${cut(css.text, VALUE_CHARS)}`]),
    ...(traits === undefined ? [] : [`the trait ${cut(traits.text, VALUE_CHARS)}`]),
    ...(width === undefined && height === undefined
      ? []
      : [`the size ${width?.text ?? 'any'} x ${height?.text ?? 'any'}`]),
  ]
  const named = words.length === 0 ? ['an element'] : [words.join(' and ')]
  const states = STATES.flatMap(state => {
    const stateText = texts[state]?.text
    return stateText === undefined ? [] : [stateText.toLowerCase() === 'false' ? `not ${state}` : state]
  })
  const related = SELECTOR_RELATIONS.flatMap(key => {
    const relation = relations[key]
    return relation === undefined ? [] : [`${RELATION_WORDS[key]} ${selectorWords(relation)}`]
  })
  const inside = containsDescendants?.length
    ? [`with ${containsDescendants.map(selectorWords).join(' and ')} in it`]
    : []
  const place = index === undefined ? [] : [`at index ${index.text}`]
  const state = states.length === 0 ? [] : [`(${states.join(', ')})`]
  return [...named, ...state, ...related, ...inside, ...place].join(' ')
}

const conditionWords = ({ platform, visible, notVisible, isTrue }: ConditionSource): string =>
  [
    ...(platform === undefined ? [] : [`the platform is ${platform.text}`]),
    ...(visible === undefined ? [] : [`${selectorWords(visible)} is visible`]),
    ...(notVisible === undefined ? [] : [`${selectorWords(notVisible)} is not visible`]),
    ...(isTrue === undefined ? [] : [`${cut(isTrue.text, VALUE_CHARS)} is true`]),
  ].join(' and ')

/** The parameters of a command as words; an absent one is an empty text. */
const wordsOf = (params: Params) => ({
  text: (name: string): string => {
    const param = params[name]
    return param?.kind === 'text' ? cut(param.text, VALUE_CHARS) : ''
  },
  selector: (name: string): string => {
    const param = params[name]
    return param?.kind === 'selector' ? selectorWords(param.selector) : ''
  },
  condition: (name: string): string => {
    const param = params[name]
    return param?.kind === 'condition' ? conditionWords(param.condition) : ''
  },
  files: (): string => {
    const { files } = params
    return files?.kind === 'texts' ? files.texts.map(({ text }) => cut(text, VALUE_CHARS)).join(', ') : ''
  },
})
type Words = ReturnType<typeof wordsOf>

const app = ({ text }: Words) => text('appId') || text('url') || 'the app'

const gesture = (verb: string) => (words: Words) => {
  const [selector, point] = [words.selector('selector'), words.text('point')]
  if (selector === '') return `${verb} on the point ${point}`
  return point === '' ? `${verb} on ${selector}` : `${verb} on ${selector} at ${point}`
}

const swipe = ({ text, selector }: Words) => {
  if (text('start') !== '') return `Swipe from ${text('start')} to ${text('end')}`
  const from = selector('from')
  return `Swipe ${text('direction').toLowerCase()}${from === '' ? '' : ` from ${from}`}`
}

const run = (verb: string, key: 'when' | 'none', fallback: string) => {
  return ({ text, condition }: Words) => {
    const when = key === 'when' ? condition(key) : ''
    return `${verb} ${text('file') || fallback}${when === '' ? '' : ` when ${when}`}`
  }
}

const repeat = ({ text, condition }: Words) => {
  const [times, until] = [text('times'), condition('while')]
  return `Repeat${times === '' ? '' : ` ${times} times`}${until === '' ? '' : ` while ${until}`}`
}

const wait = ({ text, selector }: Words) => {
  const [visible, hidden, timeout] = [selector('visible'), selector('notVisible'), text('timeout')]
  const parts = [visible && `${visible} is visible`, hidden && `${hidden} is not visible`].filter(part => part !== '')
  return `Wait until ${parts.join(' and ')}${timeout === '' ? '' : ` for at most ${timeout} ms`}`
}

const constant = (line: string) => () => line

const LINES: Readonly<Record<CommandKey, (words: Words) => string>> = {
  launchApp: words =>
    `Launch ${app(words)}${words.text('clearState').toLowerCase() === 'true' ? ' with cleared state' : ''}`,
  stopApp: words => `Stop ${app(words)}`,
  killApp: words => `Kill ${app(words)}`,
  clearState: words => `Clear the state of ${app(words)}`,
  clearKeychain: constant('Clear the keychain'),
  setPermissions: words => `Set the permissions of ${app(words)}`,
  openLink: ({ text }) => `Open ${text('link')}`,
  openBrowser: ({ text }) => `Open ${text('link')} in the browser`,
  tapOn: gesture('Tap'),
  doubleTapOn: gesture('Double tap'),
  longPressOn: gesture('Long press'),
  swipe,
  scroll: constant('Scroll down'),
  scrollUntilVisible: ({ text, selector }) =>
    `Scroll ${text('direction').toLowerCase() || 'down'} until ${selector('element')} is visible`,
  inputText: ({ text }) => `Type ${quoted(text('text'))}`,
  inputRandomText: constant('Type a random text'),
  inputRandomNumber: constant('Type a random number'),
  inputRandomEmail: constant('Type a random email address'),
  inputRandomPersonName: constant('Type a random name of a person'),
  inputRandomCityName: constant('Type a random name of a city'),
  inputRandomCountryName: constant('Type a random name of a country'),
  inputRandomColorName: constant('Type a random name of a color'),
  eraseText: ({ text }) => (text('charactersToErase') ? `Erase ${text('charactersToErase')} characters` : 'Erase text'),
  copyTextFrom: ({ selector }) => `Copy the text of ${selector('selector')}`,
  pasteText: constant('Paste the copied text'),
  setClipboard: ({ text }) => `Set the copied text to ${quoted(text('text'))}`,
  hideKeyboard: constant('Hide the keyboard'),
  pressKey: ({ text }) => `Press the key ${text('key')}`,
  back: constant('Press back'),
  action: ({ text }) => `Action ${text('action')}`,
  assertVisible: ({ selector }) => `Assert that ${selector('selector')} is visible`,
  assertNotVisible: ({ selector }) => `Assert that ${selector('selector')} is not visible`,
  assertTrue: ({ text }) => `Assert that ${text('condition')} is true`,
  extendedWaitUntil: wait,
  assertScreenshot: ({ text }) => `Assert that the screen looks like ${text('path')}`,
  waitForAnimationToEnd: constant('Wait for the animation to end'),
  takeScreenshot: ({ text }) => `Take the screenshot ${text('path')}`,
  startRecording: ({ text }) => `Start the recording ${text('path')}`,
  stopRecording: constant('Stop the recording'),
  setLocation: ({ text }) => `Set the location to ${text('latitude')}, ${text('longitude')}`,
  travel: constant('Travel along the points'),
  setOrientation: ({ text }) => {
    const orientation = orientationOf(text('orientation'))
    return `Set the orientation to ${orientation.ok ? orientation.value.replaceAll('_', ' ') : text('orientation')}`
  },
  setAirplaneMode: ({ text }) => `Set the airplane mode to ${text('value').toLowerCase()}`,
  toggleAirplaneMode: constant('Toggle the airplane mode'),
  setDarkMode: ({ text }) => `Set the dark mode to ${text('value').toLowerCase()}`,
  toggleDarkMode: constant('Toggle the dark mode'),
  assertDarkMode: constant('Assert that the dark mode is on'),
  assertLightMode: constant('Assert that the dark mode is off'),
  addMedia: ({ files }) => `Add the media ${files()}`,
  runFlow: run('Run', 'when', 'commands'),
  repeat,
  retry: run('Retry', 'none', 'commands'),
  runScript: run('Run the script', 'when', ''),
  evalScript: ({ text }) => `Evaluate ${text('script')}`,
}

export const describeCommand = ({ key, label, params }: Command): string =>
  cut(label !== undefined && label.trim() !== '' ? label : LINES[key](wordsOf(params)), LINE_CHARS)
