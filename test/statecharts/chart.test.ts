import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { because, cites } from '../../machines/rows.ts'
import { chartOf, drawnEdges, edgesOf, statesOf } from '../../statecharts/chart.ts'
import { edgeText } from '../../statecharts/notation.ts'

const door = createMachine({
  id: 'door',
  description: 'A door.',
  initial: 'closed',
  on: { 'bell.rung': { actions: 'ignore', meta: { ...because('nobody is in'), stray: true } } },
  states: {
    closed: {
      on: {
        'key.turned': [
          {
            guard: { type: 'fits', params: { key: 'brass', sizes: [1, 2] } },
            target: 'open.wide',
            meta: cites('proxy.post'),
          },
          {
            guard: 'isForced',
            target: 'broken',
            actions: ['crack', { type: 'say', params: { code: 'X', message: 'A loud noise.' } }],
          },
          { actions: 'rattle', meta: because('it does not fit') },
        ],
      },
    },
    open: {
      description: 'Anyone may enter.',
      tags: ['in-flight'],
      initial: 'ajar',
      entry: 'creak',
      invoke: { id: 'hinge-1', src: 'hinge' },
      states: { ajar: { on: { 'wind.blew': 'wide' } }, wide: {} },
    },
    broken: { type: 'final' },
  },
})

const chart = chartOf('door', door)
const stateAt = (path: string) => statesOf(chart.root).find(state => state.path === path)

describe('the plain model of a machine', () => {
  it('keeps the tree of states in the order of declaration', () => {
    expect(statesOf(chart.root).map(({ path }) => path)).toEqual(['closed', 'open', 'open.ajar', 'open.wide', 'broken'])
    expect(chart.root).toMatchObject({ path: '', description: 'A door.', initial: 'closed' })
  })

  it('knows description, tags, type, ports and entry actions', () => {
    expect(stateAt('open')).toMatchObject({
      type: 'compound',
      description: 'Anyone may enter.',
      tags: ['in-flight'],
      initial: 'open.ajar',
      entry: [{ type: 'creak' }],
      ports: [{ id: 'hinge-1', port: 'hinge' }],
    })
    expect(stateAt('broken')?.type).toBe('final')
  })

  it('counts a state inside one that is in flight as in flight', () => {
    expect(stateAt('open.wide')).toMatchObject({ inFlight: true, tags: [] })
    expect(stateAt('closed')?.inFlight).toBe(false)
  })

  it('reads guards, actions, targets and what an edge cites', () => {
    expect(stateAt('closed')?.edges).toEqual([
      {
        source: 'closed',
        event: 'key.turned',
        guard: { type: 'fits', params: { key: 'brass', sizes: [1, 2] } },
        actions: [],
        target: 'open.wide',
        rows: ['proxy.post'],
      },
      {
        source: 'closed',
        event: 'key.turned',
        guard: { type: 'isForced' },
        actions: [{ type: 'crack' }, { type: 'say', params: { code: 'X', message: 'A loud noise.' } }],
        target: 'broken',
      },
      {
        source: 'closed',
        event: 'key.turned',
        otherwise: true,
        actions: [{ type: 'rattle' }],
        reason: 'it does not fit',
      },
    ])
  })

  it('writes an edge as event, guard and actions, and leaves sentences to the json', () => {
    expect(stateAt('closed')?.edges.map(edgeText)).toEqual([
      'key.turned [fits(brass, 1,2)]',
      'key.turned [isForced] / crack, say(X)',
      'key.turned [else] / rattle',
    ])
  })

  it('leaves strays out of pictures only', () => {
    expect(edgesOf(chart).map(({ event }) => event)).toContain('bell.rung')
    expect(drawnEdges(edgesOf(chart)).map(({ event }) => event)).not.toContain('bell.rung')
  })

  it('refuses an edge with two targets, which no picture here could show', () => {
    const parallel = createMachine({
      initial: 'a',
      states: {
        a: { on: { go: { target: ['b.x.two', 'b.y.two'] } } },
        b: {
          type: 'parallel',
          states: {
            x: { initial: 'one', states: { one: {}, two: {} } },
            y: { initial: 'one', states: { one: {}, two: {} } },
          },
        },
      },
    })
    expect(() => chartOf('parallel', parallel)).toThrow('two targets')
  })
})
