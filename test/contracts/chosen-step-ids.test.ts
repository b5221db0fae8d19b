/** Messages without the ids of steps that no reader has written. */
import { expect, test } from 'vitest'
import { withoutStepIds } from '../../src/contracts/chosen-step-ids.ts'
import { failure } from '../../src/contracts/failures/failures.ts'
import { flowErrorOf } from '../../src/service/flows/run/failure.ts'
import { errorOf } from '../../src/surfaces/library/svc-error.ts'
import { webDriverErrorOf } from '../../src/surfaces/webdriver/protocol/failure-error.ts'

const REASON = 'Step "step-2" (click) failed: No node has the text step-3.'
const SHOWN = 'The action click failed: No node has the text step-3.'

const ofStep = (message: string) =>
  failure('NODE_NOT_FOUND', message, { details: { actionId: 'step-2', actionType: 'click' } })

test('a step is named by what it does; a text of the app stays as it is', () => {
  expect(withoutStepIds(ofStep(REASON))).toMatchObject({ message: SHOWN, details: { actionType: 'click' } })
  const chosen = failure('NODE_NOT_FOUND', 'Step "pay" (click) failed: no.', { details: { actionId: 'pay' } })
  expect(withoutStepIds(chosen)).toEqual(chosen)
})

test('an operator that says its step within the reason too is read in the same way', () => {
  const { message } = withoutStepIds(ofStep(`Step "step-2" (click) failed: step "step-2" (click) is slow.`))
  expect(message).not.toMatch(/"step-\d+"/)
})

test.each([
  ['a flow', () => flowErrorOf(ofStep(REASON))],
  ['a WebDriver session', () => webDriverErrorOf(ofStep(REASON), 'e1')],
  ['the library', () => errorOf({ ...ofStep(REASON) }, { otherwise: true })],
] as const)('%s has no such id in its message', (_, errorFor) => {
  expect(errorFor().message).toContain(SHOWN.replace(/\.$/, ''))
  expect(errorFor().message).not.toContain('"step-2"')
})
