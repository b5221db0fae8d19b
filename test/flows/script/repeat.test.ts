// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** A flow that is resumed evaluates its scripts again, and each of them comes to the same. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ScriptAnswer, ScriptEffect } from '../../../src/flows/script/script-answer.ts'
import { outcomeOf, place, startScripts } from './start-scripts.ts'

let asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.end(`${request.url} ${asked.length}`)
})
let BASE = ''
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  BASE = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
})

const NOW = 1_800_000_000_000
const at = (recorded?: readonly ScriptEffect[], more = {}) => place({ env: { BASE }, now: NOW, recorded, ...more })

const SOURCES = [
  'output.user = faker.internet().emailAddress() + Math.random() + Date.now()',
  'output.first = http.get(BASE + "/a").body; output.second = http.get(BASE + "/b").body + new Date().toISOString()',
  '[output.user, output.first, output.second, Math.random()].join()',
]

/** Each evaluation with the effects of the same one before. */
const runAll = async (before: readonly ScriptAnswer[] = [], seed = 'one') => {
  const { evaluate } = startScripts({ seed })
  const answers: ScriptAnswer[] = []
  for (const [index, source] of SOURCES.entries()) answers.push(await evaluate(source, at(before[index]?.effects)))
  return answers
}

test('the same values, and no request is made', async () => {
  const first = await runAll()
  expect(asked).toEqual(['/a', '/b'])
  expect(outcomeOf(first[1] as ScriptAnswer)).toMatch(/^\/b 2/)
  expect(await runAll(first)).toEqual(first)
  expect(asked, 'while it was repeated').toHaveLength(2)
})

test('another seed, other random values', async () => {
  const [one, other] = [await runAll(), await runAll([], 'other')]
  expect(outcomeOf(one[0] as ScriptAnswer)).not.toBe(outcomeOf(other[0] as ScriptAnswer))
})

test('two evaluations of one flow have random values of their own', async () => {
  const { evaluate } = startScripts()
  expect(outcomeOf(await evaluate('Math.random()', at()))).not.toBe(outcomeOf(await evaluate('Math.random()', at())))
})

test('requests beyond those that were recorded are made', async () => {
  const source = '["/a", "/b", "/c"].map(path => http.get(BASE + path).body).join()'
  const { effects } = await startScripts().evaluate(source, at())
  asked = []
  const kept: ScriptEffect[] = []
  const again = await startScripts().evaluate(
    source,
    at(effects.slice(0, 1), { onEffect: (effect: ScriptEffect) => kept.push(effect) }),
  )
  expect(outcomeOf(again)).toBe('/a 1,/b 1,/c 2')
  expect(kept).toEqual(again.effects)
  expect(again.effects[0]).toEqual(effects[0])
})

test('a request that is another one than before is not made', async () => {
  const { effects } = await startScripts().evaluate('http.get(BASE + "/a")', at())
  asked = []
  const answer = await startScripts().evaluate('http.post(BASE + "/a")', at(effects))
  expect(answer).toMatchObject({ ok: false, kind: 'threw', problem: expect.stringMatching(/another one than before/) })
  expect(asked).toEqual([])
})

test('a request that failed fails again', async () => {
  const source = 'http.get("http://127.0.0.1:1/")'
  const first = await startScripts().evaluate(source, at())
  const recorded = first.effects.map(effect => ({ ...effect, response: { problem: 'as recorded' } }) as ScriptEffect)
  expect(outcomeOf(await startScripts().evaluate(source, at(recorded)))).toBe('Error: as recorded')
})

test('a script that waits for the clock comes to an end, and to the same one when it is repeated', async () => {
  const source =
    'const begun = Date.now(); while (Date.now() < begun + 120); [begun, new Date().getTime(), typeof Date()].join()'
  const first = await startScripts().evaluate(source, at())
  const [begun = '', ended = ''] = outcomeOf(first).split(',')
  expect(Number(begun) - NOW).toBeGreaterThanOrEqual(0)
  expect(Number(ended) - Number(begun)).toBeGreaterThanOrEqual(120)
  expect(await startScripts().evaluate(source, at(first.effects))).toEqual(first)
})

test('a repeated clock goes as it went', async () => {
  const source =
    'const seen = []; for (let i = 0; i < 5; i++) { seen.push(Date.now()); if (i === 1) http.get(BASE + "/a") }; seen.map(at => at - seen[0]).join()'
  const { effects } = await startScripts().evaluate(source, at())
  const digest = effects.find(effect => effect.kind === 'http')?.digest ?? ''
  const recorded: ScriptEffect[] = [
    { kind: 'clock', reading: 2, elapsedMs: 700 },
    { kind: 'http', digest, response: { ok: true, status: 200, headers: {}, body: '' } },
    { kind: 'clock', reading: 4, elapsedMs: 900 },
  ]
  expect(outcomeOf(await startScripts().evaluate(source, at(recorded)))).toBe('0,700,700,900,900')
})

test('a text that is filled in hands out its effects too', async () => {
  const effects: ScriptEffect[] = []
  const written = '${http.get(BASE + "/a").body} and ${http.get(BASE + "/b").body}'
  const { interpolate } = startScripts()
  const first = await interpolate(written, at(undefined, { onEffect: (effect: ScriptEffect) => effects.push(effect) }))
  expect(await startScripts().interpolate(written, at(effects))).toBe(first)
  expect(asked).toHaveLength(2)
})
