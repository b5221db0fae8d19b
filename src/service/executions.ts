/** Requests that become executions, over whichever way they are run: judged here, with what svc builds itself. */

import type { ScreenOptions } from '../contracts/device/screen.ts'
import type { Execution } from '../contracts/executions/execution.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { selectDevice } from '../device/link/select-device.ts'
import { frameOf, screenshotExecution, snapshotExecution } from './executions/actions/flat-actions.ts'
import { validateExecution } from './executions/validate.ts'
import type { LocalDeps } from './local/deps.ts'
import type { Run, Work } from './local/run.ts'
import { PATH_HINT, pathProblem, picturePathProblem } from './pictures.ts'
import { failed, type RequestOptions, type Result, type Service, success } from './service.ts'
import { lookFolder, pruneLooks } from './traces/pictures.ts'

export const deviceIdFor = async (
  service: Pick<Service, 'devices.list'>,
  deviceId: string | undefined,
  call: RequestOptions,
): Promise<Result<string>> => {
  const named = namedDevice(deviceId)
  if (named !== undefined) return success(named)
  const listed = await service['devices.list']({}, call)
  if (!listed.ok) return listed
  const known = listed.value.devices.map(({ deviceId: serial, state }) => ({ serial, state }))
  const selected = selectDevice(known, undefined)
  return selected.ok ? success(selected.serial) : failed(selected.error)
}

type GivenOptions = { [Key in keyof ScreenOptions]?: Exclude<ScreenOptions[Key], undefined> }

/** Undefined for a body that asks for nothing of it. */
export const viewIn = ({ format, since, observe }: ScreenOptions): GivenOptions | undefined => {
  const view = {
    ...(format === undefined ? {} : { format }),
    ...(since === undefined ? {} : { since }),
    ...(observe === undefined ? {} : { observe }),
  }
  return Object.keys(view).length === 0 ? undefined : view
}

/** A blank one counts as not given. */
export const namedDevice = (deviceId: string | undefined): string | undefined =>
  deviceId?.trim() ? deviceId : undefined

/** An Idempotency-Key is for executions of the caller's own making. */
export const withoutKey = (call: RequestOptions): RequestOptions => {
  const { idempotencyKey, ...context } = call.context
  return idempotencyKey === undefined ? call : { ...call, context }
}

const lookAt = (now: number): Execution => ({
  ...frameOf('look', { origin: 'serve', now }),
  actions: [
    { id: 'tree', type: 'snapshot' },
    { id: 'picture', type: 'take_screenshot' },
  ],
})

type Requests = 'execute' | 'snapshot' | 'screenshot' | 'viewer.look'

export const executionRequests = (
  run: Run,
  { clock, screenshots, note, onRefused }: Pick<LocalDeps, 'clock' | 'screenshots' | 'note' | 'onRefused'>,
): Pick<Service, Requests> => {
  const workOf = (
    execution: Execution,
    { deviceId, operatorPackage, waitMs }: { deviceId?: string; operatorPackage?: string; waitMs?: number },
  ): Work => ({
    execution,
    input: execution,
    deviceId: namedDevice(deviceId),
    operatorPackage,
    waitMs,
  })
  const options = () => ({ origin: 'serve', now: clock.now() }) as const

  return {
    async execute(input, call) {
      const deviceId = namedDevice(input.deviceId)
      const refused = (error: ErrorObject) => {
        onRefused?.({ deviceId: deviceId ?? '', input: input.execution, result: { ok: false, error } })
        return failed(error, { deviceId })
      }
      const validation = validateExecution(input.execution)
      if (!validation.ok) return refused(validation.error)
      const { execution } = validation
      const unwritable = await picturePathProblem(execution, screenshots.relativeTo)
      if (unwritable) return refused(unwritable)
      const { operatorPackage, waitMs } = input
      return run({ execution, input: input.execution, deviceId, operatorPackage, view: viewIn(input), waitMs }, call)
    },
    snapshot: (input, call) =>
      run({ ...workOf(snapshotExecution(options()), input), view: viewIn(input) }, withoutKey(call)),
    async screenshot({ path, ...input }, call) {
      const problem = path === undefined ? undefined : await pathProblem(path, screenshots.relativeTo)
      if (problem !== undefined) {
        const error = failure('INVALID_PATH', `The screenshot cannot be written: ${problem}.`, { hint: PATH_HINT })
        const refused = screenshotExecution({ ...options(), path })
        onRefused?.({ deviceId: namedDevice(input.deviceId) ?? '', input: refused, result: { ok: false, error } })
        return failed(error)
      }
      return run(workOf(screenshotExecution({ ...options(), path }), input), withoutKey(call))
    },
    /** Keeps only the newest pictures of the viewer. */
    async 'viewer.look'(input, call) {
      const pictureFolder = lookFolder(screenshots.newFilesIn)
      const result = await run({ ...workOf(lookAt(clock.now()), input), pictureFolder }, withoutKey(call))
      await pruneLooks(pictureFolder, note)
      return result
    },
  }
}
