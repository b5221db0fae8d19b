import { appendFileSync, closeSync, mkdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lastWords, openLog, rotateLog } from '../../../src/surfaces/daemon/log.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-log-')
const file = (name: string) => join(folder(), name)

test('a log is this user’s alone, and goes on where it ended', () => {
  const path = file('a.log')
  const first = openLog(path)
  writeSync(first.fd, 'one\n')
  closeSync(first.fd)
  const second = openLog(path)
  writeSync(second.fd, 'two\n')
  closeSync(second.fd)
  expect([first.from, second.from]).toEqual([0, 4])
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['one\ntwo\n', 0o600])
})

test('one that is too large becomes the one before it, and a writer goes on in the new one', () => {
  const path = file('b.log')
  const { fd } = openLog(path)
  writeSync(fd, 'x'.repeat(100))
  expect(rotateLog(path, 100)).toBe(false)
  writeSync(fd, 'y')
  expect(rotateLog(path, 100)).toBe(true)
  writeSync(fd, 'after')
  closeSync(fd)
  expect([readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')]).toEqual(['after', `${'x'.repeat(100)}y`])
  expect(statSync(`${path}.1`).mode & 0o777).toBe(0o600)
})

test('5 MB is too large', () => {
  const path = file('c.log')
  writeFileSync(path, Buffer.alloc(5 * 1_024 * 1_024 + 1))
  closeSync(openLog(path).fd)
  expect([statSync(path).size, statSync(`${path}.1`).size]).toEqual([0, 5 * 1_024 * 1_024 + 1])
})

test('what is not a file is not written to', () => {
  mkdirSync(file('d.log'))
  expect(() => openLog(file('d.log'))).toThrow('is not a regular file')
  expect(rotateLog(file('d.log'), 0)).toBe(false)
})

test('the last words are the message of a failure, or the last line, of this process only', () => {
  const path = file('e.log')
  appendFileSync(path, 'an earlier daemon\n')
  const { fd, from } = openLog(path)
  closeSync(fd)
  expect(lastWords(path, from)).toBeUndefined()
  appendFileSync(path, 'starting\nit broke\n')
  expect(lastWords(path, from)).toBe('it broke')
  appendFileSync(path, '{"code":"DAEMON_START_FAILED","message":"no socket"}\n')
  expect(lastWords(path, from)).toBe('no socket')
  expect(lastWords(file('none'), 0)).toBeUndefined()
})
