/** The newer keys of a matcher, with every operator: an app that does not know them only looks and touches. */
import { describe, expect, test } from 'vitest'
import { OPERATORS, operatorLab } from '../../../support/executions/operator-lab.ts'
import { scenarioOf } from '../../../support/simulator/simulated-ui.ts'
import { until } from '../../../support/until.ts'

const APP = 'com.example.alarms'

const row = (time: string, id: string, checked: boolean) => ({
  layout: 'row',
  height: 80,
  resourceId: `${APP}:id/row`,
  nodes: [
    { text: time, width: 150 },
    { class: 'Button', text: 'Remove', width: 100, onTap: { goTo: id } },
    { class: 'Switch', id, checked, width: 60, height: 40, onTap: { toggle: id } },
  ],
})

const SCENARIO = scenarioOf({
  front: APP,
  timeScale: 0.05,
  apps: [
    {
      package: APP,
      label: 'Alarms',
      screens: {
        main: {
          nodes: [
            { text: 'Alarms', textSize: 24 },
            row('06:30', 'early', false),
            row('07:45', 'late', true),
            { class: 'EditText', resourceId: `${APP}:id/first` },
            { class: 'EditText', resourceId: `${APP}:id/second` },
          ],
        },
        early: { nodes: [{ text: 'Early alarm removed' }] },
        late: { nodes: [{ text: 'Late alarm removed' }] },
      },
    },
  ],
})

const switchOf = (textEquals: string) => ({ role: 'switch', rightOf: { textEquals } })
const remove = { textEquals: 'Remove' }

describe.each(OPERATORS)('%s', operatorPackage => {
  const { lab, run, envelopeOf, dataOf } = operatorLab(operatorPackage, SCENARIO)

  test('a step finds its node by each of the newer keys', async () => {
    const texts = await dataOf(
      ['read_text', { matcher: { textMatches: '\\d\\d:45' } }],
      ['read_text', { matcher: { role: 'text', leftOf: remove, above: { textEquals: '07:45' } } }],
      ['read_text', { matcher: { textMatches: '.*:.*', index: -1 } }],
      ['read_text', { matcher: { role: 'text', childOf: { resourceId: `${APP}:id/row`, index: 1 } } }],
      ['read_text', { matcher: { role: 'text', below: { textEquals: 'Alarms' } }, all: true }],
      ['wait_for_node', { matcher: { resourceId: `${APP}:id/row`, containsChild: { role: 'switch', checked: true } } }],
      ['read_key_value_pair', { labelMatcher: { textMatches: '06:30' } }],
    )
    expect(texts.map(({ text, value }) => text ?? value)).toEqual([
      '07:45',
      '06:30',
      '07:45',
      '07:45',
      '["06:30","07:45"]',
      undefined,
      'Remove',
    ])
  })

  test('a click reaches the node that no older matcher tells from its likes', async () => {
    const [, there, , gone] = await dataOf(
      ['click', { matcher: switchOf('06:30') }],
      ['wait_for_node', { matcher: { role: 'switch', checked: true, index: 1 }, timeoutMs: 20_000 }],
      ['click', { matcher: switchOf('06:30') }],
      ['wait_for_node', { matcher: { role: 'switch', checked: true, index: 1 }, state: 'gone', timeoutMs: 20_000 }],
    )
    expect(there).toHaveProperty('label')
    expect(Object.keys(gone ?? {})).toEqual(['elapsed_ms'])
  })

  test('text goes into the field that an index chooses', async () => {
    const field = { role: 'textfield', index: 1 }
    const [, read] = await dataOf(
      ['enter_text', { matcher: field, text: 'abc' }],
      ['read_text', { matcher: { resourceId: `${APP}:id/second` } }],
      ['wait_for_node', { matcher: { role: 'textfield', focused: true } }],
    )
    expect(read?.text).toBe('abc')
  })

  test('waits end with their own time, and say what was not so', async () => {
    const missing = await envelopeOf(['wait_for_node', { matcher: { textMatches: 'no [a-z]+' }, timeoutMs: 300 }])
    expect(missing.error).toMatchObject({ code: 'NODE_NOT_FOUND' })
    expect(missing.error?.message).toContain('No UI node found matching criteria textMatches=no [a-z]+ within')
    expect(missing.stepResults).toHaveLength(1)
    const still = await envelopeOf(['wait_for_node', { matcher: remove, state: 'gone', timeoutMs: 300 }])
    expect(still.error).toMatchObject({ code: 'NODE_STILL_VISIBLE' })
    expect(still.error?.message).toContain('the node that matches textEquals=Remove did not go away within')
  })

  test('a wait ends at once when it is cancelled', async () => {
    const actions = [
      { id: 'wait', type: 'wait_for_node', params: { matcher: { textMatches: 'never' }, timeoutMs: 50_000 } },
    ]
    const running = run(actions, { commandId: 'to-cancel', timeoutMs: 60_000 })
    const receipt = () => lab().services.journal().receipts({ commandId: 'to-cancel' })[0]
    await until(() => receipt()?.state === 'dispatched', 'the wait to begin')
    await lab()
      .services.executions()
      .cancel(receipt()?.executionId ?? '')
    expect((await running).result).toMatchObject({ ok: false, error: { code: 'EXECUTION_CANCELLED' } })
    await until(() => lab().services.journal().leases.list().length === 0, 'the device to be free')
    expect((await envelopeOf(['wait_for_node', { matcher: remove }])).error).toBeNull()
  })

  test('scrolling ends where the target is', async () => {
    const [end] = await dataOf(
      ['scroll_and_click', { matcher: { ...remove, rightOf: { textEquals: '07:45' } } }],
      ['wait_for_node', { matcher: { textContains: 'late alarm' } }],
    )
    expect(end).toEqual({ scrolls_executed: '0' })
  })
})
