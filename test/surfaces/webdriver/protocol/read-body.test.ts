/** Bodies that are nested too deep are refused before anything is done with them. */
import { expect, test } from 'vitest'
import { readObject } from '../../../../src/surfaces/webdriver/protocol/read-body.ts'
import { valueAnswer } from '../../../../src/surfaces/webdriver/protocol/wire.ts'

const read = (text: string) => readObject({ readBody: async () => ({ kind: 'whole', text }) })
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

test('100 levels are read, 101 and a million are an invalid argument', async () => {
  expect(await read(nested(100))).toHaveProperty('a')
  for (const levels of [101, 1_000_000])
    await expect(read(nested(levels))).rejects.toMatchObject({
      error: 'invalid argument',
      message: expect.stringContaining('100'),
    })
})

test('brackets within texts are no levels', async () => {
  const text = `${'['.repeat(200)}\\"${'{'.repeat(200)}\\`
  expect(await read(JSON.stringify({ text, [text]: [] }))).toEqual({ text, [text]: [] })
})

test('a value that JSON cannot hold is an answer of the protocol, with the execution that acted', () => {
  const circle: { self?: object } = {}
  circle.self = circle
  const answer = valueAnswer(circle, 'e1')
  expect(answer).toMatchObject({ status: 500, executionId: 'e1' })
  expect(JSON.parse(answer.json).value).toMatchObject({ error: 'unknown error', stacktrace: '' })
})
