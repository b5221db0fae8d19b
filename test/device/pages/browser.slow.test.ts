/** The pages of a real Chromium, by the inspector that web views have too. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LinkSocket } from '../../../src/device/link/link.ts'
import { askPage, type PageAnswer } from '../../../src/device/pages/page-answer.ts'
import { listPages } from '../../../src/device/pages/page-list.ts'
import { programOnPath } from '../../support/needs.ts'
import { temporary } from '../../support/temporary.ts'

const executablePath = programOnPath('chromium')
const folder = temporary('svc-browser-')

const PAGE = `<title>Real</title><style>.hid{visibility:hidden}.none{display:none}</style>
<h1 id=t>Title <b>bold</b></h1><button class="buy x" disabled>Buy</button><input name=q placeholder=Find autofocus>
<input type=password value=secret id=pw><div class=hid id=h>hidden</div><div class=none>none</div>
<div style="height:60px;overflow:auto"><p id=a style="height:200px">A</p><p id=b>B below</p></div>
<div id=host style="position:fixed;top:0;right:0"></div><iframe srcdoc="<p id=inner>In a frame</p>"></iframe>
<div style="height:3000px"></div><p id=far>far</p>
<script>host.attachShadow({mode:'open'}).innerHTML='<span id=sh>shadow</span>'</script>`

const socketTo = (port: number): LinkSocket => {
  const socket = connect(port, '127.0.0.1')
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => socket.write(bytes, error => (error ? reject(error) : resolve())))
  return { chunks: socket, write, close: () => void socket.destroy() }
}

describe.skipIf(executablePath === undefined)('a page', () => {
  let browser: BrowserContext | undefined
  let port = 0
  beforeAll(async () => {
    const profile = folder()
    const args = ['--no-sandbox', '--remote-debugging-port=0']
    browser = await chromium.launchPersistentContext(profile, { executablePath: executablePath ?? '', args })
    port = Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0])
    const [page = await browser.newPage()] = browser.pages()
    await page.setContent(PAGE)
    await page.frameLocator('iframe').locator('#inner').waitFor()
  }, 60_000)
  afterAll(() => browser?.close())

  const asked = async (css: string[], all: boolean) => {
    const list = socketTo(port)
    const pages = await listPages(list, 's').finally(list.close)
    const target = pages.find(({ title }) => title === 'Real')?.target ?? ''
    const socket = socketTo(port)
    return await askPage(socket, target, { css, all }).finally(socket.close)
  }
  const elements = async (css: string[], all = false) => ((await asked(css, all)) as PageAnswer).elements

  test('tells what a selector finds on it, and no more', async () => {
    const [title, button] = await elements(['h1', ':is(button, h1)'])
    expect(title).toMatchObject({ id: 't', text: 'Title bold', css: [0, 1], parent: -1 })
    expect(button).toMatchObject({ kind: 'button', text: 'Buy', css: [1], flags: expect.arrayContaining(['disabled']) })
    expect(await elements(['#far', '#b', '#h', '.none'])).toEqual([])
  })

  test('tells of all that says something: fields, shadow trees and frames, and no secret', async () => {
    const all = await elements([], true)
    const of = (id: string) => all.find(each => each.id === id)
    expect(of('q')).toMatchObject({ kind: 'field', text: '', hint: 'Find' })
    expect(of('pw')).toMatchObject({ kind: 'field', text: '••••••', flags: expect.arrayContaining(['password']) })
    expect(of('sh')).toMatchObject({ text: 'shadow', parent: all.findIndex(({ id }) => id === 'host') })
    expect(of('inner')).toMatchObject({ text: 'In a frame' })
    expect(of('a')?.box[3]).toBeLessThan((of('a')?.box[1] ?? 0) + 200)
    expect(of('h')).toBeUndefined()
  })

  test.each(['li[', '"); document.title = "stolen"; ("', ''])('refuses %j and runs nothing of it', async css => {
    expect(await asked([css], true)).toMatchObject({
      refused: css,
      reason: expect.stringContaining("Failed to execute 'querySelector'"),
    })
    expect(((await asked([], true)) as PageAnswer).title).toBe('Real')
  })
})
