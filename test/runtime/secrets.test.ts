import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../src/runtime/secrets.ts'

const TOKEN = /^\[secret PW [0-9a-f]{12}\]$/

describe('a secret', () => {
  test('is a token in every value of JSON, and comes back; keys and words of svc stay', () => {
    const secrets = createSecrets()
    secrets.add('PW', 'hunter2')
    const json = { a: ['hunter2'], hunter2: 'x hunter2 y', type: 'hunter2', n: 1 }
    const concealed = secrets.concealAll(json)
    expect(JSON.stringify(Object.values(concealed).slice(0, 2))).not.toContain('hunter2')
    expect(concealed.a[0]).toMatch(TOKEN)
    expect(concealed.type).toBe('hunter2')
    expect(secrets.revealAll(concealed)).toEqual(json)
  })

  test('is found as XML, JSON and a URL spell it', () => {
    const secrets = createSecrets()
    secrets.add('PW', `a&b"c d`)
    for (const spelled of ['a&amp;b&quot;c d', 'a&b\\"c d', 'a%26b%22c%20d'])
      expect(secrets.conceal(`<${spelled}>`)).toMatch(/^<\[secret PW [0-9a-f]{12}\]>$/)
  })

  test('is found with and without apostrophes escaped in XML, and with every sign escaped in a URL', () => {
    const secrets = createSecrets()
    secrets.add('PW', `it's <it>*`)
    for (const spelled of ['it&apos;s &lt;it&gt;*', `it's &lt;it&gt;*`, `it's%20%3Cit%3E*`, 'it%27s%20%3Cit%3E%2A'])
      expect(secrets.conceal(`<${spelled}>`)).toMatch(/^<\[secret PW [0-9a-f]{12}\]>$/)
  })

  test('that no URL can spell is found as it is', () => {
    const secrets = createSecrets()
    secrets.add('PW', 'half\ud800')
    expect(secrets.conceal('half\ud800')).toMatch(TOKEN)
  })

  test('is found in one entry of many, and what holds none is the same object as before', () => {
    const secrets = createSecrets()
    const before = { list: ['hunter2'] }
    expect(secrets.concealAll(before)).toBe(before)
    secrets.add('PW', 'hunter2')
    const without = { list: ['a', { b: null, c: 7 }], d: true }
    expect(secrets.concealAll(without)).toBe(without)
    const concealed = secrets.concealAll({ list: ['a', 'hunter2', 'b'], d: 'c' })
    expect(concealed).toEqual({ list: ['a', expect.stringMatching(TOKEN), 'b'], d: 'c' })
  })

  test('that is a common word leaves readable which execution, device and operator a record is about', () => {
    const secrets = createSecrets()
    secrets.add('PW', 'button')
    const names = ['executionId', 'deviceId', 'operatorPackage', 'source', 'role', 'status', 'code', 'testRunId']
    const record = Object.fromEntries(names.map(name => [name, 'button']))
    expect(secrets.concealAll({ ...record, text: 'button' })).toEqual({ ...record, text: expect.stringMatching(TOKEN) })
  })

  test('that holds another one is told as itself', () => {
    const secrets = createSecrets()
    secrets.add('SHORT', 'hunter')
    secrets.add('PW', 'hunter2')
    expect(secrets.conceal('hunter2')).toMatch(TOKEN)
    expect(secrets.conceal('hunter3')).toMatch(/^\[secret SHORT /)
  })

  test('has the same token under the same key, and another one elsewhere', () => {
    const key = () => Buffer.alloc(32, 7)
    const [one, same, other] = [createSecrets(key), createSecrets(key), createSecrets()]
    for (const each of [one, same, other]) each.add('PW', 'hunter2')
    expect(same.conceal('hunter2')).toBe(one.conceal('hunter2'))
    expect(other.conceal('hunter2')).not.toBe(one.conceal('hunter2'))
  })
})

test('what is borrowed again and again is known once, and as long as one has it', () => {
  const secrets = createSecrets()
  const forget = secrets.add('PW', 'hunter2')
  const forgetAgain = secrets.add('PW', 'hunter2')
  forgetAgain()
  forgetAgain()
  expect(secrets.conceal('hunter2'), 'whoever forgets twice forgets for nobody else').toMatch(TOKEN)
  const returns = Array.from({ length: 40 }, () => secrets.borrow(secrets.list()))
  expect(secrets.list()).toHaveLength(1)
  forget()
  forget()
  expect(secrets.conceal('hunter2')).toMatch(TOKEN)
  for (const giveBack of returns) giveBack()
  expect(secrets).toMatchObject({ isNeeded: false })
  expect(secrets.conceal('hunter2')).toBe('hunter2')
})

test('an empty value is no secret', () => {
  const secrets = createSecrets()
  secrets.add('PW', '')
  expect(secrets.isNeeded).toBe(false)
})
