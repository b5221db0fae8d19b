// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** A flow that is resumed evaluates its scripts again, and each of them comes to the same. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RequestIntent, ScriptAnswer, ScriptEffect } from '../../../../src/service/flows/script/script-answer.ts'
import { temporary } from '../../../support/temporary.ts'
import { outcomeOf, place, startScripts } from './start-scripts.ts'

const folder = temporary('svc-repeat-')
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

test('a request waits for its record, and the script for that of its answer', async () => {
  const seen: string[] = []
  const answer = await startScripts().evaluate(
    'http.post(BASE + "/order?token=x", { body: "1" }).status',
    at(undefined, {
      onRequest: async ({ method, url, request, files }: RequestIntent) => {
        seen.push(`${method} ${url.slice(BASE.length)} ${request} ${files.length}, ${asked.length} at the server`)
      },
      onEffect: async (effect: ScriptEffect) => void seen.push(`${effect.kind}, ${asked.length} at the server`),
    }),
  )
  expect(outcomeOf(answer)).toBe('200')
  expect(seen.slice(0, 2)).toEqual(['POST /order 0 0, 0 at the server', 'http, 1 at the server'])
})

test('where the record is refused nothing is sent, also if the script goes on, and the evaluation rejects', async () => {
  const scripts = startScripts()
  const source = 'for (const path of ["/a", "/b"]) try { http.get(BASE + path) } catch {}; "caught"'
  const onRequest = async () => {
    throw new Error('not on record')
  }
  await expect(scripts.evaluate(source, at(undefined, { onRequest }))).rejects.toThrow('not on record')
  expect(asked).toEqual([])
  expect(outcomeOf(await scripts.evaluate('1 + 1', at())), 'later scripts run').toBe('2')
})

test('an answer that is not on record does not reach the script, and no other request is made', async () => {
  const source = 'for (const path of ["/a", "/b"]) try { output.seen = http.get(BASE + path).body } catch {}'
  const scripts = startScripts()
  const onEffect = async () => {
    throw new Error('not on record')
  }
  await expect(scripts.evaluate(source, at(undefined, { onEffect }))).rejects.toThrow('not on record')
  expect(asked).toEqual(['/a'])
  expect(outcomeOf(await scripts.evaluate('String(output.seen)', at()))).toBe('undefined')
})

test('a file that a request sends is known by its digest before it is sent', async () => {
  const file = join(folder(), 'picture.png')
  writeFileSync(file, 'picture')
  const source = `http.post(BASE + "/upload", { multipartForm: { file: { filePath: ${JSON.stringify(file)} } } }).status`
  const seen: RequestIntent[] = []
  const onRequest = async (intent: RequestIntent) => void seen.push(intent)
  expect(outcomeOf(await startScripts().evaluate(source, at(undefined, { onRequest })))).toBe('200')
  const digest = createHash('sha256').update('picture').digest('hex')
  expect(seen.map(({ files }) => files)).toEqual([[{ file, digest }]])
})
