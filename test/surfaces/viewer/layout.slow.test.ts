/** Every page of the viewer on a laptop and on a phone, light and dark: nothing scrolls sideways, and all text can be read. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyOutcome } from '../../service/flows/reports/sample-runs.ts'
import { recordDevice } from '../../support/executions/device-history.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'

/** A dozen pages, each in a browser that others share. */
const ALL_PAGES_MS = 180_000

const SIZES = { laptop: { width: 1_366, height: 768 }, phone: { width: 390, height: 844 } } as const
const LONG = 'com.example.a.package.with.a.name.that.is.longer.than.any.column.would.ever.want.it.to.be'

const tested = everyOutcome()

/** Elements that reach beyond the page, and boxes of the page that scroll sideways; lists made for it may. */
const TOO_WIDE = `(() => {
  const wide = [...document.querySelectorAll('html, body, main, .page, .list, article, .card')]
    .filter(element => element.scrollWidth > element.clientWidth + 1 && !element.matches('.tree-card, .chart-card'))
    .map(element => element.tagName + '.' + element.className + ' ' + element.scrollWidth + ' > ' + element.clientWidth)
  const mayScroll = '.film, .chart-box, .tabs, .tree, .rows, .top nav, .difference-lines, .heard, .chart-card'
  const beyond = [...document.querySelectorAll('main a, main button, main p, main td, main h1, main h2, header a')]
    .filter(element => !element.closest(mayScroll))
    .filter(element => element.getBoundingClientRect().right > innerWidth + 1)
    .map(element => element.tagName + ' ' + element.textContent.slice(0, 40))
  return [...wide, ...beyond]
})()`

/** Text with less contrast than WCAG AA asks for: 4.5, and 3 where it is large. */
const TOO_FAINT = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const over = colours => {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, 1, 1)
    for (const colour of colours) { context.fillStyle = colour; context.fillRect(0, 0, 1, 1) }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const light = channels => channels
    .map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0)
  const found = new Set()
  const walker = document.createTreeWalker(document.getElementById('root'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!node.data.trim() || element.closest('svg, .heard, :disabled, option, .lines-screen.small')) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const behind = []
    for (let at = element; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor)
    const style = getComputedStyle(element)
    const [ground, ink] = [over(behind), over([...behind, style.color])].map(light)
    const ratio = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05)
    const size = parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (ratio < (isLarge ? 3 : 4.5)) found.add(node.data.trim().slice(0, 30) + ' ' + ratio.toFixed(2) + ' ' + element.className)
  }
  return [...found]
})()`

/** Controls that a screen reader could only call by their kind. */
const NAMELESS = `[...document.querySelectorAll('button, a[href], input, select, textarea')]
  .filter(element => !(element.getAttribute('aria-label') || element.title || element.textContent.trim() || element.labels?.length))
  .map(element => element.outerHTML.slice(0, 80))`

describe.skipIf(!needs('chromium'))('every page', () => {
  const { open } = browsing()
  let lab: HttpLab
  const pages: [string, (page: Page) => Promise<unknown>][] = []
  const shows = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()
  beforeAll(async () => {
    lab = await startHttpLab()
    const [serial = ''] = lab.serials
    const looks = [
      { id: 'tree', type: 'snapshot' },
      { id: 'picture', type: 'take_screenshot' },
    ]
    const actions = [
      { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
      ...looks,
      { id: 'click', type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } },
      ...looks.map(look => ({ ...look, id: `${look.id}-2` })),
      { id: 'miss', type: 'click', params: { matcher: { textEquals: LONG } } },
    ]
    const body = { deviceId: serial, execution: payloadOf(actions, { commandId: LONG }) }
    const { headers } = await call(`${lab.url}/execute`, { body })
    const executionId = String(headers['svc-execution-id'])
    const journal = lab.deps.journal()
    await recordDevice(journal, LONG, 2, Date.now() - 60_000)
    const run = { actor: 'skill-run:r', machine: 'skill-run', version: 1, at: Date.now(), tags: [] }
    const created = { type: 'actor.created', input: { runId: 'r' }, at: run.at }
    const requested = { type: 'run.requested', runId: 'r', skillId: LONG, deviceId: serial, argv: [LONG], at: run.at }
    await journal.append({ ...run, n: 0, event: created, from: '', to: 'requested' })
    await journal.append({
      ...run,
      n: 1,
      event: requested,
      from: 'requested',
      to: 'active.gating',
      tags: ['in-flight'],
    })
    const doubt = receiptOf('doubt', {
      deviceId: LONG,
      commandId: LONG,
      state: 'interrupted',
      dispatchedAt: 2_000,
      operatorPackage: LONG,
      skillRunId: 'r',
      result: resultOf(LONG),
    })
    await journal.append(
      recordOf(`daemon:id-${Buffer.from(serial).toString('base64url')}`, 0, { machine: 'daemon', to: 'running' }),
      {
        receipt: doubt,
      },
    )
    const device = encodeURIComponent(serial)
    pages.push(
      ['overview', shows('.doubts')],
      ['executions', shows('[data-execution]')],
      [`executions/${executionId}`, shows('.step-stage')],
      [`executions/${executionId}?step=4`, shows('.touch-finger')],
      ['executions/nothing', shows('[role=alert]')],
      ['skill-runs', shows('[data-skill-run]')],
      ['skill-runs/r', shows('.facts')],
      ['test-runs', shows('[data-test-run]')],
      [`test-runs/${tested.testRunId}`, shows('[data-flow]')],
      [`test-runs/${tested.testRunId}?flow=3&attempt=1`, shows('.command-details')],
      ['devices', shows('[data-device]')],
      [`devices/${device}`, shows('.device-picture svg')],
      ['devices/nothing', shows('main h1')],
      ['actors', shows('[data-actor]')],
      [`actors/device%3A${device}`, shows('.record')],
    )
  })
  afterAll(() => lab.close())

  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(
        `fits on a ${size} and can be read when it is ${colorScheme}`,
        async () => {
          const { page } = await open('about:blank', { viewport, colorScheme, expected: /404/ })
          await page.route(/\/test-runs(\/|$)/, (route, request) => {
            const isList = request.url().endsWith('/test-runs')
            return route.fulfill({ json: { ok: true, ...(isList ? { testRuns: [tested] } : { testRun: tested }) } })
          })
          const faults: unknown[] = []
          for (const [hash, ready] of pages) {
            await page.goto(`${lab.url}/inspector#/${hash}`)
            await ready(page)
            const found = (await page.evaluate(
              `({ wide: ${TOO_WIDE}, faint: ${TOO_FAINT}, nameless: ${NAMELESS} })`,
            )) as object
            if (Object.values(found).flat().length > 0) faults.push({ hash, ...found })
          }
          expect(faults).toEqual([])
        },
        ALL_PAGES_MS,
      )
    }
  }
})
