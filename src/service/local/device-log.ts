/** Opens the log of a device of this host, for the request that reads some lines and for the streams that follow it. */

import { type LogPosition, type LogsQuery, levelNamed, startNamed } from '../../contracts/device/logs.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { LinkError, type LinkErrorCode } from '../../device/link/link.ts'
import { type LogStep, openLog } from '../../device/logs/open-log.ts'
import { asFailure } from '../executions/refusals.ts'
import type { Parts } from '../parts.ts'
import { failed, type Result, success } from '../service.ts'

export interface DeviceLogInput extends LogsQuery {
  deviceId: string | undefined
  isFollowing: boolean
  after?: LogPosition | undefined
}

export interface DeviceLog {
  deviceId: string
  /** The place before the first line. */
  at: LogPosition
  /** Ends with the signal; throws what `failureOf` reads. */
  steps: AsyncGenerator<LogStep>
  failureOf(error: unknown): ErrorObject
}

/** A device that cannot be reached now, with what a caller is told of it. */
class UnreachedError extends LinkError {
  readonly told: ErrorObject

  constructor(error: ErrorObject) {
    super(error.code as LinkErrorCode, error.message)
    this.told = error
  }
}

const failureOf = (error: unknown): ErrorObject => (error instanceof UnreachedError ? error.told : asFailure(error))

const notInstalled = (applicationId: string): ErrorObject =>
  failure('APP_NOT_FOUND', `The device has no application ${applicationId}.`, {
    details: { applicationId },
    hint: 'See `GET /devices/<id>/apps` for those that it has.',
  })

export const openDeviceLog = async (
  { openDevice, clock }: Pick<Parts, 'openDevice' | 'clock'>,
  { deviceId: wanted, isFollowing, after, app, level, since }: DeviceLogInput,
  signal: AbortSignal,
): Promise<Result<DeviceLog>> => {
  let deviceId = wanted
  try {
    const opened = await openLog({
      clock,
      async link(call) {
        const reached = await openDevice(deviceId, call)
        deviceId = reached.deviceId ?? deviceId
        if (!reached.ok) throw new UnreachedError(reached.error)
        return reached.link
      },
      isFollowing,
      start: since === undefined ? (isFollowing ? undefined : { kind: 'boot' }) : startNamed(since),
      after,
      app,
      level: level === undefined ? undefined : levelNamed(level),
      signal,
    })
    if (!opened.ok) return failed(notInstalled(opened.missing), { deviceId })
    const { steps, at } = opened
    return success({ deviceId: deviceId ?? '', at, steps, failureOf }, { deviceId })
  } catch (error) {
    return failed(failureOf(error), { deviceId })
  }
}
