import { describe, expect, test } from 'vitest'
import * as http from '../../../src/contracts/doors/http.ts'
import { accept, complaints } from '../parse.ts'
import { execution } from '../samples/execution.ts'

describe('deviceId and operatorPackage', () => {
  test.each([
    ['execute', http.ExecuteBody, { execution }],
    ['snapshot', http.SnapshotBody, {}],
    ['screenshot', http.ScreenshotBody, {}],
  ] as const)('%s', (_, body, least) => {
    expect(accept(body, least)).toEqual(least)
    expect(accept(body, { ...least, deviceId: '', note: 'ignored' })).toEqual({ ...least, deviceId: '' })
    for (const deviceId of [1, null, ['a'], {}, 'a\0'])
      expect(complaints(body, { ...least, deviceId })).toEqual(['deviceId'])
    for (const operatorPackage of ['', ' \t', 1, null, 'a\0']) {
      expect(complaints(body, { ...least, operatorPackage })).toEqual(['operatorPackage'])
    }
    for (const input of [null, [], 'text', 1]) expect(complaints(body, input)).toEqual([''])
  })
})

describe('execute', () => {
  test.each([{}, { execution: null }, { execution: undefined }])('%j has no execution', body => {
    expect(complaints(http.ExecuteBody, body)).toEqual(['execution'])
  })

  test.each([[{}], [[]], ['text'], [0], [false]])('the execution %j is judged later', value => {
    expect(accept(http.ExecuteBody, { execution: value })).toEqual({ execution: value })
  })
})

test('a screenshot path is not blank', () => {
  expect(accept(http.ScreenshotBody, { path: 'a b.png' })).toEqual({ path: 'a b.png' })
  for (const path of ['', '  ', null, 1, 'a\0.png']) expect(complaints(http.ScreenshotBody, { path })).toEqual(['path'])
})

describe('skill run', () => {
  test('everything is optional, and unknown keys are ignored', () => {
    const body = { deviceId: 'a', args: ['x', 1, true, null, { a: 1 }], timeoutMs: 1, expectContains: '' }
    expect(accept(http.SkillRunBody, { ...body, operatorPackage: 5 })).toEqual(body)
    expect(accept(http.SkillRunBody, {})).toEqual({})
  })

  test.each([
    ['deviceId', [1, null]],
    ['args', ['x', {}, null]],
    ['timeoutMs', [0, -1, 1.5, '1000', null]],
    ['expectContains', [1, null, ['a']]],
  ] as [string, unknown[]][])('%s', (key, values) => {
    for (const value of values) expect(complaints(http.SkillRunBody, { [key]: value })).toEqual([key])
  })

  test('an argument that the system cannot take is refused', () => {
    expect(complaints(http.SkillRunBody, { args: ['a', 'b\0'] })).toEqual(['args.1'])
  })
})

describe('queries', () => {
  test('of skills: one text per key', () => {
    expect(accept(http.SkillsQuery, { app: 'a', intent: '', keyword: 'c', page: '2' })).toEqual({
      app: 'a',
      intent: '',
      keyword: 'c',
    })
    for (const key of ['app', 'intent', 'keyword'])
      expect(complaints(http.SkillsQuery, { [key]: ['a', 'b'] })).toEqual([key])
  })

  test('of executions: 50 unless told, 1 to 1000', () => {
    expect(accept(http.ExecutionsQuery, {})).toEqual({ limit: 50 })
    for (const limit of ['1', '1000']) expect(accept(http.ExecutionsQuery, { limit }).limit).toBe(Number(limit))
    for (const limit of ['0', '1001', '-1', '1.5', '', ' 5', '1e2', 'many', 5, ['1']]) {
      expect(complaints(http.ExecutionsQuery, { limit })).toEqual(['limit'])
    }
  })

  test('of a history: after a position', () => {
    expect(accept(http.HistoryQuery, {})).toEqual({ limit: 1_000 })
    expect(accept(http.HistoryQuery, { after: '0', limit: '7' })).toEqual({ after: 0, limit: 7 })
    for (const after of ['-1', 'x', '', '9'.repeat(16)])
      expect(complaints(http.HistoryQuery, { after })).toEqual(['after'])
  })

  test('of transitions: actor and machine', () => {
    expect(accept(http.TransitionsQuery, { actor: 'a', machine: 'dispatch' })).toEqual({
      actor: 'a',
      machine: 'dispatch',
    })
    expect(complaints(http.TransitionsQuery, { actor: ['a'] })).toEqual(['actor'])
    expect(complaints(http.TransitionsQuery, { machine: 'b' })).toEqual(['machine'])
  })
})
