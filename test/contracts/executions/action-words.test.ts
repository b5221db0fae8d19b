/** Actions in words, and the titles of executions. */
import { describe, expect, test } from 'vitest'
import { ACTION_TYPES } from '../../../src/contracts/executions/action.ts'
import { actionWords, titleOf } from '../../../src/contracts/executions/action-words.ts'

const click = (textEquals: string) => ({ type: 'click', params: { matcher: { textEquals } } })

test.each([
  ['click', { matcher: { textEquals: 'About phone' } }, 'Click “About phone”'],
  ['click', { matcher: { resourceId: 'com.android.settings:id/search' } }, 'Click #search'],
  ['click', { matcher: { role: 'button' } }, 'Click the button'],
  ['click', { matcher: { ref: '@12.7' } }, 'Click @12.7'],
  ['click', { coordinate: { x: 4, y: 5 }, clickType: 'long_click' }, 'Long-click 4,5'],
  ['click', { point: { x: 50, y: 20, unit: 'percent' } }, 'Click 50%,20%'],
  ['click', { matcher: { flow: { text: 'Buy', index: 1 } } }, 'Click “Buy”[1]'],
  ['click', { matcher: { flow: { id: 'com.example:id/buy' } } }, 'Click #buy'],
  ['click', { matcher: { flow: { below: { text: 'Shop' } } } }, 'Click the node near “Shop”'],
  ['click', { matcher: { flow: { enabled: true } } }, 'Click a node'],
  ['click', { matcher: { element: { className: 'a.Button', text: 'Buy', contentDesc: '' } } }, 'Click “Buy”'],
  ['click', { matcher: { element: { className: 'a.Button', resourceId: 'com.example:id/buy' } } }, 'Click #buy'],
  ['click', { matcher: { element: { className: 'android.widget.Button', text: '' } } }, 'Click the Button'],
  ['click', { matcher: { pageElement: { label: '#login' } } }, 'Click “#login” of the page'],
  ['click', { matcher: { pageElement: { element: 'a:1' } } }, 'Click an element of the page'],
  ['change_page', { change: 'clear', label: '#user' }, 'Clear “#user” of the page'],
  ['change_page', { change: 'choose' }, 'Choose an option of the page'],
  ['change_page', { change: 'reload' }, 'Reload the page'],
  ['swipe', { direction: 'up', from: { matcher: { textEquals: 'Row' } } }, 'Swipe up from “Row”'],
  ['erase_text', { characters: 5 }, 'Erase 5 characters'],
  ['add_media', { paths: ['/home/me/a.png', 'b.mp4'] }, 'Add a.png and 1 more to the gallery'],
  ['take_screenshot', { matcher: { textEquals: 'Logo' } }, 'Take a screenshot of “Logo”'],
  ['swipe', { start: { x: 500, y: 1_500 }, end: { x: 510, y: 300 } }, 'Swipe up'],
  ['swipe', { start: { x: 5, y: 5 }, end: { x: 5, y: 5 } }, 'Swipe'],
  ['scroll', undefined, 'Scroll down'],
  ['scroll_until', { matcher: { textContains: 'phone' }, clickAfter: true }, 'Scroll to “phone” and click it'],
  ['scroll_until', { direction: 'up' }, 'Scroll up to the end'],
  ['scroll_and_click', { matcher: { textEquals: 'Apps' } }, 'Scroll to “Apps” and click it'],
  ['wait_for_navigation', { expectedPackage: 'com.example' }, 'Wait for com.example'],
  ['sleep', { durationMs: 1_500 }, 'Wait 1.5 s'],
  ['press_key', { key: 'back' }, 'Press back'],
  ['set_permission', { applicationId: 'a.b', permission: 'camera', state: 'deny' }, 'Deny camera for a.b'],
  ['an_action_of_later', { x: 1 }, 'an_action_of_later'],
  ['constructor', {}, 'constructor'],
])('%s %j', (type, params, words) => {
  expect(actionWords({ type, params })).toBe(words)
})

test('every action has words, also without the params that a later version may leave out', () => {
  for (const type of ACTION_TYPES) {
    const words = actionWords({ type })
    expect([type, words.trim() === words, words === type]).toEqual([type, true, false])
  }
})

test('what is typed is not told, and what is long is cut', () => {
  const typed = { type: 'enter_text', params: { matcher: { textEquals: 'Password' }, text: 'secret-of-mine' } }
  expect(actionWords(typed)).toBe('Type into “Password”')
  expect(actionWords(click(`${'👋'.repeat(60)}`)).length).toBeLessThan(120)
  expect(actionWords(click('two\n  lines'))).toBe('Click “two lines”')
})

describe('a title', () => {
  test('names what was done, and leaves out the looks around it', () => {
    const looks = [{ type: 'snapshot' }, { type: 'take_screenshot' }]
    expect(titleOf([...looks, click('Wi-Fi'), ...looks])).toBe('Click “Wi-Fi”')
    expect(titleOf([click('A'), { type: 'scroll' }, click('B'), click('C')])).toBe('Click “A”, scroll down and 2 more')
    expect(titleOf([{ type: 'snapshot' }])).toBe('Take a snapshot')
    expect(titleOf([])).toBe('')
  })
})
