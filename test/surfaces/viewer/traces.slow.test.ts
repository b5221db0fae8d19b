/** Executions and skill runs in a browser: tables, steps with screens, and the file that opens from disk. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { activeStates, browsing } from '../../support/pictures/browser.ts'

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>'

const ACTIONS = [
  { id: 'before', type: 'snapshot' },
  { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
  { id: 'after', type: 'take_screenshot' },
  { id: 'miss', type: 'click', params: { matcher: { textEquals: HOSTILE } } },
]

const TITLE = /^Open com\.android\.settings, click “<script>.* on 127\.0\.0\.1:\d+$/

const CLICK = { id: 'click', type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } }
const AROUND = [{ id: 'seen', type: 'snapshot' }, CLICK, { id: 'now', type: 'snapshot' }]

describe.skipIf(!needs('chromium'))('traces', () => {
  const { open } = browsing()
  const folder = mkdtempSync(join(tmpdir(), 'svc-trace-'))
  let lab: HttpLab
  let executionId = ''
  let clickId = ''
  let aloneId = ''
  beforeAll(async () => {
    lab = await startHttpLab()
    const execution = payloadOf(ACTIONS, { commandId: 'tour' })
    const answer = await call(`${lab.url}/execute`, {
      body: { deviceId: lab.serials[0], execution },
      headers: { 'Svc-Skill-Run': 'run-of-a-skill' },
    })
    executionId = String(answer.headers['svc-execution-id'])
    const run = async (actions: readonly object[]) => {
      const body = { deviceId: lab.serials[0], execution: payloadOf(actions) }
      return String((await call(`${lab.url}/execute`, { body })).headers['svc-execution-id'])
    }
    await run([ACTIONS[1] ?? {}])
    clickId = await run(AROUND)
    aloneId = await run([CLICK])
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
    expect(page.url()).toContain('#/executions?code=NODE_NOT_FOUND')
    await page.reload()
    await page.locator('[data-execution]').first().waitFor()
    expect(await page.locator('[data-execution]').count()).toBe(1)
    await page.locator(`[data-execution="${executionId}"] a`).first().click()
    await page.getByRole('heading', { name: TITLE }).waitFor()
    expect(page.url()).toContain(`#/executions/${executionId}`)
    expect(await page.locator('.step').count()).toBe(4)
    expect(await page.locator('.step-stage').innerText()).toContain(HOSTILE)
    expect(await page.locator('article img, article script').count()).toBe(0)
  })

  test('a filter that is being typed stays while executions arrive', async () => {
    const { page } = await open(`${lab.url}/inspector#/executions`)
    await page.locator('[data-execution]').first().waitFor()
    const code = page.getByLabel('Code')
    await code.pressSequentially('NODE_N')
    const body = {
      deviceId: lab.serials[0],
      execution: payloadOf([{ id: 'home', type: 'press_key', params: { key: 'home' } }]),
    }
    const { headers } = await call(`${lab.url}/execute`, { body })
    await page.locator(`[data-execution="${headers['svc-execution-id']}"]`).waitFor()
    expect(await code.inputValue()).toBe('NODE_N')
    await code.pressSequentially('OT_FOUND')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/executions\?code=NODE_NOT_FOUND$/)
  })

  test('the step that failed is chosen, with its code, and keys and clicks choose another', async () => {
    const { page } = await open(`${lab.url}/inspector#/executions/${executionId}`)
    const stage = page.locator('.step-stage')
    await page.getByRole('region', { name: 'Step 4' }).waitFor()
    expect(await stage.innerText()).toContain('NODE_NOT_FOUND')
    expect(await page.locator('.step.chosen').innerText()).toContain('NODE_NOT_FOUND')
    await page.keyboard.press('k')
    await page.getByRole('region', { name: 'Step 3' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('region', { name: 'Step 2' }).waitFor()
    expect(await stage.locator('figure').count()).toBe(2)
    await page.locator('.step.chosen button').focus()
    await page.keyboard.press('Home')
    await page.getByRole('region', { name: 'Step 1' }).waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-current")')).toBe('step')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.getByRole('region', { name: 'Step 4' }).waitFor()
    expect(page.url()).toContain('?step=4')
    await page.locator('.film-step button').first().click()
    await page.getByRole('region', { name: 'Step 2' }).waitFor()
  })

  test('a link leads to its step, whose touch is drawn where it went', async () => {
    const { page } = await open(`${lab.url}/inspector#/executions/${clickId}?step=2`)
    const finger = page.locator('.pair .touch-finger')
    await finger.waitFor()
    const at = await page.locator('.touch').getAttribute('data-touch')
    const [x = 0, y = 0] = (at ?? '').split(',').map(Number)
    const touched = lab.lab.fleet.devices[0]?.phone.executions().length ?? 0
    expect(touched).toBeGreaterThan(0)
    const [left, top] = [await finger.getAttribute('cx'), await finger.getAttribute('cy')].map(Number)
    expect([Math.round(left ?? 0), Math.round(top ?? 0)]).toEqual([x, y])
    expect(y).toBeGreaterThan(100)
  })

  test('two screens are compared by their lines and with a slider, whichever two they are', async () => {
    const { page } = await open(`${lab.url}/inspector#/executions/${clickId}?step=2`)
    await page.getByRole('button', { name: 'Changes' }).click()
    await page.locator('.difference-lines .removed', { hasText: 'switch "Wi-Fi" on' }).waitFor()
    expect(await page.locator('.difference-lines li').allInnerTexts()).toHaveLength(2)
    await page.getByLabel('Equal lines too').check()
    expect(await page.locator('.difference-lines .same').count()).toBeGreaterThan(5)
    await page.getByRole('button', { name: 'Slider' }).click()
    const share = page.getByLabel('How much of the screen before is shown')
    await share.fill('25')
    const [clip, whole] = [page.locator('.slide-over clipPath rect'), page.locator('.slide-over svg')]
    const width = Number(await whole.getAttribute('width'))
    expect(Number(await clip.getAttribute('width'))).toBeCloseTo(width / 4)
    await page.locator('.frame-choice select').first().selectOption('1')
    await page.locator('.slide-over').waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Slider' }).isDisabled()).toBe(true)
  })

  test('a command without screens of its own shows those of the commands beside it', async () => {
    const { page } = await open(`${lab.url}/inspector#/executions/${aloneId}`)
    await page.locator('.pair .touch-finger').waitFor()
    expect(await page.locator('.pair-name').allInnerTexts()).toEqual([
      expect.stringMatching(/^Before 1 · of an earlier execution, .*before$/),
      expect.stringMatching(/^After 2 · of a later execution, .*after$/),
    ])
  })

  test('an execution that no receipt has is said to be unknown', async () => {
    const { page } = await open(`${lab.url}/inspector#/executions/nothing`, { expected: /404/ })
    await page.getByRole('alert').getByText('EXECUTION_NOT_FOUND').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
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
    expect(await page.locator('.step-stage').innerText()).toContain(HOSTILE)
    expect(await page.locator('.film image').first().getAttribute('href')).toMatch(/^data:image\/png/)
    await page.keyboard.press('k')
    await page.getByRole('region', { name: 'Step 3' }).waitFor()
    expect(await page.locator('.pair image').first().getAttribute('href')).toMatch(/^data:image\/png/)
    await page.locator('[data-state="idle"][data-active]').waitFor()
    await page.getByRole('slider', { name: 'Timeline' }).focus()
    await page.keyboard.press('Home')
    await page.locator('[data-state="running.accepted"][data-active]').waitFor()
    expect(await activeStates(page)).toEqual(['running', 'running.accepted'])
    expect(await page.getByRole('tabpanel').innerText()).toContain(executionId)
  })
})
