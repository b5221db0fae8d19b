/** Admits every request before Hono sees it: the target must be readable, and over TCP the guard must let it in. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { describeError } from '../../service/executions/to-error.ts'
import { type Headers, type RefusalForm, refuseInForm, refuseRaw } from './answer.ts'
import type { OpenStreams } from './events/sse.ts'
import type { Admission, Caller, Guard } from './guard.ts'
import type { App, HttpEnv } from './module.ts'

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const targetProblem = (target: string): ErrorObject | undefined => {
  if (!target.includes('%') || isDecodable(target)) return undefined
  return failure('INVALID_QUERY', 'The path or the query has a malformed percent-encoding.', {
    hint: 'Write a percent sign itself as %25.',
  })
}

export interface RequestGateOptions {
  app: Pick<App, 'fetch'>
  streams: OpenStreams
  /** None on a Unix socket: the file system says who may connect. */
  guard: Guard | undefined
  /** Some targets are refused in another form than that of the API. */
  refusalForm?: RefusalForm | undefined
  note: (text: string) => void
}

const callerOf = ({ method = '', url = '', headers, rawHeaders, socket }: IncomingMessage): Caller => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  const { remoteAddress = '', localAddress = '' } = socket
  return { method, target: url, headers, hosts, remoteAddress, localAddress }
}

const addHeaders = (outgoing: ServerResponse, headers: Headers) => {
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
}

export const createAdmission =
  (guard: Guard | undefined) =>
  (incoming: IncomingMessage): Admission => {
    const error = targetProblem(incoming.url ?? '')
    if (error) return { kind: 'refused', error, headers: {} }
    return guard ? guard(callerOf(incoming)) : { kind: 'pass', headers: {} }
  }

export const createRequestGate = ({ app, streams, guard, note, refusalForm: form }: RequestGateOptions) => {
  const refuse = (error: ErrorObject) => refuseInForm({ error, target: undefined, form })
  const listener = getRequestListener(
    (request, env) => app.fetch(request, Object.assign(env, { streams }) as HttpEnv['Bindings']),
    {
      // Node itself drops the rest of a body, and the server watches how long that takes.
      autoCleanupIncoming: false,
      hostname: 'localhost',
      errorHandler: thrown => {
        if (thrown instanceof RequestError) {
          return refuse(failure('INVALID_QUERY', `The request target is not a path of this server: ${thrown.message}.`))
        }
        note(`a request caused an internal error: ${describeError(thrown)}`)
        return refuse(
          failure('INTERNAL_SERVER_ERROR', 'An internal error occurred; the log of the server has the details.'),
        )
      },
    },
  )

  const admit = createAdmission(guard)

  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // Node reads nothing more from a connection on which an upgrade was asked for.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false
    const admission = admit(incoming)
    if (admission.kind === 'refused') {
      refuseRaw(outgoing, { error: admission.error, target: incoming.url, form }, admission.headers)
      return
    }
    addHeaders(outgoing, admission.headers)
    if (admission.kind === 'preflight') outgoing.writeHead(204).end()
    else void listener(incoming, outgoing)
  }
}
