/** One step of an execution in words: what it did, and what it read. */

import { duration } from '../../../contracts/duration.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { parseObject } from '../../../runtime/files/small-file.ts'

type Data = StepResult['data']

/** The node or the point that was acted on, as the caller named it. */
export interface Target {
  /** `"Wi-Fi"`, `@12.7`, `5 200`; empty where it is not known. */
  node: string
  /** The node was clicked once it was found. */
  isClicked?: boolean
  /** To which a permission was set. */
  state?: string | undefined
  /** The line says how long all of it took. */
  isTimed?: boolean
}

const quote = (text: string | undefined): string => (text === undefined ? '' : JSON.stringify(text))

const sentence = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join(' ')

const SHORT_MS = 100

/** `after 340 ms`, from the time that the device measured; a short one is not worth a word. */
const after = (elapsedMs: string | undefined, { isTimed }: Target): string | undefined => {
  const ms = Number(elapsedMs)
  return ms >= SHORT_MS && !isTimed ? `after ${duration(ms)}` : undefined
}

/** Lists of receipts do not read which one. */
const A_NODE = 'a node'

const STATES: Readonly<Record<string, string>> = { allow: 'allowed', deny: 'denied', unset: 'not set' }

const stateWord = (state: string): string => STATES[state] ?? state

/** Android ends an application that loses a permission. */
const endedBy = (state: string | undefined, previous: string): string =>
  previous === 'allow' && state !== undefined && state !== 'allow' ? '; losing it ends the application' : ''

/** Writes a value of a setting as the command line takes it: `15,ac`, `48.85,2.35`. */
const settingWords = (value = ''): string => {
  const parts = value.startsWith('{') ? parseObject(value) : undefined
  if (!parts) return value
  const { level, plugged, latitude, longitude } = parts
  return [level, plugged, latitude, longitude].filter(part => part !== undefined && part !== null).join(',') || value
}

/** A list in JSON as words. */
const listWords = (text: string): string => {
  const all = parseObject(`{"all":${text}}`)?.all
  return Array.isArray(all) ? all.join(', ') : text
}

const CLICKS: Readonly<Record<string, string>> = { long_click: 'Long-pressed', focus: 'Focused' }

/** `3 files, 1200 bytes` */
const transferred = ({ files = '', bytes = '' }: Data): string =>
  sentence(files === '1' || files === '' ? '' : `${files} files,`, bytes === '' ? '' : `${bytes} bytes`)

const CHANGED_PAGE: Readonly<Record<string, string>> = {
  navigate: 'Opened an address in the page',
  back: 'Went back in the page',
  forward: 'Went forward in the page',
  reload: 'Loaded the page again',
  clear: 'Cleared a field of the page',
  choose: 'Chose an option of the page',
}

