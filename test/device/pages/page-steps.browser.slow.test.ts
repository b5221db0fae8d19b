/** read_page, change_page and page_script in a real Chromium, by the inspector that web views have too. */
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ActionInput } from '../../../src/contracts/executions/action.ts'
import { findPage } from '../../../src/device/pages/find-page.ts'
import { evaluateInPage } from '../../../src/device/pages/inspector-reply.ts'
import { overSocket } from '../../../src/device/pages/over-inspector.ts'
import { answeredValue } from '../../../src/device/pages/page-answers.ts'
import { pageProgram } from '../../../src/device/pages/page-program.ts'
import { changePage, readPage, runPageScript } from '../../../src/device/pages/page-steps.ts'
import type { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { hasRealPages, REAL_APP, realPages } from '../../support/device/real-pages.ts'

const FORM = `<!doctype html><title>Form</title><style>.none{display:none}.hid{visibility:hidden}</style>
<h1 id="t">Sign <b>in</b></h1><form><input id=user name=user value=ada required><input id=pw type=password>
<input id=box type=checkbox checked><select id=list><option id=o1>One</option><option id=o2>Two</option></select>
<button id=go disabled>Go</button></form><a id=next href="/next">The next page</a>
<p class=none id=none>none</p><p class=hid id=hid>hidden</p><div id=empty></div>
<div id=under style="position:fixed;left:200px;top:300px;width:100px;height:40px">under</div>
<div id=cover class="veil" style="position:fixed;left:190px;top:290px;width:200px;height:100px;background:#888"></div>
<iframe id=inner src="/inner"></iframe><iframe id=foreign src="data:text/html,<p>x"></iframe>
<div style="height:3000px"></div><p id=far>far away</p>
<script>const log = []; list.onchange = () => log.push('list ' + list.value); user.oninput = () => log.push('user ' + user.value)</script>`
const DOCUMENTS = {
  '/form': FORM,
  '/inner': '<title>Inner</title><p id=deep>In a frame</p><button id=b>Deep</button>',
  '/empty': '',
  '/next': '<title>Next</title><p id=p>Here</p>',
  '/strict': `<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><title>Strict</title>`,
}

describe.skipIf(!hasRealPages())('a page', () => {
  const real = realPages(DOCUMENTS)
  let shown: Page
  let page = ''
  const clock = systemClock()
  const options = () => ({
    link: real.link(),
    clock,
    deadline: clock.now() + 20_000,
    signal: new AbortController().signal,
    screenshotPath: () => '',
  })
  const pages = async () =>
    (JSON.parse((await readPage({ read: 'pages', applicationId: REAL_APP }, options())).answer ?? '')[0]?.pages ??
      []) as { id: string; title: string; url: string }[]
  beforeEach(async () => {
    shown = await real.open('/form')
    page = (await pages()).find(({ url }) => url.endsWith('/form'))?.id ?? ''
  })
  afterEach(() => shown.close())

  type Read = Extract<ActionInput, { type: 'read_page' }>['params']
  const read = async (more: Omit<Read, 'applicationId' | 'page'>) =>
    JSON.parse((await readPage({ applicationId: REAL_APP, page, ...more }, options())).answer ?? '')
  const find = async (by: Read['by'], value: string, more: Partial<Read> = {}) =>
    (await read({ read: 'find', ...(by ? { by } : {}), value, ...more })).found as string[]
  const one = async (css: string, more: Partial<Read> = {}) => (await find('css selector', css, more))[0] ?? ''
  const script = async (text: string, args: unknown[] = [], more = {}) => {
    const params = { applicationId: REAL_APP, page, script: text, args: JSON.stringify(args), ...more }
    return JSON.parse((await runPageScript({ isAsync: false, timeoutMs: 5_000, ...params }, options())).value ?? '')
  }
  const change = (more: Omit<Extract<ActionInput, { type: 'change_page' }>['params'], 'applicationId' | 'page'>) =>
    changePage({ applicationId: REAL_APP, page, ...more }, options())
  const place = async (element: string, frames: string[] = []) => {
    const inspecting = { link: real.link(), options: options(), until: clock.now() + 5_000 }
    const listed = await findPage({ applicationId: REAL_APP, page }, inspecting)
    const program = pageProgram({ operation: 'place', frames, element })
    return await overSocket(listed.socket, inspecting, async socket =>
      answeredValue(await evaluateInPage(socket, listed.target, program, { timeoutMs: 4_000 })),
    )
  }
  const failing = (work: Promise<unknown>) =>
    work.then(
      () => expect.unreachable(),
      (error: StepFailure) => error,
    )

  test('finds elements by every locator, and the same one has the same handle', async () => {
    const title = await one('h1')
    expect(title).toMatch(/^\w+:\d+$/)
    const found = await Promise.all([
      find('id', 't'),
      find('xpath', '//h1[contains(., "Sign")]'),
      find('tag name', 'h1'),
      find('css selector', '#t'),
    ])
    expect(found.map(([handle]) => handle)).toEqual([title, title, title, title])
    expect(await find('name', 'user')).toEqual([await one('#user')])
    expect(await find('class name', 'veil')).toEqual([await one('#cover')])
    expect(await find('link text', 'The next page')).toEqual([await one('#next')])
    expect(await find('partial link text', 'next')).toEqual([await one('#next')])
    expect(await find('css selector', 'option', { element: await one('#list') })).toHaveLength(2)
    expect(await find('css selector', '.nothing')).toEqual([])
    const bad = await failing(find('css selector', 'li['))
    expect(bad).toMatchObject({ code: 'PAGE_REFUSED', data: { reason: 'invalid selector' } })
    expect(await failing(find('xpath', 'count(//a)'))).toMatchObject({ data: { reason: 'invalid selector' } })
    expect(await failing(find('css selector', '*', { most: 3 }))).toMatchObject({ data: { reason: 'too many' } })
  })

  test('a selector never becomes code', async () => {
    for (const value of ['"); document.title = "stolen"; ("', "']; document.title = 'stolen'; //", '\u2028'])
      await find('css selector', value).catch(() => {})
    expect(await read({ read: 'state' })).toMatchObject({ title: 'Form', readyState: 'complete' })
  })

  test('tells what an element is', async () => {
    const of = async (css: string, what: Read['read'], value?: string) =>
      read({ read: what, element: await one(css), ...(value === undefined ? {} : { value }) })
    expect(await of('#t', 'text')).toBe('Sign in')
    expect(await of('#none', 'text')).toBe('')
    expect(await of('#t', 'tag')).toBe('h1')
    expect(await of('#user', 'attribute', 'required')).toBe('true')
    expect(await of('#user', 'attribute', 'disabled')).toBeNull()
    expect(await of('#user', 'property', 'value')).toBe('ada')
    expect(await of('#cover', 'style', 'position')).toBe('fixed')
    expect(await of('#under', 'rect')).toEqual({ x: 200, y: 300, width: 100, height: 40 })
    expect(
      await Promise.all(['#t', '#none', '#hid', '#empty', '#far', 'option'].map(css => of(css, 'displayed'))),
    ).toEqual([...[true, false, false, false, true, true]])
    expect(await of('#go', 'enabled')).toBe(false)
    expect(await of('#box', 'selected')).toBe(true)
    expect(await of('#o2', 'selected')).toBe(false)
  })

  test('says where to touch an element, once it is in view', async () => {
    const far = (await place(await one('#far'))) as { elements: { box: number[] }[]; view: { height: number } }
    expect(far.elements[0]?.box[3]).toBeLessThanOrEqual(far.view.height)
    expect(await failing(place(await one('#none')))).toMatchObject({ data: { reason: 'not interactable' } })
    expect(await failing(place(await one('#under')))).toMatchObject({
      message: expect.stringContaining('<div id="cover" class="veil">'),
      data: { reason: 'intercepted' },
    })
  })

  test('what is closed is not displayed, and what cannot be read is told', async () => {
    await shown.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<details><summary>More</summary><p id=closed>closed</p></details>')
    })
    const closed = await one('#closed')
    expect(await read({ read: 'displayed', element: closed })).toBe(false)
    expect(await read({ read: 'property', element: closed, value: '__proto__' })).toBe(null)
    expect(await failing(read({ read: 'property', element: closed, value: 'ownerDocument' }))).toMatchObject({
      code: 'PAGE_REFUSED',
      data: { reason: 'unsendable' },
    })
  })

  test.each([
    ['return document.querySelector("#inner").contentDocument.querySelector("#deep")', 'an element of another frame'],
    [
      'const all = []; for (let at = 0; at < 10001; at++) all.push(document.body.appendChild(document.createElement("i"))); return all',
      'more than 10000 elements',
    ],
  ])('a result whose elements could not be used is refused: %s', async (text, said) => {
    expect((await failing(script(text))).message).toContain(said)
  })

  test('an element has the focus with what is in it, and the others have not', async () => {
    await shown.focus('#user')
    const focused = async (css: string) => JSON.stringify(await place(await one(css))).includes('"focused"')
    expect([await focused('#user'), await focused('form'), await focused('#pw')]).toEqual([true, true, false])
  })

  test('a frame of its origin can be entered, and another one is refused', async () => {
    const inner = await read({ read: 'frame', element: await one('#inner') })
    expect(await read({ read: 'frame', index: 0 })).toBe(inner)
    const deep = await one('#deep', { frames: [inner] })
    expect(await read({ read: 'text', element: deep, frames: [inner] })).toBe('In a frame')
    expect(await script('return document.title', [], { frames: [inner] })).toBe('Inner')
    expect(await place(await one('#b', { frames: [inner] }), [inner])).toMatchObject({ elements: [{ kind: 'button' }] })
    expect(await failing(read({ read: 'text', element: deep }))).toMatchObject({ data: { reason: 'no such element' } })
    const foreign = await failing(read({ read: 'frame', element: await one('#foreign') }))
    expect(foreign).toMatchObject({ data: { reason: 'foreign frame' } })
    expect(await failing(read({ read: 'frame', index: 9 }))).toMatchObject({ data: { reason: 'no such frame' } })
  })

  test('clears a field and chooses an option as a person would, with the events', async () => {
    await change({ change: 'clear', element: await one('#user') })
    await change({ change: 'choose', element: await one('#o2') })
    expect(await script('return log')).toEqual(['user ', 'list Two'])
    expect(await failing(change({ change: 'clear', element: await one('#t') }))).toMatchObject({
      data: { reason: 'invalid state' },
    })
  })

  test('goes to another page and back; the elements of the page before are stale', async () => {
    const title = await one('h1')
    await change({ change: 'navigate', uri: `${real.origin}/next` })
    await expect.poll(async () => (await read({ read: 'state' })).title).toBe('Next')
    expect(await failing(read({ read: 'text', element: title }))).toMatchObject({ code: 'REF_STALE' })
    await change({ change: 'back' })
    await expect.poll(async () => (await read({ read: 'state' })).title).toBe('Form')
    await change({ change: 'reload' })
    await expect.poll(async () => (await read({ read: 'state' })).readyState).toBe('complete')
    const nowhere = await failing(change({ change: 'navigate', uri: 'http://127.0.0.1:1/' }))
    expect(nowhere).toMatchObject({ code: 'PAGE_REFUSED', data: { reason: 'not reached' } })
    expect(nowhere.hint).toContain('The page was left')
    const empty = await failing(change({ change: 'navigate', uri: `${real.origin}/empty` }))
    expect(empty.hint).toContain('the page stays as it was')
  })

  test('an element that was removed is stale', async () => {
    const title = await one('h1')
    await script('arguments[0].remove()', [{ 'element-6066-11e4-a52e-4f735466cecf': title }])
    expect(await failing(read({ read: 'text', element: title }))).toMatchObject({
      code: 'REF_STALE',
      message: expect.stringContaining('removed'),
    })
  })

  test('a page that is gone is told from one that does not answer', async () => {
    await shown.close()
    expect(await failing(read({ read: 'state' }))).toMatchObject({ code: 'PAGE_NOT_FOUND' })
  })
})
