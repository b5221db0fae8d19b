/** The look at a page that follows a touch is the session's own: a policy that denies it refuses nothing that a caller asked for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HYBRID, hybridApp } from '../../../support/device/hybrid-app.ts'
import { startWebDriverLab, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
beforeAll(async () => {
  lab = await startWebDriverLab({ scenario: hybridApp(), webDriver: 'beside' })
})
afterAll(() => lab.close())

const POLICY = { default: 'allow', rules: [{ id: 'no looks', effect: 'deny', actions: ['read_page'] }] }

test('its refusal is not recorded; that of a look that was asked for is', async () => {
  const session = await lab.session({ 'appium:appPackage': HYBRID })
  expect((await session.post('/context', { name: `WEBVIEW_${HYBRID}` })).status).toBe(200)
  const button = await session.find('css selector', '#login')
  writeFileSync(join(lab.lab.home, '.svc', 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 })
  const refusals = () => [...lab.lab.services.journal().records({ actor: 'policy' })].map(({ event }) => event.action)
  expect(await session.post(`/element/${button}/click`)).toMatchObject({ status: 200, value: null })
  expect(refusals()).toEqual([])
  expect((await session.get('/title')).value).toMatchObject({ data: { code: 'EXECUTION_DENIED' } })
  expect(refusals()).toEqual(['read_page'])
})
