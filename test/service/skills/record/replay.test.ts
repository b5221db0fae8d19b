import { describe, expect, test } from 'vitest'
import { recipesOf, replayOf } from '../../../../src/service/skills/record/replay.ts'
import { flowOf, nap, screenOf, tap, type, type WrittenStep } from '../../../support/flows/flow.ts'

const replay = (...written: WrittenStep[]) => replayOf(flowOf(...written), () => undefined)
const typesOf = ({ steps }: ReturnType<typeof replay>) => steps.map(({ action }) => action.type)
const BACK: WrittenStep = { type: 'press_key', params: { key: 'back' } }

describe('a sleep', () => {
  test('before a step with a node is a wait for that node', () => {
    const { steps } = replay(tap('A'), nap(500), nap(20_000), tap('B'))
    expect(steps[1]?.action).toMatchObject({
      type: 'wait_for_node',
      params: { matcher: { textEquals: 'B' }, timeoutMs: 20_500 },
    })
    expect(steps).toHaveLength(3)
    expect(replay(tap('A'), nap(500), nap(20_000), tap('B')).actionsReplayed).toBe(2)
  })

  test('before a wait makes that one longer', () => {
    const wait = { type: 'wait_for_node', params: { matcher: { textEquals: 'B' }, timeoutMs: 1_000 } }
    expect(replay(tap('A'), nap(500), wait).steps[1]?.action).toMatchObject({ params: { timeoutMs: 1_500 } })
  })

  test('before a step without a node stays, and at the end it goes', () => {
    const replayed = replay(tap('A'), nap(500), BACK, nap(100))
    expect(typesOf(replayed)).toEqual(['click', 'sleep', 'press_key'])
    expect(replayed.actionsReplayed).toBe(3)
    expect(replayed.notes).toHaveLength(2)
  })
})

test('what was for looking is left out, and the time that it took is waited for', () => {
  expect(typesOf(replay(tap('A'), screenOf({ text: 'B' }), tap('B')))).toEqual(['click', 'wait_for_node', 'click'])
  expect(typesOf(replay(tap('A'), tap('B')))).toEqual(['click', 'click'])
  expect(typesOf(replay(tap('A'), { ...tap('B'), begins: true }))).toEqual(['click', 'wait_for_node', 'click'])
  const waiting = replayOf(flowOf(tap('A'), screenOf({ text: 'B' }), BACK), () => ({ textEquals: 'B' }))
  expect(typesOf(waiting)).toEqual(['click', 'wait_for_node', 'press_key'])
})

test('steps of several executions may have had one id', () => {
  const steps = replay({ ...tap('A'), id: 'click' }, { ...tap('B'), id: 'click' }).steps
  expect(steps.map(({ action }) => action.id)).toEqual(['click', 'click-2'])
})

describe('recipes', () => {
  const of = (...written: WrittenStep[]) => recipesOf('go', replay(...written).steps)

  test('hold what fits into one execution', () => {
    const [one, ...others] = of(tap('A'), type('note', 'x'))
    expect([one?.name, one?.content.timeoutMs, others]).toEqual(['go', 30_000, []])
    const many = Array.from({ length: 40 }, (_, index) => ({ ...tap(`Row ${index}`), begins: true }))
    const recipes = of(...many)
    expect(recipes.map(({ name }) => name)).toEqual(['go-1', 'go-2'])
    expect(recipes.map(({ content }) => content.actions.length)).toEqual([50, 29])
  })

  test('begin anew where the steps took longer than one execution may', () => {
    const steps = replay(tap('A'), { ...tap('B'), begins: true }).steps.map(step =>
      step.begins ? { ...step, begins: { ...step.begins, durationMs: 25_000, timeoutMs: 90_000 } } : step,
    )
    expect(recipesOf('go', steps).map(({ content }) => content.timeoutMs)).toEqual([90_000, 90_000])
  })
})
