/** The page and the exported file say when they show less than the journal has. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { EXECUTIONS_SEARCHED_MAX, TRACE_MAX } from '../../../src/contracts/limits/limits.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'
import { receiptOf, recordOf } from '../../support/runtime/records.ts'

describe.skipIf(!needs('chromium'))('more than is shown', () => {
  const { open } = browsing()
  let fake: FakeServer
  beforeAll(async () => {
    fake = await startFake()
    const journal = fake.deps.journal()
    const writes: Promise<unknown>[] = []
    for (let n = 0; n <= EXECUTIONS_SEARCHED_MAX; n++) {
      writes.push(journal.append(recordOf('device:d1', n), { receipt: receiptOf(`${n}`, { acceptedAt: 1_000 + n }) }))
    }
    const run = { machine: 'skill-run', from: 'running', to: 'running', tags: ['in-flight'] }
    for (let n = 0; n <= TRACE_MAX; n++) writes.push(journal.append(recordOf('skill-run:r', n, run)))
    await Promise.all(writes)
  })
  afterAll(() => fake.server.close({ graceMs: 0 }))

  test('is said below a filtered list', async () => {
    const { page } = await open(`${fake.url}/inspector#/executions`)
    await page.getByLabel('Code').fill('NODE_NOT_FOUND')
    await page.keyboard.press('Enter')
    await page.getByText('No execution matches.').waitFor()
    await page.getByText('compared with the newest 1000 executions; there are older ones').waitFor()
  })

  test('is said in a trace, and in the file made of it', async () => {
    const said = 'The trace holds the first 1000 records of this skill run.'
    const { page } = await open(`${fake.url}/inspector#/skill-runs/r`)
    await page.getByText(said).waitFor()
    await page.goto(`${fake.url}/skill-runs/r/trace.html`)
    await page.getByText(said).waitFor()
  })
})
