import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readContext } from '../../src/contracts/doors/request-context.ts'
import type { Execution } from '../../src/contracts/executions/execution.ts'
import { elsewhereProblem, hostPathProblem, isOfAnotherMachine } from '../../src/service/host-paths.ts'

const executionOf = (type: string, params: object) =>
  ({ actions: [{ id: 'step', type, params }] }) as unknown as Execution

const push = executionOf('push_file', { from: '/etc/hosts', to: '/sdcard/x', overwrite: true })

test('an execution with files of its caller does not go to another host, and is told what to do', () => {
  expect(elsewhereProblem(push, 'desk-2')).toMatchObject({
    code: 'FILE_REFUSED',
    message: expect.stringContaining('desk-2'),
    hint: expect.stringContaining('sends files along'),
    details: { dispatched: false, actionId: 'step' },
  })
  expect(elsewhereProblem(executionOf('remove_file', { path: '/sdcard/x' }), 'desk-2')).toBeUndefined()
})

test('what came through the fleet, from a host or a client, is of another machine; only a private listener believes it', () => {
  const headers = { 'svc-fleet-taken': '1' }
  const read = (isPrivate: boolean) => readContext(headers, { isPrivate })
  expect(read(true)).toMatchObject({ ok: true, context: { isFromFleet: true } })
  expect(read(false)).not.toMatchObject({ context: { isFromFleet: true } })
  expect(isOfAnotherMachine({ caller: 'cli', isFromFleet: true })).toBe(true)
  expect(isOfAnotherMachine({ caller: 'cli', sent: { from: 'desk-2' } })).toBe(true)
  expect(isOfAnotherMachine({ caller: 'cli' })).toBe(false)
})

test('a caller with roots names what is below them only; one without any names what it likes', async () => {
  const inside = executionOf('pull_file', { from: '/sdcard/x', to: join(tmpdir(), 'x'), overwrite: false })
  const fileRoots = [tmpdir()]
  expect(await hostPathProblem(inside, { caller: 'mcp', fileRoots })).toBeUndefined()
  expect(await hostPathProblem(push, { caller: 'mcp', fileRoots })).toMatchObject({
    code: 'FILE_REFUSED',
    details: { path: '/etc/hosts', dispatched: false },
    hint: expect.stringContaining('--files-root'),
  })
  expect(await hostPathProblem(push, { caller: 'mcp' })).toMatchObject({ code: 'FILE_REFUSED' })
  expect(await hostPathProblem(push, { caller: 'cli' })).toBeUndefined()
})
