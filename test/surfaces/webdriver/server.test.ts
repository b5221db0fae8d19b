/** What a server says of itself, and of paths that it does not have. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { WebDriverDeps } from '../../../src/surfaces/webdriver/deps.ts'
import { createWebDriver } from '../../../src/surfaces/webdriver/server.ts'

const server = () => {
  const listeners: (() => Promise<unknown>)[] = []
  const host = { onEmitted() {}, onStop: (listener: () => Promise<unknown>) => void listeners.push(listener) }
  const webDriver = createWebDriver({ host, sessions: new Map(), version: '1.2.3' } as unknown as WebDriverDeps)
  const get = async (path: string) => {
    const answer = await webDriver.answer({ method: 'GET', path, readBody: async () => ({ kind: 'whole', text: '' }) })
    return JSON.parse(answer.json).value
  }
  return { get, end: () => Promise.all(listeners.map(listener => listener())) }
}

test('the status is ready until the server ends, and then says why it is not', async () => {
  const { get, end } = server()
  expect(await get('/status')).toMatchObject({ ready: true, build: { version: '1.2.3' } })
  await end()
  expect(await get('/status')).toMatchObject({ ready: false, message: expect.stringContaining('ending') })
})

test('an unknown path is told a document that there is', async () => {
  const { message } = await server().get('/sesion')
  const [path = ''] = /docs\/\S+\.md/.exec(message) ?? []
  expect(existsSync(path)).toBe(true)
})
