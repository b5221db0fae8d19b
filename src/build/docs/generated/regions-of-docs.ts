/** All generated parts of the documentation, by name. */
import { createFaker } from '../../../service/flows/script/faker/faker.ts'
import { catalogue } from '../../../surfaces/cli/commands/catalogue.ts'
import { actionReference } from './action-table.ts'
import { commandOverview, commandReference, sharedFlags } from './command-reference.ts'
import { environmentTables } from './environment-table.ts'
import { failureEntries } from './failure-entries.ts'
import { operatorRegions } from './operator-protocol.ts'
import type { Regions } from './regions.ts'
import { requestTables } from './request-table.ts'
import { code } from './table.ts'
import { toolTable } from './tool-table.ts'
import { mobileMethods, webDriverCommands } from './webdriver-tables.ts'

/** What `faker` has in scripts of flows: functions of its own, and providers with their methods. */
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
