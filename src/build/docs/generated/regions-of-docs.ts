/** All generated parts of the documentation, by name; the tables of MCP tools and of WebDriver are made here. */

import { TOOL_ARGUMENTS, type ToolName } from '../../../contracts/doors/mcp.ts'
import { createFaker } from '../../../service/flows/script/faker/faker.ts'
import { catalogue } from '../../../surfaces/cli/commands/catalogue.ts'
import { TOOLS } from '../../../surfaces/mcp/server.ts'
import { MOBILE_METHODS } from '../../../surfaces/webdriver/commands/script.ts'
import { SESSION_COMMANDS } from '../../../surfaces/webdriver/commands/session-commands.ts'
import { actionReference } from './action-table.ts'
import { commandOverview, commandReference, environmentTables, sharedFlags } from './command-reference.ts'
import { failureEntries } from './failure-entries.ts'
import { operatorRegions } from './operator-protocol.ts'
import type { Regions } from './regions.ts'
import { requestTables } from './request-table.ts'
import { code, markdownTable, sentence } from './table.ts'

const webDriverCommands = (): string =>
  markdownTable(
    ['command', 'what it does'],
    [...SESSION_COMMANDS]
      .sort((a, b) => a.path.localeCompare(b.path))
      .map(({ method, path, summary }) => [code(`${method} ${path || '/'}`), sentence(summary)]),
  )

const mobileMethods = (): string =>
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

const toolTable = (): string =>
  markdownTable(
    ['tool', 'what it does', 'arguments'],
    TOOLS.map(({ name, description }) => [
      code(name),
      sentence(description),
      Object.keys(TOOL_ARGUMENTS[name as ToolName].entries)
        .map(code)
        .join(', '),
    ]),
  )

/** Lists the names of `faker` in scripts of flows: its functions, and its providers with their methods. */
const fakerNames = (): string => {
  const faker = createFaker(() => 0.5) as Readonly<Record<string, (...args: unknown[]) => object>>
  const functions = Object.keys(faker).filter(name => faker[name]?.length !== 0)
  const providers = Object.keys(faker).filter(name => !functions.includes(name))
  const lines = providers.sort().map(name => `${name}: ${Object.keys(faker[name]?.() ?? {}).join(', ')}`)
  return `${functions.map(code).join(', ')}, and providers with these methods:\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``
}

export const regionsOfDocs = async (): Promise<Regions> => {
  const commands = (await catalogue.all()).filter(({ internal }) => !internal)
  return {
    commands: () => commandOverview(commands),
    'shared-flags': () => sharedFlags(commands),
    'command-reference': () => commandReference(commands),
    environment: environmentTables,
    requests: requestTables,
    tools: toolTable,
    actions: actionReference,
    faker: fakerNames,
    failures: failureEntries,
    'webdriver-commands': webDriverCommands,
    'mobile-methods': mobileMethods,
    ...operatorRegions,
  }
}
