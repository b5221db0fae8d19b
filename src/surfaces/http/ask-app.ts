/** Asks an app inside of its process: such a request has no socket, and whoever leaves it aborts a signal. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { refuse } from './answer.ts'
import { HANDED_OVER, headOfStream, openStreams } from './events/sse.ts'
import type { App, HttpEnv } from './module.ts'
import { createAdmission } from './request-gate.ts'

export interface InnerRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  /** Undefined for a request without one. */
  body?: Uint8Array | undefined
}

const admit = createAdmission(undefined)

/** Takes what a stream of events would write, and gives it to nobody. */
class Unheard extends Writable {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done()
  }
  writeHead(): this {
    return this
  }
}

/** A stream of events is answered by its head alone. */
export const askApp = async (
  app: Pick<App, 'fetch'>,
  { method, path, headers, body }: InnerRequest,
  leave?: AbortSignal,
): Promise<Response> => {
  const length = body === undefined ? {} : { 'content-length': String(body.length) }
  const lower = Object.entries({ ...headers, ...length }).map(([name, value]) => [name.toLowerCase(), value])
  const incoming = Object.assign(Readable.from(body?.length ? [Buffer.from(body)] : []), {
    ...{ method, url: path },
    headers: Object.fromEntries(lower),
  }) as unknown as IncomingMessage
  const admission = admit(incoming)
  if (admission.kind === 'refused') return refuse(admission.error)
  const outgoing = new Unheard()
  const end = () => void outgoing.destroy()
  if (leave?.aborted) end()
  leave?.addEventListener('abort', end, { once: true })
  const env: HttpEnv['Bindings'] = {
    incoming,
    outgoing: outgoing as unknown as ServerResponse,
    streams: openStreams(),
  }
  try {
    const response = await app.fetch(new Request(`http://localhost${path}`, { method }), env)
    if (response !== HANDED_OVER) return response
    end()
    return headOfStream()
  } finally {
    leave?.removeEventListener('abort', end)
    outgoing.end()
  }
}
