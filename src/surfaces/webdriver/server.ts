/** WebDriver without HTTP: a request as it came is matched to its command, and answered as W3C says. */

import { TrieRouter } from 'hono/router/trie-router'
import { shortText } from '../../runtime/text/shortened-text.ts'
import type { SessionCommand } from './commands/command.ts'
import { SESSION_COMMANDS } from './commands/session-commands.ts'
import type { WebDriverDeps } from './deps.ts'
import { readObject, refuseWireCapabilities } from './protocol/read-body.ts'
import { WebDriverError } from './protocol/webdriver-error.ts'
import { errorAnswer, valueAnswer, type WireAnswer, type WireRequest } from './protocol/wire.ts'
import { createSessions } from './session/sessions.ts'

/** Two paths of one shape differ in the names of their parts at most. */
const shapeOf = ({ path }: { readonly path: string }): string => path.replace(/:[^/]+/g, '\uffff')

/** Finds the command of a path: `/element/:elementId/click` matches, and its parts are as they came. */
export const createPathTable = <T extends { readonly method: string; readonly path: string }>(
  commands: readonly T[],
) => {
  const router = new TrieRouter<T>()
  const shapes = new Set<string>()
  // A fixed part comes before one with a name: `/element/active` is no element.
  for (const command of commands.toSorted((a, b) => (shapeOf(a) < shapeOf(b) ? -1 : 1))) {
    const { method, path } = command
    const shape = `${method} ${shapeOf(command)}`
    if (shapes.has(shape)) throw new Error(`two commands for ${method} ${path}`)
    shapes.add(shape)
    router.add('ALL', path, command)
  }
  return (path: string) => {
    const [found] = router.match('ALL', path)
    const [first] = found
    if (!first) return undefined
    const there = found.filter(([command]) => shapeOf(command) === shapeOf(first[0]))
    return {
      methods: there.map(([{ method }]) => method),
      match(method: string) {
        const [command, parts] = there.find(([each]) => each.method === method) ?? []
        return command && { command, parts: { ...parts } as Record<string, string> }
      },
    }
  }
}

/** Older clients have it as their base path. */
const OTHER_BASE = '/wd/hub'

interface ServerCommand {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  answer(request: WireRequest, parts: Readonly<Record<string, string>>): Promise<WireAnswer>
}

export interface WebDriver {
  /** Undefined for a path that is none of WebDriver, outside of a session. */
  answer(request: WireRequest): Promise<WireAnswer>
}

const withoutBase = (path: string): string => {
  const rest = path === OTHER_BASE || path.startsWith(`${OTHER_BASE}/`) ? path.slice(OTHER_BASE.length) : path
  return rest.endsWith('/') ? rest.slice(0, -1) : rest
}

const decoded = (parts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, decodeURIComponent(value)]))

const asking = ({ fileRoots, leave }: WireRequest) => ({
  ...(fileRoots === undefined ? {} : { fileRoots }),
  ...(leave === undefined ? {} : { leave }),
})

const unknownCommand = (method: string, path: string): WebDriverError =>
  new WebDriverError(
    'unknown command',
    `There is no command ${method} ${shortText(path || '/')}. Commands begin with /session or /status; docs/webdriver-commands.md lists those there are.`,
  )

const unknownMethod = (method: string, path: string, methods: readonly string[]): WebDriverError =>
  new WebDriverError('unknown method', `The command ${path} does not take ${method}, but ${methods.join(', ')}.`)

export const createWebDriver = (deps: WebDriverDeps): WebDriver => {
  const sessions = createSessions(deps)
  let isEnding = false
  deps.host.onStop(async () => {
    isEnding = true
  })
  const readiness = () => ({
    ready: !isEnding,
    message: isEnding
      ? 'svc is ending: its sessions give their phones back, and no other one is created.'
      : 'svc is ready to create sessions.',
  })

  const ofSession = (command: SessionCommand): ServerCommand => ({
    method: command.method,
    path: `/session/:sessionId${command.path}`,
    async answer(request, { sessionId = '', ...path }) {
      sessions.find(sessionId)
      const body = command.method === 'POST' ? await readObject(request) : {}
      const pathText = Object.entries(path).reduce(
        (text, [name, value]) => text.replace(`:${name}`, value),
        `${command.path}`,
      )
      return sessions.run(
        sessionId,
        { method: command.method, path: pathText },
        live => command.run(live, { path, body }),
        asking(request),
      )
    },
  })

  const serverCommands: readonly ServerCommand[] = [
    {
      method: 'GET',
      path: '/status',
      answer: async () => valueAnswer({ ...readiness(), build: { version: deps.version } }),
    },
    {
      method: 'POST',
      path: '/session',
      async answer(request) {
        const body = await readObject(request)
        refuseWireCapabilities(body)
        const { sessionId, capabilities } = await sessions.create(body, asking(request))
        return valueAnswer({ sessionId, capabilities })
      },
    },
    ...['/sessions', '/appium/sessions'].map(
      (path): ServerCommand => ({
        method: 'GET',
        path,
        answer: async () =>
          valueAnswer(sessions.list().map(({ sessionId: id, capabilities }) => ({ id, capabilities }))),
      }),
    ),
    {
      method: 'DELETE',
      path: '/session/:sessionId',
      async answer(_, { sessionId = '' }) {
        await sessions.end(sessionId)
        return valueAnswer(null)
      },
    },
  ]
  const find = createPathTable([...serverCommands, ...SESSION_COMMANDS.map(ofSession)])

  return {
    async answer(request) {
      const path = withoutBase(request.path)
      try {
        const found = find(path)
        if (!found) throw unknownCommand(request.method, path)
        const matched = found.match(request.method)
        if (!matched) throw unknownMethod(request.method, path, found.methods)
        return await matched.command.answer(request, decoded(matched.parts))
      } catch (thrown) {
        if (thrown instanceof WebDriverError) return errorAnswer(thrown)
        deps.note(`${request.method} ${path} broke: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
        return errorAnswer(
          new WebDriverError('unknown error', 'An internal error occurred; the log of the server has the details.'),
        )
      }
    },
  }
}
