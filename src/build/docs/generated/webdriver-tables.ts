/** The commands and the `mobile:` methods of WebDriver, from their tables. */
import { SESSION_COMMANDS } from '../../../surfaces/webdriver/commands/session-commands.ts'
import { MOBILE_METHODS } from '../../../surfaces/webdriver/mobile/catalogue.ts'
import { code, markdownTable, sentence } from './table.ts'

export const webDriverCommands = (): string =>
  markdownTable(
    ['command', 'what it does'],
    [...SESSION_COMMANDS]
      .sort((a, b) => a.path.localeCompare(b.path))
      .map(({ method, path, summary }) => [code(`${method} ${path || '/'}`), sentence(summary)]),
  )

export const mobileMethods = (): string =>
  markdownTable(
    ['method', 'arguments', 'what it does'],
    [...MOBILE_METHODS]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ name, argumentNames, summary }) => [
        code(`mobile: ${name}`),
        argumentNames.map(code).join(', '),
        sentence(summary),
      ]),
  )
