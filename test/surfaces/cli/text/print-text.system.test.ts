/** A text goes to stdout or stderr, is as wide as the terminal there, and nothing raw reaches it. */

import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import type { Environment } from '../../../../src/surfaces/cli/command.ts'
import { devicesText } from '../../../../src/surfaces/cli/devices/devices.ts'
import { doctorText } from '../../../../src/surfaces/cli/doctor/doctor.ts'
import { printText, type TextOptions } from '../../../../src/surfaces/cli/text/print-text.ts'
import { NOW } from './cases/case.ts'
import { givenWords } from './page-for.ts'

interface Terminal {
  stdout?: number
  stderr?: number
  env?: Environment
}

const print = async (options: Partial<TextOptions>, { stdout, stderr, env = {} }: Terminal = {}) => {
  const printed: string[] = []
  const notes: string[] = []
  await printText({
    ok: true,
    output: {},
    command: undefined,
    given: givenWords(),
    env,
    clock: { ...systemClock(), now: () => NOW, elapsed: () => 1_500 },
    begunAt: 260,
    io: {
      print: async text => printed.push(text) > 0,
      note: text => void notes.push(text),
      isTerminal: () => stdout !== undefined,
      columns: () => stdout ?? 100,
      errorColumns: () => stderr,
    },
    ...options,
  })
  return { printed, notes }
}

const devices = (deviceId: string) => ({ devices: [{ serial: 's', deviceId, state: 'device' }] })
const DEVICES = { path: ['devices'], text: async () => devicesText } as const

test('a result is on stdout, a failure on stderr alone', async () => {
  expect(await print({ output: devices('a'), command: DEVICES })).toEqual({
    printed: ['DEVICE  STATE\na       ✓ ready'],
    notes: [],
  })
  const failure = { code: 'ADB_NOT_FOUND', message: 'no adb' }
  expect(await print({ output: failure, ok: false, command: DEVICES })).toEqual({
    printed: [],
    notes: ['✗ ADB_NOT_FOUND: no adb'],
  })
})

test('an envelope that failed is on stderr, with the time that it took', async () => {
  const envelope = {
    commandId: 'c',
    taskId: 't',
    status: 'failed',
    stepResults: [],
    error: { code: 'X', message: 'y' },
  }
  const output = { envelope, deviceId: 'd', executionId: 'e1' }
  const { printed, notes } = await print({ output, ok: false, command: { path: ['click'], text: 'execution' } })
  expect(printed).toEqual([])
  expect(notes).toEqual(['✗ X: y\n  Device   d, 1.2 s\n  Receipt  svc executions show e1'])
})

test('the report of the doctor is on stdout, whatever it says', async () => {
  const output = { ok: false, version: '1', checks: [{ name: 'adb', status: 'failed', message: 'none' }] }
  const { printed, notes } = await print({
    output,
    ok: false,
    command: { path: ['doctor'], text: async () => doctorText, isReport: true },
  })
  expect(printed).toEqual(['✗ adb  failed: none\n✗ svc 1: 1 check failed of 1 check.'])
  expect(notes).toEqual([])
})

test('a pipe gets no colours and nothing is cut for it', async () => {
  const output = devices('x'.repeat(300))
  expect((await print({ output, command: DEVICES })).printed[0]).toContain('x'.repeat(300))
  const narrow = await print({ output, command: DEVICES }, { stdout: 40, env: { NO_COLOR: '1' } })
  expect(narrow.printed[0]).toContain('…')
})

test.each<[string, Environment, boolean]>([
  ['a terminal', {}, true],
  ['NO_COLOR', { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', { NO_COLOR: '' }, true],
  ['TERM=dumb', { TERM: 'dumb' }, false],
])('colours: %s', async (_, env, isColoured) => {
  const { printed } = await print({ output: devices('a'), command: DEVICES }, { stdout: 80, env })
  expect(printed[0]?.includes('\x1b[32m')).toBe(isColoured)
})

test('colours of failures follow the terminal of stderr', async () => {
  const failure = { code: 'A', message: 'b' }
  const toFile = await print({ output: failure, ok: false }, { stdout: 80 })
  expect(toFile.notes).toEqual(['✗ A: b'])
  const toTerminal = await print({ output: failure, ok: false }, { stderr: 80 })
  expect(toTerminal.notes).toEqual(['\x1b[31m✗\x1b[0m A: b'])
})

test('an output that its printer does not understand is told as JSON, and harmless', async () => {
  const { printed } = await print({ output: { other: 'a\x9b2J\u202e' }, command: DEVICES }, { stdout: 80 })
  expect(printed).toEqual(['{\n  "other": "a\\x9b2J\\u202e"\n}'])
})

test('a command without a printer prints indented JSON', async () => {
  expect((await print({ output: { a: 1 }, command: { path: ['do'] } })).printed).toEqual(['{\n  "a": 1\n}'])
})
