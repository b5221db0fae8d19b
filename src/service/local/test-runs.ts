/** The runs of flows of this host. */
import { isAbsolute } from 'node:path'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { ROOTS_HINT } from '../../device/files/file-roots.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { fileRootsOf } from '../host-paths.ts'
import type { Parts } from '../parts.ts'
import { failed, type RequestOptions, success } from '../service.ts'
import type { Requests } from './groups.ts'
import { answering } from './run.ts'

const notFound = (testRunId: string): ErrorObject =>
  failure('TEST_RUN_NOT_FOUND', `The journal has no run of flows with the id ${testRunId}.`)

const relativePath = (paths: readonly string[] = []): ErrorObject | undefined => {
  const path = paths.find(each => !isAbsolute(each))
  return path === undefined
    ? undefined
    : failure('FILE_REFUSED', `The path ${path} is relative: give absolute paths of this host.`, { hint: ROOTS_HINT })
}

export const requests = ({ testRuns, screenshots, note }: Parts): Requests<'testRuns'> => {
  const what = { what: 'a run of flows', note }
  return {
    'testRuns.start': (request, { context, leave }: RequestOptions) =>
      answering(async () => {
        const relative = relativePath(request.paths)
        if (relative) return failed(relative)
        const fileRoots = fileRootsOf(context)
        const wanted = {
          ...request,
          cwd: screenshots.relativeTo,
          caller: context.caller,
          ...(context.leaseId === undefined ? {} : { leaseId: context.leaseId }),
          ...(fileRoots === undefined ? {} : { fileRoots }),
        }
        const begun = await (await testRuns()).start(wanted, undefined, {
          isPlannedFirst: true,
          leave,
          // Nobody waits for the run here: whoever asks for it later reads it from the journal.
          withCommands: false,
        })
        if (!begun.ok) return failed(begun.error)
        begun.ended.catch(error => note(`the run of flows ${begun.testRunId} broke: ${messageOf(error)}`))
        return success({ ok: true as const, testRunId: begun.testRunId })
      }, what),
    'testRuns.list': () =>
      answering(async () => success({ ok: true as const, testRuns: await (await testRuns()).list() }), what),
    'testRuns.get': ({ testRunId }) =>
      answering(async () => {
        const testRun = await (await testRuns()).read(testRunId)
        return testRun ? success({ ok: true as const, testRun }) : failed(notFound(testRunId))
      }, what),
    'testRuns.cancel': ({ testRunId }) =>
      answering(async () => {
        const cancelled = await (await testRuns()).cancel(testRunId)
        return cancelled.ok ? success({ ok: true as const, testRun: cancelled.testRun }) : failed(cancelled.error)
      }, what),
  }
}
