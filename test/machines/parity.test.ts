/** The contract's rows and the machines' edges, held together in both directions. */
import { describe, expect, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { CATALOGUE, type MachineName } from '../../machines/catalogue.ts'
import { CHARTS, type ChartName } from '../../machines/charts.ts'
import type { Definition } from '../../machines/definition.ts'
import { DISPATCH_ROWS } from '../../machines/dispatch/dispatch-table.ts'
import { ROWS, type RowId } from '../../machines/rows.ts'
import { MACHINE_NAMES } from '../../src/contracts/records/machines.ts'
import { eventTypes } from '../support/runtime/arbitrary-event.ts'
import { edgesOf, leavesOf, statesOf } from '../support/runtime/edges.ts'
import { explore } from '../support/runtime/explore.ts'

const names = Object.keys(CHARTS) as ChartName[]
const allEdges = names.flatMap(name => edgesOf(CHARTS[name].logic).map(edge => ({ ...edge, machine: name })))

test('the charts are those of the machines that the contract speaks of', () => {
  expect(names).toEqual([...MACHINE_NAMES])
})

describe('rows and edges', () => {
  test('every row has an edge', () => {
    const cited = new Set(allEdges.flatMap(({ meta }) => meta.rows ?? []))
    expect((Object.keys(ROWS) as RowId[]).filter(row => !cited.has(row))).toEqual([])
  })

  test('every edge cites rows that exist, or gives a reason', () => {
    const isGrounded = ({ rows = [], reason = '' }: (typeof allEdges)[number]['meta']) =>
      rows.every(row => row in ROWS) && (rows.length > 0 || reason.length > 10)
    const loose = allEdges.filter(({ meta }) => !isGrounded(meta))
    expect(loose.map(({ machine, name }) => `${machine}: ${name}`)).toEqual([])
  })
})

test('an edge that carries a refusal of emulators shows its code in the picture', () => {
  const shown = allEdges.flatMap(({ meta, definition }) =>
    (meta.rows ?? []).flatMap(row => (/EMULATOR_\w+/.exec(ROWS[row]) ?? []).map(code => ({ row, code, definition }))),
  )
  expect(new Set(shown.map(({ code }) => code))).toEqual(new Set(['EMULATOR_ALREADY_RUNNING', 'EMULATOR_NOT_FOUND']))
  const said = ({ definition }: (typeof shown)[number]) => JSON.stringify(definition.actions)
  expect(shown.filter(edge => !said(edge).includes(edge.code)).map(({ row }) => row)).toEqual([])
})

test('the chart of dispatch has the edges of the table that the client runs, and no others', () => {
  const drawn = edgesOf(CHARTS.dispatch.logic)
    .filter(({ meta }) => !meta.stray)
    .map(({ source, event, definition: { guard, target = [] } }) => [
      source,
      event,
      guard ?? null,
      target.map(({ id }) => id).join(),
    ])
  const rows = DISPATCH_ROWS.map(([state, event, guard, target]) => [
    `dispatch.${state}`,
    event,
    guard,
    `dispatch.${target}`,
  ])
  expect(drawn.map(String).sort()).toEqual(rows.map(String).sort())
})

describe.each(names)('%s', name => {
  const logic: AnyStateMachine = CHARTS[name].logic
  const explored = explore(name, logic)

  test('takes every event of its vocabulary in every state it can reach', () => {
    expect([...explored.unhandled]).toEqual([])
  })

  test('knows no event outside its vocabulary', () => {
    expect(new Set(edgesOf(logic).map(edge => edge.event))).toEqual(new Set(eventTypes(name)))
  })

  test('can reach every state', () => {
    const reached = new Set([...explored.snapshots.values()].flatMap(({ snapshot }) => snapshot._nodes.map(n => n.id)))
    expect(
      leavesOf(logic)
        .filter(leaf => !reached.has(leaf.id))
        .map(leaf => leaf.id),
    ).toEqual([])
  })

  test('can take every edge that is not a stray', () => {
    const never = edgesOf(logic).filter(edge => !edge.meta.stray && !explored.taken.has(edge.definition))
    expect(never.map(edge => edge.name)).toEqual([])
  })

  test('describes every state', () => {
    expect(
      statesOf(logic)
        .filter(node => !node.description)
        .map(node => node.id),
    ).toEqual([])
  })

  test('names every action and guard', () => {
    const unnamed = edgesOf(logic).filter(({ definition }) =>
      [...definition.actions, ...(definition.guard ? [definition.guard] : [])].some(part => typeof part === 'function'),
    )
    expect(unnamed.map(edge => edge.name)).toEqual([])
  })

  test('has no delayed, eventless or nested-machine parts, which a fold cannot repeat', () => {
    for (const node of statesOf(logic)) {
      expect(node.after).toEqual([])
      expect(node.always ?? []).toEqual([])
      for (const invoked of node.invoke) expect(typeof invoked.src).toBe('string')
    }
  })

  test('is owned wherever it invokes a port', () => {
    const invoking = [...explored.snapshots.values()].filter(
      ({ snapshot }) => Object.keys(snapshot.children).length > 0,
    )
    expect(invoking.filter(({ snapshot }) => !snapshot.hasTag('in-flight')).map(({ path }) => path)).toEqual([])
  })

  if (!(name in CATALOGUE)) return
  test('has every action, guard and port that it names', () => {
    const { actions, guards, actors } = logic.implementations
    const nameOf = (part: unknown) => (typeof part === 'string' ? part : (part as { type: string }).type)
    const edges = edgesOf(logic).map(({ definition }) => definition)
    const nodes = statesOf(logic)
    const named = {
      actions: [...edges, ...nodes.map(({ entry, exit }) => ({ actions: [...entry, ...exit] }))].flatMap(part =>
        part.actions.map(nameOf),
      ),
      guards: edges.flatMap(({ guard }) => (guard ? [nameOf(guard)] : [])),
      actors: nodes.flatMap(({ invoke }) => invoke.map(({ src }) => String(src))),
    }
    expect(named.actions.filter(action => !(action in actions))).toEqual([])
    expect(named.guards.filter(guard => !(guard in guards))).toEqual([])
    expect(named.actors.filter(actor => !(actor in actors))).toEqual([])
  })

  test('is at rest after an interruption, or busy only with what was answered already', () => {
    const { interrupted }: Definition = CATALOGUE[name as MachineName]
    for (const { snapshot, path } of explored.snapshots.values()) {
      if (!snapshot.hasTag('in-flight')) continue
      const event = interrupted(snapshot, 1, 'boot')
      const after = logic.getTransitionData(snapshot, event)
      expect(after.length, `${path.join(' ')} then ${event.type}`).toBeGreaterThan(0)
    }
  })
})
