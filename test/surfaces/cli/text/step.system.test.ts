/** One step in words, of every action type there is. */
import { expect, test } from 'vitest'
import { ACTION_TYPES } from '../../../../src/contracts/executions/action.ts'
import { executionText } from '../../../../src/surfaces/cli/text/execution.ts'
import { readTexts, stepSentence } from '../../../../src/surfaces/cli/text/step.ts'
import { givenWords, pageFor } from './page-for.ts'

const step = (actionType: string, data: Record<string, string> = {}) => ({ id: 's', actionType, success: true, data })

test.each<[string, Record<string, string>, string, string]>([
  ['open_app', { application_id: 'com.x' }, '', 'Opened com.x'],
  [
    'install_app',
    { application_id: 'com.x', version_name: '1.2', version_code: '7', replaced: 'false' },
    '',
    'Installed com.x 1.2 (7)',
  ],
  [
    'install_app',
    { application_id: 'com.x', version_name: '', version_code: '8', replaced: 'true' },
    '',
    'Replaced com.x (8)',
  ],
  ['change_setting', { setting: 'wifi', value: 'false', previous: 'true' }, '', 'Set wifi to false, which was true'],
  [
    'change_setting',
    { setting: 'font_scale', value: '2', previous: 'null' },
    '',
    'Set font_scale to 2, which was not set',
  ],
  ['restore_settings', { restored: '0', left: '[]' }, '', 'Put nothing back'],
  [
    'restore_settings',
    { restored: '1', left: '["wifi","battery"]' },
    '',
    'Put back 1 change and left wifi, battery, changed by somebody else since',
  ],
  [
    'change_setting',
    { setting: 'battery', value: '{"level":15,"plugged":"ac"}', previous: '{"level":80,"plugged":"none"}' },
    '',
    'Set battery to 15,ac, which was 80,none',
  ],
  [
    'change_setting',
    { setting: 'location', value: '{"latitude":48.85,"longitude":2.35}', previous: 'null' },
    '',
    'Set location to 48.85,2.35, which was not set',
  ],
  ['get_clipboard', { text: '' }, '', 'The clipboard is empty'],
  ['set_permission', { permission: 'camera', previous: 'unset' }, '', 'Set camera (it was not set before)'],
  ['click', { click_type: 'default' }, '"OK"', 'Clicked "OK"'],
  ['click', { click_type: 'long_click' }, '"OK"', 'Long-pressed "OK"'],
  ['click', { click_type: 'focus' }, '', 'Focused'],
  ['enter_text', { text: 'a "b"', submit: 'false' }, '', 'Typed "a \\"b\\""'],
  ['scroll', { direction: 'down', scroll_outcome: 'moved' }, '', 'Scrolled down'],
  ['scroll', { direction: 'down', scroll_outcome: 'at_end' }, '', 'Scrolled down (at end)'],
  ['wait_for_node', { label: 'OK', elapsed_ms: '1' }, '', 'Found "OK"'],
  ['wait_for_node', { label: '', elapsed_ms: '1240' }, '@1.2', 'Found @1.2 after 1.2 s'],
  ['wait_for_navigation', { resolved_package: 'com.x' }, '', 'com.x is in front'],
  ['sleep', { duration_ms: '2500' }, '', 'Waited 2.5 s'],
  ['snapshot', { screen: '4' }, '', 'Read screen 4'],
  ['action_of_tomorrow', {}, '', 'Did action of tomorrow'],
])('%s %j of %j', (type, data, node, expected) => {
  expect(stepSentence(step(type, data), { node })).toBe(expected)
})

test('a touch that something may have had in its place says so', () => {
  expect(stepSentence(step('click', { click_type: 'default', covered_by_unknown: 'true' }), { node: '"OK"' })).toBe(
    'Clicked "OK" (something may lie over it)',
  )
})

test('every action type has words of its own', () => {
  expect(ACTION_TYPES.filter(type => stepSentence(step(type)).startsWith('Did '))).toEqual([])
})

