/** A recorded action as the commands of a flow that do the same. */
import type { Action } from '../../../contracts/executions/action.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { androidKeyOf, KEY_WORDS } from '../language/android-names.ts'
import { shortSelector, type WrittenSelector, writtenSelector, writtenText } from './written-selector.ts'

/** A word, or one key with its value. */
export type WrittenCommand = string | Readonly<Record<string, unknown>>

export interface Writing {
  /** Undefined where the language has no command for the action. */
  readonly commands: readonly WrittenCommand[] | undefined
  readonly notes: readonly string[]
}

type Of<T extends Action['type']> = Extract<Action, { type: T }>
type Variables = readonly string[]

const NONE: Writing = { commands: undefined, notes: [] }
const only = (...commands: WrittenCommand[]): Writing => ({ commands, notes: [] })

const onNode = (
  matcher: Matcher | undefined,
  variables: Variables,
  write: (selector: WrittenSelector) => readonly WrittenCommand[],
): Writing => {
  const written = matcher && writtenSelector(matcher, variables)
  if (!written?.ok) return NONE
  const { selector, leftOut } = written
  return { commands: write(selector), notes: leftOut.map(key => `its selector has no ${key}`) }
}

const at = ({ x, y }: { x: number; y: number }, unit?: string): string =>
  unit === 'percent' ? `${x}%,${y}%` : `${x},${y}`

const OPPOSITE = { up: 'DOWN', down: 'UP', left: 'RIGHT', right: 'LEFT' } as const

const launch = ({ params }: Of<'open_app'>, variables: Variables): Writing => {
  const { applicationId, activity, clearState, stopFirst, permissions, arguments: extras } = params
  const texts = Object.entries(extras ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? writtenText(value, variables) : value,
  ])
  const command = {
    launchApp: {
      appId: applicationId,
      // Without it, a flow stops the application first.
      stopApp: stopFirst === true,
      ...(clearState ? { clearState } : {}),
      ...(permissions ? { permissions } : {}),
      ...(texts.length > 0 ? { arguments: Object.fromEntries(texts) } : {}),
    },
  }
  const notes = activity === undefined ? [] : [`it opens the application without its activity ${activity}`]
  return { commands: [command], notes }
}

type Touch = Of<'click'> | Of<'double_tap'>

const touchWord = (action: Touch): string => {
  if (action.type === 'double_tap') return 'doubleTapOn'
  return action.params.clickType === 'long_click' ? 'longPressOn' : 'tapOn'
}

const touch = (action: Touch, variables: Variables): Writing => {
  const word = touchWord(action)
  const { matcher, coordinate, point } = action.params
  const { repeat, repeatDelayMs } = action.type === 'click' ? action.params : {}
  const more = {
    ...(coordinate ? { point: at(coordinate) } : {}),
    ...(point ? { point: at(point, point.unit) } : {}),
    ...(repeat === undefined ? {} : { repeat }),
    ...(repeatDelayMs === undefined ? {} : { delay: repeatDelayMs }),
  }
  if (matcher === undefined) return only({ [word]: more })
  return onNode(matcher, variables, selector => {
    const target = Object.keys(more).length === 0 ? shortSelector(selector) : { ...selector, ...more }
    return [{ [word]: target }]
  })
}

const swipe = ({ params }: Of<'swipe'>, variables: Variables): Writing => {
  const { start, end, direction, from, point, durationMs } = params
  const duration = { duration: durationMs }
  if (start && end) return only({ swipe: { start: at(start, start.unit), end: at(end, end.unit), ...duration } })
  if (direction === undefined) return NONE
  const way = { direction: direction.toUpperCase(), ...duration }
  if (from === undefined) return only({ swipe: way })
  const place = point ? { point: at(point, point.unit) } : {}
  return onNode(from.matcher, variables, selector => [{ swipe: { from: selector, ...place, ...way } }])
}

const enter = ({ params }: Of<'enter_text'>, variables: Variables): Writing => {
  const { matcher, text, append, submit } = params
  const typing: WrittenCommand[] = [
    ...(append ? [] : ['eraseText']),
    { inputText: writtenText(text, variables) },
    ...(submit ? [{ pressKey: 'Enter' }] : []),
  ]
  if (matcher === undefined) return only(...typing)
  return onNode(matcher, variables, selector => [{ tapOn: shortSelector(selector) }, ...typing])
}

