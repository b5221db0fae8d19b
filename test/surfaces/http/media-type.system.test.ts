import { describe, expect, test } from 'vitest'
import { encodingProblem, mediaTypeProblem } from '../../../src/surfaces/http/request-input.ts'

describe('taken as JSON', () => {
  test.each([
    'application/json',
    'Application/JSON',
    ' application/json ',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; CHARSET="Utf-\\8"',
    'application/json; profile="a;b=c"; charset=utf-8',
    'application/json;',
    'application/json; version=1',
  ])('%s', header => {
    expect(mediaTypeProblem(header)).toBeUndefined()
  })
})

describe('refused', () => {
  test.each([
    undefined,
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json+x',
    'application/jsonp',
    'application/ld+json',
    'text/json',
    '*/*',
    'application/json, text/plain',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=',
    'application/json; charset',
    'application/json; charset="utf-8',
    'application/json; charset=utf-8; charset=utf-7',
    'text/plain; x="; application/json"',
  ])('%s', header => {
    expect(mediaTypeProblem(header)).toMatchObject({ code: 'INVALID_BODY', message: expect.stringMatching(/\.$/) })
  })
})

test('no content encoding is taken but identity', () => {
  for (const header of [undefined, 'identity', ' Identity ']) expect(encodingProblem(header)).toBeUndefined()
  for (const header of ['gzip', 'br', 'deflate', 'gzip, identity', 'x', '']) {
    expect(encodingProblem(header)).toMatchObject({ code: 'INVALID_BODY' })
  }
})
