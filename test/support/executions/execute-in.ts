/** Runs an execution in the services of a test, with pictures where those of its process go. */

import type { Executed, ExecutionOrder } from '../../../src/service/executions/order.ts'
import type { CommandParts } from '../../../src/surfaces/command-parts.ts'

export const executeIn = (
  services: CommandParts,
  request: Omit<ExecutionOrder, 'screenshots'> & Partial<Pick<ExecutionOrder, 'screenshots'>>,
): Promise<Executed> => services.executions().execute({ screenshots: services.screenshots, ...request })
