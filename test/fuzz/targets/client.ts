/** What servers and daemons answer: to the library, and to the commands that ask a daemon. */

import type { Answered } from '../../../src/runtime/http-exchange.ts'
import { createReader } from '../../../src/surfaces/daemon/client/response.ts'
import { parseMetadata, parseVersion } from '../../../src/surfaces/daemon/identity.ts'
import { executionIn, valueIn } from '../../../src/surfaces/library/message.ts'
import { asRecord, readObject } from '../../../src/surfaces/library/outside.ts'
import { createEventReader } from '../../../src/surfaces/library/sse.ts'
import { errorOf, SvcError } from '../../../src/surfaces/library/svc-error.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutateLines } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSame, expectSameInPieces, expectThat, refusedBy, stateless, type Target } from '../target.ts'

const FAILED = {
  ok: false,
  error: { code: 'DEVICE_BUSY', message: 'Busy.', hint: 'Wait.', details: { dispatched: false, executionId: 'e1' } },
}

export const clientAnswers: Target = {
  name: 'client-answers',
  seeds: [
    JSON.stringify(FAILED),
    JSON.stringify({ ok: true, envelope: { status: 'success', stepResults: [] } }),
    '[]',
    'no json',
  ],
  mutate: mutateJson,
  open: stateless(input => {
    const values = [200, 202, 404, 500].flatMap(status =>
      ['application/json', 'text/plain', 'image/png'].map(type => {
        const answer: Answered = { status, headers: { 'content-type': type }, body: input }
        const ids = ['devices.list', 'executions.traceFile'] as const
        for (const id of ids) refusedBy(SvcError, () => valueIn(id, answer, 'unknown'))
        return refusedBy(SvcError, () => executionIn(answer))
      }),
    )
    const error = errorOf(asRecord(readObject(input.toString())?.error) ?? {}, { otherwise: 'unknown' })
    const told = error.toJSON()
    expectThat(typeof told.code === 'string' && typeof told.message === 'string', 'an error without code or message')
    expectThat([true, false, 'unknown'].includes(told.dispatched), 'nobody can say whether it was dispatched')
    return values[0] === undefined ? 'refused' : 'accepted'
  }),
}

export const clientEvents: Target = {
  name: 'client-events',
  seeds: [
    'id: 5\nevent: transition\ndata: {"a":1}\n\n: keep-alive\n\nid: 6\n\n',
    'data: one\ndata: two\r\n\r\nevent: svc:error\ndata: {}\n\n',
    ': only a comment\n\ndata\n\n',
  ],
  mutate: oneOf(
    mutateLines(mutateText(['id: ', 'event: ', 'data: ', 'data', 'retry: 1', ':', '\r', '\0', '\n\n'])),
    mutateBytes,
  ),
  open: stateless(input => {
    const events = expectSameInPieces(input, pieces => {
      const read = createEventReader()
      return refusedBy(SvcError, () => pieces.flatMap(piece => read(piece)))
    })
    for (const { id } of events ?? []) expectThat(id === undefined || /^[ -~]*$/.test(id), 'a position of no header')
    return (events ?? []).some(({ event }) => event !== undefined) ? 'accepted' : 'refused'
  }),
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

export const daemonAnswers: Target = {
  name: 'daemon-answers',
  seeds: [
    `${HEAD}Content-Length: 11\r\n\r\n{"ok":true}`,
    `HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n5;x=y\r\n{"ok"\r\n6\r\n:true}\r\n0\r\nT: r\r\n\r\n`,
    `${HEAD}Connection: close\r\n\r\n{}`,
    'HTTP/1.1 204 No Content\r\n\r\n',
  ],
  mutate: oneOf(
    mutateText([
      'HTTP/1.1 ',
      '200',
      '100',
      '204',
      'Content-Length: ',
      'Transfer-Encoding: chunked',
      '\r\n',
      '\r\n\r\n',
      '0\r\n',
      'ffffffff',
      ':',
      '__proto__: x\r\n',
      'constructor: x\r\n',
    ]),
    mutateBytes,
  ),
  open: stateless(input => {
    const answer = expectSameInPieces(input, pieces => {
      const reader = createReader()
      let said = 'more'
      for (const piece of pieces) {
        said = reader.feed(piece)
        if (said !== 'more') break
      }
      if (said === 'more') said = reader.end()
      const whole = reader.answer()
      expectThat((said === 'complete') === (whole !== undefined), 'an answer that is not complete')
      return whole && { ...whole, body: whole.body.toString('hex') }
    })
    if (!answer) return 'refused'
    expectThat(answer.status >= 200 && answer.status <= 999, `the status ${answer.status}`)
    for (const value of Object.values(answer.headers))
      expectThat(!value.includes('function Object'), 'a header of nobody')
    expectThat(answer.body.length <= 2 * input.length, 'a body longer than what came')
    return 'accepted'
  }),
}

const VERSION = { version: '1.0.0', buildIdentity: { entryPath: '/x/svc.cjs', mtimeMs: 1.5, size: 10 } }
const METADATA = {
  pid: 7,
  startedAt: 5,
  startTime: '99',
  daemonKey: 'k',
  cliEntryPath: '/x',
  rawDeviceId: 'd',
  instanceId: 'i',
}

export const daemonFiles: Target = {
  name: 'daemon-files',
  seeds: [JSON.stringify(VERSION), JSON.stringify(METADATA)],
  mutate: mutateJson,
  open: stateless(input => {
    const text = input.toString('utf8')
    const [version, metadata] = [parseVersion(text), parseMetadata(text)]
    if (version) expectSame('the version', parseVersion(JSON.stringify(version)), version)
    if (metadata) expectSame('the metadata', parseMetadata(JSON.stringify(metadata)), metadata)
    return version || metadata ? 'accepted' : 'refused'
  }),
}
