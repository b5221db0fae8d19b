/** A film of a recording: the same steps run on it, what it cannot show is refused, and no secret is in it. */
import { describe, expect, test } from 'vitest'
import type { Action } from '../../src/contracts/executions/action.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { scenarioFromSteps } from '../../src/simulator/from-recording/from-recording.ts'
import { tryScenario } from '../../src/simulator/from-recording/try-scenario.ts'
import { parseScenario } from '../../src/simulator/scenario/scenario.ts'
import { flowOf, idOf, screenOf, tap, type, typeHere, type WrittenStep } from '../support/flows/flow.ts'

const clock = systemClock()
const { signal } = new AbortController()

const film = (written: WrittenStep[], secrets: string[] = []) => {
  const steps = flowOf(...written)
  const filmed = scenarioFromSteps(steps, secrets)
  if (!filmed.ok) return { filmed, run: async () => 'refused' }
  const parsed = parseScenario(filmed.scenario)
  if (!parsed.ok) throw new Error(parsed.error)
  const actions: Action[] = steps.map(({ action }) => action).filter(action => action.type !== 'snapshot')
  const run = async (more: readonly Action[] = actions) => tryScenario(parsed.scenario, more, clock, signal)
  return { filmed, run }
}

const OPEN: WrittenStep = { type: 'open_app', params: { applicationId: 'com.example.notes' } }
const CLOSE: WrittenStep = { type: 'close_app', params: { applicationId: 'com.example.notes' } }
const BACK: WrittenStep = { type: 'press_key', params: { key: 'back' } }
const see = (textEquals: string): WrittenStep => ({ type: 'wait_for_node', params: { matcher: { textEquals } } })
const list = { id: 'list', className: 'ListView', flags: 'scrollable', at: [400, 1_000] as [number, number] }
const home = screenOf({ text: 'Notes' }, { text: 'New', flags: 'clickable' })
const focusedEditor = screenOf({ text: 'New note' }, { id: 'title', className: 'EditText', flags: 'clickable focused' })
const editor = screenOf({ text: 'New note' }, { id: 'title', className: 'EditText', flags: 'clickable' })

describe('the steps of a recording run on its film', () => {
  test.each<[string, WrittenStep[]]>([
    [
      'with a snapshot between all of them',
      [CLOSE, OPEN, home, tap('New'), editor, type('title', 'Tea'), editor, BACK, home, see('Notes')],
    ],
    [
      'that visits a screen twice',
      [OPEN, home, tap('New'), editor, BACK, home, tap('New'), editor, see('New note'), BACK, home, see('Notes')],
    ],
    ['without a snapshot where the next screen has the node', [OPEN, home, tap('New'), type('title', 'Tea'), editor]],
    [
      'with two steps that name no node',
      [OPEN, home, tap('New'), editor, BACK, BACK, screenOf({ text: 'Bye' }), see('Bye')],
    ],
    [
      'with no snapshot at all',
      [OPEN, see('Notes'), tap('New'), type('title', 'Tea', { submit: true }), see('Saved'), BACK, see('Notes')],
    ],
    [
      'that submits a text',
      [OPEN, editor, type('title', 'Tea', { submit: true }), screenOf({ text: 'Saved' }), see('Saved')],
    ],
    [
      'that types where the focus is seen to be',
      [
        OPEN,
        home,
        tap('New'),
        focusedEditor,
        typeHere('Tea', { submit: true }),
        screenOf({ text: 'Saved' }),
        see('Saved'),
      ],
    ],
    [
      'that types into the field that was clicked',
      [
        OPEN,
        editor,
        { type: 'click', params: { matcher: { resourceId: idOf('title') } } },
        typeHere('Tea', { submit: true }),
        screenOf({ text: 'Saved' }),
        see('Saved'),
      ],
    ],
    [
      'that scrolls to a row and taps it',
      [
        OPEN,
        screenOf({ text: 'Notes' }, list),
        { type: 'scroll_until', params: { matcher: { textEquals: 'Trash' }, clickAfter: true } },
        screenOf({ text: 'Empty' }),
        see('Empty'),
      ],
    ],
    [
      'that scrolls a list that no snapshot shows',
      [
        OPEN,
        see('Notes'),
        { type: 'scroll_until', params: { matcher: { textEquals: 'Trash' } } },
        tap('Trash'),
        see('Empty'),
      ],
    ],
    [
      'that scrolls, and taps what came up',
      [
        OPEN,
        screenOf({ text: 'Notes' }, list),
        { type: 'scroll' },
        screenOf({ text: 'Notes' }, list, { text: 'Trash', flags: 'clickable' }),
        tap('Trash'),
        screenOf({ text: 'Empty' }),
        see('Empty'),
      ],
    ],
    [
      'that holds a node, and taps a point',
      [
        OPEN,
        screenOf({ text: 'Row' }),
        { type: 'click', params: { matcher: { textEquals: 'Row' }, clickType: 'long_click' } },
        screenOf({ text: 'Delete?' }),
        { type: 'click', params: { coordinate: { x: 500, y: 50 } } },
        screenOf({ text: 'Gone' }),
        see('Gone'),
      ],
    ],
    ['that begins in an app that is in front', [home, tap('New'), editor, see('New note')]],
    ['that opens a uri', [{ type: 'open_uri', params: { uri: 'notes://new' } }, editor, type('title', 'Tea'), editor]],
    ['that closes the app at the end', [OPEN, home, tap('New'), editor, CLOSE]],
  ])('%s', async (_, steps) => {
    const { filmed, run } = film(steps)
    expect(filmed).toMatchObject({ ok: true })
    expect(await run()).toBeUndefined()
  })
})

