/** Asking the server, with the token where it needs one: JSON, bytes, and event streams. */
import { signal } from '@preact/signals'
import { createParser } from 'eventsource-parser'
import { useEffect, useState } from 'preact/hooks'
import { later } from './time.ts'

const TOKEN_KEY = 'svc-token'

/** True while the server refuses us for want of a token. */
export const locked = signal(false)

const stored = (): string | null => {
  try {
    return sessionStorage.getItem(TOKEN_KEY)
  } catch {
    return null
  }
}

let token = stored()

/** Kept for this tab only. */
export const setToken = (newToken: string): void => {
  token = newToken
  try {
    sessionStorage.setItem(TOKEN_KEY, newToken)
  } catch {
    // The token lasts only as long as the page when there is no storage.
  }
  locked.value = false
}

export interface ApiProblem {
  code: string
  message: string
  hint?: string
  details?: Readonly<Record<string, unknown>>
}

export class ApiError extends Error {
  readonly problem: ApiProblem

  constructor(problem: ApiProblem) {
    super(problem.message)
    this.name = 'ApiError'
    this.problem = problem
  }
}

const UNAUTHORIZED = 401

/** The headers that let a request in. */
export const credentials = (): Readonly<Record<string, string>> =>
  token === null ? {} : { Authorization: `Bearer ${token}` }

export const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(credentials())) headers.set(name, value)
  const response = await fetch(path, { ...init, headers, credentials: 'omit', cache: 'no-store' })
  if (response.status === UNAUTHORIZED) locked.value = true
  return response
}

const problemOf = (json: unknown, status: number): ApiProblem => {
  const error = (json as { error?: Partial<ApiProblem> } | null)?.error
  const { code = `HTTP_${status}`, message = `The server answered with status ${status}.` } = error ?? {}
  return { ...error, code, message }
}

const answerOf = async <T>(response: Response): Promise<T> => {
  const json: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new ApiError(problemOf(json, response.status))
  return json as T
}

export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  answerOf<T>(await request(path, signal ? { signal } : {}))

const send = (path: string, body: unknown): Promise<Response> =>
  request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

export const post = async <T>(path: string, body: unknown): Promise<T> => answerOf<T>(await send(path, body))

/** Runs an execution; `onId` learns its id before a failure is thrown. */
export const postExecution = async (path: string, body: unknown, onId: (id: string) => void): Promise<void> => {
  const response = await send(path, body)
  const id = response.headers.get('svc-execution-id')
  if (id !== null) onId(id)
  await answerOf(response)
}

/** The problem of a request that was refused, or that reached no server. */
export const problemIn = (error: unknown): ApiProblem =>
  error instanceof ApiError
    ? error.problem
    : { code: 'UNREACHABLE', message: error instanceof Error ? error.message : String(error) }

export const bytes = async (path: string): Promise<Blob> => {
  const response = await request(path)
  if (!response.ok) throw new ApiError(problemOf(await response.json().catch(() => null), response.status))
  return response.blob()
}

/** Hands a file of the server to the person; a link could not carry the token. */
export const download = async (path: string, name: string): Promise<void> => {
  const url = URL.createObjectURL(await bytes(path))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

export const encoded = encodeURIComponent

/** The answer to a path, read at once and whenever `again` calls; an answer stays until the next one comes. */
export const useAnswer = <T>(
  path: string,
  again?: (read: () => void) => () => void,
): { answer?: T; problem?: ApiProblem; retry(): void } => {
  const [state, setState] = useState<{ answer?: T; problem?: ApiProblem }>({})
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const left = new AbortController()
    const read = () =>
      void get<T>(path, left.signal).then(
        answer => setState({ answer }),
        error => left.signal.aborted || setState(before => ({ ...before, problem: problemIn(error) })),
      )
    const stop = again?.(() => left.signal.aborted || read())
    read()
    return () => {
      stop?.()
      left.abort()
    }
  }, [path, tries])
  return { ...state, retry: () => setTries(tries + 1) }
}

/** The server sends a comment every 15 s. */
const SILENCE_MS = 40_000

export interface StreamOptions {
  path: string
  after: number
  signal: AbortSignal
  onOpen(): void
  onData(data: string): void
}

/** Reads over fetch, for EventSource carries no token. Resolves when the stream ends, rejects when it breaks. */
export const readStream = async ({ path, after, signal, onOpen, onData }: StreamOptions): Promise<void> => {
  const silence = new AbortController()
  const headers = { 'Last-Event-ID': `${after}`, Accept: 'text/event-stream' }
  const response = await request(path, { headers, signal: AbortSignal.any([signal, silence.signal]) })
  if (!response.ok || !response.body) throw new Error(`the stream answered with status ${response.status}`)
  onOpen()
  const parser = createParser({ onEvent: ({ data }) => onData(data) })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const stop = later(SILENCE_MS, () => silence.abort())
    const { done, value } = await reader.read().finally(stop)
    if (done) return
    parser.feed(value)
  }
}
