/** The viewer in a real Chromium: pages that fail the test for an error on the console and for a request to another host. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { programOnPath } from '../needs.ts'

export interface Viewer {
  page: Page
  /** What the console and the network said that nobody expected. */
  complaints: string[]
}

export interface OpenOptions extends BrowserContextOptions {
  /** Complaints that belong to the test. */
  expected?: RegExp
}

export interface Browsing {
  open(url: string, options?: OpenOptions): Promise<Viewer>
}

const isLocal = (url: string) => /^(http:\/\/(127\.0\.0\.1|localhost)[:/]|data:|blob:|file:)/.test(url)

/** One browser for the tests of a file; every page is closed after its test, and must have had nothing to complain of. */
export const browsing = (): Browsing => {
  let browser: Browser | undefined
  const opened: { viewer: Viewer; expected: RegExp | undefined; close(): Promise<void> }[] = []
  beforeAll(async () => {
    const executablePath = programOnPath('chromium')
    if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    for (const { viewer, expected, close } of opened.splice(0)) {
      await close()
      expect(viewer.complaints.filter(text => !expected?.test(text))).toEqual([])
    }
  })
  return {
    async open(url, { expected, ...options } = {}) {
      if (!browser) throw new Error('there is no browser')
      const context = await browser.newContext({ viewport: { width: 1366, height: 800 }, ...options })
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', message => {
        if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`)
      })
      page.on('pageerror', error => void complaints.push(`error: ${error.message}`))
      page.on('dialog', dialog => {
        complaints.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      page.on('request', request => {
        if (!isLocal(request.url())) complaints.push(`request: ${request.url()}`)
      })
      const viewer = { page, complaints }
      opened.push({ viewer, expected, close: () => context.close() })
      await page.goto(url)
      return viewer
    },
  }
}

/** The active states of the chart, sorted. */
export const activeStates = (page: Page): Promise<string[]> =>
  page.evaluate('[...document.querySelectorAll("[data-active]")].map(element => element.dataset.state).sort()')
