/** `svc webdriver`: a server for WebDriver clients, such as Appium suites, until a signal comes. */
import { PORT_MAX } from '../../../contracts/limits/limits.ts'
import type { Command } from '../command.ts'
import { serveUntilSignal } from '../daemon/serve-until-signal.ts'
import { FILES_ROOT_FLAG, fileRootsIn } from '../devices/files-root.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { fleetOf, forBrowsers, HOST, MEMBER_FLAGS, refusedStart } from './serve.ts'

/** Where clients of Appium look for it. */
const WEBDRIVER_PORT = 4723

export const webdriver: Command = {
  path: ['webdriver'],
  text: 'unchanged',
  serves: true,
  summary: 'serve WebDriver clients, such as suites for Appium, until a signal comes',
  details:
    `Listens on 127.0.0.1 port ${WEBDRIVER_PORT} and answers W3C WebDriver with the locators and commands of Appium's UiAutomator2 driver,\n` +
    'at / and at /wd/hub. It serves WebDriver and GET /ping alone: svc serve --webdriver serves the API as well. A session reserves\n' +
    'its phone until it is deleted, no command comes for newCommandTimeout seconds, or the server ends. Clients on other machines\n' +
    'send Authorization: Bearer <token>, as with svc serve. docs/webdriver.md says what differs from Appium.',
  flags: [
    { name: 'host', value: 'address', summary: `the address to listen on (default ${HOST})` },
    { name: 'port', value: 'port', summary: `the port to listen on, 0 for any free one (default ${WEBDRIVER_PORT})` },
    { name: 'allow-origin', value: 'origin', summary: 'a web origin that may call this server', many: true },
    ...MEMBER_FLAGS,
    FILES_ROOT_FLAG,
  ],
  uses: ['policy'],
  hasNoResult: true,
  examples: ['svc webdriver', 'svc webdriver --port 4724', 'svc webdriver --host 0.0.0.0 --files-root /srv/apks'],
  async run(call) {
    const port = wholeNumber(call, 'port', { min: 0, max: PORT_MAX }) ?? WEBDRIVER_PORT
    const host = call.text('host') ?? HOST
    const fleet = await fleetOf(call)
    const fileRoots = await fileRootsIn(call)
    const allowOrigins = call.all('allow-origin')
    const server = await serveUntilSignal(call, { host, port, allowOrigins, fileRoots, fleet, webDriver: 'alone' })
    if (!server.ok) throw refusedStart(server.error)
    call.io.note(`svc ${__SVC_VERSION__} listens on ${server.url}`)
    call.io.note(`WebDriver: ${forBrowsers(server.url)}`)
    await server.end()
    return { ok: true, expectsSignal: true }
  },
}