test('says which screens were not seen', () => {
  const { filmed } = film([OPEN, see('Notes'), tap('New'), screenOf({ text: 'Editor' })])
  expect(filmed.ok && filmed.notes.join('\n')).toContain('no full snapshot shows what step "s1" found')
})

test('a text that was typed goes along, whichever it is', async () => {
  const results = screenOf({ id: 'title', className: 'EditText', flags: 'clickable', text: 'tea' }, { text: 'Results' })
  const steps = [OPEN, editor, type('title', 'tea'), results]
  const { run } = film(steps)
  const other = flowOf(OPEN, type('title', 'milk'), see('Results'), {
    type: 'wait_for_node',
    params: { matcher: { resourceId: idOf('title'), textEquals: 'milk' } },
  }).map(({ action }) => action)
  expect(await run(other)).toBeUndefined()
})

describe('what screens that were seen cannot show is refused with the step', () => {
  test.each<[string, WrittenStep[], string]>([
    [
      'home',
      [OPEN, home, { ...tap('New'), id: 't' }, editor, { id: 'h', type: 'press_key', params: { key: 'home' } }, home],
      'h',
    ],
    [
      'scrolling up',
      [
        OPEN,
        screenOf(list),
        { id: 'up', type: 'scroll', params: { direction: 'up' } },
        screenOf(list, { text: 'Top' }),
      ],
      'up',
    ],
    [
      'typing where no screen shows the focus',
      [OPEN, editor, { ...typeHere('Tea', { submit: true }), id: 't' }, screenOf({ text: 'Saved' })],
      't',
    ],
    ['reopening', [OPEN, home, tap('New'), editor, { ...CLOSE, id: 'c' }, OPEN, home], 'c'],
  ])('%s', (_, steps, step) => {
    expect(film(steps).filmed).toMatchObject({ ok: false, step })
  })

  test('a step that does not fit what was seen is found by running it', async () => {
    const { run } = film([OPEN, home, tap('New'), editor])
    const other = flowOf(OPEN, { ...tap('Nowhere'), id: 'lost' }).map(({ action }) => action)
    expect(await run(other)).toMatchObject({ step: 'lost' })
  })
})

test('no secret is in it', () => {
  const login = screenOf({ id: 'pass', className: 'EditText', flags: 'password' })
  const { filmed } = film(
    [OPEN, login, type('pass', 'hunter2'), screenOf({ text: 'Hello hunter2' }), see('Hello hunter2')],
    ['hunter2'],
  )
  expect(JSON.stringify(filmed.ok ? filmed.scenario : '')).not.toContain('Hello hunter2')
})
