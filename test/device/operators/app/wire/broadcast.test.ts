import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { operatorRequest } from '../../../../../src/device/operators/app/segment-request.ts'
import { broadcastCommand, canBePackage, readAmAnswer } from '../../../../../src/device/operators/app/wire/broadcast.ts'
import { quote } from '../../../../../src/runtime/text/quote.ts'
import { EXECUTION_ID, executionOf, sleepStep } from '../../../../support/device/operator-samples.ts'
import { temporary } from '../../../../support/temporary.ts'

const folder = temporary('svc-quoting-')

/** What a real shell makes of the script: its stdout. */
const sh = (script: string): Promise<string> => {
  const path = join(folder(), `script-${Math.random().toString(36).slice(2)}`)
  writeFileSync(path, script)
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', [path], { maxBuffer: 64 * 1_024 * 1_024, env: {} }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
  })
}
/** A shell function in the place of `am` that prints how many words it got, and each, with a byte between that no word can hold. */
const AM = `am() { printf '%s\\000' "$#" "$@"; }\n`

const requestOf = (ids: { step?: string; command?: string; wireId?: string } = {}) =>
  operatorRequest({
    execution: executionOf([sleepStep(ids.step ?? 'a')], { taskId: ids.command ?? 't' }),
    actions: [sleepStep(ids.step ?? 'a')],
    awaited: { wireId: ids.wireId ?? `${EXECUTION_ID}.0`, nonce: '0'.repeat(32) },
    timeLeftMs: 30_000,
  })

const HOSTILE = [
  'x; reboot #',
  '$(reboot)',
  '`reboot`',
  "a'b",
  "'; reboot; '",
  '"',
  '\\',
  '\\\'"$`!*?[]{}~|&<>()#;\t\n\r',
  '-p',
  '--es',
  '',
  ' ',
  '\n',
  "''",
  '%s%n',
  '*',
  'ü🙂',
  '$EPOCHREALTIME',
  ['$', '{IFS}'].join(''),
  'a\nBroadcast completed: result=0',
]

describe('any string survives a real shell', () => {
  const word = fc.string({ unit: 'grapheme' }).map(value => Buffer.from(value.replaceAll('\0', '')).toString())

  test('as one quoted word', async () => {
    const words = [
      ...HOSTILE,
      ...fc.sample(word, 400),
      ...fc.sample(fc.string({ unit: fc.constantFrom("'", '\\', '$', '`', '"', '\n', ' ', 'a') }), 400),
    ]
    const script = words.map(value => `printf '%s\\000' ${quote(value)}`).join('\n')
    expect((await sh(script)).split('\0').slice(0, -1)).toEqual(words)
  })

  test('as package and ids of a broadcast', async () => {
    const names = [...HOSTILE, ...fc.sample(word, 200)]
    const commands = names.map(name => broadcastCommand(name, requestOf({ step: name, command: name })).line)
    const words = (await sh(AM + commands.join('\n'))).split('\0')
    for (const name of names) {
      const [count, ...call] = words.splice(0, 10)
      expect(count).toBe('9')
      expect(call).toEqual([
        ...['broadcast', '-a', 'com.svc.operator.ACTION_AGENT_COMMAND', '-p', name],
        ...['--es', 'payload', JSON.stringify(requestOf({ step: name, command: name })), '--receiver-foreground'],
      ])
    }
    expect(words).toEqual([''])
  })
})

describe('a payload that no command line can carry', () => {
  /** A request whose quoted command has the given number of bytes. */
  const ofLength = (bytes: number) => {
    const base = Buffer.byteLength(broadcastCommand('com.x', requestOf({ command: '' })).line)
    return requestOf({ command: 'y'.repeat(bytes - base) })
  }

  test('is one of more than 60,000 bytes after quoting', () => {
    const fits = broadcastCommand('com.x', ofLength(60_000))
    expect(Buffer.byteLength(fits.line)).toBe(60_000)
    expect(fits.file).toBeUndefined()
    expect(broadcastCommand('com.x', ofLength(60_001)).file).toBeDefined()
  })

  test('counts bytes, and counts what quoting adds', () => {
    expect(broadcastCommand('com.x', requestOf({ command: 'ü'.repeat(31_000) })).file).toBeDefined()
    expect(broadcastCommand('com.x', requestOf({ command: "'".repeat(16_000) })).file).toBeDefined()
    expect(broadcastCommand('com.x', requestOf({ command: 'y'.repeat(31_000) })).file).toBeUndefined()
  })

  test('travels in a file that the command names', () => {
    const request = ofLength(70_000)
    const { line, file } = broadcastCommand('com.x', request)
    const path = `/data/local/tmp/svc-${EXECUTION_ID}.0.json`
    expect(line).toBe(
      `am broadcast -a com.svc.operator.ACTION_AGENT_COMMAND -p com.x --es payloadFile ${path} --receiver-foreground`,
    )
    expect(file).toEqual({ path, content: Buffer.from(JSON.stringify(request)), removal: `rm -f ${path}` })
  })

  test('never leaves its folder', () => {
    const { file } = broadcastCommand('com.x', { ...ofLength(70_000), commandId: '../../../etc/x y.0' })
    expect(file?.path).toBe('/data/local/tmp/svc-.._.._.._etc_x_y.0.json')
  })
})

