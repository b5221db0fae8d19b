/** The files of a device of this host. */
import type { FilesResponse } from '../../contracts/device-files.ts'
import { failure } from '../../contracts/failures.ts'
import { asFailure } from '../../executions/refusals.ts'
import { StepFailure } from '../../operator/engine/step-failure.ts'
import { listFiles } from '../../operator/files/list-files.ts'
import { capitalised } from '../../runtime/message-of.ts'
import { failed, type Result, type Service, success } from '../service.ts'
import type { LocalDeps } from './deps.ts'
import { answering } from './run.ts'

/** Bounds opening the link and asking the device. */
const ASK_MS = 20_000

export const localFiles = ({ openDevice, clock, note }: LocalDeps): Pick<Service, 'files.list'> => ({
  'files.list': ({ deviceId, path, applicationId }, { signal }) =>
    answering<FilesResponse>(
      async () => {
        const call = { deadline: clock.now() + ASK_MS, signal: signal ?? new AbortController().signal }
        const reached = await openDevice(deviceId, call)
        if (!reached.ok) return failed(reached.error, { deviceId: reached.deviceId })
        const facts = { deviceId: reached.deviceId }
        try {
          const files = await listFiles({ path, applicationId }, { link: reached.link, clock, ...call })
          return success({ ok: true, files, count: files.length }, facts)
        } catch (thrown) {
          return failed(thrown instanceof StepFailure ? asked(thrown, path) : asFailure(thrown), facts)
        }
      },
      { what: 'asking a device about its files', note },
    ) as Promise<Result<FilesResponse>>,
})

const asked = ({ code, message, hint }: StepFailure, path: string) =>
  failure(code, `${capitalised(message)}.`, { details: { path }, hint })
