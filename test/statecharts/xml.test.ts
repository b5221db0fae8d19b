import { describe, expect, it } from 'vitest'
import { parseXml, textOf } from './xml.ts'

describe('the reader the other tests rely on', () => {
  it('reads elements, attributes and text', () => {
    const root = parseXml('<svg width="1"><title>a &lt; b</title><g/></svg>\n')
    expect(root.children.map(({ name }) => name)).toEqual(['title', 'g'])
    expect(root.attributes.get('width')).toBe('1')
    expect(textOf(root)).toBe('a < b')
  })

  it.each([
    ['<g><a></g></a>', 'closes'],
    ['<g>', 'not one root'],
    ['<g/><g/>', 'not one root'],
    ['<g>a & b</g>', 'not an entity'],
    ['<g>&nbsp;</g>', 'not an entity'],
    ['<g>1 < 2</g>', 'bare <'],
    ['<g a="1" a="2"/>', 'twice'],
    ['<g a=1/>', 'bare <'],
    ['</g>', 'closes'],
  ])('refuses %s', (xml, message) => {
    expect(() => parseXml(xml)).toThrow(message)
  })
})
