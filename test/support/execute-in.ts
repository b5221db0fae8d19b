/** Runs an execution in the services of a test, with pictures where those of its process go. */
import type { Services } from '../../src/cli/services.ts'
import type { Executed, ExecuteRequest } from '../../src/executions/execute-request.ts'

export const executeIn = (
  services: Services,
  request: Omit<ExecuteRequest, 'screenshots'> & Partial<Pick<ExecuteRequest, 'screenshots'>>,
): Promise<Executed> => services.executions().execute({ screenshots: services.screenshots, ...request })
