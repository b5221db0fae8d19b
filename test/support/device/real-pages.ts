/** Pages of a real Chromium behind the inspector of an app's web views: what Android's web views speak, Chromium speaks. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { AppSocket } from '../../../src/simulator/phone-parts.ts'
import { needs, programOnPath } from '../needs.ts'
import { temporary } from '../temporary.ts'
import { type FakeLink, fakeLink, shellOk } from './fake-link.ts'

export const REAL_APP = 'com.example.real'
const LISTED = `0: 2 0 10000 1 1 1 @webview_devtools_remote_42\n  PID NAME\n   42 ${REAL_APP}\n`

/** False where there is no Chromium, with a printed reason. */
export const hasRealPages = (): boolean => needs('chromium')

export interface RealPages {
  /** Pages by their paths, at `origin`. */
  readonly origin: string
  open(path: string): Promise<Page>
  link(): FakeLink
  /** The inspector as a socket of a simulated phone. */
  socket(): AppSocket
}

const connected = (port: number): Socket => connect(port, '127.0.0.1').on('error', () => {})

/** One browser for the tests of a file, which serves these pages itself; one without a text is answered with the status 204. */
export const realPages = (documents: Readonly<Record<string, string>>): RealPages => {
  let browser: BrowserContext | undefined
  let server: Server | undefined
  let port = 0
  let origin = ''
  const folder = temporary('svc-real-pages-')
  beforeAll(async () => {
    const executablePath = programOnPath('chromium')
    if (executablePath === undefined) return
    server = createServer(({ url = '/' }, answer) => {
      const path = url.split('?')[0] ?? ''
      const text = documents[path]
      if (text === '') return void answer.writeHead(204).end()
      answer.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      answer.end(text ?? 'not found')
    })
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const profile = folder()
    const args = ['--no-sandbox', '--remote-debugging-port=0']
    browser = await chromium.launchPersistentContext(profile, { executablePath, args })
    port = Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0])
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })
  return {
    get origin() {
      return origin
    },
    async open(path) {
      if (!browser) throw new Error('there is no browser')
      const page = await browser.newPage()
      await page.goto(`${origin}${path}`)
      return page
    },
    link: () =>
      fakeLink(systemClock(), {
        shell: () => shellOk(LISTED),
        socket(_service, output) {
          const socket = connected(port)
          socket.on('data', bytes => output.push(bytes))
          socket.on('close', () => output.end())
          return bytes => void socket.write(bytes)
        },
      }),
    socket() {
      const socket = connected(port)
      return {
        onData: listener => void socket.on('data', listener),
        onClose: listener => void socket.on('close', () => listener()),
        write: bytes => void socket.write(bytes),
        close: () => void socket.destroy(),
      }
    },
  }
}
