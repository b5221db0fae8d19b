/** The lines that a failed test of Vitest gets: what to do, the screen, the execution and the picture. */
import { expect, test } from 'vitest'
import type { Phone } from '../../../src/surfaces/library/main.ts'
import { SvcError } from '../../../src/surfaces/library/svc-error.ts'
import { failureLines, tellFailure } from '../../../src/surfaces/library/vitest-failure.ts'

const SCREEN = ['screen 4 com.example.shop', '@4.1 button "Pay"', '@4.2 text "Total"'].join('\n')
const SEEN = { screen: SCREEN, picture: '/w/failed.png', executionId: 'e2' }

const missed = (details: object) =>
  new SvcError({
    code: 'NODE_NOT_FOUND',
    message: 'No node has the text Buy.',
    hint: 'Look first.',
    executionId: 'e1',
    dispatched: true,
    details: { foreground: 'com.example.shop', ...details },
  }).toJSON()

test('the nearest labels of the failure, else the first of its screen', () => {
  const node = { ref: '@4.1', role: 'button', label: 'Pay' }
  const rest = ['  @4.1 button "Pay"', 'In front: com.example.shop', 'Execution: e1', 'Picture: /w/failed.png']
  expect(failureLines(missed({ nearest: [node] }), SEEN)).toEqual([
    'Code: NODE_NOT_FOUND',
    'Hint: Look first.',
    'Nearest on the screen:',
    ...rest,
  ])
  expect(failureLines(missed({ nearest: [], onScreen: [node] }), SEEN)).toEqual([
    'Code: NODE_NOT_FOUND',
    'Hint: Look first.',
    'On the screen:',
    ...rest,
  ])
})

test('an assertion of the test itself shows the first lines of the screen', () => {
  const nodes = Array.from({ length: 30 }, (_, index) => `@4.${index + 1} text "Row ${index}"`)
  const screen = ['screen 4 com.example.shop', ...nodes].join('\n')
  expect(failureLines({ message: 'expected 1 to be 2' }, { ...SEEN, screen })).toEqual([
    'On the screen:',
    ...nodes.slice(0, 10).map(node => `  ${node}`),
    'In front: com.example.shop',
    'Execution: e2',
    'Picture: /w/failed.png',
  ])
})

test('a phone that shows nothing takes nothing from the failure', async () => {
  const gone = () => Promise.reject(new Error('gone'))
  const phone = { snapshot: gone, screenshot: gone } as unknown as Phone
  const error = { message: 'expected 1 to be 2' }
  await tellFailure(phone, { id: '1', name: 'pays', result: { errors: [error] } })
  expect(error.message).toBe('expected 1 to be 2')
})
