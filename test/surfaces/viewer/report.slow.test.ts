/** An HTML report in a browser: it opens from disk, shows each attempt with its flow and screens, and runs nothing of others. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestRun } from '../../../src/contracts/flows/test-run.ts'
import { writeReports } from '../../../src/service/flows/reports/write-reports.ts'
import { loadReportPage, readReportTrace } from '../../../src/service/traces/trace-html.ts'
import {
  ASSERTION,
  attemptOf,
  commandAt,
  FLOWS,
  failedAttempt,
  flowOf,
  HOSTILE,
  runOf,
} from '../../service/flows/reports/sample-runs.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'
import { temporary } from '../../support/temporary.ts'

const PAY = `appId: com.example.shop
name: Pay
---
- launchApp
- runFlow: login.yaml
- assertVisible: "Order confirmed" # ${'a long line '.repeat(20)}
`
const LOGIN = `appId: com.example.shop
---
- tapOn: "Wi-Fi"
- tapOn: "<script>alert(1)</script>"
`

const DETAILS = {
  actionType: 'click',
  nearest: [],
  onScreen: ['Pay now', 'Cart'].map((label, index) => ({ ref: `@1.${index}`, role: 'button', label })),
}

const SEEN = { id: 'seen', type: 'snapshot' }
const STEPS = [
  SEEN,
  { id: 'picture', type: 'take_screenshot' },
  { id: 'click', type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } },
  { ...SEEN, id: 'then' },
]
const MISS = [SEEN, { id: 'miss', type: 'click', params: { matcher: { textEquals: '<b>Order</b> confirmed' } } }]

describe.skipIf(!needs('chromium'))('an HTML report', () => {
  const { open } = browsing()
  const folder = temporary('svc-report-')
  let lab: HttpLab
  let url = ''
  let run: TestRun
  beforeAll(async () => {
    lab = await startHttpLab()
    const perform = async (actions: readonly object[]) => {
      const body = { deviceId: lab.serials[0], execution: payloadOf(actions) }
      return String((await call(`${lab.url}/execute`, { body })).headers['svc-execution-id'])
    }
    const opened = await perform([{ id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }])
    const [clicked, missed] = [await perform(STEPS), await perform(MISS)]
    const put = (path: string, content: string | Uint8Array) => {
      const file = join(folder(), path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      utimesSync(file, 1_000, 1_000)
    }
    const picture = join(folder(), 'picture.png')
    const taken = await call(`${lab.url}/screenshot`, { body: { deviceId: lab.serials[0], path: picture } })
    expect(taken.status).toBe(200)
    put('flows/pay.yaml', PAY)
    put('flows/login.yaml', LOGIN)
    put('run/pay/failure.png', readFileSync(picture))
    put('run/pay/log.txt', `05-04 12:00:01.000 E/Shop: </script>${HOSTILE}\n`)
    put('run/pay/video.mp4', 'not shown')
    const commands = [
      commandAt(0, { name: 'launchApp', text: 'Launch com.example.shop', line: 4, executionIds: [opened] }),
      commandAt(1, { name: 'runFlow', text: 'Run login.yaml', line: 5, executionIds: [] }),
      commandAt(2, { depth: 1, text: 'Tap on "Wi-Fi"', file: 'flows/login.yaml', line: 3, executionIds: [clicked] }),
      commandAt(3, { depth: 1, file: 'flows/login.yaml', line: 4, verdict: 'ignored', executionIds: [missed] }),
      commandAt(4, {
        name: 'assertVisible',
        text: 'Assert that "Order confirmed" is visible',
        line: 6,
        verdict: 'failed',
        error: ASSERTION,
        executionIds: [missed, 'gone'],
      }),
    ]
    const files = ['pay/failure.png', 'pay/log.txt', 'pay/video.mp4']
    const error = { ...ASSERTION, hint: 'Correct the text. On the screen: "Pay now", "Cart".', details: DETAILS }
    const failed = failedAttempt({ commands, files, error })
    run = runOf(
      [
        flowOf({ name: 'Pay', verdict: 'failed', tags: ['smoke'], attempts: [failed] }),
        ...Object.values(FLOWS),
        flowOf({
          name: 'Second try',
          attempts: [{ ...failed, files: [] }, attemptOf({ attempt: 2, commands: commands.slice(0, 3) })],
        }),
      ],
      { folder: join(folder(), 'run') },
    )
    const [written] = await writeReports(run, [{ format: 'html' }], {
      cwd: folder(),
      outputFolder: 'out',
      now: run.startedAt,
      version: '1.2.3',
      loadPage: async () => loadReportPage(lab.deps.viewerFolder),
      readTrace: id => readReportTrace(lab.deps.journal(), id),
    })
    expect(written).toMatchObject({ ok: true })
    url = pathToFileURL(written?.file ?? '').href
  })
  afterAll(() => lab.close())

  test('lists every flow with its verdict, and filters them', async () => {
    const { page } = await open(url)
    await page.getByRole('heading', { name: 'Test run' }).waitFor()
    expect(await page.locator('[data-flow]').count()).toBe(run.flows.length)
    expect(await page.locator('[data-flow="Flaky"] .badge').innerText()).toBe('passed, flaky')
    expect(await page.locator('[data-flow="Failed"]').innerText()).toContain(ASSERTION.message)
    await page.getByRole('button', { name: 'flaky' }).click()
    expect(await page.locator('[data-flow]').count()).toBe(2)
    await page.getByLabel('Filter').fill('second')
    expect(await page.locator('[data-flow]').count()).toBe(1)
  })

  test('shows the failed command with its line, its files and the steps of its executions', async () => {
    const { page } = await open(url)
    await page.locator('[data-flow="Pay"]').click()
    await page.getByRole('heading', { name: 'Assert that "Order confirmed" is visible' }).waitFor()
    expect(await page.locator('.source .failed').innerText()).toContain('assertVisible: "Order confirmed"')
    const files = page.getByRole('region', { name: 'Files of the attempt' })
    const width = await files
      .locator('img')
      .evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth)
    expect(width).toBeGreaterThan(100)
    await files.getByText('log.txt').first().click()
    expect(await files.locator('pre').innerText()).toContain('</script>')
    expect(await files.getByRole('link', { name: 'video.mp4' }).getAttribute('href')).toBe('../run/pay/video.mp4')
    expect(await page.locator('.step-list[aria-label="Steps"] .step.failed').count()).toBe(1)
    await page.getByText('The trace of the execution').waitFor()
    await page.locator('.command-list button').nth(2).click()
    await page.locator('.step-stage svg').first().waitFor()
    expect(await page.locator('.source h3').innerText()).toBe('flows/login.yaml')
    expect(await page.locator('.source .chosen').innerText()).toContain('tapOn: "Wi-Fi"')
    await page.locator('.source button', { hasText: 'alert(1)' }).click()
    await page.waitForURL(/#\/1\/1\/4$/)
  })

  test('lists the labels of a failure once, and folds its other details', async () => {
    const { page } = await open(`${url}#/1`)
    const problem = page.locator('.flow-problem').first()
    const lines = problem.getByRole('list', { name: 'On the screen' }).getByRole('listitem')
    expect(await lines.allInnerTexts()).toEqual(['@1.0 button "Pay now"', '@1.1 button "Cart"'])
    expect((await problem.innerText()).split('Pay now')).toHaveLength(2)
    expect(await problem.getByText('nearest').count()).toBe(0)
    expect(await problem.getByText('actionType').isVisible()).toBe(false)
    await problem.getByText('Details', { exact: true }).click()
    expect(await problem.getByText('actionType').isVisible()).toBe(true)
  })

  test('keeps the text of the flow within its column', async () => {
    const { page } = await open(`${url}#/1`, { viewport: { width: 1400, height: 900 } })
    const side = await page.locator('.report-side').boundingBox()
    const source = await page.locator('.source').boundingBox()
    expect(source?.width).toBeLessThanOrEqual(side?.width ?? 0)
    expect(await page.locator('.film-name').filter({ hasText: 'other' }).count()).toBe(0)
  })

  test('has every attempt of a flow', async () => {
    const { page } = await open(`${url}#/${run.flows.length}`)
    await page.getByRole('link', { name: 'Attempt 2 passed' }).waitFor()
    await page.getByRole('link', { name: 'Attempt 1 failed' }).click()
    await page.locator('.flow-problem').first().waitFor()
    expect(await page.getByRole('link', { name: 'Attempt 1 failed' }).getAttribute('aria-current')).toBe('true')
  })

  test('shows texts of others as texts', async () => {
    const { page } = await open(url)
    await page.locator('[data-flow]').filter({ hasText: '<b>&' }).click()
    await page.locator('.flow-problem').first().waitFor()
    expect(await page.locator('#root b', { hasText: '&"' }).count()).toBe(0)
  })

  test('fits a narrow screen', async () => {
    const { page } = await open(url, { viewport: { width: 390, height: 844 } })
    await page.locator('[data-flow]').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.goto(`${url}#/1`)
    await page.locator('.command-stage').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  test('lists its flows without scripts', async () => {
    const { page } = await open(url, { javaScriptEnabled: false })
    const text = await page.locator('main').innerText()
    for (const said of [
      'failed: 3 of 11 flows passed, 4 failed',
      'Second try',
      ASSERTION.message,
      '    - assertVisible',
    ]) {
      expect(text).toContain(said)
    }
    expect(await page.locator('main b').count()).toBe(0)
  })
})
