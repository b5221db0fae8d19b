import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../src/runtime/secrets.ts'
import { wordsAt } from '../../src/runtime/svc-words.ts'
import { manualClock } from '../support/manual-clock.ts'
import { propertyRuns } from '../support/property-runs.ts'

const OWNER = 'run'
const TOKEN = /^\[secret PW [0-9a-f]{12}\]$/

describe('a secret', () => {
  test('is a token in every text of JSON, keys included, and comes back', () => {
    const secrets = createSecrets()
    secrets.add(OWNER, 'PW', 'hunter2')
    const json = { a: ['hunter2'], hunter2: 'x hunter2 y', type: 'hunter2', n: 1 }
    const concealed = secrets.concealAll(json)
    expect(JSON.stringify(concealed)).not.toContain('hunter2')
    expect(concealed.a[0]).toMatch(TOKEN)
    expect(concealed.type).toMatch(TOKEN)
    expect(secrets.of(OWNER).revealAll(concealed)).toEqual(json)
  })

  test('is found as XML, JSON and a URL spell it', () => {
    const secrets = createSecrets()
    secrets.add(OWNER, 'PW', `a&b"c d`)
    for (const spelled of ['a&amp;b&quot;c d', 'a&b\\"c d', 'a%26b%22c%20d'])
      expect(secrets.conceal(`<${spelled}>`)).toMatch(/^<\[secret PW [0-9a-f]{12}\]>$/)
  })

  test('is found with and without apostrophes escaped in XML, and with every sign escaped in a URL', () => {
    const secrets = createSecrets()
    secrets.add(OWNER, 'PW', `it's <it>*`)
    for (const spelled of ['it&apos;s &lt;it&gt;*', `it's &lt;it&gt;*`, `it's%20%3Cit%3E*`, 'it%27s%20%3Cit%3E%2A'])
      expect(secrets.conceal(`<${spelled}>`)).toMatch(/^<\[secret PW [0-9a-f]{12}\]>$/)
  })

  test('that no URL can spell is found as it is', () => {
    const secrets = createSecrets()
    secrets.add(OWNER, 'PW', 'half\ud800')
    expect(secrets.conceal('half\ud800')).toMatch(TOKEN)
  })

  test('is found in one entry of many, and what holds none is the same object as before', () => {
    const secrets = createSecrets()
    const before = { list: ['hunter2'] }
    expect(secrets.concealAll(before)).toBe(before)
    secrets.add(OWNER, 'PW', 'hunter2')
    const without = { list: ['a', { b: null, c: 7 }], d: true }
    expect(secrets.concealAll(without)).toBe(without)
    const concealed = secrets.concealAll({ list: ['a', 'hunter2', 'b'], d: 'c' })
    expect(concealed).toEqual({ list: ['a', expect.stringMatching(TOKEN), 'b'], d: 'c' })
  })

  test('that is a word of svc leaves it at its place in a shape of svc, and is found there in other places', () => {
    const secrets = createSecrets()
    secrets.add(OWNER, 'PW', 'state')
    const words = wordsAt({ state: 'word', steps: { '*': { id: 'word', state: 'text' } }, details: 'known' })
    const json = {
      state: 'state',
      steps: [{ id: 'state', state: 'state' }],
      details: { state: ['state'] },
      id: 'state',
    }
    expect(secrets.concealAll(json, words)).toEqual({
      state: 'state',
      steps: [{ id: 'state', state: expect.stringMatching(TOKEN) }],
      details: { state: [expect.stringMatching(TOKEN)] },
      id: expect.stringMatching(TOKEN),
    })
  })

  test('that holds another one is told as itself', () => {
    const secrets = createSecrets()
    secrets.add(OWNER, 'SHORT', 'hunter')
    secrets.add(OWNER, 'PW', 'hunter2')
    expect(secrets.conceal('hunter2')).toMatch(TOKEN)
    expect(secrets.conceal('hunter3')).toMatch(/^\[secret SHORT /)
  })

  test('has the same token under the same key, and another one elsewhere', () => {
    const key = () => Buffer.alloc(32, 7)
    const [one, same, other] = [createSecrets(key), createSecrets(key), createSecrets()]
    for (const each of [one, same, other]) each.add(OWNER, 'PW', 'hunter2')
    expect(same.conceal('hunter2')).toBe(one.conceal('hunter2'))
    expect(other.conceal('hunter2')).not.toBe(one.conceal('hunter2'))
  })
})

test('what is borrowed again and again is known once, and as long as one has it', () => {
  const secrets = createSecrets()
  const forget = secrets.add(OWNER, 'PW', 'hunter2')
  const forgetAgain = secrets.add(OWNER, 'PW', 'hunter2')
  forgetAgain()
  forgetAgain()
  expect(secrets.conceal('hunter2'), 'whoever forgets twice forgets for nobody else').toMatch(TOKEN)
  const own = secrets.of(OWNER)
  const returns = Array.from({ length: 40 }, () => secrets.borrow(OWNER, own.list()))
  expect(own.list()).toHaveLength(1)
  forget()
  forget()
  expect(secrets.conceal('hunter2')).toMatch(TOKEN)
  for (const giveBack of returns) giveBack()
  expect(secrets).toMatchObject({ isNeeded: false })
  expect(secrets.conceal('hunter2')).toBe('hunter2')
})

test('an empty value is no secret', () => {
  const secrets = createSecrets()
  secrets.add(OWNER, 'PW', '')
  expect(secrets.isNeeded).toBe(false)
})

test.each(['secret', 'secret PW', '[secret', 'PW', 'PW 1'])(
  'a secret that is equal to a part of a token, %j, leaves tokens as they are',
  value => {
    const secrets = createSecrets()
    secrets.add(OWNER, 'PW', 'hunter2')
    secrets.add(OWNER, 'OTHER', value)
    const once = secrets.conceal(`type hunter2 and ${value}!`)
    expect(once).toMatch(/^type \[secret PW [0-9a-f]{12}\] and \[secret OTHER [0-9a-f]{12}\]!$/)
    expect(secrets.conceal(once)).toBe(once)
    expect(secrets.of(OWNER).reveal(once)).toBe(`type hunter2 and ${value}!`)
  },
)

test('secrets that overlap in a text leave no part of either', () => {
  const secrets = createSecrets()
  secrets.add(OWNER, 'USER', 'annsmith')
  secrets.add(OWNER, 'PW', 'smith123')
  expect(secrets.conceal('x annsmith123 y')).toMatch(/^x (\[secret \w+ [0-9a-f]{12}\]){2} y$/)
})

test('a token is revealed to its owner alone', () => {
  const secrets = createSecrets()
  secrets.add('one run', 'PW', 'hunter2')
  secrets.add('another run', 'KEY', 'letmein')
  const token = secrets.conceal('hunter2')
  expect(secrets.of('one run').reveal(token)).toBe('hunter2')
  for (const stranger of ['another run', 'nobody', '']) {
    expect(secrets.of(stranger).reveal(token)).toBe(token)
    expect(secrets.of(stranger).revealAll({ text: token })).toEqual({ text: token })
  }
  expect(secrets.of('another run').conceal('hunter2'), 'all are concealed for everybody').toBe(token)
})

const HARD = `it's <b> & "p/w"\n\tä😀 \\ 100%+`
const hex = (text: string, before: string, after = '') =>
  [...text].map(sign => `${before}${sign.codePointAt(0)?.toString(16)}${after}`).join('')

test.each([
  ['JSON within JSON', JSON.stringify(JSON.stringify(HARD)).slice(3, -3)],
  [
    'JSON in ASCII',
    JSON.stringify(HARD)
      .slice(1, -1)
      .replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  ['JSON within HTML', JSON.stringify(HARD).slice(1, -1).replaceAll('<', '\\u003c').replaceAll('>', '\\u003E')],
  ['decimal entities', [...HARD].map(sign => `&#${sign.codePointAt(0)};`).join('')],
  ['hexadecimal entities', hex(HARD, '&#x', ';')],
  ['entities of XML within XML', hex(HARD, '&amp;#X', ';')],
  [
    'a screen that Android dumps',
    HARD.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '')
      .replaceAll('\n', '&#10;')
      .replaceAll('\t', '&#9;'),
  ],
  ['a URL', encodeURIComponent(HARD)],
  ['a URL in lower case', encodeURIComponent(HARD).replace(/%../g, found => found.toLowerCase())],
  ['a form', new URLSearchParams({ a: HARD }).toString().slice(2)],
  ['a URL within a URL', encodeURIComponent(encodeURIComponent(HARD))],
  ['a label with blanks collapsed', HARD.replace(/\s+/g, ' ')],
  ['base64', Buffer.from(HARD).toString('base64')],
  ['base64 of a user and a password', Buffer.from(`ann:${HARD}`).toString('base64')],
  ['base64 behind one more', Buffer.from(`anna:${HARD}!`).toString('base64')],
  ['base64 behind two more', Buffer.from(`annas:${HARD}!!`).toString('base64')],
  ['base64 for URLs', Buffer.from(`ann:${HARD}`).toString('base64url')],
])('a secret is found in %s', (_, text) => {
  const secrets = createSecrets()
  secrets.add(OWNER, 'PW', HARD)
  const concealed = secrets.conceal(text)
  expect(concealed).toMatch(/\[secret PW [0-9a-f]{12}\]/)
  expect(concealed.replace(/\[secret PW [0-9a-f]{12}\]/, '').length, concealed).toBeLessThan(14)
})

test('is revealed in the spelling that it had, also by a host that has borrowed it', () => {
  const value = `a&b "c" d/e+f's`
  const here = createSecrets()
  here.add(OWNER, 'PW', value)
  const elsewhere = createSecrets()
  elsewhere.borrow('execution', here.of(OWNER).list())
  const texts = [
    `https://shop/?p=${encodeURIComponent(value)}&q=1`,
    `{"p":${JSON.stringify(value)}}`,
    '<a b="a&amp;b &quot;c&quot; d/e+f&apos;s"/>',
    new URLSearchParams({ p: value }).toString(),
    ...['', 'a', 'ab', 'abc'].map(user => `Basic ${Buffer.from(`${user}:${value}`).toString('base64')}`),
  ]
  for (const text of texts) {
    const concealed = here.conceal(text)
    expect(concealed).toContain('[secret PW ')
    expect(here.of(OWNER).reveal(concealed)).toBe(text)
    expect(elsewhere.of('execution').reveal(concealed)).toBe(text)
  }
})

test('any text is without any of the secrets in it, and concealed once', () => {
  const value = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 12 }).filter(text => text.trim().length >= 4)
  const values = fc.array(value, { minLength: 1, maxLength: 3 })
  const pieces = fc.array(fc.oneof(fc.string({ maxLength: 4 }), fc.nat({ max: 2 })), { maxLength: 8 })
  fc.assert(
    fc.property(values, pieces, (secretValues, parts) => {
      const secrets = createSecrets()
      for (const [at, each] of secretValues.entries()) secrets.add(OWNER, `S${at}`, each)
      const text = parts.map(part => (typeof part === 'number' ? `|${secretValues[part] ?? ''}|` : part)).join('')
      const concealed = secrets.conceal(text)
      expect(secrets.conceal(concealed)).toBe(concealed)
      for (const each of secretValues)
        expect(concealed.replace(/\[secret \w+ [0-9a-f]{12}\]/g, '\u0000')).not.toContain(each)
    }),
    { numRuns: propertyRuns(300) },
  )
})

test('values that are to be forgotten later are forgotten in their time, or when all is closed', () => {
  const clock = manualClock()
  const secrets = createSecrets()
  const known = () => [secrets.of('first').list().length, secrets.of('second').list().length]
  secrets.forgetLater(secrets.add('first', 'PIN', 'four seven'), 1_000, clock)
  secrets.forgetLater(secrets.add('second', 'PIN', 'one one'), 60_000, clock)
  clock.advance(1_000)
  expect(known()).toEqual([0, 1])
  secrets.close()
  expect(known()).toEqual([0, 0])
  expect(secrets.isNeeded).toBe(false)
})
