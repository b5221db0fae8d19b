/** Every failure code with its meaning, its status and the first thing to do, by the layer that raises it. */
import { FAILURES, type Failure, type FailureCode, type FailureLayer } from '../../contracts/failures.ts'
import { remedyOf } from './remedies.ts'
import { code, markdownTable, sentence } from './table.ts'

const HEADINGS: Readonly<Record<FailureLayer, string>> = {
  execution: 'Executions and devices',
  envelope: 'Steps of an execution',
  route: 'HTTP requests',
  cli: 'Command line',
  serve: 'Server',
  daemon: 'Daemon',
  journal: 'Journal',
  fleet: 'Fleet',
  skills: 'Skills',
  emulators: 'Emulators',
  install: 'Installation',
}

const actedOf = ({ mayHaveExecuted }: Failure) => (mayHaveExecuted ? 'may have' : 'no')
const statusOf = ({ http }: Failure) => (http === null ? '' : String(http))

export const failureTables = (): string =>
  (Object.entries(HEADINGS) as [FailureLayer, string][])
    .map(([layer, heading]) => {
      const codes = (Object.keys(FAILURES) as FailureCode[]).filter(each => FAILURES[each].layer === layer)
      const rows = codes.map(each => [
        code(each),
        sentence(FAILURES[each].meaning),
        statusOf(FAILURES[each]),
        actedOf(FAILURES[each]),
        remedyOf(each),
      ])
      return `### ${heading}\n\n${markdownTable(['code', 'meaning', 'HTTP', 'device acted', 'what to do'], rows)}`
    })
    .join('\n\n')
