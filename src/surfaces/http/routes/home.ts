/** GET /: a page for browsers. Whoever does not ask for HTML is told that there is no such route, as on any other path. */
import type { IncomingMessage } from 'node:http'
import { IN_FLIGHT } from '../../../../machines/definition.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { ROUTES } from '../../../contracts/operations/routes.ts'
import { isActor } from '../../../contracts/records/machines.ts'
import { pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { mistyped } from '../../../runtime/text/nearest-word.ts'
import { refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import { isLoopbackAddress } from '../guard.ts'
import { type HostHealth, homePage, type Looked } from '../home-page.ts'
import type { AppParts, RouteModule } from '../module.ts'
import { PAGE_HEADERS } from './pages.ts'

/** The route whose path was mistyped; with the same method where there are several. */
const nearestRoute = (method: string, path: string): string | undefined => {
  const words = path.split('/')
  const filled = Object.values(ROUTES)
    .map(([known, route]) => ({ known, route, parts: route.split('/') }))
    .filter(({ parts }) => parts.length === words.length)
    .sort((a, b) => Number(b.known === method) - Number(a.known === method))
    .map(({ known, route, parts }) => ({
      name: `${known} ${route}`,
      path: parts.map((part, at) => (part.startsWith(':') ? words[at] : part)).join('/'),
    }))
  const found = mistyped(
    path,
    filled.map(each => each.path),
  )
  return filled.find(each => each.path === found)?.name
}

export const noRoute = (method = 'GET', path = '/'): Response => {
  const nearest = path === '/' ? undefined : nearestRoute(method, path)
  const question = nearest === undefined ? '' : `Did you mean \`${nearest}\`? `
  return refuse(
    failure('NOT_FOUND', 'No such route.', { hint: `${question}See \`GET /openapi.json\` for the routes.` }),
  )
}

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
