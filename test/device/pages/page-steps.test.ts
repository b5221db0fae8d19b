/** Pages and inspectors that do not behave: each step ends in time, says why, and is sent once. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { changePage, readPage, runPageScript } from '../../../src/device/pages/page-steps.ts'
import type { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { type FakeHandlers, fakeLink, shellOk } from '../../support/device/fake-link.ts'
import { manualClock } from '../../support/manual-clock.ts'

const APP = 'com.example'
const LISTED = '0: 2 0 10000 1 1 1 @webview_devtools_remote_42\n  PID NAME\n   42 com.example\n'
const PAGE = { type: 'page', id: 'A', title: 'P', url: 'x:', webSocketDebuggerUrl: 'ws://x/devtools/page/A' }

const http = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const frame = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const head = Buffer.alloc(10)
  head[0] = 0x81
  head[1] = 127
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

type Push = (bytes: string | Buffer) => void
interface Inspector {
  /** Says what the page answers to the request that it is sent. */
  answers?: (push: Push) => void
  pages?: unknown
}

/** Counts how often the page is asked. */
const phone = ({ answers = () => {}, pages = [PAGE] }: Inspector, listed = LISTED) => {
  const asked: number[] = []
  const socket: FakeHandlers['socket'] = (_service, output) => {
    let isOpen = false
    return bytes => {
      const said = Buffer.from(bytes).toString('latin1')
      if (isOpen) {
        asked.push(bytes.length)
        return answers(more => output.push(more))
      }
      const key = /Sec-WebSocket-Key: (\S+)/.exec(said)?.[1]
      if (key === undefined) return output.push(http(JSON.stringify(pages)))
      isOpen = true
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      output.push(`HTTP/1.1 101 Switching\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
    }
  }
  const clock = manualClock()
  const link = fakeLink(clock, { shell: () => shellOk(listed), socket })
  const signal = new AbortController().signal
  const options = { link, clock, deadline: clock.now() + 60_000, signal, screenshotPath: () => '' }
  return { asked, clock, link, options }
}

const turns = async () => {
  for (let turn = 0; turn < 80; turn++) await new Promise(resolve => setImmediate(resolve))
}
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: StepFailure) => error,
  )
const evaluated = (value: unknown) => frame(JSON.stringify({ id: 1, result: { result: { value } } }))
const TITLE = { applicationId: APP, page: 'A', read: 'state' } as const
const SCRIPT = { applicationId: APP, page: 'A', script: '', args: '[]', isAsync: false, timeoutMs: 1_000 }

describe('a page that', () => {
  test('sends events first is waited for', async () => {
    const { options } = phone({
      answers(push) {
        push(frame('{"method":"Runtime.consoleAPICalled"}'))
        push(frame('no JSON'))
        push(evaluated({ value: { title: 'P' } }))
      },
    })
    expect(await readPage(TITLE, options)).toEqual({ answer: '{"title":"P"}' })
  })

  test.each([
    ['answers no object', evaluated(7)],
    ['answers nothing', evaluated(undefined)],
    ['throws within the program', frame('{"id":1,"result":{"result":{},"exceptionDetails":{"text":"Uncaught"}}}')],
    ['has an error of the protocol', frame('{"id":1,"error":{"message":"busy"}}')],
    ['speaks no WebSocket', 'nonsense'],
    ['nests without end', frame(`{"id":1,"result":{"result":{"value":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`)],
  ])('%s is unreadable', async (_name, bytes) => {
    const { asked, options } = phone({ answers: push => push(bytes) })
    expect(await failureOf(readPage(TITLE, options))).toMatchObject({ code: 'PAGE_UNREADABLE' })
    expect(asked).toHaveLength(1)
  })

  test('sends without end is cut off', async () => {
    const piece = frame(`"${'x'.repeat(1_024 * 1_024)}"`)
    const { options } = phone({
      answers(push) {
        for (let sent = 0; sent < 10; sent++) push(piece)
      },
    })
    expect(await failureOf(readPage(TITLE, options))).toMatchObject({
      code: 'PAGE_UNREADABLE',
      message: expect.stringContaining('more than 8 MiB'),
    })
  })

  test('claims a stale element with a long story has it cut', async () => {
    const { options } = phone({
      answers: push => push(evaluated({ error: 'stale', message: 'x'.repeat(100_000) })),
    })
    const { code, message } = await failureOf(readPage(TITLE, options))
    expect(code).toBe('REF_STALE')
    expect(message.length).toBeLessThan(300)
  })

  test('never answers is given up, and asked once', async () => {
    const { asked, clock, link, options } = phone({})
    const failure = failureOf(changePage({ applicationId: APP, page: 'A', change: 'back' }, options))
    await turns()
    clock.advance(5_001)
    expect(await failure).toMatchObject({ code: 'PAGE_UNREADABLE', message: expect.stringContaining('in time') })
    expect(asked).toHaveLength(1)
    expect(link.sockets.length).toBeGreaterThan(1)
  })

  test('never ends a script has it end with its time', async () => {
    const { asked, clock, options } = phone({})
    const failure = failureOf(runPageScript(SCRIPT, options))
    await turns()
    clock.advance(3_001)
    expect(await failure).toMatchObject({ code: 'PAGE_SCRIPT_FAILED', data: { reason: 'timeout' } })
    expect(asked).toHaveLength(1)
  })

  test('is gone is told from one that is silent', async () => {
    const { options } = phone({ pages: [{ ...PAGE, id: 'B' }] })
    expect(await failureOf(readPage(TITLE, options))).toMatchObject({ code: 'PAGE_NOT_FOUND' })
  })

  test('belongs to an app that does not run is told as such', async () => {
    const { options } = phone({}, '  PID NAME\n    1 init\n')
    const { message, hint } = await failureOf(readPage(TITLE, options))
    expect(message).toContain('it does not run')
    expect(hint).toContain('Start the application')
  })

  test('nobody may inspect is told with a remedy', async () => {
    const { options } = phone({}, '')
    expect(await failureOf(readPage(TITLE, options))).toMatchObject({
      code: 'PAGE_NOT_FOUND',
      hint: expect.stringContaining('setWebContentsDebuggingEnabled'),
    })
  })
})

test('a host that may not act any more sends nothing to the page', async () => {
  const { asked, options } = phone({ answers: push => push(evaluated({ value: true })) })
  const mayAct = () => {
    throw new Error('fenced')
  }
  await expect(runPageScript(SCRIPT, { ...options, mayAct })).rejects.toThrow('fenced')
  await expect(changePage({ applicationId: APP, page: 'A', change: 'reload' }, { ...options, mayAct })).rejects.toThrow(
    'fenced',
  )
  expect(asked).toEqual([])
})

test('an application whose inspector is silent has no list of pages, and holds up no other one', async () => {
  const listed = `${LISTED}0: 2 0 10000 1 1 1 @webview_devtools_remote_43\n   43 com.other\n`
  const { clock, link, options } = phone({}, listed)
  const answering = link.socket
  const silent = fakeLink(clock, { shell: () => shellOk(listed), socket: () => () => {} })
  const partly = {
    ...link,
    socket: (name: string, how: never) => (name.endsWith('_42') ? silent.socket(name, how) : answering(name, how)),
  }
  const mixed = { ...options, link: partly as typeof link }
  const all = readPage({ read: 'pages' }, mixed)
  await turns()
  clock.advance(5_001)
  expect(JSON.parse((await all).answer ?? '')).toMatchObject([
    { applicationId: APP, pages: [], problem: 'it did not answer in time' },
    { applicationId: 'com.other', pages: [{ id: 'A' }] },
  ])
  const own = failureOf(readPage({ read: 'pages', applicationId: APP }, mixed))
  await turns()
  clock.advance(5_001)
  expect(await own).toMatchObject({
    code: 'PAGE_UNREADABLE',
    message: expect.stringContaining(`${APP} could not be asked`),
  })
  expect(JSON.parse((await readPage({ read: 'pages', applicationId: 'com.other' }, mixed)).answer ?? '')).toHaveLength(
    1,
  )
})

test.each(['http://[', 'http://a%20b/', 'https://'])(
  'the address %j is refused before the page is asked',
  async uri => {
    const { asked, options } = phone({})
    expect(
      await failureOf(changePage({ applicationId: APP, page: 'A', change: 'navigate', uri }, options)),
    ).toMatchObject({
      code: 'PAGE_REFUSED',
      data: { reason: 'invalid address' },
    })
    expect(asked).toEqual([])
  },
)

test('pages of an application are listed with those of its own sockets alone', async () => {
  const listed = `${LISTED}0: 2 0 10000 1 1 1 @webview_devtools_remote_43\n   43 com.other:web\n`
  const { options } = phone({}, listed)
  const all = JSON.parse((await readPage({ read: 'pages' }, options)).answer ?? '')
  expect(all.map(({ applicationId }: { applicationId: string }) => applicationId)).toEqual([APP, 'com.other'])
  const own = JSON.parse((await readPage({ read: 'pages', applicationId: APP }, options)).answer ?? '')
  expect(own).toMatchObject([{ applicationId: APP, sockets: ['webview_devtools_remote_42'], pages: [{ id: 'A' }] }])
})
