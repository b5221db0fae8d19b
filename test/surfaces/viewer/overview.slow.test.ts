/** The overview in a browser: what runs, waits, failed and is in doubt, live, without a word to any device. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { type FakeServer, type HttpLab, startFake, startHttpLab } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'

const NAP_MS = 8_000

describe.skipIf(!needs('chromium'))('the overview', () => {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const { open } = browsing()

  describe('of a journal', () => {
    let fake: FakeServer
    let listed = 0
    beforeEach(async () => {
      listed = 0
      const listDevices = async () => {
        listed += 1
        return []
      }
      fake = await startFake({ listDevices })
      closing.push(() => fake.server.close({ graceMs: 0 }))
    })

    test('that is empty says how to begin', async () => {
      const { page } = await open(`${fake.url}/inspector`)
      await page.getByText('Nothing has used a phone yet.').waitFor()
      expect(await page.locator('.empty code').allInnerTexts()).toContain('svc snapshot')
    })

    test('shows failures and doubts by what was done, and a new one when it is recorded; no device is asked', async () => {
      const journal = fake.deps.journal()
      const failed = { ok: false as const, error: { code: 'DEVICE_LINK_LOST', message: 'gone' } }
      const keep = (n: number, more: Parameters<typeof receiptOf>[1]) =>
        journal.append(recordOf('device:d1', n), { receipt: receiptOf(`${n}`, { acceptedAt: 1_000 + n, ...more }) })
      await keep(0, { state: 'settled', result: failed })
      await keep(1, { state: 'interrupted', dispatchedAt: 1_002, result: resultOf('no answer came') })
      // The failures are those of a journal, and the service behind this server knows none of them.
      const { page } = await open(`${fake.url}/inspector`, { expected: /404/ })
      await page.getByRole('region', { name: 'Latest failures' }).getByText('DEVICE_LINK_LOST').waitFor()
      const doubts = page.getByRole('region', { name: 'In doubt' })
      await doubts.getByText('RESULT_ENVELOPE_TIMEOUT').waitFor()
      expect(await doubts.getByRole('link').count()).toBe(1)
      await keep(2, { state: 'interrupted', dispatchedAt: 1_003, result: resultOf('no answer came') })
      await doubts.getByRole('link').nth(1).waitFor()
      await doubts.getByRole('link').first().click()
      await page.waitForURL(/#\/executions\/2$/)
      expect(listed).toBe(0)
    })
  })

  describe('of phones', () => {
    let lab: HttpLab
    beforeEach(async () => {
      lab = await startHttpLab()
      closing.push(() => lab.close())
    })
    const body = (actions: readonly object[], commandId: string) => ({
      deviceId: lab.serials[0],
      execution: payloadOf(actions, { commandId }),
    })

    test('has each as a card with its last screen, and who works with it and waits for it, and asks it nothing', async () => {
      const nap = [{ id: 'nap', type: 'sleep', params: { durationMs: NAP_MS } }]
      await call(`${lab.url}/execute`, { body: body([{ id: 'seen', type: 'snapshot' }], 'look') })
      const { page } = await open(`${lab.url}/inspector`)
      const card = page.locator(`[data-device-card="${lab.serials[0]}"]`)
      await card.locator('.wireframe').waitFor({ state: 'attached' })
      await card.getByText('idle').waitFor()
      const asked = () => lab.lab.fleet.devices[0]?.phone.executions().length ?? 0
      const before = asked()
      const running = call(`${lab.url}/execute`, { body: body(nap, 'first') })
      await card.getByText('busy').waitFor()
      const queued = call(`${lab.url}/execute`, {
        body: { ...body([{ id: 'nod', type: 'sleep', params: { durationMs: 1 } }], 'second'), waitMs: 10_000 },
      })
      await card.getByText('1 waiting').waitFor()
      const now = page.getByRole('region', { name: 'Now' })
      await now.getByText(`Wait ${NAP_MS / 1_000} s`).waitFor()
      await now.locator('[data-waiting]').getByText('second').waitFor()
      await page.goto(`${lab.url}/inspector#/devices/${encodeURIComponent(lab.serials[0] ?? '')}`)
      await page.getByRole('heading', { name: 'One request waits for this device' }).waitFor()
      await page.goto(`${lab.url}/inspector#/executions?state=waiting`)
      await page.locator('[data-execution] a').first().click()
      await page.getByText('It waits for its device, and nothing has been sent yet.').waitFor()
      await page.goto(`${lab.url}/inspector#/executions`)
      await page.locator('tr', { hasText: 'waiting' }).getByText('second').waitFor()
      await Promise.all([running, queued])
      // Both naps reached the phone, and nothing else did.
      expect(asked() - before).toBeLessThanOrEqual(2)
    })

    test('a device that nobody knows is said not to exist', async () => {
      const { page } = await open(`${lab.url}/inspector#/devices/nothing`)
      await page.getByRole('heading', { name: 'No device nothing' }).waitFor()
      expect(await page.getByRole('button', { name: 'Look now' }).count()).toBe(0)
    })
  })
})
