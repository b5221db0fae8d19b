/** An action in a few words, and the title of an execution: what it does, as a person would say it. */
import { LOOKING_TYPES } from './step-answers.ts'

export interface WordedAction {
  type: string
  params?: unknown
}

type Params = Readonly<Record<string, unknown>>

const LABEL_CHARS = 48
/** A title names so many actions and counts the others. */
const NAMED_ACTIONS = 2

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

const cut = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  return characters.length > LABEL_CHARS ? `${characters.slice(0, LABEL_CHARS - 1).join('')}…` : line
}

const quoted = (text: string) => `“${cut(text)}”`

const asParams = (value: unknown): Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : {}

const flowWords = ({ text, id, index, ...others }: Params): string => {
  const place = typeof index === 'number' ? `[${index}]` : ''
  if (asText(text) !== '') return `${quoted(asText(text))}${place}`
  if (asText(id) !== '') return `#${cut(asText(id).slice(asText(id).indexOf('/') + 1))}${place}`
  const other = Object.values(others).find(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
  )
  return other === undefined ? 'a node' : join('the node near', flowWords(asParams(other)))
}

const elementWords = ({ text, contentDesc, hint, resourceId, className }: Params): string => {
  const label = asText(text) || asText(contentDesc) || asText(hint)
  if (label !== '') return quoted(label)
  const id = asText(resourceId)
  return id === ''
    ? `the ${cut(asText(className).split('.').at(-1) ?? 'node')}`
    : `#${cut(id.slice(id.indexOf('/') + 1))}`
}

const pageElementWords = ({ label }: Params, otherwise: string): string =>
  join(asText(label) === '' ? otherwise : quoted(asText(label)), 'of the page')

/** The node that a matcher means, by the words on it where it has some. */
export const matcherWords = (value: unknown): string => {
  const matcher = asParams(value)
  const label = ['textEquals', 'textContains', 'textMatches', 'contentDescEquals', 'contentDescContains'].find(key =>
    asText(matcher[key]),
  )
  if (label !== undefined) return quoted(asText(matcher[label]))
  if (matcher.flow !== undefined) return flowWords(asParams(matcher.flow))
  if (matcher.element !== undefined) return elementWords(asParams(matcher.element))
  if (matcher.pageElement !== undefined) return pageElementWords(asParams(matcher.pageElement), 'an element')
  const id = asText(matcher.resourceId)
  if (id !== '') return `#${cut(id.slice(id.indexOf('/') + 1))}`
  const role = asText(matcher.role)
  if (role !== '') return `the ${cut(role)}`
  return cut(asText(matcher.ref))
}

const pointWords = (value: unknown): string => {
  const { x, y } = asParams(value)
  return typeof x === 'number' && typeof y === 'number' ? `${x},${y}` : ''
}

const placeWords = (value: unknown): string => {
  const { matcher, coordinate } = asParams(value)
  return matcherWords(matcher) || pointWords(coordinate)
}

const touchWords = ({ matcher, coordinate, point }: Params): string => {
  const at = asParams(point).unit === 'percent' ? `${asParams(point).x}%,${asParams(point).y}%` : ''
  return matcherWords(matcher) || pointWords(coordinate) || at
}

const join = (...words: readonly string[]) => words.filter(word => word !== '').join(' ')

const swipeDirection = ({ start, end, direction }: Params): string => {
  if (direction !== undefined) return asText(direction)
  const [from, to] = [asParams(start), asParams(end)]
  const [x, y] = [Number(to.x) - Number(from.x), Number(to.y) - Number(from.y)]
  if (Number.isNaN(x + y) || (x === 0 && y === 0)) return ''
  if (Math.abs(x) > Math.abs(y)) return x > 0 ? 'right' : 'left'
  return y > 0 ? 'down' : 'up'
}

const seconds = (ms: unknown): string => (typeof ms === 'number' ? `${Number((ms / 1_000).toFixed(1))} s` : '')

const PERMISSION_VERBS: Readonly<Record<string, string>> = { allow: 'Allow', deny: 'Deny', unset: 'Unset' }

const CLICKS: Readonly<Record<string, string>> = { long_click: 'Long-click', focus: 'Focus' }

