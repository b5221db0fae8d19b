/** The card of an action says who performs it; the table of performers has what that needs. */
import { describe, expect, test } from 'vitest'
import { CARDS } from '../../../src/contracts/actions/cards.ts'
import { ACTION_TYPES, type ActionType } from '../../../src/contracts/executions/action.ts'
import { performerOf } from '../../../src/device/steps/performers.ts'

/** With params of each kind that decides. */
const BY_PARAMS: Partial<Record<ActionType, { sent: object; kept: object; by: string }>> = {
  open_app: { sent: { applicationId: 'a.b' }, kept: { applicationId: 'a.b', stopFirst: true }, by: 'link' },
  open_uri: { sent: { uri: 'a:b' }, kept: { uri: 'a:b', browser: true }, by: 'link' },
  press_key: { sent: { key: 'back' }, kept: { key: 'volume_up' }, by: 'screen' },
}

describe.each(ACTION_TYPES)('%s', type => {
  const { by } = CARDS[type]
  const performer = performerOf(type)

  test('has a performer where its card says that it is performed', () => {
    const ways = typeof by === 'function' ? ['operator', BY_PARAMS[type]?.by] : [by]
    for (const way of ways) expect(performer).toHaveProperty(way === 'link' ? 'link' : 'screen')
  })

  test('is performed by the way of its params', () => {
    const cases = BY_PARAMS[type]
    expect(cases === undefined).toBe(typeof by !== 'function')
    if (typeof by !== 'function' || !cases) return
    expect([by(cases.sent as never), by(cases.kept as never)]).toEqual(['operator', cases.by])
  })
})

test('an action that only looks may be repeated, and one that reads the device before it changes it', () => {
  const safe = ACTION_TYPES.filter(type => CARDS[type].repeat === 'safe' && CARDS[type].effect !== 'looks')
  expect(safe).toEqual(['change_setting', 'restore_settings'])
  expect(ACTION_TYPES.filter(type => CARDS[type].repeat === 'never' && CARDS[type].effect === 'looks')).toEqual([])
})

test('a type of another version has none', () => {
  expect(performerOf('hover' as ActionType)).toBeUndefined()
  expect(performerOf('constructor' as ActionType)).toBeUndefined()
})
