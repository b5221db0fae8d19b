import { describe, expect, test } from 'vitest'
import { readAmAnswer } from '../../../src/operator/wire/am-answer.ts'

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
    expect(answer(0, `${INTENT}Broadcast completed: result=${code}\n`)).toEqual({ kind: 'taken' })
    expect(answer(0, `${INTENT}Broadcast completed: result=${code}, data="x"\n`)).toEqual({ kind: 'taken' })
  })

  test('what completed was taken, whatever the exit code says', () => {
    expect(answer(1, `${INTENT}Broadcast completed: result=0\n`)).toEqual({ kind: 'taken' })
  })

  test.each([
    ['a code that says nobody received it', 0, `${INTENT}Broadcast completed: result=-2\n`, ''],
    ['Target package not found', 0, 'Error: Target package not found: com.x\n', ''],
    ['does not exist', 1, '', 'Error: package com.x does not exist\n'],
    ['the same in another case', 255, 'error: target package NOT FOUND', ''],
  ])('%s means not installed', (_, exitCode, stdout, stderr) => {
    expect(answer(exitCode, stdout, stderr)).toMatchObject({ kind: 'refused', code: 'OPERATOR_NOT_INSTALLED' })
  })

  test.each([
    ['no am at all', 127, '', '/system/bin/sh: am: inaccessible or not found\n'],
    ['an exception', 255, INTENT, 'Exception occurred while executing: java.lang.SecurityException\n'],
    ['an error with exit code 0', 0, 'Error: Unknown option: --es\n', ''],
    ['an exit code without output', 1, '', ''],
  ])('%s is a failed broadcast', (_, exitCode, stdout, stderr) => {
    expect(answer(exitCode, stdout, stderr)).toMatchObject({ kind: 'refused', code: 'BROADCAST_FAILED' })
  })

  test.each([
    ['nothing was said', 0, '', ''],
    ['it was ended by a signal', 137, INTENT, ''],
    ['it was ended by a signal, and says so', 143, INTENT, 'Terminated\n'],
  ])('%s: it may be out', (_, exitCode, stdout, stderr) => {
    expect(answer(exitCode, stdout, stderr)).toEqual({ kind: 'unknown' })
  })

  test('the message quotes what was said, but not all of it', () => {
    const refused = answer(1, 'x'.repeat(10_000))
    expect(refused.kind === 'refused' && refused.message.length).toBeLessThan(500)
  })
})
