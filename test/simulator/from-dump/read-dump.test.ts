/** Dumps come from anywhere: what is wrong with one is said, and nothing in it is believed. */
import { describe, expect, test } from 'vitest'
import { DUMP_CHARS_MAX, DUMP_DEPTH_MAX, DUMP_NODES_MAX } from '../../../src/contracts/limits/limits.ts'
import { readDump } from '../../../src/simulator/from-dump/read-dump.ts'

const node = (attributes: string, inside = '') =>
  `<node package="com.a" class="android.view.View" ${attributes} bounds="[0,0][100,200]">${inside}</node>`
const hierarchy = (inside: string, rotation = 0) => `<hierarchy rotation="${rotation}">${inside}</hierarchy>`
const read = (text: string, wanted?: string) => readDump(text, wanted)
const dumpOf = (text: string, wanted?: string) => {
  const found = read(text, wanted)
  if (!found.ok) throw new Error(found.problem)
  return found.dump
}
const problemOf = (text: string) => {
  const found = read(text)
  return found.ok ? 'none' : found.problem
}

describe('a dump', () => {
  test('is XML, with whatever a device prints around it', () => {
    const { root, rotation } = dumpOf(
      `WARNING: linker\n<?xml version='1.0'?>${hierarchy(node('text="a&amp;b"'), 1)}UI hierchary dumped to: /dev/tty`,
    )
    expect({ text: root.text, rotation }).toEqual({ text: 'a&b', rotation: 1 })
  })

  test('is one of our snapshots, of which the last counts', () => {
    const step = (text: string) => ({
      id: 's',
      data: { text: hierarchy(node(`text="${text}"`)), foreground_package: 'com.a' },
    })
    const json = { envelope: { stepResults: [step('first'), { data: {} }, step('last')] }, deviceId: 'x' }
    expect(dumpOf(JSON.stringify(json)).root.text).toBe('last')
    expect(problemOf('{"envelope": {"stepResults": 5}}')).toContain('contains no snapshot')
    expect(problemOf('{"envelope": ')).toContain('is not valid JSON')
  })

  test('of all windows is that of the active one, with its activity', () => {
    const window = (title: string, is: string, text: string) =>
      `<window index="0" title="${title}" type="1" ${is} bounds="[0,0][1,1]">${hierarchy(node(`text="${text}"`))}</window>`
    const xml = `<displays><display id="0">${window('StatusBar', 'active="false"', 'bar')}${window('com.a/com.a.Main', 'active="true"', 'app')}</display></displays>`
    const { root, activity } = dumpOf(xml)
    expect({ text: root.text, activity }).toEqual({ text: 'app', activity: 'com.a.Main' })
    expect(dumpOf(xml.replace('com.a/com.a.Main', 'a/..')).activity).toBeUndefined()
  })

  test('of several roots is that of the application, of the one with the focus, or as it is named', () => {
    const root = (name: string, more = '') => node(`text="${name}" ${more}`).replace('com.a', name)
    const roots = [root('com.android.systemui', 'focused="true"'), root('com.a'), root('com.b', 'focused="true"')]
    const xml = hierarchy(roots.join(''))
    expect(dumpOf(xml).root.text).toBe('com.b')
    expect(dumpOf(xml, 'com.a').root.text).toBe('com.a')
    expect(dumpOf(hierarchy(roots.slice(0, 2).join(''))).root.text).toBe('com.a')
  })
})

describe('refused is', () => {
  const entity = (body: string) => `<!DOCTYPE hierarchy [<!ENTITY x ${body}>]>${hierarchy(node('text="&x;"'))}`

  test.each<[string, string, string]>([
    ['nothing', '', 'there is no hierarchy'],
    ['another text', 'ERROR: could not get idle state.', 'there is no hierarchy'],
    ['an empty hierarchy', hierarchy(''), 'is empty'],
    ['one that is cut off', hierarchy(node('')).slice(0, -20), 'malformed or truncated'],
    ['an entity of its own', entity('"bomb"'), 'is not a valid entity'],
    ['an external entity', entity('SYSTEM "file:///etc/passwd"'), 'is not a valid entity'],
    ['a node without bounds', hierarchy('<node text="a" />'), 'has the bounds none'],
    [
      'one that is too deep',
      hierarchy('<node bounds="[0,0][1,1]">'.repeat(DUMP_DEPTH_MAX + 1) + '</node>'.repeat(DUMP_DEPTH_MAX + 1)),
      'levels',
    ],
    ['one of too many nodes', hierarchy(node('', '<node bounds="[0,0][1,1]"/>'.repeat(DUMP_NODES_MAX))), 'nodes'],
    ['one that is too long', ' '.repeat(DUMP_CHARS_MAX + 1), 'longer than'],
  ])('%s', (_, text, problem) => {
    expect(problemOf(text)).toContain(problem)
  })
})

test.each(['<window ', '<window title="', '{"a":', '<hierarchy><node '])(
  'megabytes of %j are judged in time',
  piece => {
    expect(read(piece.repeat(DUMP_CHARS_MAX / 32)).ok).toBe(false)
  },
)
