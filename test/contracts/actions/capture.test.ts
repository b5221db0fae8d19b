import { actionTable } from './table.ts'

actionTable(
  {
    type: 'snapshot',
    least: null,
    filled: null,
    rejected: [[{ format: 'xml' }, 'params.format']],
  },
  {
    type: 'take_screenshot',
    least: null,
    filled: null,
    texts: { path: [1, Number.POSITIVE_INFINITY] },
    rejected: [[{ path: ' \n' }, 'params.path']],
  },
)
