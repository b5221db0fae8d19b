/** A screen of rows, each of which counts its taps: the row's text stays, its description is the count. */
import type { WrittenScenario } from '../../../src/simulator/scenario/scenario.ts'

export const ROWS = 40
export const COUNTED_MAX = 3
const PACKAGE = 'com.example.counter'
const [WIDTH, TOP, HEIGHT] = [1_080, 150, 50]

const rowOf = (row: number, count: number) => {
  const id = (of: number) => `tap-${row}.${of}`
  const top = TOP + row * HEIGHT
  const moves = count < COUNTED_MAX && {
    onTap: { set: { [id(count)]: { hidden: true }, [id(count + 1)]: { hidden: false } } },
  }
  return {
    id: id(count),
    class: 'Button',
    text: `tap-${row}`,
    contentDesc: String(count),
    hidden: count > 0,
    bounds: [0, top, WIDTH, top + HEIGHT],
    ...moves,
  }
}

export const counterScenario = (): WrittenScenario => {
  const counts = Array.from({ length: COUNTED_MAX + 1 }, (_, count) => count)
  const nodes = Array.from({ length: ROWS }, (_, row) => counts.map(count => rowOf(row, count))).flat()
  const app = { package: PACKAGE, label: 'Counter', screens: { main: { nodes } } }
  return { apps: [app], front: PACKAGE } as WrittenScenario
}
