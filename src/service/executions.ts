/** Requests that become executions, over whichever way they are run: judged here, with what svc builds itself. */

import type { ScreenOptions } from '../contracts/device/screen.ts'
import type { Execution } from '../contracts/executions/execution.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { selectDevice } from '../device/link/select-device.ts'
import { frameOf, screenshotExecution, snapshotExecution } from './executions/actions/flat-actions.ts'
import type { ExecutionOrder } from './executions/order.ts'
import { validateExecution } from './executions/validate.ts'
import { createOrderOf } from './local/order-of.ts'
import type { Run } from './local/run.ts'
import type { Parts } from './parts.ts'
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
  deps: Pick<Parts, 'clock' | 'screenshots' | 'listener' | 'note' | 'onRefused'>,
): Pick<Service, Requests> => {
  const { clock, screenshots, note, onRefused } = deps
  const orderOf = createOrderOf(deps)
  /** Runs what svc builds itself. An Idempotency-Key is for executions of the caller's own making. */
  const runBuilt = (
    execution: Execution,
    {
      deviceId,
      operatorPackage,
      waitMs,
      ...view
    }: ScreenOptions & Partial<Record<'deviceId' | 'operatorPackage', string>> & { waitMs?: number },
    call: RequestOptions,
    pictures?: Pick<ExecutionOrder, 'screenshots'>,
  ) => {
    const options = withoutKey(call)
    const named = { deviceId: namedDevice(deviceId), operatorPackage, waitMs, view: viewIn(view), ...pictures }
    return run(orderOf(execution, named, options), options)
  }
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
      const named = { input: input.execution, deviceId, operatorPackage, view: viewIn(input), waitMs }
      return run(orderOf(execution, named, call), call)
    },
    snapshot: (input, call) => runBuilt(snapshotExecution(options()), input, call),
    async screenshot({ path, ...input }, call) {
      const problem = path === undefined ? undefined : await pathProblem(path, screenshots.relativeTo)
      if (problem !== undefined) {
        const error = failure('INVALID_PATH', `The screenshot cannot be written: ${problem}.`, { hint: PATH_HINT })
        const refused = screenshotExecution({ ...options(), path })
        onRefused?.({ deviceId: namedDevice(input.deviceId) ?? '', input: refused, result: { ok: false, error } })
        return failed(error)
      }
      return runBuilt(screenshotExecution({ ...options(), path }), input, call)
    },
    /** Keeps only the newest pictures of the viewer. */
    async 'viewer.look'(input, call) {
      const newFilesIn = lookFolder(screenshots.newFilesIn)
      const pictures = { screenshots: { ...screenshots, newFilesIn } }
      const result = await runBuilt(lookAt(clock.now()), input, call, pictures)
      await pruneLooks(newFilesIn, note)
      return result
    },
  }
}
