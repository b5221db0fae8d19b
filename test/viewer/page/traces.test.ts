/** Executions and skill runs in a browser: tables, steps with screens, and the file that opens from disk. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activeStates, browsing } from '../../support/browser.ts'
import { call } from '../../support/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http-server.ts'
import { payloadOf } from '../../support/lab.ts'
import { needs } from '../../support/needs.ts'

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>'

const ACTIONS = [
  { id: 'before', type: 'snapshot' },
  { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
  { id: 'after', type: 'take_screenshot' },
  { id: 'miss', type: 'click', params: { matcher: { textEquals: HOSTILE } } },
]

describe.skipIf(!needs('chromium'))('traces', () => {
  const { open } = browsing()
  const folder = mkdtempSync(join(tmpdir(), 'svc-trace-'))
  let lab: HttpLab
  let executionId = ''
  beforeAll(async () => {
    lab = await startHttpLab()
    const execution = payloadOf(ACTIONS, { commandId: 'tour' })
    const answer = await call(`${lab.url}/execute`, {
      body: { deviceId: lab.serials[0], execution },
      headers: { 'Svc-Skill-Run': 'run-of-a-skill' },
    })
    executionId = String(answer.headers['svc-execution-id'])
    await call(`${lab.url}/snapshot`, { body: { deviceId: lab.serials[0] } })
  })
  afterAll(async () => {
    await lab.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the table is filtered, and a row leads to the steps of its execution', async () => {
    const { page } = await open(`${lab.url}/inspector#/executions`)
    await page.locator('[data-execution]').nth(1).waitFor()
    await page.getByLabel('Code').fill('NODE_NOT_FOUND')
    await page.keyboard.press('Enter')
    await page.locator('[data-execution]').nth(1).waitFor({ state: 'detached' })
    await page.locator(`[data-execution="${executionId}"] a`).first().click()
    await page.getByText('take_screenshot').first().waitFor()
    expect(page.url()).toContain(`#/executions/${executionId}`)
    const steps = page.locator('.step')
    expect(await steps.count()).toBe(4)
    expect(await steps.nth(1).locator('.shot figure').count()).toBe(2)
    expect(await steps.nth(3).innerText()).toContain(HOSTILE)
    expect(await page.locator('.step img, .step script').count()).toBe(0)
  })

  test('an exported file opens from disk, with steps, pictures, chart and context, and asks for nothing', async () => {
    const { text, headers } = await call(`${lab.url}/executions/${executionId}/trace.html`)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain('sandbox')
    const file = join(folder, 'trace.html')
    writeFileSync(file, text)
    await lab.server.close({ graceMs: 0 })
    const { page } = await open(pathToFileURL(file).href)
    await page.locator('.step').nth(3).waitFor()
    expect(await page.locator('.step').nth(3).innerText()).toContain(HOSTILE)
    expect(await page.locator('.shot image').first().getAttribute('href')).toMatch(/^data:image\/png/)
    await page.locator('[data-state="idle"][data-active]').waitFor()
    await page.getByRole('slider', { name: 'Timeline' }).focus()
    await page.keyboard.press('Home')
    await page.locator('[data-state="running.accepted"][data-active]').waitFor()
    expect(await activeStates(page)).toEqual(['running', 'running.accepted'])
    expect(await page.getByRole('tabpanel').innerText()).toContain(executionId)
  })
})