test.each([
  ['com.svc.operator', true],
  ['x; reboot #', true],
  ['x'.repeat(255), true],
  ['x'.repeat(256), false],
  ['', false],
  [' ', false],
  ['a\0b', false],
  ['a\ud800', false],
])('%j can be a package: %s', (name, can) => expect(canBePackage(name)).toBe(can))

const INTENT =
  'Broadcasting: Intent { act=com.svc.operator.ACTION_AGENT_COMMAND flg=0x10400000 pkg=com.x (has extras) }\n'
const answer = (exitCode: number, stdout: string, stderr = '') => readAmAnswer({ exitCode, stdout, stderr }, 'com.x')

describe("am's answer", () => {
  test('of a megabyte of empty lines is read in time', () => {
    expect(answer(0, '\n'.repeat(1_024 * 1_024))).toEqual({ kind: 'unknown' })
  })

  test.each([
    ['the initial code', 0],
    ['RESULT_OK of a receiver', -1],
    ['a code of a receiver', 1],
  ])('%s means taken', (_, code) => {
    expect(answer(0, `${INTENT}Broadcast completed: result=${code}\n`)).toEqual({ kind: 'done' })
    expect(answer(0, `${INTENT}Broadcast completed: result=${code}, data="x"\n`)).toEqual({ kind: 'done' })
  })

  test('what completed was taken, whatever the exit code says', () => {
    expect(answer(1, `${INTENT}Broadcast completed: result=0\n`)).toEqual({ kind: 'done' })
  })

  test.each([
    ['a code that says nobody received it', 0, `${INTENT}Broadcast completed: result=-2\n`, ''],
    ['Target package not found', 0, 'Error: Target package not found: com.x\n', ''],
    ['does not exist', 1, '', 'Error: package com.x does not exist\n'],
    ['the same in another case', 255, 'error: target package NOT FOUND', ''],
  ])('%s means not installed', (_, exitCode, stdout, stderr) => {
    expect(answer(exitCode, stdout, stderr)).toMatchObject({ kind: 'not sent', code: 'OPERATOR_NOT_INSTALLED' })
  })

  test.each([
    ['no am at all', 127, '', '/system/bin/sh: am: inaccessible or not found\n'],
    ['an exception', 255, INTENT, 'Exception occurred while executing: java.lang.SecurityException\n'],
    ['an error with exit code 0', 0, 'Error: Unknown option: --es\n', ''],
    ['an exit code without output', 1, '', ''],
  ])('%s is a failed broadcast', (_, exitCode, stdout, stderr) => {
    expect(answer(exitCode, stdout, stderr)).toMatchObject({ kind: 'not sent', code: 'BROADCAST_FAILED' })
  })

  test.each([
    ['nothing was said', 0, '', ''],
    ['it was ended by a signal', 137, INTENT, ''],
    ['it was ended by a signal, and says so', 143, INTENT, 'Terminated\n'],
  ])('%s: it may be out', (_, exitCode, stdout, stderr) => {
    expect(answer(exitCode, stdout, stderr)).toEqual({ kind: 'unknown' })
  })

  test.each([
    [128, 'not sent'],
    [129, 'unknown'],
    [192, 'unknown'],
    [193, 'not sent'],
  ])('the exit code %d, of which 129 to 192 are signals, means %s', (exitCode, kind) => {
    expect(answer(exitCode, INTENT)).toMatchObject({ kind })
  })

  test('the message quotes what was said on one line, but not all of it', () => {
    expect(answer(1, 'a \n\n b\n', 'first\nsecond\n')).toMatchObject({
      message: expect.stringContaining(': first second a b'),
    })
    const refused = answer(1, 'x'.repeat(10_000))
    expect(refused.kind === 'not sent' && refused.message.length).toBeLessThan(500)
  })

  test('the message names the exit code where nothing was said', () => {
    expect(answer(7, ' \n')).toMatchObject({ message: expect.stringContaining('exit code 7') })
  })
})
