/** Reserved phones in a browser: who has each, on its card, and the sessions and reservations among the actors with their charts. */
import { hostname, userInfo } from 'node:os'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../support/http/http-client.ts'
import { labDeps, listen, type ServedApp } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { activeStates, browsing } from '../../support/pictures/browser.ts'
import { startWebDriverLab, type TestSession, type WebDriverLab } from '../../support/webdriver/webdriver-lab.ts'

describe.skipIf(!needs('chromium'))('reserved phones', () => {
  let lab: WebDriverLab
  let served: ServedApp
  let session: TestSession
  beforeAll(async () => {
    lab = await startWebDriverLab({ count: 2 })
    served = await listen(labDeps(lab.lab))
  })
  afterAll(async () => {
    await served?.server.close({ graceMs: 0 })
    await lab?.close()
  })
  beforeEach(async () => {
    session = await lab.session({ 'appium:udid': lab.serials[0] })
    return async () => void (await session.end())
  })
  // Its pages are closed before the server: a page whose server has gone complains.
  const { open } = browsing()

  const pageOf = (section: string, id = '') => `${served.url}/inspector#/${section}/${encodeURIComponent(id)}`
  const shownId = (id: string) => `${id.slice(0, 8)}…${id.slice(-4)}`

  const keeper = `${userInfo().username} on ${hostname()}`

  test('a card says which session or lease has its phone, until it is given back', async () => {
    const body = { device: lab.serials[1], forMs: 60_000, note: 'nightly payments' }
    const { lease } = (await call(`${served.url}/leases`, { body })).json as { lease: { leaseId: string } }
    const { page } = await open(pageOf('devices'))
    const card = (at: number) => page.locator(`[data-device-card="${lab.serials[at]}"]`)
    await card(0)
      .getByText(`reserved by ${keeper} (session ${shownId(session.id)})`)
      .waitFor()
    await card(1)
      .getByText(`reserved by ${keeper} (lease ${shownId(lease.leaseId)}): nightly payments`)
      .waitFor()
    await call(`${served.url}/leases/${lease.leaseId}`, { method: 'DELETE' })
    await card(1).locator('[data-reserved-by]').waitFor({ state: 'detached' })
    expect(await card(0).locator('[data-reserved-by]').count()).toBe(1)
  })

  test('nothing is sent to a phone that a session has, and the page says who has it', async () => {
    const { page } = await open(pageOf('devices', lab.serials[0]))
    await page.getByText(`Reserved by ${keeper} (session ${shownId(session.id)}). Nothing is sent`).waitFor()
    expect(await page.getByRole('button', { name: 'Look now' }).isDisabled()).toBe(true)
  })

  test('a session is an actor with its phone, its chart and each command, as it comes', async () => {
    await session.post('/back')
    const { page } = await open(pageOf('actors', `session:${session.id}`))
    await page.locator('[data-state="active.idle"][data-active]').waitFor()
    expect(await activeStates(page)).toEqual(['active', 'active.idle'])
    const row = await page.locator(`[data-actor="session:${session.id}"]`).innerText()
    for (const part of ['session', 'active.idle', `on ${lab.serials[0]}`]) expect(row).toContain(part)
    await session.post('/timeouts', { implicit: 60_000 })
    const waiting = session.post('/element', { using: 'id', value: 'nothing' })
    await page.locator('[data-state="active.commanding"][data-active]').waitFor()
    await session.end()
    await waiting
    await page.locator('[data-state="ended.deleted"][data-active]').waitFor()
    session = await lab.session({ 'appium:udid': lab.serials[0] })
  })

  test('its reservation is one, too, and names the session', async () => {
    const { actors } = (await call(`${served.url}/actors`)).json as {
      actors: { id: string; deviceId?: string; sessionId?: string; state: string }[]
    }
    const reservation = actors.find(({ sessionId }) => sessionId === session.id)
    expect(reservation).toMatchObject({ deviceId: lab.serials[0], state: 'held.ready' })
    expect(actors.find(({ id }) => id === `session:${session.id}`)).toMatchObject({ deviceId: lab.serials[0] })
    const { page } = await open(pageOf('actors', reservation?.id))
    await page.locator('[data-state="held.ready"][data-active]').waitFor()
    const row = await page.locator(`[data-actor="${reservation?.id}"]`).innerText()
    expect(row).toContain(`of ${lab.serials[0]} for session ${shownId(session.id)}`)
  })
})
