import { describe, expect, test } from 'vitest'
import { createPathTable } from '../../../../src/surfaces/webdriver/server.ts'

const command = (method: string, path: string) => ({ method, path })
const find = createPathTable([
  command('POST', '/session'),
  command('GET', '/session/:sessionId'),
  command('DELETE', '/session/:sessionId'),
  command('GET', '/session/:sessionId/element/active'),
  command('GET', '/session/:sessionId/element/:elementId/text'),
  command('POST', '/session/:sessionId/element/:elementId/element'),
])

const matched = (method: string, path: string) => find(path)?.match(method)

describe('the command of a path', () => {
  test('with the parts that have a name', () => {
    expect(matched('GET', '/session/s1/element/e1/text')).toEqual({
      command: command('GET', '/session/:sessionId/element/:elementId/text'),
      parts: { sessionId: 's1', elementId: 'e1' },
    })
  })

  test('a fixed part comes first, and a name is tried where it leads nowhere', () => {
    expect(matched('GET', '/session/s1/element/active')?.parts).toEqual({ sessionId: 's1' })
    expect(matched('GET', '/session/s1/element/active/text')?.parts).toEqual({ sessionId: 's1', elementId: 'active' })
  })

  test('of another method', () => {
    expect(matched('PUT', '/session/s1')).toBeUndefined()
    expect(find('/session/s1')?.methods).toEqual(['GET', 'DELETE'])
  })

  test.each(['', '/', '/session/s1/element', '/session//element/e1/text', '/session/s1/element/e1/text/more'])(
    'none for %j',
    path => {
      expect(find(path)).toBeUndefined()
    },
  )
})

test('two commands for one path are a fault of the program', () => {
  expect(() => createPathTable([command('GET', '/a/:b'), command('GET', '/a/:c')])).toThrow('two commands')
})
