import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  filterSkills,
  listSkills,
  queryOf,
  rankOf,
  type SkillFilter,
  searchSkills,
  skillsForApp,
} from '../../../src/service/skills/search.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { type Entry, entryFor } from '../../support/skills/skill-repo.ts'

const entry = (id: string, summary = '', keywords?: string[]): Entry =>
  entryFor(id, { summary, ...(keywords ? { keywords } : {}) })

const idsOf = ({ skills, count }: ReturnType<typeof listSkills>) => {
  expect(count).toBe(skills.length)
  return skills.map(({ id }) => id)
}
const search = (skills: Entry[], filter: SkillFilter) => idsOf(searchSkills({ skills }, filter))

describe('a keyword ranks', () => {
  /** The seven ranks of the contract, best first, each answering `wifi toggle`. */
  const RANKED = [
    entry('k.exact', '', ['other', 'WiFi Toggle']),
    entry('k.words', '', ['toggle', 'of wifi']),
    entry('wifi toggle'),
    entry('x.toggle_the-wifi'),
    entry('k.part', '', ['my-wifi toggles']),
    entry('wifi togglers.x'),
    entry('z.z', 'Sets the wifi toggle'),
  ]

  test('in the seven ranks, whatever the order of the registry', () => {
    const wanted = RANKED.map(({ id }) => id)
    expect(search([...RANKED].reverse(), { keyword: ' WIFI toggle ' })).toEqual(wanted)
    const query = queryOf('wifi toggle')
    if (!query) throw new Error('no query')
    expect(RANKED.map(skill => rankOf(skill, query))).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('equals in registry order', () => {
    const skills = ['b.x', 'a.x', 'c.x'].map(id => entry(id, 'same'))
    expect(search(skills, { keyword: 'same' })).toEqual(['b.x', 'a.x', 'c.x'])
  })

  test('words of one field only: `keywords` is one, id and applicationId are two, summary is none', () => {
    const skills = [entry('wifi.toggle'), entry('wifi.x', '', ['toggle']), entry('a.b', 'toggle wifi')]
    expect(search(skills, { keyword: 'toggle wifi' })).toEqual(['wifi.toggle', 'a.b'])
    expect(search(skills, { keyword: 'wifi toggle' })).toEqual(['wifi.toggle'])
  })

  test('the application as well as the id', () => {
    const odd = { ...entry('short'), applicationId: 'com.android.settings' }
    expect(search([odd], { keyword: 'com.android.settings' })).toEqual(['short'])
    expect(search([odd], { keyword: 'settings android' })).toEqual(['short'])
    expect(search([odd], { keyword: 'oid.set' })).toEqual(['short'])
  })

  test('letters and digits of every script as words', () => {
    const rank = (skill: Entry | undefined, keyword: string) => {
      const query = queryOf(keyword)
      return skill && query && rankOf(skill, query)
    }
    const skills = [
      entry('a.b', '', ['einstellungen öffnen']),
      entry('c.d', '', ['öffnendes']),
      entry('e.f', '', ['𐐨𐐩']),
    ]
    expect(search(skills, { keyword: 'ÖFFNEN' })).toEqual(['a.b', 'c.d'])
    expect(rank(skills[1], 'öffnen')).toBe(4)
    expect(rank(skills[2], '𐐨')).toBe(4)
  })

  test('what lower case writes with another letter', () => {
    const skills = [entry('a.b', 'İSTANBUL metro'), entry('c.d', 'İ'), entry('e.f', 'ΟΔΟΣ')]
    expect(search(skills, { keyword: 'İstanbul' })).toEqual(['a.b'])
    expect(search(skills, { keyword: 'İ' })).toEqual(['a.b', 'c.d'])
    expect(search(skills, { keyword: 'οδοσ' })).toEqual([])
    expect(search(skills, { keyword: 'οδος' })).toEqual(['e.f'])
  })

  test('nothing by its words when it has none', () => {
    expect(search([entry('a.b', 'x'), entry('c.d', '...')], { keyword: '...' })).toEqual(['c.d'])
    expect(search([entry('a.b', 'x', ['-']), entry('c.d')], { keyword: '-' })).toEqual(['a.b'])
  })
})

describe('filters', () => {
  const skills = [entry('com.a.open'), entry('com.a.close'), entry('com.ab.open'), entry('com.a.open', 'again')]

  test('app and intent are exact and hold together with a keyword', () => {
    expect(search(skills, { app: 'com.a' })).toEqual(['com.a.open', 'com.a.close', 'com.a.open'])
    expect(search(skills, { app: 'com.a', intent: 'open' })).toEqual(['com.a.open', 'com.a.open'])
    expect(search(skills, { app: 'COM.A' })).toEqual([])
    expect(search(skills, { intent: 'ope' })).toEqual([])
    expect(search(skills, { app: 'com.a', keyword: 'again' })).toEqual(['com.a.open'])
    expect(idsOf(skillsForApp({ skills }, 'com.ab'))).toEqual(['com.ab.open'])
  })

  test('a blank keyword is none', () => {
    expect(search(skills, { app: 'com.ab', keyword: ' \t' })).toEqual(['com.ab.open'])
    expect(search(skills, {})).toEqual(idsOf(listSkills({ skills })))
  })

  test('the keyword of GET /skills is a plain substring in registry order, of id, summary and applicationId', () => {
    const some = [entry('z.y', 'has Wi-Fi'), entry('wi-fi.x'), entry('a.b', '', ['wi-fi'])]
    expect(idsOf(filterSkills({ skills: some }, { keyword: 'wI-fI' }))).toEqual(['z.y', 'wi-fi.x'])
    expect(idsOf(filterSkills({ skills: some }, { keyword: 'fi wi' }))).toEqual([])
    expect(idsOf(filterSkills({ skills: some }, { keyword: '' }))).toEqual(['z.y', 'wi-fi.x', 'a.b'])
    expect(idsOf(filterSkills({ skills: some }, { app: 'wi-fi', keyword: 'x' }))).toEqual(['wi-fi.x'])
    expect(idsOf(filterSkills({ skills: some }, { intent: 'y' }))).toEqual(['z.y'])
  })
})

describe('laws of the order', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'ab', 'B', '.', '-', ' ', 'é', '9'), { maxLength: 4 })
    .map(parts => parts.join(''))
  const skill = fc.record({
    id: text,
    applicationId: text,
    summary: text,
    keywords: fc.option(fc.array(text, { maxLength: 3 })),
  })
  const skills = fc.array(skill, { maxLength: 12 }).map(list =>
    list.map(({ keywords, ...fields }, index) => ({
      ...entry(`n.${index}`),
      ...fields,
      ...(keywords ? { keywords } : {}),
      path: String(index),
    })),
  )

  /** The ranks as the contract words them. */
  const plainRank = (given: Entry, keyword: string): number => {
    const query = keyword.trim().toLowerCase()
    const tokens = (field: string) =>
      field
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter(token => token !== '')
    const wanted = tokens(query)
    const all = (field: string[]) => wanted.length > 0 && wanted.every(token => field.flatMap(tokens).includes(token))
    const keywords = given.keywords ?? []
    const names = [given.id, given.applicationId]
    const has = (field: string) => field.toLowerCase().includes(query)
    const rows = [
      keywords.some(word => word.toLowerCase() === query),
      all(keywords),
      names.some(name => name.toLowerCase() === query),
      names.some(name => all([name])),
      keywords.some(has),
      names.some(has),
      has(given.summary),
    ]
    return rows.indexOf(true)
  }

  test('best rank first, equals in registry order, nothing that does not match, everything that does', () => {
    fc.assert(
      fc.property(skills, text, (list, keyword) => {
        fc.pre(keyword.trim() !== '')
        const found = searchSkills({ skills: list }, { keyword }).skills
        const wanted = list
          .map((given, index) => ({ given, index, rank: plainRank(given, keyword) }))
          .filter(({ rank }) => rank >= 0)
          .sort((a, b) => a.rank - b.rank || a.index - b.index)
        expect(found.map(({ path }) => path)).toEqual(wanted.map(({ given }) => given.path))
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })
})
