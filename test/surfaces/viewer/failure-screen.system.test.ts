/** The page of a flow that failed shows the screen of the failure: its picture, else its text, else why there is none. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestRunResponse } from '../../../src/contracts/flows/test-run.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'
import { until } from '../../support/until.ts'

const FLOW = `appId: com.android.settings
---
- launchApp
- extendedWaitUntil: { visible: Nowhere on the screen, timeout: 100 }
`

describe.skipIf(!needs('chromium'))('the screen of a failure', () => {
  const { open } = browsing()
  let lab: HttpLab
  let run: TestRunResponse['testRun']
  beforeAll(async () => {
    lab = await startHttpLab()
    const begun = await call(`${lab.url}/test-runs`, { body: { yaml: FLOW } })
    const id = String((begun.json as { testRunId: string }).testRunId)
    await until(async () => {
      run = ((await call(`${lab.url}/test-runs/${id}`)).json as TestRunResponse).testRun
      return run.verdict === 'failed'
    }, 'the flow to fail')
  })
  afterAll(() => lab.close())

  const visit = (options: Parameters<typeof open>[1] = {}) =>
    open(`${lab.url}/inspector#/test-runs/${run.testRunId}?flow=1`, options)

  test('is its picture, and leads to the execution that took it', async () => {
    const { page } = await visit()
    const shown = page.getByRole('region', { name: 'The screen at the failure' })
    await shown.locator('svg image').waitFor()
    expect(await shown.locator('svg image').getAttribute('href')).toMatch(/^blob:/)
    await shown.getByRole('link').click()
    await page.waitForURL(new RegExp(`#/executions/${run.flows[0]?.attempts[0]?.failureExecutionId}$`))
  })

  test('begins within the first screen of the page, below the labels of the failure', async () => {
    const { page } = await visit({ viewport: { width: 1400, height: 900 } })
    await page.locator('.problem-card .screen-lines li').first().waitFor()
    const box = await page.locator('.failure-screen').boundingBox()
    expect(box?.y).toBeLessThan(700)
    expect(await page.locator('.problem-card .json').first().isVisible()).toBe(false)
  })

  test('is drawn from its text where the picture is gone, and a file outside of the folder is not served', async () => {
    const [attempt] = run.flows[0]?.attempts ?? []
    rmSync(join(run.folder, attempt?.files?.find(file => file.endsWith('failure.png')) ?? 'none'))
    const { page } = await visit()
    await page.locator('.failure-screen .wireframe').waitFor()
    const picture = `${lab.url}/executions/${attempt?.failureExecutionId}/screenshots/..%2f..%2fetc%2fpasswd?position=1`
    expect((await call(picture)).status).toBe(404)
  })
})
