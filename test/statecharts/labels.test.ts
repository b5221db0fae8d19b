import { describe, expect, it } from 'vitest'
import type { ChartEdge } from '../../statecharts/chart.ts'
import { edgeLines, lineText } from '../../statecharts/labels.ts'

const edge = (parts: Partial<ChartEdge>): ChartEdge => ({ source: 'a', event: 'door.opened', actions: [], ...parts })

const shown = (edges: readonly ChartEdge[], width: number) =>
  edgeLines(edges, width).map(line => (line.indented ? '  ' : '') + lineText(line))

describe('the lines of a label', () => {
  it('gives an edge one line where it fits', () => {
    expect(shown([edge({ guard: { type: 'isOpen' }, actions: [{ type: 'note' }] })], 40)).toEqual([
      'door.opened [isOpen] / note',
    ])
  })

  it('breaks before the guard or the actions, and keeps the slash with them', () => {
    const long = edge({ guard: { type: 'isOpen' }, actions: [{ type: 'note' }, { type: 'tell' }] })
    expect(shown([long], 22)).toEqual(['door.opened [isOpen]', '  / note, tell'])
    expect(shown([long], 14)).toEqual(['door.opened', '  [isOpen]', '  / note, tell'])
  })

  it('names an event once and lists its guards below', () => {
    const edges = [edge({ guard: { type: 'isOpen' } }), edge({ otherwise: true }), edge({ event: 'door.shut' })]
    expect(shown(edges, 30)).toEqual(['door.opened', '  [isOpen]', '  [else]', 'door.shut'])
  })

  it('breaks a word that no line can hold after its parenthesis', () => {
    const long = edge({ actions: [{ type: 'refuse', params: { code: 'A_VERY_LONG_CODE_INDEED' } }] })
    expect(shown([long], 22)).toEqual(['door.opened / refuse(', '  A_VERY_LONG_CODE_INDEED)'])
  })

  it('remembers which edges each line speaks of', () => {
    const open = edge({ guard: { type: 'isOpen' } })
    const other = edge({ otherwise: true })
    expect(edgeLines([open, other], 30).map(line => line.edges)).toEqual([[open, other], [open], [other]])
  })
})
