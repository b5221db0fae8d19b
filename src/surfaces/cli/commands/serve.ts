/** `svc serve`: the HTTP server with its event stream, until a signal comes. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { FailureCode } from '../../../contracts/failures/failures.ts'
import { PORT_MAX, SERVE_PORT } from '../../../contracts/limits/limits.ts'
import type { FleetServeOptions } from '../../../fleet/deps.ts'
import { type Command, type CommandContext, CommandError, type Flag, usage } from '../command.ts'
import { serveUntilSignal } from '../daemon/serve-until-signal.ts'
import { FILES_ROOT_FLAG, fileRootsIn } from '../devices/files-root.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { FLEET_FLAGS } from '../flags/fleet-flags.ts'

export const HOST = '127.0.0.1'

/** To listen on every address is to be reached at the own one. */
export const forBrowsers = (url: string): string =>
  url.replace('//0.0.0.0:', `//${HOST}:`).replace('//[::]:', '//[::1]:')

const pagesAt = (url: string): string =>
  [`Viewer:    ${url}/inspector`, `Documents: ${url}/docs`, `MCP:       ${url}/mcp`].join('\n')

export const fleetOf = async (call: CommandContext): Promise<FleetServeOptions | undefined> => {
  const { fleetAddressOf, fleetLabelsOf, judgeUrls } = await import('../fleet/fleet-address.ts')
  const address = fleetAddressOf(call, call.env)
  if (address && call.env.SVC_JOURNAL === 'off') {
    throw usage('A host of a fleet needs a journal.', { hint: 'Unset SVC_JOURNAL.' })
  }
  if (address) judgeUrls(address)
  return address && { address, labels: fleetLabelsOf(call, call.env), allowsUnsafe: call.isOn('fleet-unsafe') }
}

/** Failures to join a fleet have codes of their own. */
export const refusedStart = (error: ErrorObject) =>
  new CommandError(
    error.code.startsWith('FLEET_') ? (error.code as FailureCode) : 'SERVE_START_FAILED',
    error.message,
    error,
  )

/** Of a server that is one of the hosts of a fleet. */
export const MEMBER_FLAGS: readonly Flag[] = [
  ...FLEET_FLAGS,
  {
    name: 'fleet-label',
    value: 'key=value',
    summary: 'a label of all devices of this host (SVC_FLEET_LABELS)',
    many: true,
  },
  { name: 'fleet-unsafe', summary: 'join the fleet although the settings of its servers are unsafe' },
]

export const serve: Command = {
  path: ['serve'],
  text: 'unchanged',
  serves: true,
  summary: 'serve executions, skills, receipts and events over HTTP, until a signal comes',
  details:
    'Listens on 127.0.0.1 port 3000. In a browser, GET / leads to everything: GET /docs shows the documentation, GET /docs/api\n' +
    'the routes, and GET /inspector is the viewer. GET /events streams events. Clients on this machine need no credential. With\n' +
    'another --host, clients on other machines send Authorization: Bearer <token>; the token is\n' +
    'SVC_SERVE_TOKEN (at least 16 ASCII characters, no blanks), or a new one that is printed on stderr. After a signal,\n' +
    'running executions get 5 s to finish; the others are recorded as interrupted. While it runs, programs of this user that import\n' +
    'svc find it without its address.\n' +
    'With --inspect-ws, the inspectors of xstate can connect to ws://<address>/inspect-ws (protocol of @statelyai/inspect).',
  flags: [
    { name: 'host', value: 'address', summary: `the address to listen on (default ${HOST})` },
    { name: 'port', value: 'port', summary: `the port to listen on, 0 for any free one (default ${SERVE_PORT})` },
    { name: 'allow-origin', value: 'origin', summary: 'a web origin that may call this server', many: true },
    ...MEMBER_FLAGS,
    FILES_ROOT_FLAG,
    {
      name: 'webdriver',
      summary: 'answer WebDriver clients, such as Appium suites, as well (see svc webdriver --help)',
    },
    { name: 'inspect-ws', summary: 'tell the inspectors of xstate of the live actors, at /inspect-ws' },
  ],
  uses: ['policy'],
  hasNoResult: true,
  examples: [
    'svc serve',
    'svc serve --port 8080',
    'svc serve --allow-origin http://localhost:5173',
    'svc serve --inspect-ws',
    'svc serve --webdriver',
    'svc serve --fleet nats://nats1:4222,nats://nats2:4222 --fleet-host desk-1 --fleet-label tag=lab',
  ],
  async run(call) {
    const port = wholeNumber(call, 'port', { min: 0, max: PORT_MAX }) ?? SERVE_PORT
    const host = call.text('host') ?? HOST
    const inspectWs = call.isOn('inspect-ws')
    const fleet = await fleetOf(call)
    const fileRoots = await fileRootsIn(call)
    const allowOrigins = call.all('allow-origin')
    const webDriver = call.isOn('webdriver') ? ('beside' as const) : undefined
    const listen = { host, port, allowOrigins, inspectWs, fileRoots, fleet, webDriver }
    const server = await serveUntilSignal(call, listen)
    if (!server.ok) throw refusedStart(server.error)
    // A program that reads the line below may connect at once, so the server is announced before it.
    const { announceServing } = await import('../daemon/announce-serving.ts')
    announceServing(call, forBrowsers(server.url))
    call.io.note(`svc ${__SVC_VERSION__} listens on ${server.url}`)
    call.io.note(pagesAt(forBrowsers(server.url)))
    if (webDriver) call.io.note(`WebDriver: ${forBrowsers(server.url)}`)
    if (inspectWs) call.io.note(`Inspectors connect to ${server.url.replace(/^http/, 'ws')}/inspect-ws`)
    await server.end()
    return { ok: true, expectsSignal: true }
  },
}
