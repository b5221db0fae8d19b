/** A session socket whose app sends what no app should: each fault is a breach, and nothing of it is kept. */
import { describe, expect, test } from 'vitest'
import { encodeFrame, frameCutter } from '../../../../src/device/operators/app/wire/messages.ts'
import { openBench } from '../../../../src/device/operators/check/bench.ts'
import { inSession } from '../../../../src/device/operators/check/socket-session.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { systemIds } from '../../../../src/runtime/ids.ts'
import type { ByteQueue } from '../../../support/device/byte-queue.ts'
import { fakeLink, shellOk } from '../../../support/device/fake-link.ts'
import { heldMegabytes } from '../../../support/memory.ts'

const PACKAGE = 'com.svc.operator'
const DEEP = 100_000
const deep = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`

const frame = (json: string): Uint8Array => {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(Buffer.byteLength(json))
  return Buffer.concat([head, Buffer.from(json)])
}

interface Asked {
  commandId: string
  taskId: string
  nonce: string
  actions: { id: string }[]
}

const answerTo = ({ commandId, taskId, nonce, actions }: Asked) => {
  const data = { duration_ms: '0' }
  const stepResults = actions.map(({ id }) => ({ id, actionType: 'sleep', success: true, data }))
  return { commandId, taskId, nonce, status: 'success', stepResults, error: null }
}

const greet = (app: ByteQueue) =>
  app.push(encodeFrame({ type: 'hello', protocol: 1, package: PACKAGE, version: '1.0.0' }))

/** Asks one request of an app that does this after its greeting, and with each request. */
const ask = (onRequest: (asked: Asked, app: ByteQueue) => void, onOpen: (app: ByteQueue) => void = greet) => {
  const clock = systemClock()
  const link = fakeLink(clock, {
    shell: () => shellOk('1700000000\n'),
    socket(_, app) {
      onOpen(app)
      const cutter = frameCutter()
      return bytes => {
        for (const text of cutter.push(bytes)) onRequest(JSON.parse(text).payload, app)
      }
    },
  })
  const { signal } = new AbortController()
  const bench = openBench({ clock, ids: systemIds(), operatorPackage: PACKAGE, signal, openLink: async () => link })
  const request = bench.request([{ type: 'sleep', params: { durationMs: 0 } }])
  return inSession(bench, async session => (await session.answerTo(await session.send(request))).envelope)
}

const result = (envelope: unknown) => encodeFrame({ type: 'result', envelope })

describe('a frame that breaks the protocol ends its check alone', () => {
  test.concurrent.each<[string, (asked: Asked) => (Uint8Array | string)[], RegExp]>([
    ['an envelope of 100,000 arrays', () => [frame(`{"type":"result","envelope":${deep}}`)], /not an object/],
    [
      'an envelope that holds them',
      asked => [frame(`{"type":"result","envelope":${JSON.stringify(answerTo(asked)).slice(0, -1)},"more":${deep}}}`)],
      /nested deeper than 200 levels/,
    ],
    ['a frame that is no object', () => [frame(deep)], /not a JSON object/],
    ['another nonce', asked => [result({ ...answerTo(asked), nonce: '0'.repeat(32) })], /other ids/],
    ['the result twice', asked => [result(answerTo(asked)), result(answerTo(asked))], /came twice/],
  ])('%s', async (_, framesFor, breach) => {
    const asking = ask((asked, app) => {
      for (const bytes of framesFor(asked)) app.push(bytes)
    })
    await expect(asking).rejects.toThrow(breach)
  })

  test.each([
    ['a greeting that nests without end', `{"type":"hello","protocol":${deep}}`],
    [
      'a greeting whose capabilities are no names',
      `{"type":"hello","protocol":1,"package":"${PACKAGE}","version":"1","capabilities":[${deep}]}`,
    ],
  ])('%s', async (_, greeting) => {
    const asking = ask(
      () => {},
      app => app.push(frame(greeting)),
    )
    await expect(asking).rejects.toThrow(/The greeting is/)
  })
})

test('frames of other types are passed over, however deep, and however many: none is kept', async () => {
  const pad = 'y'.repeat(1_000_000)
  const before = await heldMegabytes()
  let grown = 0
  const { status } = await ask((asked, app) => {
    app.push(frame(`{"type":"later","of":${deep}}`))
    const flood = async () => {
      for (let at = 0; at < 100; at++) {
        app.push(encodeFrame({ type: 'later', at, pad }))
        await new Promise(resolve => setImmediate(resolve))
      }
      grown = (await heldMegabytes()) - before
      app.push(result(answerTo(asked)))
    }
    void flood()
  })
  expect(status).toBe('success')
  expect(grown).toBeLessThan(30)
})