const scrollTo = (params: Params, clicks: boolean) => {
  const target = matcherWords(params.matcher)
  if (target === '') return join('Scroll', asText(params.direction) || 'down', 'to the end')
  return join('Scroll to', target, clicks ? 'and click it' : '')
}

/** Folders of the host are nobody's business. */
const lastPart = (path: unknown): string => cut(asText(path).replace(/\/+$/, '').split('/').at(-1) ?? '')
const ofApp = (applicationId: unknown): string => join(asText(applicationId) && 'of', cut(asText(applicationId)))
/** Its arguments may hold what a list does not show to whoever passes by, and so may an assignment in front of it. */
const programIn = (command: string): string => cut(/^\s*([\w./-]+)(?=\s|$)/.exec(command)?.[1] ?? '')

const PAGE_READ_WORDS: Readonly<Record<string, string>> = { pages: 'which pages there are' }
const PAGE_CHANGE_WORDS: Readonly<Record<string, string>> = {
  navigate: 'Open in the page',
  back: 'Go back in the page',
  forward: 'Go forward in the page',
  reload: 'Reload the page',
}
/** With what is changed where no label names it. */
const PAGE_ELEMENT_CHANGES: Readonly<Record<string, readonly [verb: string, otherwise: string]>> = {
  clear: ['Clear', 'a field'],
  choose: ['Choose', 'an option'],
}

const pageChangeWords = (params: Params): string => {
  const change = asText(params.change)
  const [verb, otherwise] = PAGE_ELEMENT_CHANGES[change] ?? []
  if (verb !== undefined && otherwise !== undefined) return join(verb, pageElementWords(params, otherwise))
  const target = change === 'navigate' ? cut(asText(params.uri)) : ''
  return join(PAGE_CHANGE_WORDS[change] ?? 'Change the page', target)
}

