/** The requests of scripts, made by the host: with bounds, and every failure as a problem in words. */
import { FLOW_SCRIPT_HEADER } from '../../../contracts/doors/headers.ts'
import { shortenedText } from '../../../runtime/text/shortened-text.ts'
import { formBody, type OpenFile } from './form-body.ts'
import type { ScriptRequest } from './messages.ts'
import { type Dispatcher, sendingOnce } from './reachable.ts'
import type { ReadFile, ScriptResponse } from './script-answer.ts'

const LENGTH_CHARS_MAX = 40
const BODY_BYTES_MAX = 10 * 1_024 * 1_024

export interface RequestBounds {
  /** Files of forms are relative to it. */
  readonly folder: string
  readonly openFile: OpenFile
  /** Refuses connections to where the caller's scripts may not go. */
  readonly dispatcher: Dispatcher
  /** The time that the script has left. */
  readonly leftMs: number
  /** Aborts when the script ends. */
  readonly signal: AbortSignal
  /** Waited for before the first byte leaves; a text says why the request must not be sent. */
  readonly mayBeSent: (files: readonly ReadFile[]) => Promise<string | undefined>
}

/** Without credentials and query, which may be secret. */
export const shownUrl = (url: string): string => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : url.split(/[?#]/, 1).join('')
}

const decoderFor = (contentType: string): TextDecoder => {
  const [, charset] = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? []
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

/** Undefined for one that is too long. */
const readBody = async (response: Response): Promise<string | undefined> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return decoderFor(response.headers.get('content-type') ?? '').decode(Buffer.concat(chunks))
}

/** Cookies come one by one. */
const headersOf = ({ headers }: Response): Record<string, string> => {
  const joined: Record<string, string> = {}
  for (const [name, value] of headers) joined[name] = name in joined ? `${joined[name]},${value}` : value
  return joined
}

export const CONNECTION_REFUSED = 'the connection was refused: nothing listens at'

const causeOf = (error: unknown): string => {
  const { cause, message } = error as Error
  const found = cause instanceof AggregateError ? cause.errors[0] : cause
  const { code, address, port } = (found ?? {}) as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'ECONNREFUSED') return `${CONNECTION_REFUSED} ${address}, port ${port}`
  return found instanceof Error ? found.message || String((found as NodeJS.ErrnoException).code) : message
}

/** `fetch` refuses an address with a user's name; others send it as a header. */
const separateUser = (url: URL): Record<string, string> => {
  if (url.username === '' && url.password === '') return {}
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  return { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
}

/** A server waits for a body that is longer than its header says, and so would the script. */
const lengthProblem = (headers: Headers, body: string | undefined): string | undefined => {
  const written = headers.get('content-length')
  const bytes = Buffer.byteLength(body ?? '')
  return written === null || body === undefined || written.trim() === String(bytes)
    ? undefined
    : `its header content-length is ${shortenedText(written, LENGTH_CHARS_MAX)}, and its body has ${bytes} bytes. Leave the header out: it is set`
}

export const performRequest = async (request: ScriptRequest, bounds: RequestBounds): Promise<ScriptResponse> => {
  const name = `${request.method} ${shownUrl(request.url)}`
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return { problem: `${name}: a request needs an address that begins with http:// or https://.` }
  }
  const timeoutMs = Math.max(1, Math.floor(Math.min(request.timeoutMs ?? bounds.leftMs, bounds.leftMs)))
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const form = request.form === undefined ? undefined : await formBody(request.form, bounds)
    if (form !== undefined && 'problem' in form) return { problem: `${name}: ${form.problem}` }
    const headers = new Headers(separateUser(url))
    for (const [header, value] of Object.entries(request.headers)) headers.set(header, value)
    const wrongLength = lengthProblem(headers, request.body)
    if (wrongLength !== undefined) return { problem: `${name} was not sent: ${wrongLength}.` }
    // The parts of a form have a length that no script knows.
    if (form !== undefined) headers.delete('content-length')
    // A server of svc has no local caller in a script, whatever way the request takes to it.
    headers.set(FLOW_SCRIPT_HEADER, '1')
    const refusal = await bounds.mayBeSent(form?.files ?? [])
    if (refusal !== undefined) return { problem: refusal }
    const init: RequestInit & { dispatcher: Dispatcher } = {
      method: request.method,
      headers,
      body: form?.body ?? request.body ?? null,
      dispatcher: sendingOnce(bounds.dispatcher),
      signal: AbortSignal.any([timeout, bounds.signal]),
    }
    const response = await fetch(url, init)
    const body = await readBody(response)
    if (body === undefined) return { problem: `${name}: the response has more than ${BODY_BYTES_MAX} bytes.` }
    return { ok: response.ok, status: response.status, headers: headersOf(response), body }
  } catch (error) {
    if (!timeout.aborted) return { problem: `${name} failed: ${causeOf(error)}.` }
    return {
      problem: `${name}: no response within ${timeoutMs} ms. The option timeout, or MAESTRO_JS_HTTP_TIMEOUT, sets how long to wait, up to the time that is left for the script.`,
    }
  }
}
