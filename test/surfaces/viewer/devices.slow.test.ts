/** A device in a browser: its snapshot as a tree beside the picture, the matcher of a node, and an action that is tried. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startFake, startHttpLab } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'
import { receiptOf, recordOf } from '../../support/runtime/records.ts'

/** The page looks so long after an execution. */
const LOOKS_AFTER_MS = 2_000

const ACTIONS = [
  { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
  { id: 'tree', type: 'snapshot' },
  { id: 'picture', type: 'take_screenshot' },
]

describe.skipIf(!needs('chromium'))('devices', () => {
  const { open } = browsing()
  let lab: HttpLab
  let serial = ''
  beforeAll(async () => {
    lab = await startHttpLab()
    serial = lab.serials[0] ?? ''
    await call(`${lab.url}/execute`, { body: { deviceId: serial, execution: payloadOf(ACTIONS) } })
  })
  afterAll(() => lab.close())
  const opened = (expected?: RegExp) =>
    open(`${lab.url}/inspector#/devices/${encodeURIComponent(serial)}`, expected ? { expected } : {})

  test('hovering a node outlines it and shows the matcher that selects it alone', async () => {
    const { page } = await opened()
    await page.getByRole('tree', { name: 'Snapshot' }).waitFor()
    await page.getByRole('treeitem').filter({ hasText: 'Network & internet' }).hover()
    const outline = page.locator('[data-outline]')
    await outline.waitFor()
    expect(Number(await outline.getAttribute('height'))).toBeGreaterThan(10)
    await page.getByText('{"textEquals":"Network & internet"}').waitFor()
    await page.getByText("--text 'Network & internet'").waitFor()
    expect(await page.locator('.device-picture image').getAttribute('href')).toMatch(/^blob:/)
  })

  test('the picture leads to the tree, and keys walk the tree', async () => {
    const { page } = await opened()
    await page.getByRole('treeitem').filter({ hasText: 'wifi_switch' }).click()
    expect(await page.locator('[aria-selected="true"]').innerText()).toContain('Wi-Fi')
    await page.keyboard.press('ArrowUp')
    expect(await page.locator('[aria-selected="true"]').innerText()).toContain('search')
    await page.keyboard.press('Home')
    await page.locator('[role="treeitem"][aria-level="1"]:focus').waitFor()
    const shown = await page.getByRole('treeitem').count()
    await page.keyboard.press('ArrowLeft')
    expect(await page.getByRole('treeitem').count()).toBeLessThan(shown)
  })

  test('an action is tried on the device, and one that is not valid is refused with the reason', async () => {
    const { page } = await opened(/status of 400/)
    await page.getByRole('treeitem').filter({ hasText: 'wifi_switch' }).click()
    await page.getByText('Try an action').click()
    const seen = () => lab.lab.fleet.devices[0]?.phone.executions().length ?? 0
    const before = seen()
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByRole('status', { name: 'What came of it' }).getByText('click_type:').waitFor()
    expect(seen()).toBeGreaterThan(before)
    await page.getByLabel('The action as JSON').fill('{"id": "try", "type": "clack"}')
    const refusedAt = seen()
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByRole('alert').getByText('EXECUTION_VALIDATION_FAILED').waitFor()
    expect(seen()).toBe(refusedAt)
  })

  test('while somebody else has the device, nothing can be sent to it', async () => {
    const { page } = await opened()
    await page.getByRole('button', { name: 'Look now' }).waitFor()
    const slow = payloadOf([{ id: 'nap', type: 'sleep', params: { durationMs: 3_000 } }], { commandId: 'nap' })
    const running = call(`${lab.url}/execute`, { body: { deviceId: serial, execution: slow } })
    await page.getByText('Busy with Wait 3 s').waitFor()
    expect(await page.getByRole('button', { name: 'Look now' }).isDisabled()).toBe(true)
    await running
    await page.locator('button:enabled', { hasText: 'Look now' }).click()
    await page.getByText(/seen (now|[0-2] s) ago/).waitFor()
  })

  test('only a phone that is connected is free', async () => {
    const listDevices = async () => [{ serial: 'here-1', state: 'device' as const }]
    const fake = await startFake({ listDevices })
    await fake.deps.journal().append(recordOf('device:gone-1', 0), { receipt: receiptOf('e1') })
    try {
      const { page } = await open(`${fake.url}/inspector#/devices`, { expected: /404/ })
      await page.locator('[data-device-card="here-1"]').getByText('free', { exact: true }).waitFor()
      const gone = page.locator('[data-device-card="gone-1"]')
      await gone.getByText('not connected', { exact: true }).waitFor()
      expect(await gone.getByText('free').count()).toBe(0)
    } finally {
      await fake.server.close({ graceMs: 0 })
    }
  })

  test('the live picture looks once after an execution of others, and not after its own looks', async () => {
    const { page } = await opened()
    await page.getByRole('button', { name: 'Look now' }).waitFor()
    let looks = 0
    page.on('request', request => {
      if (request.url().endsWith('/inspector/looks')) looks += 1
    })
    await page.getByLabel('Live picture').check()
    await expect.poll(() => looks, { timeout: 10_000 }).toBe(1)
    await page.waitForTimeout(3 * LOOKS_AFTER_MS)
    expect(looks).toBe(1)
  })
})
