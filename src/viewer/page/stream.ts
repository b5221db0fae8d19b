/** Server-sent events over fetch, which unlike EventSource can carry a token and is told when to resume. */
import { request } from './api.ts'
import { later } from './time.ts'

export interface Received {
  id: string
  event: string
  data: string
}

/** The server sends a comment every 15 s. */
const SILENCE_MS = 40_000

const messageOf = (block: string): Received => {
  const message = { id: '', event: '', data: '' }
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (name === 'id' || name === 'event' || name === 'data') message[name] = value
  }
  return message
}

export interface StreamOptions {
  path: string
  after: number
  signal: AbortSignal
  onOpen(): void
  onMessage(message: Received): void
}

/** Resolves when the stream ends, rejects when it breaks; either way the caller resumes. */
export const readStream = async ({ path, after, signal, onOpen, onMessage }: StreamOptions): Promise<void> => {
  const silence = new AbortController()
  const headers = { 'Last-Event-ID': `${after}`, Accept: 'text/event-stream' }
  const response = await request(path, { headers, signal: AbortSignal.any([signal, silence.signal]) })
  if (!response.ok || !response.body) throw new Error(`the stream answered with status ${response.status}`)
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const stop = later(SILENCE_MS, () => silence.abort())
    const { done, value } = await reader.read().finally(stop)
    if (done) return
    text += value
    let end = text.indexOf('\n\n')
    while (end >= 0) {
      const message = messageOf(text.slice(0, end))
      if (message.data !== '') onMessage(message)
      text = text.slice(end + 2)
      end = text.indexOf('\n\n')
    }
  }
}
