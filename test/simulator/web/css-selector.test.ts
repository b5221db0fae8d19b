/** The selectors of simulated pages. */
import { describe, expect, test } from 'vitest'
import { cssSelector, InvalidSelector, type StyledElement } from '../../../src/simulator/web/css-selector.ts'

const element = (tag: string, attributes: Record<string, string>, parent?: StyledElement): StyledElement => ({
  tag,
  attributes: new Map(Object.entries(attributes)),
  parent,
})
const form = element('form', { id: 'login' }, element('body', {}))
const row = element('div', { class: 'row  wide' }, form)
const button = element('button', { class: 'main', type: 'submit', 'data-x': 'a, b' }, row)

describe('a button in a row of a form', () => {
  test.each([
    'button',
    '*',
    'button.main[type=submit]',
    "[data-x='a, b']",
    '[type]',
    '#login button',
    'form > .row.wide>button',
    'body form button',
    'a, button',
  ])('is found by %s', selector => {
    expect(cssSelector(selector)(button)).toBe(true)
  })

  test.each(['a', '.mai', 'form > button', 'button .main', '#login#other button', '[type=""]', 'div > div > button'])(
    'is not found by %s',
    selector => {
      expect(cssSelector(selector)(button)).toBe(false)
    },
  )
})

test.each(['', ' ', 'a,', '>', 'a >', 'li[', '.a b..c', '#', '.ab:hover', '[a=b c]', '.x*'])('%j is none', selector => {
  expect(() => cssSelector(selector)).toThrow(InvalidSelector)
})
