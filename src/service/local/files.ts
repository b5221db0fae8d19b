/** The files of a device of this host. */
import type { FilesResponse } from '../../contracts/device/device-files.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { listFiles } from '../../device/files/list-files.ts'
import { StepFailure } from '../../device/screen/step-failure.ts'
import { capitalised } from '../../runtime/message-of.ts'
import type { Parts } from '../parts.ts'
import { failed, success } from '../service.ts'
import { deviceAsker } from './ask-device.ts'
import type { Requests } from './groups.ts'

const refusalOf = ({ code, message, hint }: StepFailure, path: string) =>
  failed(failure(code, `${capitalised(message)}.`, { details: { path }, hint }))

export const requests = (deps: Parts): Requests<'files'> => {
  const asking = deviceAsker(deps, 'its files')
  return {
    'files.list': ({ deviceId, path, applicationId }, call) =>
      asking<FilesResponse>(deviceId, call, async (link, options) => {
        try {
          const files = await listFiles({ path, applicationId }, { link, clock: deps.clock, ...options })
          return success({ ok: true, files, count: files.length })
        } catch (thrown) {
          if (thrown instanceof StepFailure) return refusalOf(thrown, path)
          throw thrown
        }
      }),
  }
}
