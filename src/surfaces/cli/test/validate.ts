/** `svc test --validate-only`: reads and checks every file, and opens nothing else. */
import { resolve } from 'node:path'
import { validateFlows } from '../../../service/flows/language/check-flows.ts'
import { flowLibrary } from '../../../service/flows/language/flow-library.ts'
import { hostFlowFiles } from '../../../service/flows/language/host-flow-files.ts'
import { invalidFlows } from '../../../service/flows/language/problem.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { testRequest } from './test-flags.ts'

export const validateTests = async (call: CommandContext): Promise<CommandResult> => {
  const { request } = testRequest(call)
  const { paths = [], includeTags = [], excludeTags = [], config, cwd } = request
  if (paths.length === 0) throw usage('Name the flows: svc test <file|folder>... --validate-only')
  const { flows, problems, warnings } = await validateFlows(flowLibrary(hostFlowFiles), {
    paths: paths.map(path => resolve(cwd, path)),
    includeTags,
    excludeTags,
    configFile: config === undefined ? undefined : resolve(cwd, config),
  })
  for (const { file, line, message } of warnings)
    call.log.warn(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)
  if (problems.length === 0)
    return { ok: true, output: { ok: true, validated: true, flows: flows.map(({ file, name }) => ({ file, name })) } }
  return { ok: false, output: invalidFlows(problems) }
}
