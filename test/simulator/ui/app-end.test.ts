/** What an app has become ends with it, unless the scenario keeps it. */
import { expect, test } from 'vitest'
import { appOf, nodeIn, tap, textsOf, uiOf } from '../../support/simulator/simulated-ui.ts'

const PACKAGE = 'com.example'
const opened = () => {
  const ui = uiOf(
    appOf(
      {
        main: {
          nodes: [
            { text: 'runs {runs}, taps {taps}', id: 'log' },
            { text: 'more', onTap: { count: { taps: 1, runs: 1 } } },
            { id: 'lost', text: 'lost', class: 'Switch' },
            { id: 'kept', text: 'kept', class: 'Switch', kept: true },
            { resourceId: 'name', hint: 'name', kept: true },
            { resourceId: 'note', hint: 'note' },
            { text: 'next', onTap: { goTo: 'next' } },
          ],
        },
        next: { nodes: [{ text: 'there' }] },
      },
      { counters: { taps: 0, runs: { kept: true } } },
    ),
  )
  for (const label of ['more', 'more', 'lost', 'kept', 'name']) tap(ui, label)
  ui.type('Ada')
  ui.key('BACK')
  tap(ui, 'note')
  ui.type('x')
  ui.key('BACK')
  tap(ui, 'next')
  return ui
}
const state = (ui: ReturnType<typeof opened>) => ({
  log: textsOf(ui.tree())[0],
  lost: nodeIn(ui.tree(), 'lost').checked,
  kept: nodeIn(ui.tree(), 'kept').checked,
  name: nodeIn(ui.tree(), 'name').text,
  note: nodeIn(ui.tree(), 'note').text,
})

test('going home and coming back keeps everything', () => {
  const ui = opened()
  ui.key('HOME')
  ui.key('APP_SWITCH')
  tap(ui, 'Example')
  expect(textsOf(ui.tree())).toEqual(['there'])
  ui.key('BACK')
  expect(state(ui)).toEqual({ log: 'runs 2, taps 2', lost: true, kept: true, name: 'Ada', note: 'x' })
})

test('an end keeps what is kept', () => {
  const ui = opened()
  ui.stop(PACKAGE)
  expect(ui.foreground().packageName).toBe('com.android.launcher3')
  ui.launch(PACKAGE)
  expect(state(ui)).toEqual({ log: 'runs 2, taps 0', lost: false, kept: true, name: 'Ada', note: 'note' })
  ui.key('BACK')
  expect(ui.foreground().packageName).toBe('com.android.launcher3')
})

test('clearing the data of an app keeps nothing', () => {
  const ui = opened()
  ui.stop(PACKAGE, { data: true })
  ui.launch(PACKAGE)
  expect(state(ui)).toEqual({ log: 'runs 0, taps 0', lost: false, kept: false, name: 'name', note: 'note' })
})

test('other apps are left alone', () => {
  const ui = opened()
  ui.key('BACK')
  ui.stop('com.android.launcher3')
  expect(state(ui)).toMatchObject({ log: 'runs 2, taps 2', lost: true })
})
