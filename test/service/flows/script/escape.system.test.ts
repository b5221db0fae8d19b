/** Attacks on the process of scripts: whatever a script gets hold of belongs to its own realm, and the process has nothing to take. */
import { expect, test } from 'vitest'
import { outcomeOf, place, startScripts } from './start-scripts.ts'

/**
 * What a script got hold of is foreign when its chain of prototypes ends in another realm's `Object.prototype`, or its
 * constructors make code of one.
 */
const HELPERS = `
  const own = value => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return true
    let top = value
    for (let next = top; next !== null; next = Object.getPrototypeOf(top = next));
    return top === Object.prototype || (value === top && top.constructor === undefined)
  }
  const foreign = []
  const see = (name, value) => { if (!own(value)) foreign.push(name) }
  const code = make => { try { const found = make(); if (found !== 'undefined' && found !== undefined) foreign.push('code: ' + found) } catch (error) { see('error', error) } }
  output.see = see; output.foreign = foreign;
`

const GLOBALS = `'return typeof process'`

const ATTACKS: Readonly<Record<string, string>> = {
  'promise of an import': `const p = import('node:fs'); see('promise', p); see('then', p.then); see('derived', p.finally(() => {})); p.catch(error => see('error', error))`,
  'import with attributes': `import('x', { with: { get type() { throw 1 } } }).catch(error => see('error', error)); import({ toString() { throw new Error('a') } }).catch(error => see('error', error))`,
  'import in an async function': `(async () => { try { await import('node:child_process') } catch (error) { see('error', error); see('constructor', error.constructor) } })()`,
  'import in eval and in Function': `eval("import('fs')").catch(e => see('eval', e)); new Function("return import('fs')")().catch(e => see('function', e)); (0, eval)("import('fs')").catch(e => see('indirect', e))`,
  'species of a promise': `class Mine extends Promise { static get [Symbol.species]() { return function (run) { run(v => see('value', v), e => see('reason', e)) } } }; Promise.prototype.constructor = Mine; import('fs').then(v => see('v', v), e => see('e', e))`,
  'replaced Promise': `Promise.reject = () => ({}); Promise.prototype.then = function (...all) { all.forEach(each => see('then', each)); see('this', this) }; const p = import('fs'); see('promise', p)`,
  prepareStackTrace: `Error.prepareStackTrace = (error, frames) => { see('error', error); see('frames', frames); for (const frame of frames) { see('this', frame.getThis()); see('function', frame.getFunction()) } return 'x' }; new Error('x').stack; try { null.x } catch (error) { error.stack }`,
  'prepareStackTrace of what is captured': `Object.prototype.prepareStackTrace = (_, frames) => { see('frames', frames); for (const frame of frames) see('function', frame.getFunction()) }; const held = {}; Error.captureStackTrace(held); held.stack`,
  'setter for frames': `Object.defineProperty(Array.prototype, 0, { set(value) { see('set', value) }, configurable: true }); new Error('x').stack; delete Array.prototype[0]`,
  'a name with a proxy': `const error = new Error('x'); Object.defineProperty(error, 'name', { get() { return new Proxy(function () {}, { get: (_, name) => { see('name', name); return undefined }, apply: (_, self, all) => { see('self', self); see('all', all) } }) } }); try { error.stack } catch (thrown) { see('thrown', thrown) }`,
  'end of the stack': `
    const calls = [() => new Error('x').stack, () => import('fs').catch(() => {}), () => console.log('x'), () => http.get('nowhere'), () => Date.now(), () => json('{'), () => faker.name().name(), () => new Uint8Array(9e6), () => eval('1+'), () => globalThis.nothing]
    for (const call of calls) { const dive = () => { try { dive() } catch (first) { see('dive', first); try { call() } catch (error) { see(String(call), error) } } }; dive() }`,
  'stack of a native recursion': `const a = []; a[0] = a; const nest = n => n ? [nest(n - 1)] : []; try { JSON.stringify(nest(3e3)) } catch (e) { see('e', e) } try { new RegExp('('.repeat(1e5)) } catch (e) { see('e', e) } try { eval('('.repeat(1e5)) } catch (e) { see('e', e) }`,
  constructors: `code(() => this.constructor.constructor(${GLOBALS})()); code(() => (0, eval)('this').constructor.constructor(${GLOBALS})()); code(() => (async () => {}).constructor(${GLOBALS}) && undefined); code(() => (function* () {}).constructor(${GLOBALS})().next().value)`,
  'this of sloppy functions': `const top = new Function('return this')(); for (const name of Object.getOwnPropertyNames(top)) { try { see(name, top[name]) } catch (error) { see(name, error) } }`,
  'accessor of the global object': `const top = new Function('return this')(); Object.defineProperty(top, 'trap', { get() { see('this', this); return 1 }, set(value) { see('set', this) }, configurable: true }); top.trap; top.trap = 1; try { Object.defineProperty(top, 'svcEvaluate', { set(value) { see('entry', value) }, get() { return 1 }, configurable: true }) } catch (error) { see('e', error) }`,
  'caller of a function': `function who() { return who.caller } try { see('caller', who()) } catch (error) { see('e', error) } new Function('see', 'function f() { try { see("caller", f.caller); see("args", f.arguments) } catch (e) { see("e", e) } } f()')(see)`,
  'a valueOf as an argument': `for (const call of [console.log, http.get, json]) { try { call({ toString() { see('this', this); throw new Error('mine') } }) } catch (error) { see('e', error) } }`,
  'spread with another iterator': `const native = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function () { see('this', this); return { next: () => ({ done: true }) } }; try { console.log('a') } catch (e) { see('e', e) } try { http.get('x') } catch (e) { see('e', e) } Array.prototype[Symbol.iterator] = native`,
  'answers of http': `try { http.get('nowhere') } catch (error) { see('e', error); see('c', error.constructor) } try { http.post('x', { headers: new Proxy({}, { ownKeys() { throw new Error('mine') } }) }) } catch (error) { see('e', error) }`,
  json: `try { json('{') } catch (error) { see('e', error) } see('value', json('{"__proto__":{"a":1},"constructor":1}'))`,
  faker: `see('faker', faker); see('name', faker.name); see('names', faker.name()); try { faker.regexify({ toString() { throw new Error('x') } }) } catch (error) { see('e', error) } try { faker.expression && faker.expression('#{constructor.constructor}') } catch (error) { see('e', error) }`,
  'getters of output': `Object.defineProperty(output, 'trap', { enumerable: true, get() { see('this', this); return 1 } }); output.toJSON = function (key) { see('this', this); see('key', key) }; output`,
  'Reflect and Proxy': `see('r', Reflect.construct(Date, [])); see('f', Reflect.get(http, 'get')); see('d', new Date()); see('p', Proxy.revocable({}, {}).proxy); const log = new Proxy(console.log, { apply(target, self, all) { return Reflect.apply(target, undefined, all) } }); see('l', log('x'))`,
  buffers: `see('b', new Uint8Array(4).buffer); see('s', new Uint8Array(8).subarray(1)); try { new Uint8Array(1e9) } catch (e) { see('e', e) } try { structuredClone({}) } catch (e) { see('e', e) }`,
  'wasm and shared memory': `code(() => typeof WebAssembly); code(() => typeof SharedArrayBuffer); code(() => (0, eval)('typeof WebAssembly'))`,
  'globals of Node': `for (const name of ['process', 'require', 'module', 'Buffer', 'setTimeout', 'fetch', 'queueMicrotask', '__dirname', 'global']) code(() => (0, eval)('typeof ' + name))`,
  thenables: `Object.prototype.then = function (done, fail) { see('this', this); see('done', done); done(1) }; (async () => { see('v', await import('x').catch(e => e)) })(); Promise.resolve({}).then(v => see('v', v)); delete Object.prototype.then`,
  'rejections that nobody handles': `const held = new Error('x'); Object.defineProperty(held, 'stack', { get() { see('this', this); return 1 } }); Promise.reject(held); Promise.reject(new Proxy({}, { get(_, name, self) { see('self', self) } }))`,
  'async generators': `(async () => { for await (const each of (async function* () { yield import('fs') })()) see('each', each) })().catch(e => see('e', e))`,
}

test.each(Object.entries(ATTACKS))('nothing foreign through %s', async (_, source) => {
  const { evaluate } = startScripts()
  await evaluate(`${HELPERS}\n${source}`, place())
  const answer = await evaluate('String(output.foreign)', place())
  // An attack may leave a process that nothing can be evaluated in; then it has won nothing either.
  if (answer.ok) expect(answer.text).toMatch(/^(undefined)?$/)
  else expect(answer.problem).toMatch(/replaced built-in functions|output/)
})

test('the check knows an object of another realm', async () => {
  const found = await startScripts().evaluate(
    `${HELPERS}; const other = Object.create(Object.create(null, { constructor: { value: 1 } })); see('other', other); String(foreign)`,
    place(),
  )
  expect(outcomeOf(found)).toBe('other')
})

test('an error says nothing of the host', async () => {
  const stack = outcomeOf(await startScripts().evaluate('new Error("x").stack', place()))
  expect(stack).toMatch(/^Error: x\n/)
  expect(stack).not.toMatch(/program\.cjs|node:/)
})
