/**
 * `npm run picture:viewer`: the pictures of docs/viewer.md, `.github/viewer-*.webp`, light and dark. A simulated phone,
 * `svc serve` before it, a skill and two executions, and what Chromium shows of them.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { pause, systemClock } from '../runtime/clock.ts'

const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))
const FOLDER = fileURLToPath(new URL('../../.github/', import.meta.url))
const WIDTH = 1_280
const BYTES_MAX = 150_000
/** Bounds the start of a program. */
const START_MS = 30_000
/** The execution that the pictures catch at work. */
const WORK_MS = 90_000

const clock = systemClock()
const home = mkdtempSync(join(tmpdir(), 'svc-pictures-'))
/** None of the caller's, as in `picture.ts`. */
const env: NodeJS.ProcessEnv = { HOME: home, PATH: process.env.PATH, SVC_NO_DAEMON: '1' }

const start = (...args: string[]) => {
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      said += String(chunk)
    })
  }
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  /** Waits for output that matches, and returns the first group. */
  const says = async (pattern: RegExp): Promise<string> => {
    const until = clock.elapsed() + START_MS
    for (;;) {
      const [, found] = pattern.exec(said) ?? []
      if (found !== undefined) return found
      if (clock.elapsed() > until || child.exitCode !== null) throw new Error(`svc ${args.join(' ')} says: ${said}`)
      await pause(clock, 20)
    }
  }
  const end = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { ended, says, end }
}

const payload = (commandId: string, actions: readonly object[]) => ({
  commandId,
  taskId: 'demo',
  source: 'demo',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 120_000,
  actions: actions.map((action, index) => ({ id: `s${index + 1}`, ...action })),
})

const CLICK = (text: string) => ({ type: 'click', params: { matcher: { textEquals: text } } })
const LOOK = [{ type: 'snapshot' }, { type: 'take_screenshot' }]

const OPEN = { type: 'open_app', params: { applicationId: 'com.android.settings' } }

const FAILING = payload('read-serial-number', [
  { type: 'take_screenshot' },
  { type: 'scroll_until', params: { matcher: { textEquals: 'About phone' }, clickAfter: true } },
  { type: 'take_screenshot' },
  CLICK('Serial number'),
])
const WORKING = payload('watch-downloads', [
  OPEN,
  ...LOOK,
  { type: 'wait_for_node', params: { matcher: { textEquals: 'Downloaded' }, timeoutMs: WORK_MS } },
])

interface View {
  name: string
  hash: string
  height: number
  /** Until the page shows what the picture is for. */
  ready(page: Page): Promise<void>
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

const take = async (url: string, views: readonly View[]) => {
  const executablePath = (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, 'chromium'))
    .find(existsSync)
  if (executablePath === undefined) throw new Error('The PATH has no chromium, which draws the pictures: install it.')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        deviceScaleFactor: 1.5,
        colorScheme,
      })
      const blank = await context.newPage()
      for (const { name, hash, height, ready } of views) {
        const page = await context.newPage()
        await page.setViewportSize({ width: WIDTH, height })
        await page.goto(`${url}/inspector#/${hash}`)
        await ready(page)
        const webp = await toWebp(blank, await page.screenshot({ animations: 'disabled' }))
        const file = `${FOLDER}viewer-${name}-${colorScheme}.webp`
        if (webp.byteLength > BYTES_MAX) throw new Error(`${file} would have ${webp.byteLength} bytes`)
        writeFileSync(file, webp)
        process.stdout.write(`${file} ${webp.byteLength}\n`)
        await page.close()
      }
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

const record = async () => {
  const simulated = start('simulate')
  const serial = await simulated.says(/"serial": ?"([^"]+)"/)
  env.SVC_TCP_DEVICES = serial
  const server = start('serve', '--port', '0')
  try {
    const url = await server.says(/(http:\S+)\n/)
    const execute = (execution: object) =>
      fetch(`${url}/execute`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ deviceId: serial, execution }),
      })
    for (const args of [
      ['skills', 'install'],
      ['skills', 'new', 'com.android.settings.look', '--summary', 'Looks at the settings'],
      ['skills', 'run', 'com.android.settings.look', '--device', serial],
    ]) {
      await start(...args).ended
    }
    await execute(payload('open', [OPEN]))
    const failed = await execute(FAILING)
    const executionId = failed.headers.get('svc-execution-id') ?? ''
    await execute(payload('look', [OPEN, ...LOOK]))
    const device = encodeURIComponent(serial)
    const details: View = {
      name: 'execution',
      height: 1000,
      hash: `executions/${executionId}`,
      async ready(page) {
        await page.locator('.step image').nth(3).waitFor()
      },
    }
    const screen: View = {
      name: 'device',
      height: 800,
      hash: `devices/${device}`,
      async ready(page) {
        await page.locator('.device-picture image').waitFor()
        await page.getByRole('treeitem').filter({ hasText: 'Network & internet' }).click()
        await page.locator('[data-outline]').waitFor()
      },
    }
    const actor: View = {
      name: 'actor',
      height: 800,
      hash: `actors/device%3A${device}`,
      async ready(page) {
        await page.locator('[data-active]').first().waitFor()
        await page.getByText('Folding…').waitFor({ state: 'detached' })
      },
    }
    await take(url, [details, screen])
    const working = execute(WORKING).catch(() => undefined)
    await pause(clock, 3_000)
    await take(url, [actor])
    await server.end()
    await working
  } finally {
    await server.end()
    await simulated.end()
  }
}

try {
  await record()
} finally {
  rmSync(home, { recursive: true, force: true })
}
