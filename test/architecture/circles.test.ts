/** Files that import each other, types included, are read together: three of them are the most that anybody holds in mind. */
import { expect, test } from 'vitest'
import { sourcesUnder } from './sources.ts'

const FILES_MAX = 3

/** The strongly connected components of the imports, by Tarjan. */
const circlesOf = (graph: ReadonlyMap<string, readonly string[]>): string[][] => {
  const order = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (path: string): number => {
    const own = order.size
    order.set(path, own)
    let low = own
    open.push(path)
    for (const next of graph.get(path) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === own) circles.push(open.splice(open.indexOf(path)))
    return low
  }
  for (const path of graph.keys()) if (!order.has(path)) visit(path)
  return circles
}

test('no more than three files import each other in a circle, by type or by value', () => {
  const graph = new Map(
    sourcesUnder('src', 'machines').map(({ path, imports }) => [path, imports.flatMap(found => found.path ?? [])]),
  )
  expect(circlesOf(graph).filter(circle => circle.length > FILES_MAX)).toEqual([])
})
