/** GET /docs in a browser: pages in both schemes and on a narrow screen, the menu, and the search. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGES } from '../../build/docs/documents.ts'
import { call, codeOf } from '../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFake()
})
afterAll(() => fake.server.close({ graceMs: 0 }))

describe.skipIf(!needs('chromium'))('the pages', () => {
  const { open } = browsing()

  test('fit a narrow screen, each of them', async () => {
    const { page } = await open(`${fake.url}/docs`, { viewport: { width: 390, height: 844 } })
    for (const name of PAGES) {
      await page.goto(`${fake.url}/docs/${name}`)
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 390])
    }
    expect(await page.getByRole('link', { name: 'Policy', exact: true }).isVisible()).toBe(false)
    await page.getByText('Pages', { exact: true }).click()
    await page.getByRole('link', { name: 'Policy', exact: true }).click()
    await page.getByRole('heading', { name: 'Policy', level: 1 }).waitFor()
  })

  test('are dark where the reader wants that', async () => {
    const backgrounds = await Promise.all(
      (['dark', 'light'] as const).map(async colorScheme => {
        const { page } = await open(`${fake.url}/docs`, { colorScheme })
        return page.evaluate('getComputedStyle(document.body).backgroundColor')
      }),
    )
    expect(backgrounds).toEqual(['rgb(21, 25, 28)', 'rgb(255, 255, 255)'])
  })

  test('are searched by keys alone, and lead to the section', async () => {
    const { page } = await open(`${fake.url}/docs/policy`)
    await page.keyboard.press('/')
    await page.keyboard.type('NODE_NOT_FOUND')
    await page.locator('.results a').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${fake.url}/docs/troubleshooting#node_not_found`)
    await page.getByRole('searchbox').fill('zzzz')
    await page.getByText('Nothing is found for "zzzz".').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Nothing is found').waitFor({ state: 'hidden' })
  })

  test('say that the search index cannot be read, and read it again for the next query', async () => {
    const { page } = await open('about:blank', { expected: /503/ })
    await page.route('**/docs/search.json', route => route.fulfill({ status: 503 }), { times: 1 })
    await page.goto(`${fake.url}/docs/policy`)
    await page.getByRole('searchbox').fill('receipt')
    await page.getByText('The search index cannot be read (status 503).').waitFor()
    await page.getByRole('searchbox').fill('receipts')
    await page.locator('.results a').first().waitFor()
  })

  test('can be read without a script', async () => {
    const { page } = await open(`${fake.url}/docs/policy`, { javaScriptEnabled: false })
    expect(await page.getByRole('link', { name: 'Emulators', exact: true }).isVisible()).toBe(true)
    expect(await page.getByRole('heading', { name: 'Policy', level: 1 }).isVisible()).toBe(true)
  })

  test('show the pictures of the viewer', async () => {
    const { page } = await open(`${fake.url}/docs/viewer`)
    const [picture] = await page.locator('main img').all()
    await picture?.scrollIntoViewIfNeeded()
    await page.waitForFunction('document.querySelector("main img")?.naturalWidth > 300')
  })
})

test('a page that there is not is refused as JSON, with where the pages are listed', async () => {
  for (const name of ['nothing', 'nothing.js', '..%2fsecret', 'policy.html.gz', 'constructor']) {
    const answer = await call(`${fake.url}/docs/${name}`)
    expect([name, answer.status, codeOf(answer)]).toEqual([name, 404, 'NOT_FOUND'])
    expect(answer.text).toContain('GET /docs lists the pages.')
  }
})

test('a server that was not built says so', async () => {
  const bare = await startFake({ docsFolder: undefined })
  const answer = await call(`${bare.url}/docs`)
  await bare.server.close({ graceMs: 0 })
  expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND'])
  expect(answer.text).toContain('npm run build')
})
