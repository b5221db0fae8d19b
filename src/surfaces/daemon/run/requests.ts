/** Every request of a daemon, before its app sees it: refused unless it is for this daemon, and counted while it is open. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  CHOSEN_ID_HEADER,
  EXECUTION_ID_HEADER,
  EXPECT_BUILD_HEADER,
  EXPECT_INSTANCE_HEADER,
  INSTANCE_HEADER,
  OFFERED_ID_HEADER,
} from '../../../contracts/doors/headers.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { buildText, type Version } from '../identity.ts'

export interface PreconditionOptions {
  instanceId: string
  version: Version
  /** True when the daemon accepts nothing new. */
  isEnding(): boolean
  newExecutionId(): string
}

/** False once the request was refused, with what `GET /version` says of this daemon. */
export const createPrecondition = ({ instanceId, version, isEnding, newExecutionId }: PreconditionOptions) => {
  const build = buildText(version)

  /** Known before the body is sent, so that its sender can cancel the execution whatever is lost. */
  const offerId = (headers: IncomingMessage['headers'], outgoing: ServerResponse) => {
    const executionId = newExecutionId()
    headers[CHOSEN_ID_HEADER] = executionId
    outgoing.setHeader(OFFERED_ID_HEADER, executionId)
  }

  return ({ headers }: IncomingMessage, outgoing: ServerResponse): boolean => {
    outgoing.setHeader(INSTANCE_HEADER, instanceId)
    const expected = { instance: headers[EXPECT_INSTANCE_HEADER], build: headers[EXPECT_BUILD_HEADER] }
    const isForUs =
      (expected.instance === undefined || (expected.instance === instanceId && !isEnding())) &&
      (expected.build === undefined || expected.build === build)
    if (isForUs) {
      if (headers.expect !== undefined && headers[CHOSEN_ID_HEADER] === undefined) offerId(headers, outgoing)
      return true
    }
    const facts = JSON.stringify({ ...version, ...(isEnding() ? { ending: true } : {}) })
    outgoing.writeHead(412, { 'content-type': 'application/json', connection: 'close' }).end(facts)
    return false
  }
}

/** False when the request was answered already, and is nobody else's business. */
export type OnRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

const isStream = (outgoing: ServerResponse): boolean =>
  String(outgoing.getHeader('content-type') ?? '').startsWith('text/event-stream')

/** Counts the open requests, except streams that somebody only watches. */
export const createActivity = (clock: Clock) => {
  const open = new Set<ServerResponse>()
  let lastAt = clock.elapsed()
  let hasServed = false
  let onUnserved = () => {}

  const touch = () => {
    lastAt = clock.elapsed()
  }

  return {
    onRequest: ((incoming, outgoing) => {
      open.add(outgoing)
      outgoing.once('close', () => {
        open.delete(outgoing)
        if (!isStream(outgoing)) touch()
        if (incoming.method !== 'POST') return
        // An execution is accepted once its device was reached.
        hasServed ||= outgoing.hasHeader(EXECUTION_ID_HEADER)
        if (!hasServed) onUnserved()
      })
      return true
    }) satisfies OnRequest,
    /** Requests that wait for their answer. */
    pending: (): number => [...open].filter(outgoing => !isStream(outgoing)).length,
    touch,
    quietMs: (): number => clock.elapsed() - lastAt,
    /** An execution was accepted. */
    hasServed: (): boolean => hasServed,
    /** Called when a command was answered and none was accepted so far. */
    onUnserved(listener: () => void) {
      onUnserved = listener
    },
  }
}
