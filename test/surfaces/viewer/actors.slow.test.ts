/** Actors in a browser: lit as they move, scrubbed through time, and without a gap after the server was away. */
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { creationOf, cycleOf, recordDevice } from '../../support/executions/device-history.ts'
import { type FakeServer, listen, type ServedApp, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { activeStates, browsing } from '../../support/pictures/browser.ts'

const LIT_WITHIN_MS = 200

describe.skipIf(!needs('chromium'))('actors', () => {
  let fake: FakeServer
  const served: ServedApp[] = []
  beforeEach(async () => {
    fake = await startFake()
  })
  afterEach(async () => {
    for (const { server } of [fake, ...served.splice(0)]) await server.close({ graceMs: 0 })
  })
  // Its pages are closed before the servers: a page whose server has gone complains.
  const { open } = browsing()

  const journal = () => fake.deps.journal()
  const pageOf = (serial: string) => `${fake.url}/inspector#/actors/device%3A${serial}`
  const lit = (page: Page, path: string) => page.locator(`[data-state="${path}"][data-active]`).waitFor()

  test('a state lights up within 200 ms of its record, the arrow that led there with it', async () => {
    await journal().append(creationOf('a', Date.now()))
    const { page } = await open(pageOf('a'))
    await lit(page, 'idle')
    await page.locator('.connection.live').waitFor()
    // The page says itself when a state was lit: waiting from here would add the way there.
    await page.evaluate(`
      window.litAt = {}
      new MutationObserver(changes => {
        for (const { target } of changes) if (target.hasAttribute('data-active')) window.litAt[target.dataset.state] = Date.now()
      }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-active'] })`)
    const delays: number[] = []
    for (let index = 0; index < 5; index++) {
      const records = cycleOf('a', index, Date.now())
      for (const record of records) {
        const from = Date.now()
        const { seq } = await journal().append(record)
        await page.locator(`html[data-seq="${seq}"]`).waitFor({ state: 'attached' })
        await lit(page, record.to)
        const at = (await page.evaluate(`window.litAt[${JSON.stringify(record.to)}]`)) as number
        delays.push(at - from)
      }
    }
    delays.sort((a, b) => a - b)
    // The machine is shared: one that was slow is no rule.
    expect(delays[Math.floor(delays.length * 0.8)]).toBeLessThan(LIT_WITHIN_MS)
    expect(await activeStates(page)).toEqual(['idle'])
    const arrows = await page.locator('.arrow[data-last]').getAttribute('aria-label')
    expect(arrows).toContain('execution.settled [isCurrent] / answer')
    expect(arrows).toContain('device.settled: An execution yields a terminal result envelope')
  })

  test('the list says machine, state, since when and what it works on', async () => {
    await recordDevice(journal(), 'a', 1)
    const [requested] = cycleOf('a', 1, Date.now())
    if (requested) await journal().append(requested)
    const { page } = await open(`${fake.url}/inspector#/actors`)
    const text = await page.locator('[data-actor="device:a"]').innerText()
    for (const part of ['a', 'device', 'running.accepted', 'command-1']) expect(text).toContain(part)
  })

  test('the denials of the policy are a list of records, without a chart', async () => {
    const event = { type: 'execution.denied', rule: 'no-bank', at: 1 }
    const place = { actor: 'policy', machine: 'policy', version: 1, at: 1, tags: [] }
    await journal().append({ ...place, n: 0, event, from: '', to: 'denied' })
    const { page } = await open(`${fake.url}/inspector#/actors/policy`)
    await page.locator('section[aria-label=Records] li').waitFor()
    expect(await page.locator('article[aria-label=policy]').textContent()).toContain('no-bank')
    expect(await page.locator('.chart-card').count()).toBe(0)
  })

  test('the timeline is walked by keys: chart, context and event of each moment, folded from its records', async () => {
    await recordDevice(journal(), 'a', 3)
    const { page } = await open(pageOf('a'))
    await page.getByText('10 of 10').waitFor()
    const slider = page.getByRole('slider', { name: 'Timeline' })
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await lit(page, 'running.dispatched')
    expect(await activeStates(page)).toEqual(['running', 'running.dispatched'])
    await page.locator('html[data-seq="9"]').waitFor({ state: 'attached' })
    expect(await page.getByRole('tabpanel').innerText()).toContain('"a-execution-2"')
    await page.keyboard.press('Home')
    await lit(page, 'idle')
    expect(await slider.getAttribute('aria-valuetext')).toContain('1 of 10: actor.created')
    expect(page.url()).toContain('?seq=1')
    await page.getByRole('button', { name: 'Mark A' }).click()
    await page.keyboard.press('Tab')
    await slider.focus()
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight')
    await page.getByRole('rowheader', { name: 'current.dispatchedAt' }).waitFor()
    expect(await page.locator('.differs').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^state\s+idle\s+running\.disp/),
    )
  })

  test('a link leads to its moment, and stays there while the actor moves on', async () => {
    await recordDevice(journal(), 'a', 2)
    const { page } = await open(`${pageOf('a')}?seq=2`)
    await lit(page, 'running.accepted')
    for (const record of cycleOf('a', 2, Date.now())) await journal().append(record)
    await page.getByText('2 of 10').waitFor()
    expect(await activeStates(page)).toEqual(['running', 'running.accepted'])
    await page.getByRole('button', { name: 'Live' }).click()
    await lit(page, 'idle')
    await page.locator('html[data-seq="10"]').waitFor({ state: 'attached' })
  })

  test('what the contract says is read on hover and on focus', async () => {
    await recordDevice(journal(), 'a', 1)
    const { page } = await open(pageOf('a'))
    await page.locator('[data-state="running.overdue"] > .name').hover()
    await page.getByText('No envelope in time; the operator port may still say what it saw.').waitFor()
    await page.locator('.arrow[aria-label*="deadline.passed / tellOperator"]').focus()
    await page.getByText('RESULT_ENVELOPE_TIMEOUT: the wait for an envelope').waitFor()
  })

  test('after a restart of the server nothing is missing', async () => {
    await recordDevice(journal(), 'a', 1)
    const { page } = await open(pageOf('a'), { expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/ })
    await page.getByText('4 of 4').waitFor()
    await fake.server.close({ graceMs: 0 })
    await page.locator('.connection.waiting').waitFor()
    for (const index of [1, 2]) for (const record of cycleOf('a', index, Date.now())) await journal().append(record)
    served.push(await listen(fake.deps, { port: fake.port }))
    await page.getByText('10 of 10').waitFor()
    expect(await page.locator('.record .mono:first-child').allInnerTexts()).toEqual(
      Array.from({ length: 10 }, (_, index) => `${index + 1}`),
    )
  })

  test('the page of an older build loads itself again, at the same place', async () => {
    await recordDevice(journal(), 'a', 1)
    const { page } = await open(pageOf('a'), { expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/ })
    await page.getByText('4 of 4').waitFor()
    await fake.server.close({ graceMs: 0 })
    await page.locator('.connection.waiting').waitFor()
    const loaded = page.waitForEvent('load')
    const buildIdentity = { ...fake.deps.buildIdentity, size: 1 }
    served.push(await listen({ ...fake.deps, buildIdentity }, { port: fake.port }))
    await loaded
    await page.getByText('4 of 4').waitFor()
    expect(page.url()).toContain('#/actors/device%3Aa')
  })

  test('keys alone reach an actor, its states and its records', async () => {
    await recordDevice(journal(), 'a', 1)
    const { page } = await open(`${fake.url}/inspector#/actors`)
    await page.locator('[data-actor]').waitFor()
    const isOn = (selector: string) => page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < 80; presses++) {
        if (await isOn(selector)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`no Tab leads to ${selector}`)
    }
    await tabTo('[data-actor="device:a"]')
    await page.keyboard.press('Enter')
    await page.getByText('4 of 4').waitFor()
    for (const place of ['[role="slider"]', '[data-state="idle"]', '[role="tab"]', '.record.at']) await tabTo(place)
  })

  test('asks for the token where the server needs one, and goes on with it', async () => {
    await recordDevice(journal(), 'a', 1)
    const { page } = await open('about:blank', { expected: /401/ })
    const isData = (url: URL) => !/^\/inspector(\/files\/.*)?$/.test(url.pathname)
    await page.route(isData, (route, request) =>
      request.headers().authorization === 'Bearer the-token-of-this-server'
        ? route.continue()
        : route.fulfill({ status: 401, json: { ok: false, error: { code: 'UNAUTHORIZED', message: 'no' } } }),
    )
    await page.goto(`${fake.url}/inspector#/actors`)
    await page.getByLabel('Token').fill('the-token-of-this-server')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('[data-actor="device:a"]').waitFor()
  })
})