const VERBS: Readonly<Record<string, (data: Data, target: Target) => string>> = {
  open_app: ({ application_id }) => sentence('Opened', application_id),
  open_uri: ({ uri }) => sentence('Opened', uri),
  close_app: ({ application_id }) => sentence('Closed', application_id),
  install_app: ({ application_id, version_name, version_code, replaced }) =>
    sentence(
      replaced === 'true' ? 'Replaced' : 'Installed',
      application_id,
      [version_name, version_code && `(${version_code})`].filter(Boolean).join(' '),
    ),
  uninstall_app: ({ application_id }) => sentence('Uninstalled', application_id),
  clear_app: ({ application_id }) => sentence('Cleared the data of', application_id),
  push_file: data =>
    sentence(
      'Sent',
      transferred(data),
      'to',
      data.path,
      data.made_folder === undefined ? '' : `(made the folder ${data.made_folder})`,
    ),
  pull_file: data => sentence('Fetched', transferred(data), 'into', data.path),
  remove_file: ({ path }) => sentence('Removed', path),
  add_media: data => sentence('Added', transferred(data), 'to the gallery'),
  set_permission: ({ permission, previous }, { state }) =>
    sentence(
      'Set',
      permission,
      state === undefined ? '' : `to ${stateWord(state)}`,
      previous === undefined ? '' : `(it was ${stateWord(previous)} before${endedBy(state, previous)})`,
    ),
  change_setting: ({ setting, value, previous }) =>
    sentence(
      'Set',
      setting,
      'to',
      `${settingWords(value)},`,
      previous === 'null' ? 'which was not set' : `which was ${settingWords(previous)}`,
    ),
  restore_settings: ({ restored, left = '[]' }) =>
    sentence(
      restored === '0' ? 'Put nothing back' : `Put back ${restored} ${restored === '1' ? 'change' : 'changes'}`,
      left === '[]' ? '' : `and left ${listWords(left)}, changed by somebody else since`,
    ),
  measure_startup: ({ application_id, median_ms }) =>
    sentence('Measured the start of', application_id, median_ms === undefined ? '' : `: ${median_ms} ms`),
  click: ({ click_type = '' }, { node }) => sentence(CLICKS[click_type] ?? 'Clicked', node),
  scroll_and_click: (_, { node }) => sentence('Scrolled to', node || A_NODE, 'and clicked it'),
  double_tap: (_, { node }) => sentence('Double-tapped', node),
  enter_text: ({ text, submit }, { node }) =>
    sentence('Typed', quote(text), node === '' ? '' : `into ${node}`, submit === 'true' ? 'and pressed enter' : ''),
  erase_text: ({ characters }) => sentence('Erased', characters, characters === '1' ? 'character' : 'characters'),
  press_key: ({ key }) => sentence('Pressed', key),
  drag: (_, { node }) => sentence('Dragged', node),
  move_fingers: () => 'Moved the fingers',
  pinch: ({ scale }, { node }) => sentence('Pinched', node, scale === undefined ? '' : `by ${scale}`),
  hide_keyboard: () => 'Hid the keyboard',
  expand_shade: () => 'Opened the shade',
  collapse_shade: () => 'Closed the shade',
  answer_dialog: ({ button, title }) =>
    sentence('Chose', quote(button), title === undefined || title === '' ? '' : `in ${quote(title)}`),
  wait_for_idle: ({ settled }) => (settled === 'false' ? 'The screen did not come to rest' : 'The screen is still'),
  swipe: (_, { node }) => sentence('Swiped', node),
  scroll: ({ direction, scroll_outcome }) =>
    scroll_outcome === undefined || scroll_outcome === 'moved'
      ? sentence('Scrolled', direction)
      : sentence('Scrolled', direction, `(${scroll_outcome.replaceAll('_', ' ')})`),
  scroll_until: (_, { node, isClicked }) =>
    sentence('Scrolled to', node || A_NODE, isClicked ? 'and clicked it' : undefined),
  // A wait for a node to go has no node to tell of.
  wait_for_node: ({ label, resource_id, elapsed_ms }, target) =>
    label === undefined && resource_id === undefined && elapsed_ms !== undefined
      ? sentence(target.node || A_NODE, 'is gone', after(elapsed_ms, target))
      : sentence('Found', label === undefined || label === '' ? target.node : quote(label), after(elapsed_ms, target)),
  wait_for_navigation: ({ resolved_package, elapsed_ms }, target) =>
    sentence(resolved_package ?? target.node, 'is in front', after(elapsed_ms, target)),
  sleep: ({ duration_ms }) => sentence('Waited', duration_ms === undefined ? '' : duration(Number(duration_ms))),
  show_toast: () => 'Showed a message',
  cancel_toast: () => 'Took the message away',
  set_on_screen_log: () => 'Set the log on the screen',
  clear_on_screen_log: () => 'Cleared the log on the screen',
  get_clipboard: ({ text }) => (text === '' ? 'The clipboard is empty' : 'Read the clipboard'),
  set_clipboard: () => 'Set the clipboard',
  read_page: () => 'Read the page',
  change_page: ({ change }) => CHANGED_PAGE[change ?? ''] ?? 'Changed the page',
  page_script: () => 'Ran a script in the page',
  shell: ({ exit_code }) => sentence('Exit code', exit_code),
  take_screenshot: ({ path }, { node }) => sentence('Wrote a picture of', node || 'the screen', 'to', path),
  snapshot: ({ screen }) => (screen === undefined ? 'Read the screen' : `Read screen ${screen}`),
  read_text: ({ count }) => (count === undefined ? 'Read' : sentence('Read', count, count === '1' ? 'text' : 'texts')),
  read_key_value_pair: ({ label }) => sentence('Read the value of', quote(label)),
}

const nameOf = (actionType: string): string => actionType.replaceAll('_', ' ')

/** A type that is not known here is named. */
export const stepSentence = ({ actionType, data }: StepResult, target: Target = { node: '' }): string =>
  sentence(
    VERBS[actionType]?.(data, target) ?? `Did ${nameOf(actionType)}`,
    data.covered_by_unknown === 'true' ? '(something may lie over it)' : undefined,
  )

/** The texts that a step has read; undefined for a step that reads none. */
export const readTexts = ({ actionType, data, success }: StepResult): readonly string[] | undefined => {
  if (!success) return undefined
  if (actionType === 'read_key_value_pair') return [data.value ?? '']
  if (actionType === 'get_clipboard') return data.text ? [data.text] : undefined
  if (actionType !== 'read_text') return undefined
  const { text = '' } = data
  const all = text.startsWith('[') ? parseObject(`{"all":${text}}`)?.all : undefined
  return Array.isArray(all) && all.every(each => typeof each === 'string') ? all : [text]
}