/** A typed text is not among the words: lists show titles to whoever passes by. */
const WORDS: Readonly<Record<string, (params: Params) => string>> = {
  open_app: ({ applicationId }) => join('Open', cut(asText(applicationId))),
  open_uri: ({ uri }) => join('Open', cut(asText(uri))),
  close_app: ({ applicationId }) => join('Close', cut(asText(applicationId))),
  install_app: ({ paths }) => {
    const [first, ...more] = Array.isArray(paths) ? paths.map(asText) : []
    const name = cut((first ?? '').replace(/^.*[\\/]/, ''))
    return join('Install', name, more.length > 0 ? `and ${more.length} more` : '')
  },
  uninstall_app: ({ applicationId }) => join('Uninstall', cut(asText(applicationId))),
  clear_app: ({ applicationId }) => join('Clear the data of', cut(asText(applicationId))),
  push_file: ({ from, to }) => join('Send', lastPart(from), 'to', cut(asText(to))),
  pull_file: ({ from }) => join('Fetch', cut(asText(from))),
  add_media: ({ paths }) => {
    const [first, ...more] = Array.isArray(paths) ? paths : []
    return join('Add', lastPart(first), more.length > 0 ? `and ${more.length} more` : '', 'to the gallery')
  },
  remove_file: ({ path }) => join('Remove', cut(asText(path))),
  set_permission: ({ applicationId, permission, state }) =>
    join(PERMISSION_VERBS[asText(state)] ?? 'Set', cut(asText(permission)), 'for', cut(asText(applicationId))),
  change_setting: ({ setting, value, applicationId }) =>
    join(
      'Set',
      asText(setting),
      'to',
      cut(typeof value === 'string' ? value : JSON.stringify(value ?? '')),
      ofApp(applicationId),
    ),
  restore_settings: () => 'Put the settings back',
  measure_startup: ({ applicationId }) => join('Measure the start of', cut(asText(applicationId))),
  click: ({ clickType, ...params }) => join(CLICKS[asText(clickType)] ?? 'Click', touchWords(params)),
  double_tap: params => join('Double-tap', touchWords(params)),
  drag: ({ from, to }) => join('Drag', placeWords(from), placeWords(to) && `to ${placeWords(to)}`),
  move_fingers: ({ fingers }) =>
    join('Move', Array.isArray(fingers) && fingers.length > 1 ? 'two fingers' : 'a finger'),
  pinch: ({ scale, matcher, coordinate }) =>
    join(Number(scale) < 1 ? 'Pinch closed' : 'Pinch open', matcherWords(matcher) || pointWords(coordinate)),
  swipe: ({ from, ...params }) => join('Swipe', swipeDirection(params), placeWords(from) && `from ${placeWords(from)}`),
  scroll: ({ direction }) => join('Scroll', asText(direction) || 'down'),
  scroll_until: params => scrollTo(params, params.clickAfter === true),
  scroll_and_click: params => scrollTo(params, params.clickAfter !== false),
  wait_for_node: ({ matcher, state }) => join('Wait for', matcherWords(matcher), state === 'gone' ? 'to go' : ''),
  wait_for_navigation: ({ expectedPackage, expectedNode }) =>
    join('Wait for', cut(asText(expectedPackage)) || matcherWords(expectedNode)),
  read_text: ({ matcher }) => join('Read', matcherWords(matcher)),
  read_key_value_pair: ({ labelMatcher }) => join('Read the value of', matcherWords(labelMatcher)),
  erase_text: ({ characters }) => join('Erase', String(characters ?? ''), 'characters'),
  enter_text: ({ matcher }) => join('Type into', matcherWords(matcher) || 'the focused field'),
  press_key: ({ key, longPress }) => join(longPress === true ? 'Long-press' : 'Press', cut(asText(key))),
  hide_keyboard: () => 'Hide the keyboard',
  expand_shade: ({ shade }) => (shade === 'quick_settings' ? 'Open the quick settings' : 'Open the notifications'),
  collapse_shade: () => 'Close the shade',
  answer_dialog: ({ answer }) => join('Answer the dialog:', quoted(asText(answer))),
  wait_for_idle: () => 'Wait for a still screen',
  get_clipboard: () => 'Read the clipboard',
  set_clipboard: () => 'Set the clipboard',
  shell: ({ command }) => join('Run', programIn(asText(command)) || 'a command', 'in the shell'),
  read_page: ({ read, applicationId }) =>
    join('Read', PAGE_READ_WORDS[asText(read)] ?? 'the page', ofApp(applicationId)),
  change_page: pageChangeWords,
  page_script: ({ applicationId }) => join('Run a script in the page', ofApp(applicationId)),
  snapshot: () => 'Take a snapshot',
  take_screenshot: ({ matcher }) => join('Take a screenshot', matcherWords(matcher) && `of ${matcherWords(matcher)}`),
  sleep: ({ durationMs }) => join('Wait', seconds(durationMs)),
  show_toast: ({ text }) => join('Show', quoted(asText(text))),
  cancel_toast: () => 'Hide the message',
  set_on_screen_log: () => 'Show the on-screen log',
  clear_on_screen_log: () => 'Clear the on-screen log',
}

export const actionWords = ({ type, params }: WordedAction): string =>
  (Object.hasOwn(WORDS, type) ? WORDS[type]?.(asParams(params)) : undefined) ?? type

const lookingTypes = new Set<string>(LOOKING_TYPES)

/** True for actions that change nothing on the device. */
export const isLooking = ({ type }: WordedAction): boolean => lookingTypes.has(type)

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Every execution may begin and end with one of these. */
const UNNAMED = new Set(['snapshot', 'take_screenshot', 'sleep'])

/** Names what was done; an execution that only looked is named by its looks. Empty for one without actions. */
export const titleOf = (actions: readonly WordedAction[]): string => titleFrom(actions, actionWords)

/** The same of actions whose words are known. */
export const titleFrom = <A extends { type: string }>(
  actions: readonly A[],
  wordsOf: (action: A) => string,
): string => {
  const named = actions.filter(({ type }) => !UNNAMED.has(type))
  const shownActions = named.length > 0 ? named : actions
  const words = shownActions
    .slice(0, NAMED_ACTIONS)
    .map((action, index) => (index === 0 ? wordsOf(action) : lowered(wordsOf(action))))
  const more = shownActions.length - words.length
  return words.length === 0 ? '' : `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
