/** GET /: a page for browsers. Whoever does not ask for HTML is told that there is no such route, as on any other path. */
import type { IncomingMessage } from 'node:http'
import { IN_FLIGHT } from '../../../../machines/definition.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { isActor } from '../../../contracts/records/machines.ts'
import { pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import type { AppParts } from '../deps.ts'
import { isLoopbackAddress } from '../guard.ts'
import { type HostHealth, homePage, type Looked } from '../home-page.ts'
import type { RouteModule } from '../module.ts'
import { PAGE_HEADERS } from '../page-files.ts'

export const noRoute = (): Response =>
  refuse(failure('NOT_FOUND', 'No such route.', { hint: 'See `GET /openapi.json` for the routes.' }))

/** A browser does not wait longer for a debug bridge that hangs. */
const DEVICES_MS = 2_000

/** `text/html`, unless its weight is 0; a wildcard is what programs send. */
export const wantsHtml = (accept = ''): boolean =>
  accept.split(',').some(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some(each => /^q\s*=\s*0(?:\.0*)?$/.test(each))
  })

/** For a program, `/` is no route, whatever the method. */
export const isHomeHidden = ({ url = '', headers }: IncomingMessage): boolean =>
  /^\/(\?|$)/.test(url) && !wantsHtml(headers.accept)

const looked = async <T>(look: () => T | Promise<T>): Promise<Looked<T>> => {
  try {
    return { ok: true, value: await look() }
  } catch (error) {
    return { ok: false, message: messageOf(error) }
  }
}

const devicesOf = async ({ clock, listDevices }: AppParts) => {
  const over = new AbortController()
  const late = new AbortController()
  const tooLate = pause(clock, DEVICES_MS, over.signal).then(() => {
    throw new Error(`The devices could not be listed within ${DEVICES_MS} ms.`)
  })
  try {
    return await Promise.race([listDevices(late.signal), tooLate])
  } finally {
    over.abort()
    late.abort()
  }
}

const healthOf = async (parts: AppParts): Promise<HostHealth> => {
  const { journal, troubles } = parts
  const [devices, running, journalHead] = await Promise.all([
    looked(() => devicesOf(parts)),
    looked(() =>
      journal()
        .actors({ tag: IN_FLIGHT })
        .filter(isActor)
        .map(({ actor, to }) => ({ actor, state: to })),
    ),
    looked(() => journal().head()),
  ])
  return { devices, running, journalHead, troubles: troubles?.list() ?? [] }
}

/** A browser has no token to send with an address, so callers from elsewhere get the page without what it knows. */
const maySeeHost = ({ isPrivate }: AppParts, { socket }: IncomingMessage): boolean =>
  isPrivate || isLoopbackAddress(socket.remoteAddress ?? '')

export const homeRoutes: RouteModule = {
  mount(app, parts) {
    mountDeclared(app, parts.clock, 'server.home', async c => {
      const { incoming } = c.env
      if (!wantsHtml(incoming.headers.accept)) return noRoute()
      const health = maySeeHost(parts, incoming) ? await healthOf(parts) : undefined
      const page = homePage({ version: parts.version, url: `http://${incoming.headers.host ?? 'localhost'}`, health })
      return new Response(page, {
        headers: {
          ...PAGE_HEADERS,
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'no-store',
          Vary: 'Accept',
        },
      })
    })
  },
}
