import { expect, test } from 'vitest'
import { screenshotExecution, snapshotExecution } from '../../../src/service/executions/actions/flat-actions.ts'
import { acceptance, refusal } from './refusals.ts'

const now = 1_700_000_000_000

test('a snapshot as the server builds it', () => {
  const execution = snapshotExecution({ origin: 'serve', now })
  expect(execution).toEqual({
    commandId: 'serve-snap-1700000000000',
    taskId: 'serve-snap-1700000000000',
    source: 'serve-api',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 30_000,
    actions: [{ id: 'snap', type: 'snapshot' }],
  })
  expect(acceptance(execution)).toEqual(execution)
})

test('a screenshot as the server builds it', () => {
  const execution = screenshotExecution({ origin: 'serve', now })
  expect(execution).toEqual({
    commandId: 'serve-shot-1700000000000',
    taskId: 'serve-shot-1700000000000',
    source: 'serve-api',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 30_000,
    actions: [{ id: 'shot', type: 'take_screenshot' }],
  })
  expect(acceptance(execution)).toEqual(execution)
})

test('params.path is there only when a path was given', () => {
  expect(screenshotExecution({ origin: 'serve', now, path: undefined }).actions[0]).not.toHaveProperty('params')
  const execution = screenshotExecution({ origin: 'serve', now, path: 'a.png' })
  expect(execution.actions).toEqual([{ id: 'shot', type: 'take_screenshot', params: { path: 'a.png' } }])
  expect(acceptance(execution)).toEqual(execution)
  expect(refusal(screenshotExecution({ origin: 'serve', now, path: ' ' })).details).toMatchObject({
    path: 'actions.0.params.path',
  })
})

test('the CLI has its own label, and may set the timeout', () => {
  expect(snapshotExecution({ origin: 'cli', now, timeoutMs: 5_000 })).toMatchObject({
    commandId: 'cli-snap-1700000000000',
    taskId: 'cli-snap-1700000000000',
    source: 'svc-cli',
    timeoutMs: 5_000,
  })
})
