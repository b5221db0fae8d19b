/** `svc inspect`: finds or starts a server that shows this home, and opens its viewer in a browser. */

import { spawn } from 'node:child_process'
import type { ViewedActorsResponse } from '../../../contracts/doors/viewer.ts'
import { PORT_MAX, SERVE_PORT, SERVER_LOOK_MS } from '../../../contracts/limits/limits.ts'
import { homeIdentity } from '../../../runtime/home-identity.ts'
import { codeOf } from '../../../runtime/message-of.ts'
import { childEnv } from '../../../runtime/processes/child-env.ts'
import { type CommandContext, CommandError, type CommandResult, type Environment } from '../command.ts'
import { serveUntilSignal } from '../daemon/serve-until-signal.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { headline, lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'

/** By platform: the program, and what goes before the address. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

const hasScreen = (env: Environment) => Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)

/** Why it was not opened; undefined when somebody was asked to. */
const openBrowser = (url: string, env: Environment): Promise<string | undefined> =>
  new Promise(resolve => {
    const [program, ...before] = OPENERS[process.platform] ?? []
    if (program === undefined) return resolve(`no way to open a browser is known on ${process.platform}`)
    if (process.platform === 'linux' && !hasScreen(env)) return resolve('there is no display')
    const child = spawn(program, [...before, url], { detached: true, stdio: 'ignore', env: childEnv(env) })
    child.once('error', error => resolve(error.message))
    child.once('spawn', () => {
      // The browser is the person's from here on.
      child.unref()
      resolve(undefined)
    })
  })

const HOST = '127.0.0.1'
const PAGE = '/inspector'
const OTHER_HINT =
  'The listener on this port does not show this home. Choose another port, or --port 0 for any free one.'

type Listener = 'none' | 'this home' | 'another'

/** A server of this home says which one it shows; whatever says something else, or nothing, is not opened. */
const listenerAt = async (url: string, call: CommandContext): Promise<Listener> => {
  const { home } = await call.services()
  try {
    const response = await fetch(`${url}/inspector/actors`, {
      redirect: 'error',
      signal: AbortSignal.timeout(SERVER_LOOK_MS),
    })
    const answer = (await response.json()) as Partial<ViewedActorsResponse> | null
    const ownHome = homeIdentity(home)
    return ownHome !== undefined && answer?.home === ownHome ? 'this home' : 'another'
  } catch (error) {
    const { cause } = error as Error
    return cause !== undefined && codeOf(cause) === 'ECONNREFUSED' ? 'none' : 'another'
  }
}

const show = async (call: CommandContext, url: string) => {
  // The text of the result says the same.
  if (call.format !== 'text') call.io.note(`The inspector: ${url}`)
  if (call.isOn('no-open')) return
  const problem = await openBrowser(url, call.env)
  if (problem !== undefined) call.io.note(`No browser was opened: ${problem}.`)
}

const target = (call: CommandContext) => {
  const [actor] = call.args
  return actor === undefined ? PAGE : `${PAGE}#/actors/${encodeURIComponent(actor)}`
}

export const inspect = async (call: CommandContext): Promise<CommandResult> => {
  const wantedPort = wholeNumber(call, 'port', { min: 0, max: PORT_MAX })
  const port = wantedPort ?? SERVE_PORT
  const found = `http://${HOST}:${port}`
  const listener = port === 0 ? 'none' : await listenerAt(found, call)
  if (listener === 'this home') {
    const url = found + target(call)
    await show(call, url)
    return { ok: true, output: { url, started: false } }
  }
  const listen = (at: number) => serveUntilSignal(call, { host: HOST, port: at, allowOrigins: [] })
  const first = await listen(port)
  // Somebody else has the usual port; one that was asked for is another matter.
  const server = first.ok || wantedPort !== undefined ? first : await listen(0)
  if (!server.ok) {
    const hint = listener === 'another' ? { hint: OTHER_HINT } : {}
    throw new CommandError('SERVE_START_FAILED', server.error.message, { ...server.error, ...hint })
  }
  if (listener === 'another') call.io.note(`The listener at ${found} does not show this home, so another port is used.`)
  const url = server.url + target(call)
  await call.announce({ url, started: true })
  await show(call, url)
  await server.end()
  return { ok: true, expectsSignal: true }
}

export const viewerText = (page: Page, { url, started }: { url: string; started: boolean }): string =>
  lines(
    headline(page, 'ok', safe`The viewer is at ${url}`),
    started ? '  Ctrl-C ends the server that was started for it.' : undefined,
  )
