/** GET /docs/api in a browser: every operation is there, requests can be tried, and nothing is asked of another host. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

let fake: FakeServer
beforeEach(async () => {
  fake = await startFake()
})
afterEach(() => fake.server.close({ graceMs: 0 }))

interface OpenApi {
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** As the page writes a path, with its breaks taken out. */
const plain = (text: string) => text.replaceAll('\u200b', '').trim()

describe.skipIf(!needs('chromium'))('the page', () => {
  const { open } = browsing()

  test('shows every operation of the document', async () => {
    const { paths } = (await call(`${fake.url}/openapi.json`)).json as OpenApi
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    const { page } = await open(`${fake.url}/docs/api`)
    await page.locator('.opblock').first().waitFor()
    const methods = await page.locator('.opblock-summary-method').allInnerTexts()
    const shown = await page.locator('.opblock-summary-path').allInnerTexts()
    expect(shown.map((path, index) => `${methods[index]} ${plain(path)}`).sort()).toEqual(described.sort())
  })

  test('sends a request that is tried, and shows the answer', async () => {
    const { page } = await open(`${fake.url}/docs/api`)
    const ping = page.locator('.opblock', { has: page.locator('[data-path="/ping"]') })
    await ping.locator('.opblock-summary-control').click()
    await ping.getByRole('button', { name: 'Try it out' }).click()
    await ping.getByRole('button', { name: 'Execute' }).click()
    await ping.locator('.live-responses-table').getByText('200').first().waitFor()
  })

  test('asks for the token where the server needs one, and sends it with what is tried', async () => {
    const { page } = await open('about:blank', { expected: /401/ })
    await page.route(
      url => !/^\/docs\/[^/]*$/.test(url.pathname),
      (route, request) =>
        request.headers().authorization === 'Bearer the-token-of-this-server'
          ? route.continue()
          : route.fulfill({ status: 401, json: { ok: false, error: { code: 'UNAUTHORIZED', message: 'no' } } }),
    )
    await page.goto(`${fake.url}/docs/api`)
    await page.getByLabel('Token').fill('the-token-of-this-server')
    await page.getByRole('button', { name: 'Continue' }).click()
    const ping = page.locator('.opblock', { has: page.locator('[data-path="/ping"]') })
    await ping.locator('.opblock-summary-control').click()
    await ping.getByRole('button', { name: 'Try it out' }).click()
    await ping.getByRole('button', { name: 'Execute' }).click()
    await ping.locator('.live-responses-table').getByText('200').first().waitFor()
  })
})

describe('its files', () => {
  test('take no inline script, no inline style and nothing from elsewhere', async () => {
    const page = await call(`${fake.url}/docs/api`)
    const policy = `${page.headers['content-security-policy']}`
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toContain('unsafe')
    expect(page.text).not.toMatch(/<style|<script(?! defer src="\/docs\/)|\son\w+=|https?:/)
  })

  test('are there for clients that take no compressed answer too', async () => {
    const script = await call(`${fake.url}/docs/swagger-ui.js`)
    expect(script.headers['content-encoding']).toBeUndefined()
    expect(script.text).toContain('SwaggerUIBundle')
  })
})
