/**
 * `npm run picture:viewer`: the pictures of docs/viewer.md, `.github/viewer-*.webp`, and every page of the viewer at the size
 * of a laptop and of a phone in `dist/pictures`, all of them light and dark, as Chromium shows them.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { pause, systemClock } from '../../runtime/clock.ts'
import { playScene, type Scene } from './viewer-scene.ts'

const DOCS_FOLDER = fileURLToPath(new URL('../../.github/', import.meta.url))
const GALLERY_FOLDER = fileURLToPath(new URL('../pictures/', import.meta.url))
const DOCS_WIDTH = 1_280
const DOCS_BYTES_MAX = 150_000
const SIZES = { laptop: { width: 1_366, height: 768 }, phone: { width: 390, height: 844 } } as const
const SCHEMES = ['light', 'dark'] as const

const clock = systemClock()

interface View {
  name: string
  hash: string
  /** Until the page shows what the picture is for. */
  ready(page: Page): Promise<unknown>
  /** Taken for the documentation as well, this high. */
  docsHeight?: number
}

const shows = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()

const viewsOf = ({ serials, failed, toured, clicked, skillRun }: Scene): readonly View[] => {
  const [first = ''] = serials
  const device = encodeURIComponent(first)
  return [
    { name: 'overview', hash: 'overview', ready: shows('[data-waiting]'), docsHeight: 800 },
    { name: 'executions', hash: 'executions', ready: shows('[data-execution]') },
    { name: 'failed', hash: `executions/${failed}`, ready: shows('.pair image') },
    { name: 'execution', hash: `executions/${toured}?step=4`, ready: shows('.touch-finger'), docsHeight: 900 },
    {
      name: 'changes',
      hash: `executions/${toured}?step=4`,
      async ready(page) {
        await page.getByRole('button', { name: 'Changes' }).click()
        await page.locator('.difference-lines').waitFor()
      },
    },
    {
      name: 'slider',
      hash: `executions/${toured}?step=4`,
      async ready(page) {
        await page.getByRole('button', { name: 'Slider' }).click()
        await page.locator('.slide-control').waitFor()
      },
    },
    { name: 'click', hash: `executions/${clicked}`, ready: shows('.touch-finger') },
    { name: 'skill-runs', hash: 'skill-runs', ready: shows('[data-skill-run]') },
    { name: 'skill-run', hash: `skill-runs/${skillRun}`, ready: shows('.answer') },
    { name: 'devices', hash: 'devices', ready: shows('[data-device]') },
    {
      name: 'device',
      hash: `devices/${device}`,
      docsHeight: 800,
      async ready(page) {
        await page.locator('.device-picture image').waitFor()
        await page.getByRole('treeitem').filter({ hasText: 'Network & internet' }).click()
        await page.locator('[data-outline]').waitFor()
        await page.locator('.device-picture').scrollIntoViewIfNeeded()
      },
    },
    { name: 'no-device', hash: 'devices/nothing', ready: shows('h1') },
    { name: 'actors', hash: 'actors', ready: shows('[data-actor]') },
    {
      name: 'actor',
      hash: `actors/device%3A${device}`,
      docsHeight: 800,
      async ready(page) {
        await page.locator('[data-active]').first().waitFor()
        await page.getByText('Folding…').waitFor({ state: 'detached' })
      },
    },
  ]
}

/** Chromium writes WebP from a canvas, at a fraction of the size of a PNG. */
const toWebp = async (page: Page, png: Buffer): Promise<Buffer> => {
  const url = `data:image/png;base64,${png.toString('base64')}`
  const webp = (await page.evaluate(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(url)}
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8)
  })()`)) as string
  return Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64')
}

const launch = (): Promise<Browser> => {
  const executablePath = (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, 'chromium'))
    .find(existsSync)
  if (executablePath === undefined) throw new Error('The PATH has no chromium, which draws the pictures: install it.')
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

const LOOK_MS = 100
const LOOKS_MAX = 50

/** Thumbnails come after the rest of the page. The policy of the page forbids Playwright's own waiting for a condition. */
const PICTURES_ARE_HERE = `[...document.querySelectorAll('image')].every(image => image.getBBox().width > 0)
  && [...document.querySelectorAll('.card-screen')].every(card => card.childElementCount > 0 || card.getBoundingClientRect().top > innerHeight)`

type Scheme = (typeof SCHEMES)[number]

const opener = (browser: Browser, { url }: Scene) => {
  const shoot = async (
    { hash, ready }: View,
    viewport: { width: number; height: number },
    { colorScheme, deviceScaleFactor = 1 }: { colorScheme: Scheme; deviceScaleFactor?: number },
  ): Promise<Buffer> => {
    const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor })
    try {
      const page = await context.newPage()
      await page.goto(`${url}/inspector#/${hash}`)
      await ready(page)
      for (let looks = 0; looks < LOOKS_MAX && !(await page.evaluate(PICTURES_ARE_HERE)); looks++)
        await pause(clock, LOOK_MS)
      return await page.screenshot({ animations: 'disabled' })
    } finally {
      await context.close()
    }
  }
  return shoot
}

const report = (file: string, bytes: Buffer) => {
  writeFileSync(file, bytes)
  process.stdout.write(`${file} ${bytes.byteLength}\n`)
}

const takeAll = async (browser: Browser, scene: Scene) => {
  const shoot = opener(browser, scene)
  const blank = await (await browser.newContext()).newPage()
  mkdirSync(GALLERY_FOLDER, { recursive: true })
  for (const view of viewsOf(scene)) {
    for (const colorScheme of SCHEMES) {
      for (const [size, viewport] of Object.entries(SIZES)) {
        const file = `${GALLERY_FOLDER}${view.name}-${size}-${colorScheme}.png`
        report(file, await shoot(view, viewport, { colorScheme }))
      }
      if (view.docsHeight === undefined) continue
      const viewport = { width: DOCS_WIDTH, height: view.docsHeight }
      const webp = await toWebp(blank, await shoot(view, viewport, { colorScheme, deviceScaleFactor: 1.5 }))
      const file = `${DOCS_FOLDER}viewer-${view.name}-${colorScheme}.webp`
      if (webp.byteLength > DOCS_BYTES_MAX) throw new Error(`${file} would have ${webp.byteLength} bytes`)
      report(file, webp)
    }
  }
}

const scene = await playScene()
try {
  const browser = await launch()
  try {
    await scene.work()
    await takeAll(browser, scene)
  } finally {
    await browser.close()
  }
} finally {
  await scene.end()
}
