import { expect, test } from 'vitest'
import { appOf, tap, textsOf, uiOf } from '../../support/simulator/simulated-ui.ts'

const screenOf = (...nodes: object[]) =>
  uiOf(appOf({ main: { nodes: nodes as [] }, other: { nodes: [{ text: 'late', appearsAfter: { ms: 100 } }] } }))

test('after a time on the screen', () => {
  const ui = screenOf({ text: 'now' }, { text: 'late', appearsAfter: { ms: 500 } })
  expect(textsOf(ui.tree())).toEqual(['now'])
  ui.clock.advance(499)
  expect(textsOf(ui.tree())).toEqual(['now'])
  ui.clock.advance(1)
  expect(textsOf(ui.tree())).toEqual(['now', 'late'])
})

test('after so many readings', () => {
  const ui = screenOf({ text: 'late', appearsAfter: { reads: 2 } })
  expect([textsOf(ui.tree()), textsOf(ui.tree()), textsOf(ui.tree()), textsOf(ui.tree())]).toEqual([
    [],
    [],
    ['late'],
    ['late'],
  ])
})

test('only looking at it for a picture is not a reading', () => {
  const ui = screenOf({ text: 'late', appearsAfter: { reads: 1 } })
  for (let i = 0; i < 5; i += 1) ui.scene()
  expect(textsOf(ui.tree())).toEqual([])
  expect(textsOf(ui.tree())).toEqual(['late'])
})

test('whichever is later, and until it goes again', () => {
  const ui = screenOf({ text: 'it', appearsAfter: { ms: 100, reads: 1 }, disappearsAfter: { ms: 200 } })
  ui.clock.advance(100)
  expect(textsOf(ui.tree())).toEqual([])
  expect(textsOf(ui.tree())).toEqual(['it'])
  ui.clock.advance(100)
  expect(textsOf(ui.tree())).toEqual([])
})

test('counted anew for each screen that is opened', () => {
  const ui = screenOf({ text: 'go', onTap: { goTo: 'other' } })
  ui.clock.advance(1_000)
  tap(ui, 'go')
  expect(textsOf(ui.tree())).toEqual([])
  ui.clock.advance(100)
  expect(textsOf(ui.tree())).toEqual(['late'])
})

test('what is not there yet takes no tap and no place', () => {
  const ui = screenOf(
    { text: 'late', appearsAfter: { ms: 100 }, onTap: { goTo: 'other' } },
    { text: 'under it', id: 'it', onTap: { set: { it: { text: 'tapped' } } } },
  )
  tap(ui, 'under it')
  expect(textsOf(ui.tree())).toEqual(['tapped'])
})
