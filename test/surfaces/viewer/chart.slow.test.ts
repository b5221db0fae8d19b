/** Statecharts in a browser: what they open with, how they are zoomed and moved, and that their texts stay in their boxes. */
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CATALOGUE, type MachineName } from '../../../machines/catalogue.ts'
import { creationOf, cycleOf, recordDevice } from '../../support/executions/device-history.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'
import { FONTS, textsOutsideBoxes, useFontAlways, WIDEST } from '../../support/pictures/texts-in-boxes.ts'
import { initialState } from '../../support/runtime/initial-state.ts'
import { until } from '../../support/until.ts'

interface Seen {
  scale: number
  box: { left: number; top: number; right: number; bottom: number }
  picture: { left: number; top: number; right: number; bottom: number }
  scroll: { left: number; top: number }
}

const SEEN = `(() => {
  const box = document.querySelector('.chart-box')
  const chart = box.querySelector('svg')
  const rect = element => { const { left, top, right, bottom } = element.getBoundingClientRect(); return { left, top, right, bottom } }
  return {
    scale: chart.getBoundingClientRect().width / chart.viewBox.baseVal.width,
    box: rect(box),
    picture: rect(chart),
    scroll: { left: box.scrollLeft, top: box.scrollTop },
  }
})()`

describe.skipIf(!needs('chromium'))('a statechart', () => {
  let fake: FakeServer
  beforeEach(async () => {
    fake = await startFake()
  })
  afterEach(() => fake.server.close({ graceMs: 0 }))
  const { open } = browsing()

  const journal = () => fake.deps.journal()
  const pageOf = (actor: string) => `${fake.url}/inspector#/actors/${encodeURIComponent(actor)}`
  const seen = (page: Page) => page.evaluate(SEEN) as Promise<Seen>
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const isPressed = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true, pressed: true }).waitFor({ timeout: 5_000 })
  const isShown = async (page: Page, state: string) => {
    const { box } = await seen(page)
    const at = await page.locator(`.chart-box [data-state="${state}"]`).boundingBox()
    if (!at) throw new Error(`${state} is not in the picture`)
    return box.left <= at.x && at.x + at.width <= box.right && box.top <= at.y && at.y + at.height <= box.bottom
  }
  const recordState = async (machine: MachineName, state: string) => {
    const actor = `${machine}:a`
    const place = { actor, machine, version: CATALOGUE[machine].version, at: 1, tags: [] }
    await journal().append({ ...place, n: 0, event: { type: 'actor.created', at: 1 }, from: '', to: state })
    return pageOf(actor)
  }
  const openedChart = async (url: string, options = {}) => {
    const { page } = await open(url, options)
    await page.locator('.chart-tools').waitFor()
    return page
  }

  test.each([...FONTS, ['a font that is wider than any expected one', WIDEST] as const])(
    'keeps its texts in their boxes, lit or not, in %s',
    async (_, font) => {
      const { page } = await open('about:blank')
      await useFontAlways(page, font)
      for (const machine of Object.keys(CATALOGUE) as MachineName[]) {
        await page.goto(await recordState(machine, initialState(machine)))
        await page.locator(`svg.statechart-${machine}`).waitFor()
        await page.locator('.chart-tools').waitFor()
        const { found, texts } = await textsOutsideBoxes(page)
        expect(found, machine).toEqual([])
        expect(texts).toBeGreaterThan(10)
      }
    },
  )

  test('opens whole where its texts have 9 pixels or more', async () => {
    const page = await openedChart(await recordState('ownership', 'unowned'), {
      viewport: { width: 1900, height: 1000 },
    })
    const { scale, box, picture } = await seen(page)
    expect(scale * 11).toBeGreaterThanOrEqual(9)
    expect(picture.left).toBeGreaterThanOrEqual(box.left)
    expect(picture.right).toBeLessThanOrEqual(box.right)
    expect(picture.bottom).toBeLessThanOrEqual(box.bottom)
  })

  test.each([
    { width: 1366, height: 768 },
    { width: 390, height: 844 },
  ])('opens at the active state where it is too large, at $width x $height', async viewport => {
    const state = 'busy.starting.awaiting.booting'
    const page = await openedChart(await recordState('emulator', state), { viewport })
    expect(await isShown(page, state)).toBe(true)
    expect((await seen(page)).scale * 11).toBeCloseTo(9, 1)
    await isPressed(page, 'Active state')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await press(page, 'Fit')
    const { box, picture } = await seen(page)
    expect([picture.left >= box.left, picture.right <= box.right]).toEqual([true, true])
    expect([picture.top >= box.top, picture.bottom <= box.bottom]).toEqual([true, true])
    await isPressed(page, 'Fit')
    await press(page, 'Active state')
    expect(await isShown(page, state)).toBe(true)
    expect((await seen(page)).scale * 11).toBeCloseTo(9, 1)
  })

  test('is zoomed by buttons and keys, and by a wheel with Ctrl around the pointer', async () => {
    const page = await openedChart(await recordState('emulator', 'busy.observing'))
    const { scale } = await seen(page)
    await press(page, 'Zoom in')
    expect((await seen(page)).scale).toBeCloseTo(scale * 1.25, 2)
    await press(page, 'Zoom out')
    expect((await seen(page)).scale).toBeCloseTo(scale, 2)
    await page.locator('.chart-box').focus()
    await page.keyboard.press('+')
    expect((await seen(page)).scale).toBeCloseTo(scale * 1.25, 2)
    await page.keyboard.press('-')
    expect(await page.getByLabel('Zoom', { exact: true }).innerText()).toBe(`${Math.round(scale * 100)} %`)
    await page.keyboard.press('0')
    await isPressed(page, 'Fit')
    await press(page, 'Active state')
    const before = await seen(page)
    const at = { x: before.box.left + 200, y: before.box.top + 150 }
    await page.mouse.move(at.x, at.y)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -200)
    await page.keyboard.up('Control')
    await until(async () => (await seen(page)).scale > scale * 1.3, 'the picture to grow')
    const after = await seen(page)
    expect((at.x - after.picture.left) / after.scale).toBeCloseTo((at.x - before.picture.left) / before.scale, -0.5)
    expect((at.y - after.picture.top) / after.scale).toBeCloseTo((at.y - before.picture.top) / before.scale, -0.5)
  })

  test('is moved by the mouse, the wheel and the arrow keys', async () => {
    const page = await openedChart(await recordState('emulator', 'busy.starting.spawning'))
    const { box, scroll } = await seen(page)
    await page.mouse.move(box.left + 300, box.top + 300)
    await page.mouse.down()
    await page.mouse.move(box.left + 260, box.top + 240, { steps: 4 })
    await page.mouse.up()
    expect((await seen(page)).scroll).toEqual({ left: scroll.left + 40, top: scroll.top + 60 })
    await page.mouse.wheel(0, 50)
    await until(async () => (await seen(page)).scroll.top === scroll.top + 110, 'the wheel to scroll the picture')
    await page.locator('.chart-box').focus()
    await page.keyboard.press('ArrowLeft')
    await until(async () => (await seen(page)).scroll.left < scroll.left + 40, 'the arrow key to scroll the picture')
  })

  test('follows the active state until the person moves the picture, and again from when they go there', async () => {
    await journal().append(creationOf('a', Date.now()))
    const page = await openedChart(pageOf('device:a'), { viewport: { width: 390, height: 844 } })
    await page.locator('.connection.live').waitFor()
    const [requested, dispatched, settled] = cycleOf('a', 0, Date.now())
    if (!requested || !dispatched || !settled) throw new Error('an execution has three records')
    await journal().append(requested)
    await page.locator('[data-state="running.accepted"][data-active]').waitFor()
    await until(() => isShown(page, 'running.accepted'), 'the picture to follow')
    await page.evaluate('document.querySelector(".chart-box").scrollTo(0, 0)')
    await page.getByRole('button', { name: 'Active state', exact: true, pressed: false }).waitFor()
    const before = await seen(page)
    await journal().append(dispatched)
    await journal().append(settled)
    await page.locator('[data-state="idle"][data-active]').waitFor()
    expect(await isShown(page, 'idle')).toBe(false)
    expect((await seen(page)).scroll).toEqual(before.scroll)
    await press(page, 'Active state')
    await until(() => isShown(page, 'idle'), 'the picture to go to the active state')
  })

  test('keeps what was chosen when the window has another size', async () => {
    const page = await openedChart(await recordState('emulator', 'busy.observing'))
    await press(page, 'Fit')
    await page.setViewportSize({ width: 700, height: 900 })
    await until(async () => {
      const { box, picture } = await seen(page)
      const isWhole = picture.left >= box.left && picture.right <= box.right && picture.bottom <= box.bottom
      return (
        isWhole && (picture.bottom - picture.top > 0.97 * (box.bottom - box.top) || picture.right - picture.left > 600)
      )
    }, 'the picture to fit the other box')
    await isPressed(page, 'Fit')
  })

  test('is zoomed by two fingers, and scrolled by one', async () => {
    const viewport = { width: 390, height: 844 }
    const page = await openedChart(await recordState('emulator', 'busy.observing'), {
      viewport,
      hasTouch: true,
      isMobile: true,
    })
    await page.locator('.chart-box').scrollIntoViewIfNeeded()
    const before = await seen(page)
    const client = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints })
    const [x, y] = [before.box.left + 180, Math.max(before.box.top, 0) + 200]
    await touch('touchStart', { x: x - 20, y }, { x: x + 20, y })
    for (const apart of [25, 30, 40]) await touch('touchMove', { x: x - apart, y }, { x: x + apart, y })
    await touch('touchEnd')
    const after = await seen(page)
    expect(after.scale).toBeCloseTo(before.scale * 2, 1)
    expect((x - after.picture.left) / after.scale).toBeCloseTo((x - before.picture.left) / before.scale, -0.5)
    expect(await page.evaluate('visualViewport.scale')).toBe(1)
    await touch('touchStart', { x, y })
    for (const far of [20, 40, 60]) await touch('touchMove', { x: x - far, y })
    await touch('touchEnd')
    await until(async () => (await seen(page)).scroll.left > after.scroll.left + 20, 'one finger to scroll the picture')
  })

  test('lights an edge of the root that stays, and the state stays lit', async () => {
    await recordDevice(journal(), 'a', 1)
    const [requested, dispatched] = cycleOf('a', 1, Date.now())
    if (!requested || !dispatched) throw new Error('an execution has three records')
    await journal().append(requested)
    await journal().append(dispatched)
    const place = { actor: 'device:a', machine: 'device', version: 2, at: Date.now(), tags: ['in-flight'] }
    const event = { type: 'execution.queued', executionId: 'waiting', at: Date.now() }
    await journal().append({ ...place, n: 6, event, from: 'running.dispatched', to: 'running.dispatched' })
    const page = await openedChart(pageOf('device:a'))
    await page.locator('.edge-device-on-execution-queued[data-last]').first().waitFor()
    const classes = (await page.evaluate(
      '[...document.querySelectorAll("[data-last]")].map(part => part.getAttribute("class"))',
    )) as string[]
    for (const names of classes) expect(names).toContain('edge-device-on-execution-queued')
    expect(await page.locator('[data-last] text').allTextContents()).toEqual([
      'execution.queued',
      '[mayJoin] / join',
      '[else] / refuse',
    ])
    expect(await page.locator('[data-state="running.dispatched"][data-active]').count()).toBe(1)
  })

  test('its buttons have names and are reached by keys, with the focus to be seen', async () => {
    const page = await openedChart(await recordState('emulator', 'busy.observing'))
    await page.getByRole('button', { name: 'Zoom out', exact: true }).focus()
    const names: unknown[] = []
    for (let index = 0; index < 5; index++) {
      names.push(
        await page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent'),
      )
      await page.keyboard.press('Tab')
    }
    expect(names.slice(0, 4)).toEqual(['Zoom out', 'Zoom in', 'Fit', 'Active state'])
    expect(names[4]).toContain('arrow keys')
    await page.locator('.chart-box').focus()
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  })
})
