/** What the steps of an execution have pulled at another host comes to this machine, to the paths that its caller named. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { ErrorObject } from '../../contracts/error.ts'
import type { Execution } from '../../contracts/execution.ts'
import type { ExecutionSuccess, StepResult } from '../../contracts/execution-result.ts'
import { failure } from '../../contracts/failures.ts'
import { StepFailure } from '../../operator/engine/step-failure.ts'
import type { FileRoots } from '../../operator/files/file-roots.ts'
import { hostTarget, putInPlace } from '../../operator/files/host-target.ts'
import type { TellProgress } from '../../operator/progress.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Call, Result, Service } from '../service.ts'
import { type Fetched, fetchFile } from './fetch.ts'
import { unpackFolder } from './pack.ts'

export interface BringOptions {
  executionId: string
  fileRoots: FileRoots
  service: Pick<Service, 'parcels.get'>
  call: Call
  told?: TellProgress | undefined
}

type Pull = Extract<Execution['actions'][number], { type: 'pull_file' }>

const nameOf = ({ params }: Pull) => posix.basename(posix.normalize(params.from).replace(/(?<=.)\/+$/, ''))

const targetOf = (action: Pull, kind: Fetched['kind'], roots: FileRoots) => {
  const { to, overwrite } = action.params
  return hostTarget({ to, name: nameOf(action), kind, overwrite }, roots)
}

/** Why nothing can be written where the step wants it; asked before anything is done on the device. */
export const unwritableProblem = async ({ actions }: Execution, roots: FileRoots): Promise<ErrorObject | undefined> => {
  for (const action of actions) {
    if (action.type !== 'pull_file') continue
    try {
      await targetOf(action, 'file', roots)
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      const { code, message, hint } = error
      // The device alone knows whether it is a file or a folder that takes the place of another.
      if (action.params.overwrite && code === 'FILE_EXISTS') continue
      const details = { actionId: action.id, actionType: action.type, dispatched: false }
      return failure(code, `Step "${action.id}" (${action.type}): ${message}.`, { details, ...(hint ? { hint } : {}) })
    }
  }
  return undefined
}

/** Beside its place, where it can be renamed. */
const withScratch = async <T>(beside: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(beside, '.svc-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Answers where it is now. Rejects with a StepFailure where that cannot be. */
const bringOne = async (action: Pull, position: number, options: BringOptions): Promise<string> => {
  const { fileRoots, service, call, told, executionId } = options
  const { path } = await targetOf(action, 'file', fileRoots).catch(() => targetOf(action, 'folder', fileRoots))
  return withScratch(dirname(path), async scratch => {
    const arriving = join(scratch, 'arriving')
    const file = await open(arriving, 'wx')
    const what = `fetching ${nameOf(action)} from the host of the device`
    const fetched = await fetchFile({ executionId, position }, file, {
      service,
      call,
      told: (done, total) => told?.({ what, done, total }),
    }).finally(() => file.close())
    if (!fetched.ok) throw new StepFailure('FILE_REFUSED', fetched.error.message.replace(/\.$/, ''))
    const { kind } = fetched.value
    const target = await targetOf(action, kind, fileRoots)
    if (kind === 'file') {
      await putInPlace({ ...target, draft: arriving }, { kind, files: [''], folders: [] }, fileRoots)
      return target.path
    }
    const draft = join(scratch, 'folder')
    const { files, folders } = await unpackFolder(arriving, draft)
    await putInPlace({ ...target, draft }, { kind, files: files.map(({ path: packed }) => packed), folders }, fileRoots)
    return target.path
  })
}

const codeAndMessage = (error: unknown) =>
  error instanceof StepFailure
    ? { code: error.code, message: error.message }
    : ({ code: 'FILE_REFUSED', message: messageOf(error) } as const)

/** The step fails here, as on the machine of the phone: what it pulled is still there. */
const notBrought = ({ id, actionType }: StepResult, error: unknown, executionId: string) => {
  const { code, message } = codeAndMessage(error)
  const reason = `the file was pulled, but could not be brought here: ${message.replace(/\.$/, '')}`
  return {
    step: { id, actionType, success: false, data: { error: code, message: reason } } satisfies StepResult,
    error: failure(code, `Step "${id}" (${actionType}) failed: ${reason}.`, {
      details: { actionId: id, actionType, executionId },
      hint: 'Name a path that svc can write to, and pull it again.',
    }),
  }
}

/** The answer with the paths of this machine; the steps after one whose file does not get here have run all the same. */
export const bringFiles = async (
  result: Result<ExecutionSuccess>,
  { actions }: Execution,
  options: Omit<BringOptions, 'executionId'>,
): Promise<Result<ExecutionSuccess>> => {
  const { executionId } = result
  if (!result.ok || executionId === undefined) return result
  const { envelope } = result.value
  const brought = { ...envelope, stepResults: [...envelope.stepResults] }
  for (const [position, step] of envelope.stepResults.entries()) {
    const action = actions[position]
    if (action?.type !== 'pull_file' || !step.success) continue
    try {
      const path = await bringOne(action, position, { ...options, executionId })
      brought.stepResults[position] = { ...step, data: { ...step.data, path } }
    } catch (error) {
      const { step: failedStep, error: why } = notBrought(step, error, executionId)
      brought.stepResults[position] = failedStep
      if (brought.error === null) Object.assign(brought, { status: 'failed', error: why, errorCode: why.code })
    }
  }
  return { ...result, value: { ...result.value, envelope: brought } }
}
