/** A step that finds no node says what was in front and which labels are nearest, with every operator. */
import { describe, expect, test } from 'vitest'
import type { ScreenOptions } from '../../../../src/contracts/device/screen.ts'
import { hintAt } from '../../../../src/contracts/door-words.ts'
import { OPERATORS, operatorLab } from '../../../support/executions/operator-lab.ts'
import { scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const APP = 'com.example.shop'
const SECRET = 'correct horse'

const SCENARIO = scenarioOf({
  front: APP,
  timeScale: 0.05,
  apps: [
    {
      package: APP,
      label: 'Shop',
      screens: {
        main: {
          nodes: [
            { text: 'Your basket', textSize: 24 },
            { class: 'Button', text: 'Check out', resourceId: `${APP}:id/checkout`, onTap: { goTo: 'done' } },
            { class: 'Button', text: 'Keep shopping' },
            { class: 'EditText', resourceId: `${APP}:id/secret`, password: true, text: SECRET },
            { class: 'EditText', resourceId: `${APP}:id/pin`, password: true, hint: 'Your PIN' },
            { text: 'Total' },
            { text: '12 EUR' },
          ],
        },
        done: { nodes: [{ text: 'Thank you' }] },
      },
    },
  ],
})

const click = (matcher: object) => ({ id: 'tap', type: 'click', params: { matcher } })

describe.each(OPERATORS)('%s', operatorPackage => {
  const { lab, run } = operatorLab(operatorPackage, SCENARIO)
  const failureOf = async (action: unknown, view: ScreenOptions = {}) => {
    const executed = await run([action], view)
    const { result } = executed
    if (!result.ok || result.envelope.error === null) throw new Error(JSON.stringify(result))
    const details = (result.envelope.error.details ?? {}) as {
      foreground?: string
      nearest?: { ref: string; role: string; label: string }[]
      onScreen?: { ref: string; role: string; label: string }[]
      screen?: number
      text?: string
    }
    return { executed, error: result.envelope.error, details, labels: details.nearest?.map(({ label }) => label) }
  }

  test('a node that is missing: the application, five labels at most, and a hint that names the nearest', async () => {
    const { error, details, labels } = await failureOf(click({ textEquals: 'Chekc out' }))
    expect(error.code).toBe('NODE_NOT_FOUND')
    expect(error.message).toContain('No UI node found matching criteria textEquals=Chekc out')
    expect(details.foreground).toBe(APP)
    expect(details.nearest?.[0]).toEqual({
      ref: expect.stringMatching(/^@[1-9]\d*\.[1-9]\d*$/),
      role: 'button',
      label: 'Check out',
    })
    expect(labels).not.toContain('12 EUR')
    expect(labels?.length).toBeLessThanOrEqual(5)
    expect(error.hint).toContain(`"Check out" (${details.nearest?.[0]?.ref})`)
    expect(error.hint).toContain(APP)
  })

  test.each([
    ['an id', click({ resourceId: `${APP}:id/chekout` }), 'NODE_NOT_FOUND', 'Check out'],
    [
      'a wait',
      { id: 'w', type: 'wait_for_node', params: { matcher: { textContains: 'basked' }, timeoutMs: 200 } },
      'NODE_NOT_FOUND',
      'Your basket',
    ],
    [
      'a label',
      { id: 'r', type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Totel' } } },
      'NODE_NOT_FOUND',
      'Total',
    ],
    [
      'a scroll',
      { id: 's', type: 'scroll_and_click', params: { matcher: { textEquals: 'Keep shoping' }, maxSwipes: 1 } },
      'TARGET_NOT_FOUND',
      'Keep shopping',
    ],
  ])('%s that finds nothing', async (_, action, code, nearest) => {
    const { error, details, labels } = await failureOf(action)
    expect(error.code).toBe(code)
    expect({ front: details.foreground, first: labels?.[0] }).toEqual({ front: APP, first: nearest })
  })

  test('what is typed into a password field is neither told nor recorded, and a hint is told', async () => {
    const { executed, labels } = await failureOf(click({ resourceId: `${APP}:id/pim` }))
    expect(JSON.stringify(executed)).not.toContain(SECRET)
    const recorded = lab().services.journal().actors({ machine: 'screen' })
    const bodies = recorded.flatMap(({ actor }) =>
      lab()
        .services.journal()
        .records({ actor })
        .map(record => JSON.stringify(lab().services.journal().body(record))),
    )
    expect(bodies.length).toBeGreaterThan(0)
    expect(bodies.join()).not.toContain(SECRET)
    expect(labels?.[0]).toBe('Your PIN')
  })

  test('a window that does not come: the application alone', async () => {
    const { error, details } = await failureOf({
      id: 'n',
      type: 'wait_for_navigation',
      params: { expectedPackage: 'com.example.other', timeoutMs: 200 },
    })
    expect(error.code).toBe('NAVIGATION_TIMEOUT')
    expect(details.foreground).toBe(APP)
    expect(details).not.toHaveProperty('nearest')
    expect(error.hint).toContain(APP)
  })

  test('a window that lies below the shade: how to close that', async () => {
    const { phone } = lab().fleet.devices[0] ?? {}
    phone?.setShade(true)
    const { error, details } = await failureOf({
      id: 'n',
      type: 'wait_for_navigation',
      params: { expectedPackage: 'com.example.other', timeoutMs: 200 },
    })
    phone?.setShade(false)
    expect(details.foreground).toBe('com.android.systemui')
    expect(error.hint).toContain('`collapse_shade`')
    expect(hintAt('cli', error.hint ?? '')).toContain('`svc shade close`')
  })

  test('the receipt keeps it, and a success has no look', async () => {
    const { executed, details } = await failureOf(click({ textEquals: 'Check it out' }))
    expect(details.nearest).not.toEqual([])
    const receipt = lab()
      .services.journal()
      .receipt(executed.executionId ?? '')
    expect(receipt?.result).toMatchObject({ ok: true, envelope: { error: { details: { nearest: details.nearest } } } })
    const done = await run([{ id: 'r', type: 'read_text', params: { matcher: { textEquals: 'Total' } } }])
    const sent = lab()
      .services.journal()
      .records({ actor: `device:${done.deviceId}` })
      .filter(({ event }) => event.type === 'execution.dispatched' && event.executionId === done.executionId)
    expect(sent).toHaveLength(1)
  })

  test('the answer has the screen in compact lines, with refs to go on with', async () => {
    const { details, executed } = await failureOf(click({ textEquals: 'Check aut' }))
    const { screen, text = '', nearest = [] } = details
    expect(text.split('\n')[0]).toBe(`screen ${screen} ${APP}`)
    expect(text).toContain(`${nearest[0]?.ref} button "Check out"`)
    expect(JSON.stringify(executed)).not.toContain(SECRET)
  })

  test('a selector of a flow has the labels alone, for it looks many times', async () => {
    const { details } = await failureOf(click({ flow: { text: 'Check aut' } }))
    expect(details.nearest?.[0]?.label).toBe('Check out')
    expect(details).not.toHaveProperty('text')
  })

  test('nothing is near what is nothing like it, and the hint says what else to do', async () => {
    const { details, error } = await failureOf(click({ textEquals: 'Mute all the others' }))
    expect(details).toMatchObject({ foreground: APP, nearest: [] })
    expect(details.onScreen?.map(({ label }) => label).slice(0, 3)).toEqual([
      'Your basket',
      'Check out',
      'Keep shopping',
    ])
    expect(error.hint).toContain('On the screen: "Your basket", "Check out", "Keep shopping"')
    expect(error.hint).toMatch(new RegExp(`^The application in front is ${APP}\\. Take a snapshot`))
  })

  test('with observe, the screen that is described is the one that the refs are of', async () => {
    const { executed, details } = await failureOf(click({ textEquals: 'Chekc out' }), { observe: true })
    const observed = executed.result.ok ? executed.result.observed : undefined
    expect(details.nearest?.[0]?.ref).toMatch(new RegExp(`^@${observed?.screen}\\.`))
  })

  test('a ref of the nearest label works right afterwards', async () => {
    const { details } = await failureOf(click({ textEquals: 'Chekc out' }))
    const { result } = await run([click({ ref: details.nearest?.[0]?.ref })])
    expect(result).toMatchObject({ ok: true, envelope: { status: 'success' } })
    const thanks = await run([{ id: 'w', type: 'wait_for_node', params: { matcher: { textEquals: 'Thank you' } } }])
    expect(thanks.result).toMatchObject({ ok: true, envelope: { status: 'success' } })
  })
})
