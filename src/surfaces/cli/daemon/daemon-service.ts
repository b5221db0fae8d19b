/** The service of the daemon of a device, started or replaced first: for work that is to go on after the command. */

import { EXPECT_BUILD_HEADER } from '../../../contracts/doors/headers.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { requestTimeout } from '../../../service/deadline.ts'
import { requestOf, resultOf } from '../../../service/http-transport.ts'
import { remote, type Transport } from '../../../service/remote.ts'
import type { Result, Service } from '../../../service/service.ts'
import { CONTINUE, openConnection, requestHead } from '../../daemon/client/connection.ts'
import { buildIdentityOf, buildText, isSameVersion } from '../../daemon/identity.ts'
import type { CommandContext } from '../command.ts'
import { namedOperator } from '../executions/execution-command.ts'
import { manage } from './daemon.ts'

const lost = (message: string) =>
  failure('DAEMON_PROXY_ERROR', `The answer of the daemon was lost: ${message}.`, {
    hint: 'Look at what became of it: svc record status, svc lease list.',
  })

const transportTo = (socketPath: string, { clock, signal }: CommandContext): Transport => ({
  async send(id, input, call) {
    const { method, path, headers, body } = requestOf(id, input as object, call.context)
    const ownVersion = { version: __SVC_VERSION__, buildIdentity: buildIdentityOf(process.argv[1]) }
    const head = requestHead(`${method} ${path}`, {
      ...headers,
      [EXPECT_BUILD_HEADER]: buildText(ownVersion),
      'content-length': String(body.length),
      connection: 'close',
    })
    const connection = openConnection(socketPath, clock)
    const ms = requestTimeout(id, input as object)
    const exchanged = await connection.exchange(`${head}${Buffer.from(body).toString()}`, { ms, signal })
    connection.close()
    switch (exchanged.kind) {
      case 'done':
        return exchanged.answer.status === CONTINUE
          ? { kind: 'unknown', error: lost('it made no sense') }
          : { kind: 'done', result: resultOf(id, input, exchanged.answer, '') }
      case 'not sent': {
        const error = failure('DAEMON_START_FAILED', `The daemon is gone: ${exchanged.message}.`)
        return { kind: 'not sent', error }
      }
      case 'unknown':
        return { kind: 'unknown', error: lost(exchanged.message) }
    }
  },
})

export const daemonService = async (call: CommandContext, device = call.text('device')): Promise<Result<Service>> => {
  const request = { device, operatorPackage: namedOperator(call) }
  const ownVersion = { version: __SVC_VERSION__, buildIdentity: buildIdentityOf(process.argv[1]) }
  let managed = await manage({ ...request, ask: 'start' }, call)
  const { daemon } = managed.ok ? managed : { daemon: undefined }
  if (daemon?.status === 'running' && !isSameVersion(daemon, ownVersion))
    managed = await manage({ ...request, ask: 'differed' }, call)
  if (!managed.ok) return { ok: false, error: managed.error }
  return { ok: true, value: remote(transportTo(managed.daemon.socketPath, call)) }
}
