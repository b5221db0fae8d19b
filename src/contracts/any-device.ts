/** Device ids that name no device: `any`, and `any:` with terms, which choose one. */
import type { ErrorObject } from './failures/error.ts'
import { failure } from './failures/failures.ts'

/** Whichever is free. */
export const ANY_DEVICE = 'any'

/** An unset variable behind the colon would otherwise choose any device. */
const WITHOUT_TERM = /^any\s*:\s*$/

/** Undefined for ids that may be looked for. */
export const missingTerm = (deviceId: string | undefined): ErrorObject | undefined =>
  WITHOUT_TERM.test(deviceId?.trim() ?? '')
    ? failure('INVALID_DEVICE_ID', `The device id ${JSON.stringify(deviceId)} has no term behind the colon.`, {
        hint: 'Give `deviceId` as any:<label><comparison><value>, such as any:pool=ci; any alone is whichever device is free.',
      })
    : undefined
