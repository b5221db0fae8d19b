/** Scripts are code that the user trusts; all the same they do not reach the process around them by accident or by the known ways. */
import { expect, test } from 'vitest'
import { outcomeOf, place, startScripts } from './start-scripts.ts'

const GLOBALS = 'return typeof process'

test.each([
  ['the own constructors', `(() => {}).constructor('${GLOBALS}')()`],
  [
    'what is handed in',
    `[http.get, console.log, json, faker.name, Date, Math.random, Uint8Array].map(each => each.constructor('${GLOBALS}')()).join('')`,
  ],
  ['an error of a call', `try { http.get('nowhere') } catch (error) { error.constructor.constructor('${GLOBALS}')() }`],
  ['the promise of an import', `import('node:fs').constructor.constructor('${GLOBALS}')()`],
  [
    'the frames of a stack',
    `Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error(); Error.prepareStackTrace = undefined; typeof stack === 'string'`,
  ],
])('no way out through %s', async (_, source) => {
  expect(outcomeOf(await startScripts().evaluate(source, place()))).toMatch(/^(undefined)+$|^true$/)
})

test('no way out through the error of an import', async () => {
  const { evaluate } = startScripts()
  await evaluate(
    `import('node:fs').catch(error => { try { output.found = error.constructor.constructor('${GLOBALS}')() } catch (refused) { output.found = 'refused' } })`,
    place(),
  )
  expect(outcomeOf(await evaluate('output.found', place()))).toMatch(/^(refused|undefined)$/)
})

test('no way out through a call at the end of the stack', async () => {
  const source = `
    let found = 'none'
    const dive = () => { try { dive() } catch { try { console.log(1) } catch (error) { found = error.constructor.constructor('${GLOBALS}')() } } }
    dive()
    found`
  expect(outcomeOf(await startScripts().evaluate(source, place()))).toMatch(/^(none|undefined)$/)
})

test.each([
  'Object.prototype.toJSON = () => 1; Array.prototype.toJSON = () => 1; "value"',
  'JSON.stringify = () => "{"; JSON.parse = () => 1; String = () => 1; "value"',
  'Object.prototype.then = () => 1; Object.prototype.ok = false; Object.prototype.problem = "none"; "value"',
  'Array.prototype.map = Array.prototype.push = Array.prototype[Symbol.iterator] = () => { throw 1 }; "value"',
  'output.__proto__.polluted = true; Object.defineProperty(Object.prototype, "head", { value: 1 }); "value"',
])('built-in functions that a script replaces reach nobody else: %s', async source => {
  const { evaluate } = startScripts()
  const answer = await evaluate(source, place())
  expect(['value', 'The script has replaced built-in functions, so that its value cannot be read.']).toContain(
    outcomeOf(answer),
  )
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(await startScripts().evaluate('1', place())).toMatchObject({ ok: true, text: '1' })
})

test('a value takes no code along', async () => {
  const answer = await startScripts().evaluate(
    '({ a: 1, run() {}, get b() { return 2 }, __proto__: { c: 3 } })',
    place(),
  )
  expect(answer).toMatchObject({ ok: true, value: { a: 1, b: 2 } })
})
