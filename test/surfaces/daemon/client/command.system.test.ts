import { describe, expect, test } from 'vitest'
import { answerWait, bodyOf, commandIdOf, hasRelativePath } from '../../../../src/surfaces/daemon/client/command.ts'

const shot = (type: unknown, params: unknown) => ({
  actions: [
    { id: 'a', type: 'back' },
    { id: 'b', type, params },
  ],
})

describe('a screenshot with a relative path must resolve from the caller’s directory', () => {
  test.each([
    ['take_screenshot', { path: 'a.png' }],
    ['take_screenshot', { path: './a.png' }],
    ['take_screenshot', { path: '' }],
    ['take_screenshot', { path: '~/a.png' }],
    [' Capture_Screenshot ', { path: 'a.png' }],
    ['screenshot', { file: 'a.png' }],
    ['take_screenshot', { filePath: 'a.png' }],
    ['take_screenshot', { output_path: 'a.png', path: '/a.png' }],
  ])('%s %j does', (type, params) => {
    expect(hasRelativePath(shot(type, params))).toBe(true)
  })

  test.each([
    ['take_screenshot', { path: '/tmp/a.png' }],
    ['take_screenshot', {}],
    ['take_screenshot', undefined],
    ['take_screenshot', { path: 7 }],
    ['open_uri', { path: 'a.png' }],
    [undefined, { path: 'a.png' }],
  ])('%s %j does not', (type, params) => {
    expect(hasRelativePath(shot(type, params))).toBe(false)
  })

  test.each([undefined, null, 7, 'x', [], {}, { actions: {} }, { actions: [null, 7, []] }])(
    '%j has none',
    execution => {
      expect(hasRelativePath(execution)).toBe(false)
    },
  )
})

describe('how long an answer may take', () => {
  test.each([
    [{ timeoutMs: 30_000 }, 35_000],
    [{ timeout_ms: 1_000 }, 6_000],
    [{ timeoutMs: 9_999_999 }, 125_000],
    [{ timeoutMs: 'soon' }, 125_000],
    [{ timeoutMs: -1 }, 125_000],
    [{}, 125_000],
    [undefined, 125_000],
  ])('%j: %i ms', (execution, ms) => {
    expect(answerWait({ execution })).toBe(ms)
    expect(answerWait({ execution, options: { waitMs: 60_000 } })).toBe(ms + 60_000)
  })
})

test('the id of a command is the caller’s, under either name', () => {
  expect([{ commandId: 'a' }, { command_id: 'b' }, { commandId: 7 }, null].map(commandIdOf)).toEqual([
    'a',
    'b',
    undefined,
    undefined,
  ])
})

test('the body names the operator package always, and the device when there is one', () => {
  const command = { kind: 'exec' as const, execution: { a: 1 }, operatorPackage: 'p' }
  expect(JSON.parse(String(bodyOf({ ...command, device: undefined })))).toEqual({
    execution: { a: 1 },
    operatorPackage: 'p',
  })
  expect(JSON.parse(String(bodyOf({ ...command, device: '  ' })))).toEqual({
    execution: { a: 1 },
    operatorPackage: 'p',
  })
  expect(JSON.parse(String(bodyOf({ ...command, device: 'd' })))).toMatchObject({ deviceId: 'd' })
})
