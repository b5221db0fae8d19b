/** Scripts, and pages whose elements have the names of what is read of them, in a real Chromium. */
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ActionInput } from '../../../src/contracts/executions/action.ts'
import { findPage } from '../../../src/device/pages/find-page.ts'
import { evaluateInPage } from '../../../src/device/pages/inspector-reply.ts'
import { overSocket } from '../../../src/device/pages/over-inspector.ts'
import { readPageAnswer } from '../../../src/device/pages/page-answer.ts'
import { answeredValue } from '../../../src/device/pages/page-answers.ts'
import { pageExpression } from '../../../src/device/pages/page-expression.ts'
import { pageProgram } from '../../../src/device/pages/page-program.ts'
import { changePage, readPage, runPageScript } from '../../../src/device/pages/page-steps.ts'
import type { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { hasRealPages, REAL_APP, realPages } from '../../support/device/real-pages.ts'
import { wait } from '../../support/until.ts'

const CLOSE_MS = 2_000

const DOCUMENTS = {
  '/form': `<!doctype html><title>Form</title><h1 id="t">Sign in</h1><select><option>One</option><option>Two</option></select>
<p id=far>far away</p>`,
  '/next': '<title>Next</title><p id=p>Here</p>',
  '/strict': `<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><title>Strict</title>`,
  '/hiding': `<!doctype html><title>Hiding</title><img name=title><img name=evaluate><img name=readyState><img name=documentElement>
<img name=createDocumentFragment><form name=querySelectorAll></form><form id=f><input name=id><input name=tagName><input name=querySelectorAll>
<input name=getClientRects><input name=parentNode><input name=ownerDocument><input name=innerText><input name=getAttribute>
<input name=matches><input name=getBoundingClientRect><input name=localName><input name=children></form><b id=b>Bold</b>`,
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
  const open = async (path: string) => {
    shown = await real.open(path)
    const apps = JSON.parse((await readPage({ read: 'pages', applicationId: REAL_APP }, options())).answer ?? '')
    page = apps[0].pages.find(({ url }: { url: string }) => url.endsWith(path))?.id ?? ''
  }
  beforeEach(() => open('/form'))
  // The driver of the browser waits for ever for the end of a page that is just leaving its document; the browser takes it along.
  afterEach(() => Promise.race([shown.close(), wait(CLOSE_MS)]))

  type Read = Extract<ActionInput, { type: 'read_page' }>['params']
  const read = async (more: Omit<Read, 'applicationId' | 'page'>) =>
    JSON.parse((await readPage({ applicationId: REAL_APP, page, ...more }, options())).answer ?? '')
  const one = async (by: NonNullable<Read['by']>, value: string) =>
    ((await read({ read: 'find', by, value })).found as string[])[0] ?? ''
  const script = async (text: string, args: unknown[] = [], more = {}) => {
    const params = { applicationId: REAL_APP, page, script: text, args: JSON.stringify(args), ...more }
    return JSON.parse((await runPageScript({ isAsync: false, timeoutMs: 5_000, ...params }, options())).value ?? '')
  }
  const failing = (work: Promise<unknown>) =>
    work.then(
      () => expect.unreachable(),
      (error: StepFailure) => error,
    )

  test('runs scripts with elements both ways, and with promises', async () => {
    const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
    const title = { [ELEMENT]: await one('css selector', 'h1') }
    expect(await script('return arguments[0].tagName + arguments[1].a', [title, { a: 1 }])).toBe('H11')
    expect(await script('return [document.querySelector("h1"), {a: [null, undefined, 1.5]}]')).toEqual([
      title,
      { a: [null, null, 1.5] },
    ])
    expect(await script('return document.querySelectorAll("option")')).toHaveLength(2)
    expect(await script('return Promise.resolve(7)')).toBe(7)
    expect(
      await script('var done = arguments[1]; setTimeout(() => done(arguments[0] + 1), 10)', [1], { isAsync: true }),
    ).toBe(2)
  })

  test('a script that throws, or sends what cannot be sent, is told as such', async () => {
    const messages = await Promise.all(
      [
        'throw new TypeError("bad")',
        'return {',
        'return Promise.reject(new Error("late"))',
        'return window',
        'var a = {}; a.a = a; return a',
      ].map(async text => {
        const failure = await failing(script(text))
        expect(failure).toMatchObject({ code: 'PAGE_SCRIPT_FAILED', data: { reason: 'error' } })
        return failure.message
      }),
    )
    expect(messages[0]).toBe('TypeError: bad')
    expect(messages[1]).toContain('SyntaxError')
  })

  test('a script whose result is an element outside of the page is told to have run', async () => {
    for (const text of [
      'const e = document.querySelector("#far"); e.remove(); return e',
      'return document.createElement("p")',
    ])
      expect(await failing(script(`document.title += "!"; ${text}`))).toMatchObject({
        code: 'PAGE_SCRIPT_FAILED',
        message: expect.stringContaining('the script ran, but'),
        data: { reason: 'stale' },
      })
    expect((await read({ read: 'state' })).title).toBe('Form!!')
  })

  test.each(['for (;;) {}', 'return new Promise(() => {})'])(
    'the script %j ends with its time',
    async text => {
      const failure = await failing(script(text, [], { timeoutMs: 300 }))
      expect(failure).toMatchObject({ code: 'PAGE_SCRIPT_FAILED', data: { reason: 'timeout' } })
    },
    15_000,
  )

  test('the page itself ends the wait for a promise, so that it ends in time', async () => {
    const inspecting = { link: real.link(), options: options(), until: clock.now() + 20_000, answerMs: 20_000 }
    const { socket: name, target } = await findPage({ applicationId: REAL_APP, page }, inspecting)
    const ask = { operation: 'script', frames: [], args: [], timeoutMs: 50 }
    for (const isAsync of [true, false]) {
      const program = pageProgram({ ...ask, script: 'return new Promise(() => {})', isAsync })
      const asked = overSocket(name, inspecting, async socket =>
        answeredValue(await evaluateInPage(socket, target, program, { timeoutMs: 20_000, awaitPromise: true })),
      )
      expect(await failing(asked)).toMatchObject({ code: 'PAGE_SCRIPT_FAILED', data: { reason: 'timeout' } })
    }
  })

  test('what looks like a promise is awaited, and what looks like a problem is none', async () => {
    expect(await script('return {then(done) { done(8) }}')).toBe(8)
    expect(await script('return Object.assign(() => {}, {then(done) { setTimeout(done, 5, [9]) }})')).toEqual([9])
    const thrown = [
      '{toString() { throw 1 }}',
      'new Proxy({}, {get() { throw 1 }})',
      '{svcProblem: "stale", message: "m"}',
    ]
    for (const each of thrown)
      expect(await failing(script(`throw ${each}`))).toMatchObject({
        code: 'PAGE_SCRIPT_FAILED',
        data: { reason: 'error' },
      })
  })

  test('a script that leaves its document is told as such', async () => {
    const failure = await failing(script(`location.href = '/next'`, [], { isAsync: true }))
    expect(failure).toMatchObject({ code: 'PAGE_SCRIPT_FAILED', message: expect.stringContaining('document was left') })
  })

  test('a script runs where the page forbids eval', async () => {
    await changePage({ applicationId: REAL_APP, page, change: 'navigate', uri: `${real.origin}/strict` }, options())
    await expect.poll(() => script('return document.title')).toBe('Strict')
  })

  test('elements with the names of what is read hide nothing', async () => {
    await shown.close()
    await open('/hiding')
    expect(await read({ read: 'state' })).toMatchObject({ title: 'Hiding', readyState: 'complete' })
    const form = await one('css selector', '#f')
    expect(await one('xpath', '//form[2]')).toBe(form)
    expect(await one('id', 'f')).toBe(form)
    expect(await read({ read: 'tag', element: form })).toBe('form')
    expect(await read({ read: 'displayed', element: form })).toBe(true)
    expect(await read({ read: 'attribute', value: 'id', element: form })).toBe('f')
    expect((await read({ read: 'find', by: 'css selector', value: 'input', element: form })).found).toHaveLength(12)
    expect(await read({ read: 'source' })).toContain('<b id="b">')
    const inspecting = { link: real.link(), options: options(), until: clock.now() + 20_000 }
    const { socket: name, target } = await findPage({ applicationId: REAL_APP, page }, inspecting)
    const query = { css: ['#f', '#b'], all: true }
    const whole = await overSocket(name, inspecting, async socket =>
      readPageAnswer(await evaluateInPage(socket, target, pageExpression(query), { timeoutMs: 4_000 }), query),
    )
    expect(whole).toMatchObject({
      title: 'Hiding',
      elements: expect.arrayContaining([expect.objectContaining({ id: 'b' })]),
    })
  })
})
