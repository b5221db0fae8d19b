/** Test runs in a browser: the list, one run while it goes on, its flows, attempts and commands. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestRun } from '../../../src/contracts/flows/test-run.ts'
import {
  ASSERTION,
  attemptOf,
  everyOutcome,
  FLOWS,
  failedAttempt,
  flowOf,
  HOSTILE,
  runOf,
  START,
} from '../../service/flows/reports/sample-runs.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'
import { until } from '../../support/until.ts'

/** Transitions that a test sends: the machines of runs are not part of this server. */
const startStream = async () => {
  const answers = new Set<ServerResponse>()
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': open\n\n')
    answers.add(answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    push: (transition: object) => {
      for (const answer of answers) answer.write(`data: ${JSON.stringify(transition)}\n\n`)
    },
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}

describe.skipIf(!needs('chromium'))('test runs', () => {
  const { open } = browsing()
  let fake: FakeServer
  beforeAll(async () => {
    fake = await startFake()
  })
  afterAll(() => fake.server.close({ graceMs: 0 }))

  /** The answers of a server that has these runs; they may be replaced while the page is open. */
  const serve = async (page: Page, runs: { now: readonly TestRun[]; reads: number }) => {
    await page.route(/\/test-runs(\/|$)/, async (route, request) => {
      runs.reads += 1
      const id = decodeURIComponent(new URL(request.url()).pathname.split('/')[2] ?? '')
      const testRun = runs.now.find(({ testRunId }) => testRunId === id)
      if (id === '') return route.fulfill({ json: { ok: true, testRuns: runs.now } })
      if (testRun) return route.fulfill({ json: { ok: true, testRun } })
      const error = { code: 'TEST_RUN_NOT_FOUND', message: `There is no test run ${id}.` }
      return route.fulfill({ status: 404, json: { ok: false, error } })
    })
  }
  const visit = async (runs: readonly TestRun[], hash: string, options: Parameters<typeof open>[1] = {}) => {
    const { page } = await open('about:blank', options)
    await serve(page, { now: runs, reads: 0 })
    await page.goto(`${fake.url}/inspector#/${hash}`)
    return { page }
  }
  const id = everyOutcome().testRunId

  test('are listed with how many flows ended how, and lead to their flows', async () => {
    const { page } = await visit(
      [everyOutcome(), runOf([flowOf()], { testRunId: 'other', verdict: 'passed' })],
      'test-runs',
    )
    const row = page.locator(`[data-test-run="${id}"]`)
    await row.waitFor()
    expect(await row.innerText()).toContain('3 failed, 1 indeterminate, 1 cancelled, 2 passed, 1 flaky, 1 skipped')
    expect(await page.locator('[data-test-run="other"] .badge').innerText()).toBe('passed')
    await row.click()
    await page.locator('[data-flow="Failed"]').click()
    await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor()
    await page.waitForURL(/\?flow=2$/)
    expect(await page.locator('.flow-problem').innerText()).toContain(ASSERTION.hint)
    await page.getByText('‹ All flows').click()
    await page.getByRole('heading', { name: 'Test run' }).waitFor()
  })

  test('show the commands of each attempt, which lead to their executions', async () => {
    const { page } = await visit([everyOutcome()], `test-runs/${id}?flow=3`, { expected: /404/ })
    await page.getByRole('link', { name: 'Attempt 1 failed' }).click()
    const details = page.locator('.command-details')
    await details.getByText('assertVisible', { exact: true }).waitFor()
    await page.locator('.command-list button').nth(1).click()
    await details.getByText('This command used no phone.').waitFor()
    await page.locator('.command-list button').nth(2).click()
    expect(await details.locator('.flow-problem').innerText()).toContain('DEVICE_LINK_LOST')
    await details.getByRole('link', { name: 'Steps and screens' }).click()
    await page.waitForURL(/#\/executions\/execution-2$/)
  })

  test('are read again when a run moves', async () => {
    const { endedAt: _, ...running } = runOf(
      [flowOf({ verdict: null, attempts: [attemptOf({ verdict: null, commands: [] })] })],
      { state: 'running', verdict: null },
    )
    const stream = await startStream()
    const { page } = await open('about:blank')
    const served = { now: [running] as readonly TestRun[], reads: 0 }
    await serve(page, served)
    await page.route(/\/actors\/events/, route => route.continue({ url: stream.url }))
    await page.goto(`${fake.url}/inspector#/test-runs/${id}`)
    const badge = page.locator('[data-flow="Pay"] .badge')
    await badge.getByText('running').waitFor()
    // The first is that of the page, the second that of the new connection.
    await until(() => served.reads === 2, 'the run to be read twice')
    served.now = [runOf([flowOf({ verdict: 'failed', attempts: [failedAttempt()] })])]
    stream.push({ seq: 1, actor: 'test-run:1', machine: 'test-run', from: 'a', to: 'b', event: 'e', at: START })
    await badge.getByText('failed').waitFor()
    await page.getByText(ASSERTION.message).waitFor()
    expect(served.reads).toBe(3)
    await page.close()
    await stream.close()
  })

  test('show texts of others as texts', async () => {
    const { page } = await visit([runOf([FLOWS.hostile])], `test-runs/${id}?flow=1`)
    await page.locator('.flow-problem').first().waitFor()
    expect(await page.locator('main').innerText()).toContain(`<b>&"'</b>`)
    expect(HOSTILE).toContain(`<b>&"'</b>`)
  })

  test('say how to begin, and that a run is not there', async () => {
    const { page } = await visit([], 'test-runs', { expected: /404/ })
    await page.getByText('svc test flows/').waitFor()
    await page.goto(`${fake.url}/inspector#/test-runs/gone`)
    await page.getByText('There is no test run gone.').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  test('fit a narrow screen', async () => {
    const { page } = await visit([everyOutcome()], 'test-runs', { viewport: { width: 390, height: 844 } })
    for (const hash of ['test-runs', `test-runs/${id}`, `test-runs/${id}?flow=3&attempt=1`]) {
      await page.goto(`${fake.url}/inspector#/${hash}`)
      await page.locator('[data-test-run], [data-flow], .command-details').first().waitFor()
      expect([hash, await page.evaluate('document.querySelector("main").scrollWidth')]).toEqual([hash, 390])
    }
  })
})
