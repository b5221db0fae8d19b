/** The page with more than fits on a screen: 200 actors that move, and one with 10,000 events, without freezing. */
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { creationOf, cycleOf, recordDevice } from '../../support/executions/device-history.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

const EXECUTIONS = 3_333
const ACTORS = 200
const LONG_TASK_MS = 100

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds on the processor: others work on the cores of this machine, too. */
  tdur?: number
  args?: { name?: string }
}

/** What each task of the page took while `act` was done, in ms. */
const tasksDuring = async (page: Page, act: () => Promise<void>): Promise<number[]> => {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  await browser.startTracing(page, { categories: ['toplevel'] })
  // A trace that goes on would keep the next try from its own.
  const { traceEvents } = await act().then(
    async () => JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] },
    async error => {
      await browser.stopTracing()
      throw error
    },
  )
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`
  const isMain = ({ ph, name, args }: TraceEvent) =>
    ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain'
  const mains = new Set(traceEvents.filter(isMain).map(threadOf))
  return traceEvents
    .filter(event => event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1_000)
}

describe.skipIf(!needs('chromium'))('a full journal', () => {
  const { open } = browsing()
  let fake: FakeServer
  beforeEach(async () => {
    fake = await startFake()
    const journal = fake.deps.journal()
    await recordDevice(journal, 'busy', EXECUTIONS)
    for (let index = 0; index < ACTORS; index++) await journal.append(creationOf(`phone-${index}`, Date.now()))
  })
  afterEach(() => fake.server.close({ graceMs: 0 }))

  const loadAndScrub = async (page: Page) => {
    await page.evaluate(() => location.assign('#/actors/device%3Abusy'))
    await page.getByText('10000 of 10000').waitFor()
    await page.getByText('folded').waitFor({ state: 'detached' })
    const slider = page.getByRole('slider', { name: 'Timeline' })
    for (const value of [5_000, 1, 9_998, 3_334, 7_777]) {
      await slider.fill(String(value))
      await page.getByText(`${value + 1} of 10000`).waitFor()
    }
    await page.getByRole('button', { name: 'Live' }).click()
  }

  const moveAll = async (page: Page) => {
    const journal = fake.deps.journal()
    for (let index = 0; index < ACTORS; index++) {
      for (const record of cycleOf(`phone-${index}`, 0, Date.now())) await journal.append(record)
    }
    await page.locator(`html[data-seq="${journal.head()}"]`).waitFor({ state: 'attached' })
  }

  test('no task of the page takes longer than 100 ms for it', async () => {
    // How long the program takes to start is no matter of the data.
    const { page } = await open(`${fake.url}/inspector#/actors`)
    await page.locator('[data-actor]').first().waitFor({ state: 'attached' })
    const tasks = await tasksDuring(page, async () => {
      await loadAndScrub(page)
      await moveAll(page)
    })
    expect(await page.locator('[data-actor]').count()).toBe(ACTORS + 1)
    expect(await page.locator('.record').count()).toBeLessThan(200)
    expect(tasks.length).toBeGreaterThan(100)
    expect(tasks.filter(ms => ms > LONG_TASK_MS)).toEqual([])
  })
})
