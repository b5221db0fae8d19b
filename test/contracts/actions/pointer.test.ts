import { actionTable } from './table.ts'

const matcher = { resourceId: 'com.example:id/ok' }
const at = (x: unknown, y: unknown) => ({ x, y })
const NEITHER_NOR = 'params'

actionTable(
  {
    type: 'click',
    least: { matcher },
    filled: { matcher, clickType: 'default' },
    matchers: ['matcher'],
    choices: { clickType: ['default', 'long_click', 'focus'] },
    retries: true,
    accepted: [
      { coordinate: at(0, 0) },
      { coordinate: at(5_000, 1), clickType: 'default' },
      { coordinate: at(1, 1), clickType: 'long_click' },
    ],
    rejected: [
      [{}, NEITHER_NOR],
      [{ clickType: 'default' }, NEITHER_NOR],
      [{ matcher, coordinate: at(1, 1) }, NEITHER_NOR],
      [{ coordinate: at(1, 1), clickType: 'focus' }, 'params.clickType'],
      [{ coordinate: at(-1, 0) }, 'params.coordinate.x'],
      [{ coordinate: at(0, -1) }, 'params.coordinate.y'],
      [{ coordinate: at(1.5, 0) }, 'params.coordinate.x'],
      [{ coordinate: at(1, '1') }, 'params.coordinate.y'],
      [{ coordinate: { x: 1 } }, 'params.coordinate.y'],
      [{ coordinate: { ...at(1, 1), z: 1 } }, 'params.coordinate.z'],
      [{ coordinate: [1, 1] }, 'params.coordinate'],
      [{ coordinate: null }, 'params.coordinate'],
    ],
  },
  {
    type: 'swipe',
    least: { start: at(0, 0), end: at(10, 10) },
    filled: { start: at(0, 0), end: at(10, 10), durationMs: 300 },
    required: ['start', 'end'],
    integers: { durationMs: [1, 10_000] },
    rejected: [
      [{ start: at(0, -1), end: at(1, 1) }, 'params.start.y'],
      [{ start: at(0, 0), end: at(1, null) }, 'params.end.y'],
      [{ start: at(0, 0), end: { x: 1 } }, 'params.end.y'],
    ],
  },
)
