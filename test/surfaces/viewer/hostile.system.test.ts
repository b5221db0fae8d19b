/** What others may do with the page: nothing. Its policy, its weight, foreign pages, and text that would like to be markup. */
import { readdirSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../architecture/sources.ts'
import { cycleOf } from '../../support/executions/device-history.ts'
import { call } from '../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>'
const PAGE_BYTES_MAX = 130 * 1_024

let fake: FakeServer
beforeAll(async () => {
  fake = await startFake()
  const journal = fake.deps.journal()
  const created = { type: 'actor.created', input: { runId: HOSTILE }, at: 1 }
  const requested = { type: 'run.requested', runId: HOSTILE, skillId: HOSTILE, deviceId: HOSTILE, argv: [], at: 2 }
  const run = { actor: `skill-run:${HOSTILE}`, machine: 'skill-run', version: 1, at: 1, tags: [] }
  await journal.append({ ...run, n: 0, event: created, from: '', to: 'requested' })
  await journal.append({ ...run, n: 1, event: requested, from: 'requested', to: 'active.gating', tags: ['in-flight'] })
  for (const record of cycleOf(HOSTILE, 0, 10)) await journal.append(record).catch(() => {})
})
afterAll(() => fake.server.close({ graceMs: 0 }))

describe('the page as it is served', () => {
  test('takes nothing from elsewhere, nothing inline, and may not be framed', async () => {
    const { status, headers, text } = await call(`${fake.url}/inspector`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    const policy = String(headers['content-security-policy'])
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toContain('unsafe')
    expect(text).not.toMatch(/<script>|<style|style=|onload|https?:/)
  })

  test('weighs less than 130 KB', () => {
    const folder = join(ROOT, 'dist/inspector')
    const files = readdirSync(folder).filter(name => /^(app\.(js|css)|index\.html)\.gz$/.test(name))
    expect(files.length).toBe(3)
    expect(files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(PAGE_BYTES_MAX)
  })

  test('a file that is not part of it is not found', async () => {
    for (const name of ['nothing.js', '..%2f..%2fpackage.json', 'app.js.gz']) {
      expect((await call(`${fake.url}/inspector/files/${name}`)).status).toBe(404)
    }
  })

  test('a page of another origin may not post to it', async () => {
    const headers = { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    for (const path of ['/execute', '/inspector/actors', '/inspector']) {
      const method = path === '/execute' ? 'POST' : 'GET'
      expect((await call(`${fake.url}${path}`, { method, headers })).status).toBe(403)
    }
  })
})

describe.skipIf(!needs('chromium'))('in a browser', () => {
  const { open } = browsing()
  let foreign: Server
  let foreignUrl = ''
  beforeAll(async () => {
    foreign = createServer((_, answer) => {
      answer.setHeader('Content-Type', 'text/html')
      answer.end(`<iframe src="${fake.url}/inspector"></iframe>
        <script>
          fetch('${fake.url}/inspector/actors').then(r => r.text(), () => 'refused').then(text => { window.read = text })
          fetch('${fake.url}/execute', { method: 'POST', body: '{}' }).then(r => r.text(), () => 'refused')
            .then(text => { window.posted = text })
        </script>`)
    })
    await new Promise<void>(resolve => foreign.listen(0, '127.0.0.1', resolve))
    foreignUrl = `http://localhost:${(foreign.address() as AddressInfo).port}/`
  })
  afterAll(() => {
    foreign.closeAllConnections()
    foreign.close()
  })

  test('markup in ids, skills and devices is text', async () => {
    const { page } = await open(`${fake.url}/inspector#/actors`)
    await page.locator('.actor').first().click()
    await page.locator('.record').first().waitFor()
    expect(await page.locator('.actor').first().innerText()).toContain('<script>')
    await page.goto(`${fake.url}/inspector#/skill-runs`)
    await page.getByRole('row').filter({ hasText: '<script>' }).first().waitFor()
    await page.goto(`${fake.url}/inspector#/skill-runs/${encodeURIComponent(HOSTILE)}`)
    await page.getByRole('heading', { name: HOSTILE }).first().waitFor()
    expect(await page.locator('img, #root script').count()).toBe(0)
  })

  test('a foreign page that frames it, reads or posts gets nothing', async () => {
    const { page } = await open(foreignUrl, { expected: /CORS|Failed to load|frame|Refused|ERR_/i })
    await page.waitForFunction('window.read !== undefined && window.posted !== undefined')
    expect(await page.evaluate('[window.read, window.posted]')).toEqual(['refused', 'refused'])
    const inside = page.frames().find(frame => frame !== page.mainFrame())
    expect(await inside?.locator('#root').count()).toBe(0)
  })
})
