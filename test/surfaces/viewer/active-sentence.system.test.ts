/** Below a statechart stands what the active state is, in the sentence of its machine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { device } from '../../../machines/device/device.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

describe.skipIf(!needs('chromium'))('the sentence of the active state', () => {
  const { open } = browsing()
  let lab: HttpLab
  beforeAll(async () => {
    lab = await startHttpLab()
  })
  afterAll(() => lab.close())

  test('is there before anything is pointed at', async () => {
    const execution = payloadOf([{ id: 'look', type: 'snapshot' }])
    await call(`${lab.url}/execute`, { body: { deviceId: lab.serials[0], execution } })
    const { page } = await open(`${lab.url}/inspector#/actors/${encodeURIComponent(`device:${lab.serials[0]}`)}`)
    const sentence = page.locator('.explain', { hasText: device.states.idle?.description ?? 'none' })
    await sentence.waitFor()
    expect(await sentence.locator('code').innerText()).toBe('idle')
  })
})
