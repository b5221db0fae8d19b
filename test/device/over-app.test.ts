/** A click whose node the host finds, over an operator app: what is asked of the phone, and in which order. */
import { expect, test } from 'vitest'
import { walk } from '../../src/contracts/device/ui-tree.ts'
import type { Action } from '../../src/contracts/executions/action.ts'
import { identifyElement } from '../../src/device/screen/elements/element-identity.ts'
import { parseHierarchy } from '../../src/device/screen/parse-hierarchy.ts'
import { shellOk } from '../support/device/fake-link.ts'
import { operatorHost } from '../support/device/operator-host.ts'
import { okStep } from '../support/device/operator-samples.ts'
import { settled } from '../support/settled.ts'

const screen = (id: string) =>
  `<hierarchy rotation="0"><node class="a.V" text="Hello" resource-id="a:id/${id}" bounds="[0,0][100,100]" clickable="true" enabled="true"/></hierarchy>`

const clickOn = (xml: string): Action => {
  const parsed = parseHierarchy(xml)
  if (!parsed.ok) throw new Error(parsed.problem)
  const [node] = [...walk(parsed.tree.roots)]
  if (!node) throw new Error('The screen has no node.')
  const element = identifyElement(parsed.tree, node)
  return { id: 'tap', type: 'click', params: { matcher: { element }, clickType: 'default' } } as Action
}

/** A phone that shows `xml`; `answer` lets it answer the oldest request. */
const bench = (xml: string) => {
  const { device, start, later } = operatorHost()
  device.operator = 'socket'
  device.onShell = command => (command === 'dumpsys window' ? shellOk('WINDOW MANAGER WINDOWS\n') : undefined)
  device.behave = () => {}
  let answered = 0
  const answer = async () => {
    const request = device.requests[answered++]
    if (!request) throw new Error('No request has come.')
    const stepResults = request.actions.map(({ id, type }) => ({
      ...okStep(id, type === 'snapshot' ? { actual_format: 'hierarchy_xml', text: xml } : {}),
      actionType: type,
    }))
    device.answer(request, { stepResults })
    await settled()
    await later(0)
  }
  const windowReads = () => device.calls().filter(call => call.includes('dumpsys window')).length
  const types = () => device.requests.flatMap(({ actions }) => actions.map(({ type }) => type))
  return { start, settle: () => later(0), answer, windowReads, types, requests: device.requests }
}

test('the windows are read once the app has looked: what came over the node meanwhile is among them', async () => {
  const { start, settle, answer, windowReads, types, requests } = bench(screen('ok'))
  const run = start('e1', [clickOn(screen('ok'))])
  await settle()
  expect({ types: types(), reads: windowReads() }).toEqual({ types: ['snapshot'], reads: 0 })
  await answer()
  expect({ types: types(), reads: windowReads() }).toEqual({ types: ['snapshot', 'click'], reads: 1 })
  expect(requests[1]?.actions[0]?.params).toMatchObject({ matcher: { resourceId: 'a:id/ok', textEquals: 'Hello' } })
  await answer()
  expect(run.outcome?.result).toMatchObject({ ok: true, envelope: { status: 'success' } })
})

test('an element that the look does not find is stale, and nothing is touched', async () => {
  const { start, settle, answer, types } = bench(screen('other'))
  const run = start('e1', [clickOn(screen('ok'))])
  await settle()
  await answer()
  expect(types()).toEqual(['snapshot'])
  expect(run.outcome?.result).toMatchObject({ envelope: { errorCode: 'REF_STALE' } })
})
