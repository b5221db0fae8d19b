/** A service of other machines to which the files of an execution are sent along, and from which pulled ones are brought here. */
import { namesHostPaths } from '../../contracts/host-paths.ts'
import type { TellProgress } from '../../contracts/records/actor.ts'
import { validateExecution } from '../../service/executions/validate.ts'
import { fileRootsOf, hostPathProblem, withAbsolutePaths } from '../../service/host-paths.ts'
import { failed, type RequestOptions, type Service } from '../../service/service.ts'
import { bringFiles, unwritableProblem } from './download.ts'
import { sendFilesOf } from './upload.ts'

export interface WithFilesOptions {
  /** Relative paths of the caller start here. */
  relativeTo: string
  told?: TellProgress | undefined
}

/** Requests about files are no part of the execution: nothing about it goes with them. */
const forFiles = ({ context: { caller }, signal }: RequestOptions): RequestOptions => ({ context: { caller }, signal })

export const withFiles = (service: Service, { relativeTo, told }: WithFilesOptions): Service => ({
  ...service,
  async execute(input, call) {
    const validation = validateExecution(input.execution)
    if (!validation.ok || !validation.execution.actions.some(namesHostPaths)) return service.execute(input, call)
    const execution = withAbsolutePaths(validation.execution, relativeTo)
    const fileRoots = fileRootsOf(call.context)
    const problem = (await hostPathProblem(execution, call.context)) ?? (await unwritableProblem(execution, fileRoots))
    if (problem) return failed(problem)
    const options = { fileRoots, service, call: forFiles(call), told }
    const sent = await sendFilesOf(execution, { ...options, deviceId: input.deviceId })
    if (!sent.ok) return sent
    return bringFiles(await service.execute({ ...input, execution: sent.value }, call), execution, options)
  },
})
