/** The work of the host beside an operator app, and the operators that perform steps by themselves. */
import { expect, test } from 'vitest'
import type { Action } from '../../../src/contracts/executions/action.ts'
import { operatorOf } from '../../../src/device/operators/operators.ts'
import { shellOk } from '../../support/device/fake-link.ts'
import { operatorHost } from '../../support/device/operator-host.ts'
import { okStep } from '../../support/device/operator-samples.ts'
import { settled } from '../../support/settled.ts'

const SCREEN =
  '<hierarchy rotation="0"><node class="a.V" text="Hello" bounds="[0,0][100,100]" clickable="true" enabled="true"/></hierarchy>'

test('a look that a gesture of the host needs is a segment of its own, by the operator app', async () => {
  const { start, device, segments } = operatorHost()
  device.behave = request => device.answer(request, { stepResults: [okStep('svc-look', { text: SCREEN })] })
  device.onShell = command => (/^(input|dumpsys) /.test(command) ? shellOk() : undefined)
  const place = { matcher: { textEquals: 'Hello' } }
  const to = { coordinate: { x: 70, y: 80 } }
  const drag: Action = { id: 'd', type: 'drag', params: { from: place, to, holdMs: 0, durationMs: 100 } }
  const run = start('e1', [drag])
  await settled()
  expect(run.outcome?.result).toMatchObject({ ok: true, envelope: { stepResults: [{ id: 'd', success: true }] } })
  expect(segments()).toEqual([0, 1])
  expect(device.requests.map(({ commandId, actions }) => [commandId, actions.map(({ type }) => type)])).toEqual([
    ['e1.1', ['snapshot']],
  ])
  expect(device.calls()).toContain('shell input swipe 50 50 70 80 100')
})

test.each([
  ['com.svc.operator', false],
  ['svc.shell', true],
  ['svc.uiautomator', true],
])('%s understands a pattern: %s', (operatorPackage, isUnderstood) => {
  const byPattern: Action = {
    id: 'a',
    type: 'click',
    params: { matcher: { textMatches: 'He.*' }, clickType: 'default' },
  }
  const byText: Action = { ...byPattern, params: { matcher: { textEquals: 'Hello' }, clickType: 'default' } }
  const { understands } = operatorOf(operatorPackage)
  expect([understands(byText), understands(byPattern)]).toEqual([true, isUnderstood])
})
