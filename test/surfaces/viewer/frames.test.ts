/** Which screens lie before and after a step, the touch on them, and the lines in which two differ. */
import { describe, expect, test } from 'vitest'
import type { TraceExecution, TraceStep } from '../../../src/contracts/doors/viewer.ts'
import { parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { stepFacts } from '../../../src/service/traces/trace-steps.ts'
import { frameName, isEarlier } from '../../../src/surfaces/viewer/devices/frame-screen.tsx'
import { filmOf, firstOfInterest } from '../../../src/surfaces/viewer/devices/frames.ts'
import { touchOf } from '../../../src/surfaces/viewer/devices/touch.tsx'
import { lineDifference } from '../../../src/surfaces/viewer/traces/line-difference.ts'

const step = (type: string, more: Partial<TraceStep> = {}): TraceStep => ({
  id: type,
  type,
  ...stepFacts({ type, params: more.params }),
  state: 'succeeded',
  data: {},
  ...more,
})
const snapshot = (xml: string) => step('snapshot', { screen: { xml } })
const shot = (picture: string) => step('take_screenshot', { screen: { picture } })

const execution = (timeline: readonly TraceStep[], more: Partial<TraceExecution> = {}): TraceExecution => ({
  executionId: 'e',
  commandId: 'c',
  taskId: 't',
  deviceId: 'd',
  state: 'settled',
  acceptedAt: 1_000,
  settledAt: 2_000,
  steps: [],
  timeline: [...timeline],
  ...more,
})

const filmed = (...timeline: TraceStep[]) => filmOf([execution(timeline)], false)
const sides = ({ steps }: ReturnType<typeof filmOf>) => steps.map(({ before, after }) => [before?.index, after?.index])

describe('a film', () => {
  test('has one frame for a tree and a picture that nothing acted between', () => {
    const film = filmed(snapshot('a'), shot('p'), step('click'), snapshot('b'), shot('q'))
    expect(film.frames.map(({ screen, steps }) => [screen.xml, screen.picture, steps])).toEqual([
      ['a', 'p', [0, 1]],
      ['b', 'q', [3, 4]],
    ])
    const [, , click] = film.steps
    expect(click).toMatchObject({
      isActing: true,
      before: { screen: { picture: 'p' } },
      after: { screen: { picture: 'q' } },
    })
  })

  test('has a frame of its own for a second snapshot, and after a wait', () => {
    expect(filmed(snapshot('a'), snapshot('b')).frames).toHaveLength(2)
    for (const wait of ['sleep', 'wait_for_idle'])
      expect(filmed(snapshot('a'), step(wait), shot('p')).frames).toHaveLength(2)
    expect(filmed(snapshot('a'), step('read_text'), shot('p')).frames).toHaveLength(1)
  })

  test('shows a step that looked and failed the screen of a later execution, not of an earlier one', () => {
    const [earlier, later] = [500, 2_100].map(at => ({ executionId: `of ${at}`, at, xml: `at ${at}` }))
    const failing = [step('wait_for_node', { state: 'failed' })]
    const film = filmOf([execution(failing, { before: earlier, after: later } as Partial<TraceExecution>)], false)
    expect(film.steps[0]?.after?.neighbour).toEqual(later)
    expect(film.frames.map(({ neighbour }) => neighbour && isEarlier(neighbour, film.steps))).toEqual([true, false])
  })

  test('knows no screen between two steps that acted, and goes on over one that did not run', () => {
    expect(sides(filmed(snapshot('a'), step('click'), step('click'), snapshot('b')))).toEqual([
      [undefined, 0],
      [0, undefined],
      [undefined, 1],
      [undefined, 1],
    ])
    const failed = filmed(snapshot('a'), step('click', { state: 'failed' }), step('click', { state: 'not-run' }))
    expect(sides(failed)).toEqual([
      [undefined, 0],
      [0, undefined],
      [undefined, undefined],
    ])
  })

  test('begins and ends with the screens of the executions beside it', () => {
    const beside = { executionId: 'x', xml: 'a', at: 500 }
    const film = filmOf(
      [execution([step('click')], { before: beside, after: { ...beside, xml: 'b', at: 2_500 } })],
      false,
    )
    expect(film.frames.map(({ neighbour, steps }) => [neighbour?.at, steps])).toEqual([
      [500, []],
      [2_500, []],
    ])
    expect(sides(film)).toEqual([[0, 1]])
  })

  test('shows the screen that was seen next beside every step that nobody knows the end of', () => {
    const after = { executionId: 'x', lines: 'screen 3 com.a\n@3.1 text "A"', at: 2_500 }
    const timeline = [step('click'), step('click', { state: 'unknown' }), step('wait_for_node', { state: 'unknown' })]
    const film = filmOf([execution([...timeline, step('click', { state: 'not-run' })], { after })], false)
    expect(film.frames).toMatchObject([{ lines: after.lines, neighbour: after }])
    expect(sides(film)).toEqual([
      [undefined, undefined],
      [undefined, 0],
      [undefined, 0],
      [undefined, undefined],
    ])
    const [frame] = film.frames
    expect(frame && frameName(frame, film.steps)).toBe('1 · of a later execution, just after')
  })

  test('has the lines of compact snapshots, and none of those that only tell changes', () => {
    const compact = (text: string) => step('snapshot', { data: { format: 'compact', text } })
    const film = filmed(
      compact('screen 3 com.a\n@3.1 text "A"'),
      step('click'),
      compact('screen 4 com.a (changes since 3)'),
    )
    expect(film.frames.map(({ lines }) => lines)).toEqual(['screen 3 com.a\n@3.1 text "A"'])
  })

  test('opens at the step that failed or is in doubt, else at the first', () => {
    expect(firstOfInterest(filmed(step('click'), step('click', { state: 'unknown' })).steps)).toBe(1)
    expect(firstOfInterest(filmed(step('click'), step('click')).steps)).toBe(0)
    expect(firstOfInterest([])).toBe(0)
  })

  test('numbers the steps of a run by their execution', () => {
    const film = filmOf([execution([step('click')]), execution([step('click'), step('click')])], true)
    expect(film.steps.map(({ number }) => number)).toEqual(['1.1', '2.1', '2.2'])
  })
})

describe('a touch', () => {
  const parsed = parseHierarchy(
    '<hierarchy rotation="0"><node bounds="[0,0][100,200]" class="android.widget.FrameLayout"><node text="Go" bounds="[10,20][30,60]" class="android.widget.Button"/></node></hierarchy>',
  )
  const tree = parsed.ok ? parsed.tree : undefined

  test('is in the middle of the node, or where the request says', () => {
    const on = (params: unknown) => touchOf({ type: 'click', params }, tree).from
    expect(on({ matcher: { textEquals: 'Go' } })).toEqual({ x: 20, y: 40 })
    expect(on({ coordinate: { x: 7, y: 8 } })).toEqual({ x: 7, y: 8 })
    expect(on({ matcher: { textEquals: 'Nowhere' } })).toBeUndefined()
    expect(touchOf({ type: 'click', params: { matcher: { textEquals: 'Go' } } }, undefined).from).toBeUndefined()
  })

  test('goes from where it began to where it was lifted', () => {
    const swipe = touchOf({ type: 'swipe', params: { start: { x: 1, y: 9 }, end: { x: 1, y: 2 } } }, undefined)
    expect([swipe.from, swipe.to]).toEqual([
      { x: 1, y: 9 },
      { x: 1, y: 2 },
    ])
    const scroll = touchOf({ type: 'scroll', params: { direction: 'down' } }, tree)
    expect(scroll.from?.y).toBeGreaterThan(scroll.to?.y ?? Number.POSITIVE_INFINITY)
  })

  test('marks the node that was read, and nothing for what touches nothing', () => {
    for (const type of ['read_text', 'take_screenshot']) {
      const look = touchOf({ type, ...stepFacts({ type }), params: { matcher: { textEquals: 'Go' } } }, tree)
      expect(look).toEqual({ node: { left: 10, top: 20, right: 30, bottom: 60 } })
    }
    expect(touchOf({ type: 'press_key', params: { key: 'back' } }, tree)).toEqual({})
  })
})

describe('the difference of lines', () => {
  const told = (before: string, after: string) =>
    lineDifference([...before], [...after]).map(
      ({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`,
    )

  test.each([
    ['abc', 'abc', [' a', ' b', ' c']],
    ['abc', 'axc', [' a', '-b', '+x', ' c']],
    ['abcd', 'bde', ['-a', ' b', '-c', ' d', '+e']],
    ['', 'ab', ['+a', '+b']],
    ['ab', '', ['-a', '-b']],
    ['aab', 'ab', [' a', '-a', ' b']],
  ])('of %s and %s', (before, after, lines) => {
    expect(told(before, after)).toEqual(lines)
  })

  test('of screens too large to compare replaces what lies between the equal ends', () => {
    const many = (name: string) => Array.from({ length: 3_000 }, (_, index) => `${name}${index}`)
    const found = lineDifference(['top', ...many('a'), 'end'], ['top', ...many('b'), 'end'])
    expect([found.length, found[0]?.kind, found[1]?.kind, found.at(-1)?.kind]).toEqual([
      6_002,
      'same',
      'removed',
      'same',
    ])
  })
})
