/** All generated parts of the documentation, by name. */
import { catalogue } from '../../../surfaces/cli/commands/catalogue.ts'
import { actionReference } from './action-table.ts'
import { commandOverview, commandReference, sharedFlags } from './command-reference.ts'
import { environmentTables } from './environment-table.ts'
import { failureEntries } from './failure-entries.ts'
import { operatorRegions } from './operator-protocol.ts'
import type { Regions } from './regions.ts'
import { requestTables } from './request-table.ts'
import { toolTable } from './tool-table.ts'
import { mobileMethods, webDriverCommands } from './webdriver-tables.ts'

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
    failures: failureEntries,
    'webdriver-commands': webDriverCommands,
    'mobile-methods': mobileMethods,
    ...operatorRegions,
  }
}
