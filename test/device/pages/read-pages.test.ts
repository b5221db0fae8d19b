/** Reading the pages of a screen from inspectors that answer, and from such as do not. */
import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../src/device/link/link.ts'
import { readPages } from '../../../src/device/pages/read-pages.ts'
import { connectInspector, type InspectedPage } from '../../../src/simulator/web/inspector.ts'
import { type FakeHandlers, fakeLink, shellOk } from '../../support/device/fake-link.ts'
import { box, node, screen } from '../../support/device/fake-ui-driver.ts'
import { manualClock } from '../../support/manual-clock.ts'

const LISTED = '0: 2 0 10000 1 1 1 @webview_devtools_remote_42\n  PID NAME\n   42 com.example\n'
const native = node({ text: 'Native', at: [0, 0, 100, 50] })
const tree = screen(
  node({
    at: [0, 0, 100, 300],
    children: [native, node({ className: 'android.webkit.WebView', at: [0, 100, 100, 300] })],
  }),
)

const list = (entries: unknown) => {
  const body = JSON.stringify(entries)
  return `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
const ONE_PAGE = list([{ type: 'page', title: 'P', webSocketDebuggerUrl: 'ws://x/devtools/page/1' }])

const reading = (socket: NonNullable<FakeHandlers['socket']>, { listed = LISTED, until = 1_060_000 } = {}) => {
  const clock = manualClock()
  const link = fakeLink(clock, { shell: () => shellOk(listed), socket })
  const options = { clock, deadline: clock.now() + 60_000, signal: new AbortController().signal }
  return { clock, link, seen: readPages(tree, { link, options, query: { css: ['#a'], all: true }, until }) }
}
const unread = async (socket: NonNullable<FakeHandlers['socket']>, more = {}) =>
  (await reading(socket, more).seen).unreadPages

const turns = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
}

test('without a web view nothing is asked', async () => {
  const clock = manualClock()
  const link = fakeLink(clock)
  const options = { clock, deadline: clock.now() + 60_000, signal: new AbortController().signal }
  const bare = screen(native)
  expect(await readPages(bare, { link, options, query: { css: [], all: true }, until: options.deadline })).toBe(bare)
  expect(link.calls).toEqual([])
})

test('the page is in the web view, and all else is as it was', async () => {
  const bounds = box([0, 100, 100, 300])
  const page = { title: 'P', url: 'x:', density: 160, bounds } as InspectedPage
  const source = { element: { id: 'a', attributes: {}, accessible: true } }
  const current = { className: 'android.view.View', text: 'Hi', hint: '', contentDesc: '', enabled: true }
  const child = {
    source,
    current,
    bounds: box([10, 110, 60, 130]),
    node: node({ at: [10, 110, 60, 130] }),
    children: [],
  }
  page.view = {
    bounds,
    node: node({ at: [0, 100, 100, 300] }),
    children: [child],
    source: {},
    current,
  } as unknown as InspectedPage['view']
  const inspector: FakeHandlers['socket'] = (_service, output) => {
    const app = connectInspector(() => [page])
    app.onData(bytes => output.push(bytes))
    app.onClose(() => output.end())
    return bytes => app.write(bytes)
  }
  const { seen } = reading(inspector)
  const read = await seen
  expect(read.unreadPages).toBeUndefined()
  expect(read.roots[0]?.children[0]).toBe(native)
  expect(read.roots[0]?.children[1]?.children).toMatchObject([
    { resourceId: 'a', text: 'Hi', css: ['#a'], bounds: box([10, 110, 60, 130]) },
  ])
})

describe('an inspector', () => {
  test('that is not there is the fault of the app, with a remedy', async () => {
    expect(await unread(() => expect.unreachable(), { listed: '' })).toMatchObject({
      reason: 'the app does not let its web views be inspected',
      hint: expect.stringContaining('setWebContentsDebuggingEnabled'),
    })
  })

  const saying = (...answers: string[]): NonNullable<FakeHandlers['socket']> => {
    const left = [...answers]
    return (_service, output) => () => output.push(left.shift() ?? '')
  }
  const closing: NonNullable<FakeHandlers['socket']> = (_service, output) => () => output.end()
  const refusing: NonNullable<FakeHandlers['socket']> = () => {
    throw new LinkError('LINK_SOCKET_REFUSED', 'closed')
  }

  test.each([
    ['talks nonsense', saying('220 ready\r\n\r\n'), 'it does not answer in HTTP'],
    ['lists nonsense', saying(list({ a: 1 })), 'its list of pages cannot be read'],
    ['has an error', saying('HTTP/1.1 500 Oops\r\n\r\n'), 'status 500'],
    ['sends a gigabyte', saying('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n'), 'it sends more than 1 MiB'],
    ['closes', closing, 'it closed the connection'],
    ['refuses', refusing, 'it closed the connection'],
    ['lists no page', saying(list([])), 'its inspector lists no page for it'],
    ['has a page with a debugger', saying(list([{ type: 'page', title: 'P' }])), 'another debugger is attached to it'],
    [
      'takes no connection',
      saying(ONE_PAGE, 'HTTP/1.1 404 Not Found\r\n\r\n'),
      'it refuses a connection with status 404',
    ],
  ])('that %s is named', async (_name, socket, reason) => {
    expect(await unread(socket)).toMatchObject({ reason: expect.stringContaining(reason) })
  })

  test('that says nothing is given up, and its socket closed', async () => {
    const { clock, link, seen } = reading(() => () => {})
    await turns()
    clock.advance(5_001)
    expect((await seen).unreadPages?.reason).toContain('it did not answer in time')
    expect(link.sockets.every(socket => socket.isEnded())).toBe(true)
    expect(clock.pending()).toBe(0)
  })

  test('is given no longer than the step has', async () => {
    const { clock, seen } = reading(() => () => {}, { until: 1_000_300 })
    await turns()
    clock.advance(301)
    expect((await seen).unreadPages?.reason).toContain('it did not answer in time')
  })

  test('of a phone that is gone ends the execution', async () => {
    const { link, seen } = reading(() => () => {})
    const gone = expect(seen).rejects.toThrow(LinkError)
    await turns()
    link.lose()
    await gone
  })
})
