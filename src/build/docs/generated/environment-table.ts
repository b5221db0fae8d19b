/** The environment variables, by heading. */
import { ENVIRONMENT } from '../../../surfaces/cli/environment.ts'
import { code, markdownTable, sentence } from './table.ts'

export const environmentTables = (): string =>
  Object.entries(ENVIRONMENT)
    .map(([heading, variables]) => {
      const rows = variables.map(({ names, meaning }) => [names.map(code).join(', '), sentence(meaning)])
      return `## ${heading}\n\n${markdownTable(['variable', 'meaning'], rows)}`
    })
    .join('\n\n')
