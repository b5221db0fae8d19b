/** Which sockets and pages belong to the web views of a screen. */
import { describe, expect, test } from 'vitest'
import { socketsIn } from '../../../src/device/pages/devtools-sockets.ts'
import { readPageList } from '../../../src/device/pages/page-list.ts'
import { candidatesFor, webViewsIn } from '../../../src/device/pages/web-views.ts'
import { withoutPauses } from '../../../src/runtime/yielding.ts'
import { box, node } from '../../support/device/fake-ui-driver.ts'

const SOCKETS = [
  ...['webview_devtools_remote_4242', 'chrome_devtools_remote', 'webview_devtools_remote_77', 'evil_devtools_remote_'],
  'chrome_devtools_remote_4300',
].map(name => `0000000000000000: 00000002 00000000 00010000 0001 01 30021 @${name}`)

describe('sockets', () => {
  const processes = ['  PID NAME', ' 4242 com.example.shop', ' 4300 com.example.shop:web', '   77 com.example.shopper']
  test.each([
    ['all processes of the app', 'com.example.shop', ['webview_devtools_remote_4242', 'chrome_devtools_remote_4300']],
    ['another app with a longer name', 'com.example.shopper', ['webview_devtools_remote_77']],
    ['Chrome has one without a pid', 'com.android.chrome', ['chrome_devtools_remote']],
    ['an app without', 'com.example', []],
  ])('%s', (_name, packageName, expected) => {
    expect(socketsIn([...SOCKETS, ...processes].join('\n'), [packageName])).toEqual(expected)
  })

  test('a `ps` that prints all columns is read too', () => {
    const listed = [...SOCKETS, 'u0_a99   4242  1 0 0 0 0 S com.example.shop\r'].join('\n')
    expect(socketsIn(listed, ['com.example.shop'])).toEqual(['webview_devtools_remote_4242'])
  })
})

const page = (more: object) => ({
  type: 'page',
  title: 'Shop',
  webSocketDebuggerUrl: 'ws://localhost/devtools/page/AB-1',
  ...more,
})
const described = (more: object) =>
  page({
    description: JSON.stringify({
      attached: true,
      empty: false,
      visible: true,
      screenX: 0,
      screenY: 200,
      width: 800,
      height: 900,
      ...more,
    }),
  })

describe('the list of pages', () => {
  test('has the place of a web view, and nothing of a tab', () => {
    expect(readPageList('s', JSON.stringify([described({}), page({})]))).toMatchObject([
      { socket: 's', title: 'Shop', target: '/devtools/page/AB-1', bounds: box([0, 200, 800, 1_100]), isShown: true },
      { socket: 's', title: 'Shop', target: '/devtools/page/AB-1', bounds: undefined, isShown: true },
    ])
  })

  test('tells hidden and detached web views, and leaves out workers and what is no page', () => {
    const others = [
      described({ visible: false }),
      described({ attached: false }),
      described({ empty: true }),
      described({ width: 0 }),
    ]
    expect(
      readPageList(
        's',
        JSON.stringify([page({ type: 'service_worker' }), ...others, null, 7, { type: 'page', title: 1 }]),
      ),
    ).toMatchObject(others.map(() => ({ isShown: false })))
  })

  test('takes no address that is not one of its pages', () => {
    const urls = [
      'ws://localhost/devtools/page/A HTTP/1.1\r\nX: y',
      'ws://localhost/../json',
      'http://localhost/devtools/page/A',
    ]
    const pages = readPageList('s', JSON.stringify(urls.map(webSocketDebuggerUrl => page({ webSocketDebuggerUrl }))))
    expect(pages.map(({ target }) => target)).toEqual([undefined, undefined, undefined])
  })

  test.each(['', '{}', '"x"', '['])('%j is no list', text => {
    expect(() => readPageList('s', text)).toThrow('its list of pages cannot be read')
  })
})

describe('web views', () => {
  const inner = node({ className: 'android.webkit.WebView', text: 'Shop', at: [0, 200, 800, 1_100] })
  const outer = node({
    className: 'android.webkit.WebView',
    at: [0, 200, 800, 1_100],
    children: [node({ children: [inner] })],
  })
  const gone = node({ className: 'android.webkit.WebView', at: [0, 0, 0, 0] })
  const [view] = withoutPauses(webViewsIn([node({ children: [outer, gone] })]))

  test('are the outermost on the screen, with the title of the page inside', () => {
    expect(withoutPauses(webViewsIn([node({ children: [outer, gone] })]))).toHaveLength(1)
    expect(view).toMatchObject({ titles: ['Shop'], found: { node: outer } })
  })

  test('show the page in their place, else that with their title', () => {
    if (!view) return expect.unreachable()
    const listed = (title: string, bounds?: ReturnType<typeof box>) => ({
      ...{ socket: 's', id: 'A', url: 'x:', target: '/a', title, bounds, isShown: true, description: '' },
    })
    const pages = [
      listed('Other'),
      listed('Shop'),
      listed('Elsewhere', box([0, 1_200, 800, 1_300])),
      listed('Here', box([0, 200, 800, 1_100])),
    ]
    expect(candidatesFor(view, pages).map(({ title }) => title)).toEqual(['Shop', 'Here', 'Other'])
    expect(candidatesFor(view, pages.slice(2)).map(({ title }) => title)).toEqual(['Here'])
  })
})
