/** `svc inspect`: the viewer of a server of this home, found or started. */
import { PORT_MAX, SERVE_PORT, SERVER_LOOK_MS } from '../../contracts/limits.ts'
import type { ViewedActorsResponse } from '../../contracts/viewer.ts'
import { type Call, CommandError, type CommandResult } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'
import { serveUntilSignal } from '../serve-until-signal.ts'
import { openBrowser } from './open-browser.ts'

const HOST = '127.0.0.1'
const PAGE = '/inspector'

const headOf = async (url: string): Promise<number | undefined> => {
  try {
    const response = await fetch(`${url}/inspector/actors`, { signal: AbortSignal.timeout(SERVER_LOOK_MS) })
    const { head } = (await response.json()) as Partial<ViewedActorsResponse>
    return typeof head === 'number' ? head : undefined
  } catch {
    return undefined
  }
}

/** A server whose journal stands where ours does shows our journal. */
const isOurs = async (url: string, call: Call): Promise<boolean> => {
  const journal = (await call.services()).journal()
  const before = journal.head()
  const head = await headOf(url)
  return head !== undefined && head >= before && head <= journal.head()
}

const show = async (call: Call, url: string) => {
  call.io.note(`The inspector: ${url}`)
  if (call.isOn('no-open')) return
  const problem = await openBrowser(url, call.env)
  if (problem !== undefined) call.io.note(`No browser was opened: ${problem}.`)
}

const target = (call: Call) => {
  const [actor] = call.args
  return actor === undefined ? PAGE : `${PAGE}#/actors/${encodeURIComponent(actor)}`
}

export const inspect = async (call: Call): Promise<CommandResult> => {
  const asked = wholeNumber(call, 'port', { min: 0, max: PORT_MAX })
  const port = asked ?? SERVE_PORT
  const found = `http://${HOST}:${port}`
  if (port !== 0 && (await isOurs(found, call))) {
    const url = found + target(call)
    await show(call, url)
    return { ok: true, output: { url, started: false } }
  }
  const listen = (at: number) => serveUntilSignal(call, { host: HOST, port: at, allowOrigins: [] })
  const first = await listen(port)
  // Somebody else has the usual port; one that was asked for is another matter.
  const server = first.ok || asked !== undefined ? first : await listen(0)
  if (!server.ok) throw new CommandError('SERVE_START_FAILED', server.error.message, server.error)
  const url = server.url + target(call)
  await call.io.print(JSON.stringify({ url, started: true }))
  await show(call, url)
  await server.end()
  return { ok: true, expectsSignal: true }
}