test.each<[string, string[], Record<string, string>, string]>([
  ['click', ['Wi-Fi'], {}, 'Clicked "Wi-Fi" on'],
  ['click', ['@12.7'], {}, 'Clicked @12.7 on'],
  ['click', ['5', '200'], {}, 'Clicked 5 200 on'],
  ['click', [], { role: 'button', text: 'OK' }, 'Clicked button "OK" on'],
  ['scroll-until', ['down'], { text: 'About' }, 'Scrolled to "About" on'],
])('svc %s %j %j names what was acted on', (command, args, flags, expected) => {
  const type = command === 'click' ? 'click' : 'scroll_until'
  const envelope = { commandId: 'c', taskId: 't', status: 'success', stepResults: [step(type)], error: null } as const
  const page = pageFor({ path: [command], given: givenWords(args, flags) })
  expect(executionText(page, { envelope: { ...envelope, stepResults: [step(type)] }, deviceId: 'd' })).toBe(
    `✓ ${expected} d in 1.2 s`,
  )
})

test.each<[string[], string, Record<string, string>, string]>([
  [['drag', 'Card', 'Done'], 'drag', {}, 'Dragged from "Card" to "Done"'],
  [['drag', '@1.2', '@1.3'], 'drag', {}, 'Dragged from @1.2 to @1.3'],
  [['drag', '5', '6', '7', '8'], 'drag', {}, 'Dragged from 5 6 to 7 8'],
  [
    ['apps', 'permission', 'a.b', 'camera', 'allow'],
    'set_permission',
    { permission: 'camera', previous: 'unset' },
    'Set camera to allowed (it was not set before)',
  ],
  [
    ['apps', 'permission', 'a.b', 'camera', 'deny'],
    'set_permission',
    { permission: 'camera', previous: 'allow' },
    'Set camera to denied (it was allowed before; losing it ends the application)',
  ],
  [['wait', 'OK'], 'wait_for_node', { label: 'OK', elapsed_ms: '1500' }, 'Found "OK"'],
  [['wait', 'OK', '--gone'], 'wait_for_node', { elapsed_ms: '1500' }, '"OK" is gone'],
])('svc %j says the point of it once', ([command = '', ...words], type, data, expected) => {
  const path = command === 'apps' ? [command, 'permission'] : [command]
  const args = words.slice(path.length - 1).filter(word => word !== '--gone')
  const page = pageFor({ path, given: givenWords(args, {}) })
  const envelope = { commandId: 'c', taskId: 't', status: 'success', error: null } as const
  expect(executionText(page, { envelope: { ...envelope, stepResults: [step(type, data)] }, deviceId: 'd' })).toBe(
    `✓ ${expected} on d in 1.2 s`,
  )
})

test('the reason of a step that was refused is shown', () => {
  const failed = { ...step('set_permission', { error: 'PERMISSION_REFUSED', reason: 'not_requested' }), success: false }
  const error = { code: 'PERMISSION_REFUSED', message: 'no' }
  const envelope = { commandId: 'c', taskId: 't', status: 'failed', stepResults: [failed], error } as const
  expect(executionText(pageFor(), { envelope: { ...envelope, stepResults: [failed] }, deviceId: 'd' })).toContain(
    'Reason  not requested',
  )
})

test('what was read is a list of texts, and a text that looks like one is a text', () => {
  expect(readTexts(step('read_text', { text: '["a","b"]' }))).toEqual(['a', 'b'])
  expect(readTexts(step('read_text', { text: '[1, 2]' }))).toEqual(['[1, 2]'])
  expect(readTexts(step('read_text', { text: '[draft' }))).toEqual(['[draft'])
  expect(readTexts(step('read_key_value_pair', { value: '87 %' }))).toEqual(['87 %'])
  expect(readTexts({ ...step('read_text', { text: 'x' }), success: false })).toBeUndefined()
  expect(readTexts(step('click'))).toBeUndefined()
})
