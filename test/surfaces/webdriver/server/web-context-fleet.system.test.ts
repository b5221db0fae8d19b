/** A web context over a phone of another host: its pages are read and touched there, and both hosts have the receipts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HYBRID, hybridApp, SITE } from '../../../support/device/hybrid-app.ts'
import { type FleetLab, startFleetLab } from '../../../support/fleet/fleet-lab.ts'
import { needs } from '../../../support/needs.ts'
import { wireClient } from '../../../support/webdriver/webdriver-lab.ts'

describe.skipIf(!needs('nats-server'))('a session through one host on the phone of another', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ scenario: hybridApp(), flags: ['--webdriver'], inProcess: true })
  }, 120_000)
  afterAll(() => lab?.close())

  test('reads, touches and leaves its page', async () => {
    const there = `${lab.host('lab2').serial(1)}@lab2`
    const session = await wireClient(lab.host('lab1').url()).session({
      'appium:udid': there,
      'appium:appPackage': HYBRID,
    })
    try {
      expect((await session.get('/contexts')).value).toEqual(['NATIVE_APP', `WEBVIEW_${HYBRID}`])
      await session.post('/context', { name: `WEBVIEW_${HYBRID}` })
      expect((await session.get('/title')).value).toBe('Hybrid: sign in')
      const link = await session.find('link text', 'I need help')
      const clicked = await session.post(`/element/${link}/click`)
      expect(clicked).toMatchObject({ status: 200, value: null })
      const executionId = clicked.headers.get('svc-execution-id')
      for (const host of ['lab1', 'lab2'])
        expect((await lab.host(host).get(`/executions/${executionId}`)).body).toMatchObject({
          execution: { state: 'settled', host: 'lab2', taskId: session.id },
        })
      expect((await session.get('/url')).value).toBe(`${SITE}/help`)
      const moved = await session.post('/url', { url: `${SITE}/login` })
      expect(moved.headers.get('svc-execution-id')).toBeTruthy()
      expect((await session.get(`/element/${link}/text`)).value.error).toBe('stale element reference')
    } finally {
      await session.end()
    }
  }, 60_000)
})
