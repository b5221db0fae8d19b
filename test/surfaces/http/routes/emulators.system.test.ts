/** What the emulator routes take, before anything is done; test/emulators has what is done then. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Emulators } from '../../../../src/service/emulators/emulators.ts'
import { call, codeOf, rawCall } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'

const ALL = '/android/emulators'
const PROVISION = '/android/provision/emulator'
const asked: unknown[][] = []
const answers =
  (name: string) =>
  async (...args: unknown[]) => {
    asked.push([name, ...args])
    return { ok: true, value: {} }
  }
const emulators = new Proxy({} as Emulators, { get: (_, name) => answers(String(name)) })

let fake: FakeServer
beforeAll(async () => {
  fake = await startFake({ emulators: () => emulators })
})
afterAll(() => fake.server.close({ graceMs: 0 }))

const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
  call(`${fake.url}${path}`, { method: 'POST', body, ...(headers ? { headers } : {}) })

describe('names', () => {
  test.each([
    ['...', '...'],
    ['-x', '-x'],
    ['a/b', 'a%2Fb'],
    ['a b', 'a%20b'],
    ['a;b', 'a;b'],
    ['ä', '%C3%A4'],
    ['a NUL', 'a%00'],
    ['129 characters', 'a'.repeat(129)],
  ])('%s is refused in a path', async (_what, name) => {
    const before = asked.length
    for (const [method, path] of [
      ['GET', `${ALL}/${name}`],
      ['DELETE', `${ALL}/${name}`],
      ['POST', `${ALL}/${name}/start`],
      ['POST', `${ALL}/${name}/stop`],
    ]) {
      // A client would resolve dots by itself.
      const said = await rawCall(
        fake.port,
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
      )
      expect(said).toMatch(/^HTTP\/1\.1 400 /)
      const { error } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1))
      expect(error).toMatchObject({ code: 'INVALID_BODY', details: { field: 'name' } })
      expect(error.message).toMatch(/^The name of the AVD must /)
    }
    expect(asked).toHaveLength(before)
  })

  test.each(['%2e%2e', '..', '.'])('%s never becomes a name', async name => {
    const before = asked.length
    for (const [method, path] of [
      ['DELETE', `${ALL}/${name}`],
      ['POST', `${ALL}/${name}/start`],
      ['POST', `${ALL}/a/../${name}/stop`],
    ]) {
      const said = await rawCall(
        fake.port,
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
      )
      expect(said).toMatch(/^HTTP\/1\.1 40[045] /)
    }
    expect(asked).toHaveLength(before)
  })

  test.each(['a', 'a'.repeat(128), 'A.b_c-1', '.hidden', 'running2'])('%s is taken', async name => {
    expect((await call(`${fake.url}${ALL}/${name}`)).status).toBe(200)
    expect(asked.at(-1)?.slice(0, 2)).toEqual(['get', name])
  })
})

describe('bodies', () => {
  const PATHS = [`${ALL}/create`, `${ALL}/a/start`, `${ALL}/a/stop`, PROVISION]

  test.each(PATHS)('%s: none counts as {}', async path => {
    expect((await post(path)).status).toBe(200)
    expect((await post(path, {})).status).toBe(200)
  })

  test.each(PATHS)('%s: an array, a text and half a body are refused', async path => {
    const before = asked.length
    expect([(await post(path, [])).status, codeOf(await post(path, []))]).toEqual([400, 'INVALID_BODY'])
    expect(codeOf(await post(path, '"text"'))).toBe('INVALID_BODY')
    expect(codeOf(await post(path, '{"a":'))).toBe('INVALID_JSON')
    expect(asked).toHaveLength(before)
  })

  test.each(PATHS)('%s: the form of a foreign page does nothing', async path => {
    const before = asked.length
    const form = await post(path, 'name=a', { 'Content-Type': 'application/x-www-form-urlencoded' })
    expect([form.status, codeOf(form)]).toEqual([400, 'INVALID_BODY'])
    const text = await post(path, '{}', { 'Content-Type': 'text/plain' })
    expect([text.status, codeOf(text)]).toEqual([400, 'INVALID_BODY'])
    for (const headers of [{ Origin: 'https://example.com' }, { 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'null' }]) {
      const foreign = await post(path, undefined, headers)
      expect([foreign.status, codeOf(foreign)]).toEqual([403, 'FORBIDDEN_ORIGIN'])
    }
    expect(asked).toHaveLength(before)
  })
})
