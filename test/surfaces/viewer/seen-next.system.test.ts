/** An execution whose end nobody knows shows the screen that was seen next, and says that a later execution saw it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

const CLICKS = [
  { id: 'first', type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } },
  { id: 'second', type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } },
]

describe.skipIf(!needs('chromium'))('the screen seen next', () => {
  const { open } = browsing()
  let lab: HttpLab
  beforeAll(async () => {
    // An app that keeps results would tell how it ended.
    const settings = defaultScenario()
    const operator = { ...settings.device.operator, capabilities: [] }
    const scenario = { ...settings, device: { ...settings.device, operator } }
    lab = await startHttpLab({ scenario, faults: [{ after: 0, do: 'no-result', times: 1 }] })
  })
  afterAll(() => lab.close())

  test('stands beside each step that may have acted', async () => {
    const execution = { ...payloadOf(CLICKS), timeoutMs: 1_500 }
    const { headers, json } = await call(`${lab.url}/execute`, { body: { deviceId: lab.serials[0], execution } })
    expect(json).toMatchObject({ ok: false })
    await call(`${lab.url}/snapshot`, { body: { deviceId: lab.serials[0] } })
    const { page } = await open(`${lab.url}/inspector#/executions/${headers['svc-execution-id']}`)
    for (const number of [1, 2]) {
      await page.goto(`${lab.url}/inspector#/executions/${headers['svc-execution-id']}?step=${number}`)
      const stage = page.getByRole('region', { name: `Step ${number}` })
      await stage.locator('.wireframe').waitFor()
      expect(await stage.locator('.pair-name').innerText()).toMatch(/^Seen next 1 · of a later execution, .*after$/)
    }
  })
})