/** The short names of svc for keys whose Android names differ. */
const SVC_KEYS: Readonly<Record<string, string>> = { delete: 'del' }

const press = ({ params: { key, longPress } }: Of<'press_key'>): Writing => {
  if (longPress) return NONE
  if (key === 'back') return only('back')
  const word = KEY_WORDS.find(each => androidKeyOf(each) === (SVC_KEYS[key] ?? key))
  return word === undefined ? NONE : only({ pressKey: word })
}

const scroll = ({ params }: Of<'scroll'>, variables: Variables): Writing => {
  const { direction, container } = params
  const way = { direction: OPPOSITE[direction] }
  if (container) return onNode(container, variables, from => [{ swipe: { from, ...way } }])
  return only(direction === 'down' ? 'scroll' : { swipe: way })
}

const scrollTo = ({ type, params }: Of<'scroll_until'> | Of<'scroll_and_click'>, variables: Variables): Writing => {
  const { matcher, direction, clickAfter } = params
  const timeout = type === 'scroll_until' ? { timeout: params.maxDurationMs } : {}
  return onNode(matcher, variables, element => [
    { scrollUntilVisible: { element, direction: direction.toUpperCase(), ...timeout } },
    ...(clickAfter ? [{ tapOn: shortSelector(element) }] : []),
  ])
}

const waitFor = (matcher: Matcher | undefined, isGone: boolean, timeout: number, variables: Variables): Writing =>
  onNode(matcher, variables, selector => [
    { extendedWaitUntil: { [isGone ? 'notVisible' : 'visible']: shortSelector(selector), timeout } },
  ])

const mode = (isOn: unknown) => (isOn === true ? 'enabled' : 'disabled')

const setting = ({ params: { setting: name, value } }: Of<'change_setting'>): Writing => {
  if (name === 'dark_mode') return only({ setDarkMode: mode(value) })
  if (name === 'airplane_mode') return only({ setAirplaneMode: mode(value) })
  if (name === 'location') return only({ setLocation: value })
  return name === 'orientation' && value !== 'auto' ? only({ setOrientation: String(value).toUpperCase() }) : NONE
}

export const writtenCommands = (action: Action, variables: Variables): Writing => {
  switch (action.type) {
    case 'open_app':
      return launch(action, variables)
    case 'open_uri': {
      const { uri, browser } = action.params
      const link = writtenText(uri, variables)
      return only({ openLink: browser ? { link, browser } : link })
    }
    case 'close_app':
      return only({ [action.params.background ? 'killApp' : 'stopApp']: action.params.applicationId })
    case 'clear_app':
      return only({ clearState: action.params.applicationId })
    case 'set_permission': {
      const { applicationId, permission, state } = action.params
      return only({ setPermissions: { appId: applicationId, permissions: { [permission]: state } } })
    }
    case 'click':
    case 'double_tap':
      return touch(action, variables)
    case 'swipe':
      return swipe(action, variables)
    case 'enter_text':
      return enter(action, variables)
    case 'erase_text':
      return only({ eraseText: action.params.characters })
    case 'press_key':
      return press(action)
    case 'hide_keyboard':
      return only('hideKeyboard')
    case 'scroll':
      return scroll(action, variables)
    case 'scroll_until':
    case 'scroll_and_click':
      return scrollTo(action, variables)
    case 'wait_for_node':
      return waitFor(action.params.matcher, action.params.state === 'gone', action.params.timeoutMs, variables)
    case 'wait_for_navigation':
      return waitFor(action.params.expectedNode, false, action.params.timeoutMs, variables)
    case 'wait_for_idle':
      return only({ waitForAnimationToEnd: { timeout: action.params.timeoutMs } })
    case 'read_text':
      return action.params.all
        ? NONE
        : onNode(action.params.matcher, variables, of => [{ copyTextFrom: shortSelector(of) }])
    case 'set_clipboard':
      return only({ setClipboard: writtenText(action.params.text, variables) })
    case 'change_setting':
      return setting(action)
    default:
      return NONE
  }
}
