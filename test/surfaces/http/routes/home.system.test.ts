/** GET /: a page for browsers, and no such route for programs. */
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import type { ListenerParts } from '../../../../src/start/listener.ts'
import { wantsHtml } from '../../../../src/surfaces/http/routes/home.ts'
import type { ServerOptions } from '../../../../src/surfaces/http/server.ts'
import { call, codeOf } from '../../../support/http/http-client.ts'
import { startFake } from '../../../support/http/http-server.ts'

const HTML = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

const served = async (more: Partial<ListenerParts> = {}, options: Partial<ServerOptions> = {}) => {
  const fake = await startFake(more, options)
  onTestFinished(() => fake.server.close({ graceMs: 0 }))
  return fake
}

test.each<[string, boolean]>([
  ['text/html', true],
  ['application/json, text/HTML;q=0.5', true],
  [HTML.Accept, true],
  ['text/html;q=0', false],
  ['text/html; q=0.000, */*', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['text/html5', false],
  ['', false],
])('Accept: %s', (accept, expected) => expect(wantsHtml(accept)).toBe(expected))

test('programs are told that there is no such route, as before', async () => {
  const { url } = await served()
  for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
    const answer = await call(`${url}/`, { headers })
    expect(answer).toMatchObject({
      status: 404,
      json: { ok: false, error: { code: 'NOT_FOUND', message: 'No such route.' } },
    })
  }
  expect(codeOf(await call(`${url}/`, { body: {} }))).toBe('NOT_FOUND')
  expect(codeOf(await call(`${url}/`, { body: {}, headers: HTML }))).toBe('METHOD_NOT_ALLOWED')
})

test.each([
  ['/execut', {}, 'Did you mean `POST /execute`? See `GET /openapi.json` for the routes.'],
  ['/devices/d1/app', undefined, 'Did you mean `GET /devices/:deviceId/apps`? See `GET /openapi.json` for the routes.'],
  ['/nothing/like/it', undefined, 'See `GET /openapi.json` for the routes.'],
])('the hint of %s names the nearest route', async (path, body, hint) => {
  const { url } = await served()
  expect((await call(`${url}${path}`, body && { body })).json).toMatchObject({ error: { code: 'NOT_FOUND', hint } })
})

test('a browser gets links and the health of the host, under the policy of the other pages', async () => {
  const { url } = await served()
  const page = await call(`${url}/?utm_source=mail`, { headers: HTML })
  const viewer = await call(`${url}/inspector`)
  expect(page.status).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  for (const header of ['content-security-policy', 'x-frame-options', 'x-content-type-options', 'referrer-policy']) {
    expect(page.headers[header]).toBe(viewer.headers[header])
  }
  for (const path of ['/inspector', '/docs', '/openapi.json', '/health', '/mcp']) {
    expect(page.text).toContain(`href="${path}"`)
  }
  expect(page.text).toContain(`claude mcp add --transport http svc ${url}/mcp`)
  expect(page.text).toContain('<dt>d1</dt><dd>device</dd>')
  // The policy allows none of these.
  expect(page.text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page.text) ?? []
  expect(await call(url + style)).toMatchObject({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' } })
  expect(await call(`${url}/`, { method: 'HEAD', headers: HTML })).toMatchObject({ status: 200, text: '' })
})

test('what devices, actors and troubles are called cannot be markup', async () => {
  const hostile = `<img src=x onerror="alert('1')">&`
  const escaped = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;'
  const clock = systemClock()
  const journal = memoryJournal({ alive: () => true, clock })
  const place = { n: 0, machine: 'device', version: 1, at: 1, from: hostile, to: hostile }
  await journal.append({ ...place, actor: `device:${hostile}`, event: { type: 'x', at: 1 }, tags: ['in-flight'] })
  const trouble = { what: hostile, message: hostile, times: 1, firstAt: 1, lastAt: 1 }
  const troubles = { tell: () => {}, over: () => {}, list: () => [trouble] }
  const { url } = await served({
    journal: () => journal,
    troubles,
    listDevices: async () => [{ serial: hostile, state: hostile }],
  })
  const { text } = await call(`${url}/`, { headers: HTML })
  expect(text).not.toContain('<img')
  expect(text).toContain(`<dt>${escaped}</dt><dd>${escaped}</dd>`)
  expect(text).toContain(`<dt>device:${escaped}</dt><dd>${escaped}</dd>`)
})

test('a part that cannot be looked at says why, and the rest is shown', async () => {
  const listDevices = () => Promise.reject(new Error('adb is not installed'))
  const { url } = await served({ listDevices })
  const { status, text } = await call(`${url}/`, { headers: HTML })
  expect(status).toBe(200)
  expect(text).toContain('<p class="bad">adb is not installed</p>')
  expect(text).toContain('<h3>Journal</h3>')
})

test('a debug bridge that hangs is not waited for', async () => {
  let isStopped = false
  const listDevices: ListenerParts['listDevices'] = signal =>
    new Promise(() => {
      signal.addEventListener('abort', () => {
        isStopped = true
      })
    })
  const { url } = await served({ listDevices })
  const { text } = await call(`${url}/`, { headers: HTML })
  expect(text).toContain('could not be listed within 2000 ms')
  expect(isStopped).toBe(true)
})

test('the guard stands before it as before every page', async () => {
  const { url } = await served()
  expect(codeOf(await call(`${url}/`, { headers: { ...HTML, Host: 'evil.example' } }))).toBe('FORBIDDEN_HOST')
  const origin = { ...HTML, Origin: 'https://evil.example' }
  expect(codeOf(await call(`${url}/`, { headers: origin }))).toBe('FORBIDDEN_ORIGIN')
})

const address = Object.values(networkInterfaces())
  .flatMap(each => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

test.skipIf(address === undefined)('callers from elsewhere get the links, and nothing of the host', async () => {
  const { port } = await served({}, { host: '0.0.0.0', token: 'a-token-of-the-server' })
  const { status, text } = await call(`http://${address}:${port}/`, { headers: HTML })
  expect(status).toBe(200)
  expect(text).toContain('href="/inspector"')
  expect(text).not.toContain('d1')
  expect(text).toContain('shown to callers on this machine')
})

test('on the socket of a daemon, whose caller is its user, the page tells of the host', async () => {
  const { url } = await served({ isPrivate: true })
  expect((await call(`${url}/`, { headers: HTML })).text).toContain('<dt>d1</dt>')
})

test.each(['/inspector', '/docs', '/docs/api'])('%s with a slash at its end is the same page', async path => {
  const { url } = await served()
  const { status, headers } = await fetch(`${url}${path}/`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([308, path])
})
