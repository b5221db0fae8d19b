/** Refs, compact snapshots and observation with every operator: what the phone got, and what the caller was told. */

import { describe, expect, test } from 'vitest'
import type { Executed } from '../../../../src/service/executions/order.ts'
import { OPERATORS, operatorLab } from '../../../support/executions/operator-lab.ts'
import { scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const person = (name: string) => ({
  layout: 'row',
  height: 72,
  nodes: [{ text: name }, { class: 'Button', text: 'Delete', onTap: { set: { last: { text: `Deleted ${name}` } } } }],
})

const SCENARIO = scenarioOf({
  front: 'com.example.people',
  timeScale: 0.05,
  apps: [
    {
      package: 'com.example.people',
      label: 'People',
      counters: { taps: {} },
      screens: {
        main: {
          nodes: [
            { text: 'People', textSize: 24 },
            { id: 'clock', text: '12:0{taps}', resourceId: 'com.example.people:id/clock' },
            { id: 'last', text: 'Nobody', resourceId: 'com.example.people:id/last' },
            { class: 'Button', text: 'Tick', onTap: { count: { taps: 1 } } },
            { class: 'Button', text: 'About', onTap: { goTo: 'about' } },
            { id: 'name', resourceId: 'com.example.people:id/name', hint: 'Name' },
            person('Ann'),
            person('Bob'),
          ],
        },
        about: { nodes: [{ text: 'About this app' }, { text: 'Version 3' }] },
      },
    },
  ],
})

const click = (ref: string, id = 'tap') => ({ id, type: 'click', params: { matcher: { ref } } })
const snapshot = { id: 'snap', type: 'snapshot' }

describe.each(OPERATORS)('%s', operatorPackage => {
  const { lab, run } = operatorLab(operatorPackage, SCENARIO)
  const dataOf = ({ result }: Executed) => (result.ok ? result.envelope.stepResults.at(-1)?.data : undefined)
  const look = async () => {
    const executed = await run([snapshot], { format: 'compact' })
    const { text = '', screen = '', format } = dataOf(executed) ?? {}
    expect(format).toBe('compact')
    expect(text.split('\n')[0]).toBe(`screen ${screen} com.example.people`)
    const refs = text.split('\n').filter(line => line.startsWith('@'))
    const refTo = (what: string, nth = 0) => refs.filter(line => line.includes(what))[nth]?.split(' ')[0] ?? ''
    return { executed, text, refTo, screen: Number(screen) }
  }
  const said = () => /"text":"(Nobody|Deleted \w+)"/.exec(JSON.stringify(lab().fleet.devices[0]?.phone.tree()))?.[1]
  const isOk = ({ result }: Executed) => expect(result).toMatchObject({ ok: true, envelope: { status: 'success' } })

  test('a snapshot without a format is the XML of the contract, and numbers nothing', async () => {
    const data = dataOf(await run([snapshot]))
    expect(data?.text).toMatch(/^<\?xml/)
    expect(Object.keys(data ?? {})).toEqual(['text', 'foreground_package'])
  })

  test('the same screen keeps its number; another one gets the next', async () => {
    const first = await look()
    expect((await look()).screen).toBe(first.screen)
    isOk(await run([click(first.refTo('"Tick"'))]))
    expect((await look()).screen).toBe(first.screen + 1)
  })

  test('a ref works while a clock ticks, and observe tells the difference to its screen in the same call', async () => {
    const before = await look()
    const executed = await run([click(before.refTo('"Tick"'))], { observe: true })
    isOk(executed)
    const observed = executed.result.ok ? executed.result.observed : undefined
    expect(observed?.screen).toBe(before.screen + 1)
    expect(observed?.text).toMatch(
      /^screen \d+ com\.example\.people \(changes since \d+\)\n~ @\d+\.2 text "12:0\d" was "12:0\d"$/,
    )
    isOk(await run([click(before.refTo('"Tick"'))]))
  })

  test('of two buttons that look the same, the one that was meant is touched', async () => {
    const { refTo } = await look()
    isOk(await run([click(refTo('"Delete"', 1))]))
    expect(said()).toBe('Deleted Bob')
    const again = await look()
    isOk(await run([click(again.refTo('"Delete"', 0))]))
    expect(said()).toBe('Deleted Ann')
  })

  test('a ref names a field to type into, and a text to read', async () => {
    const { refTo } = await look()
    isOk(await run([{ id: 't', type: 'enter_text', params: { matcher: { ref: refTo('textfield') }, text: 'Di' } }]))
    const read = await run([{ id: 'r', type: 'read_text', params: { matcher: { ref: refTo('textfield') } } }])
    expect(dataOf(read)?.text).toBe('Di')
  })

  test('a ref in a later step is looked for again, and refused there with what was done before', async () => {
    const { refTo } = await look()
    const { result } = await run([click(refTo('"About"'), 'first'), click(refTo('"Delete"'), 'second')])
    expect(result).toMatchObject({
      ok: true,
      envelope: {
        status: 'failed',
        errorCode: 'REF_STALE',
        stepResults: [
          { id: 'first', success: true },
          { id: 'second', success: false, data: { error: 'REF_STALE' } },
        ],
      },
    })
  })

  test('a stale ref is refused with what is there now, and the receipt says that nothing was sent', async () => {
    const about = await look()
    expect(about.text).toContain('"Version 3"')
    isOk(await run([{ id: 'b', type: 'press_key', params: { key: 'back' } }]))
    const saidBefore = said()
    const { result, executionId = '' } = await run([click(about.refTo('"Version 3"'), 'x'), click('@1.4', 'y')])
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'REF_STALE',
        details: {
          ref: about.refTo('"Version 3"'),
          dispatched: false,
          text: expect.stringContaining('text "People"'),
        },
      },
    })
    expect((await lab().services.executions().receipt(executionId))?.dispatchedAt).toBeUndefined()
    expect(said()).toBe(saidBefore)
  })

  test('a ref that was never given is refused', async () => {
    for (const ref of ['@9999.1', '@1.999']) {
      const { result } = await run([click(ref)])
      expect(result).toMatchObject({ ok: false, error: { code: 'REF_STALE', details: { ref } } })
    }
  })

  test('since tells what has changed, from a compact and from an XML snapshot', async () => {
    const { executed, refTo } = await look()
    const xml = await run([snapshot])
    isOk(await run([click(refTo('"Tick"'))]))
    for (const { executionId } of [executed, xml]) {
      const data = dataOf(await run([snapshot], { since: executionId }))
      expect(data?.text?.split('\n')).toEqual([
        expect.stringMatching(/^screen \d+ com\.example\.people \(changes since /),
        expect.stringMatching(/^~ @\d+\.2 text "12:0\d+" was "12:0\d+"$/),
      ])
    }
    expect((await run([snapshot], { since: 'nobody' })).result).toMatchObject({
      error: { code: 'EXECUTION_NOT_FOUND' },
    })
  })

  test.skipIf(operatorPackage !== 'com.svc.operator')(
    'a screen that the steps have seen still is looked at twice, though nothing has changed on it',
    async () => {
      const seen = () => lab().fleet.devices[0]?.phone.executions().length ?? 0
      const before = seen()
      const press = { id: 'k', type: 'press_key', params: { key: 'volume_up' } }
      isOk(await run([press, { id: 'i', type: 'wait_for_idle', params: { timeoutMs: 3_000 } }], { observe: true }))
      // One look before the steps, two of the wait, two behind it.
      expect(seen() - before).toBe(5)
    },
  )

  test('what is observed without a ref is told from the screen before', async () => {
    const executed = await run([{ id: 'c', type: 'click', params: { matcher: { textEquals: 'About' } } }], {
      observe: true,
    })
    const observed = executed.result.ok ? executed.result.observed?.text : undefined
    expect(observed).toMatch(/another screen than \d+\)\n@\d+\.1 text "About this app"\n@\d+\.2 text "Version 3"$/)
  })
})
