/** Brings what the steps of an execution have pulled at another host to the paths of this machine that its caller named. */
import { mkdir, open } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Execution } from '../../contracts/executions/execution.ts'
import type { ExecutionSuccess, StepResult } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { HOME_MODE } from '../../contracts/limits/limits.ts'
import type { TellProgress } from '../../contracts/records/actor.ts'
import type { FileRoots } from '../../device/files/file-roots.ts'
import { isOccupied, withDraft, withHostPlace } from '../../device/files/host-target.ts'
import { putInPlace } from '../../device/files/replace-target.ts'
import { StepFailure } from '../../device/screen/step-failure.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { unpackFolder } from '../../service/parcels/pack.ts'
import type { RequestOptions, Result, Service } from '../../service/service.ts'
import { fetchFile } from './fetch.ts'

export interface BringOptions {
  executionId: string
  fileRoots: FileRoots
  service: Pick<Service, 'parcels.get'>
  call: RequestOptions
  told?: TellProgress | undefined
}

type Pull = Extract<Execution['actions'][number], { type: 'pull_file' }>

const nameOf = ({ params }: Pull) => posix.basename(posix.normalize(params.from).replace(/(?<=.)\/+$/, ''))

const wantedBy = (action: Pull) => ({ to: action.params.to, name: nameOf(action) })

/** Why nothing can be written where the step wants it; asked before anything is done on the device. */
export const unwritableProblem = async ({ actions }: Execution, roots: FileRoots): Promise<ErrorObject | undefined> => {
  for (const action of actions) {
    if (action.type !== 'pull_file') continue
    try {
      const { overwrite } = action.params
      await withHostPlace(wantedBy(action), roots, place => isOccupied(place, { kind: 'file', overwrite }))
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

/** Answers where it is now. Rejects with a StepFailure where that cannot be. */
const bringOne = (action: Pull, position: number, options: BringOptions): Promise<string> => {
  const { fileRoots: roots, service, call, told: tellProgress, executionId } = options
  const { overwrite } = action.params
  return withHostPlace(wantedBy(action), roots, place =>
    withDraft(place, roots, async scratch => {
      await mkdir(scratch, { mode: HOME_MODE })
      const arriving = join(scratch, 'arriving')
      const file = await open(arriving, 'wx')
      const what = `fetching ${nameOf(action)} from the host of the device`
      const fetched = await fetchFile({ executionId, position }, file, {
        service,
        call,
        told: (done, total) => tellProgress?.({ what, done, total }),
      }).finally(() => file.close())
      if (!fetched.ok) throw new StepFailure('FILE_REFUSED', fetched.error.message.replace(/\.$/, ''))
      const { kind } = fetched.value
      const put = (draft: string, files: readonly string[], folders: readonly string[]) =>
        putInPlace(place, { kind, draft, files, folders }, { overwrite, roots })
      if (kind === 'file') {
        await put(arriving, [''], [])
        return place.path
      }
      const draft = join(scratch, 'folder')
      const { files, folders } = await unpackFolder(arriving, draft)
      await put(
        draft,
        files.map(({ path }) => path),
        folders,
      )
      return place.path
    }),
  )
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
