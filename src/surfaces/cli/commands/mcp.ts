/** `svc mcp`: the tools of the Model Context Protocol on stdin and stdout, for one client. */
import { skillRunIn } from '../../../contracts/records/ids.ts'
import type { Service } from '../../../service/service.ts'
import type { Command } from '../command.ts'
import { FILES_ROOT_FLAG, fileRootsIn } from '../devices/files-root.ts'
import { deviceOf, isInFleet, namedOperator } from '../executions/execution-command.ts'
import { leaseOf } from '../flags/flag-values.ts'

export const mcp: Command = {
  path: ['mcp'],
  text: 'unchanged',
  serves: true,
  summary: 'serve MCP tools to an agent over stdin and stdout, until stdin ends',
  details:
    'An MCP client starts it; svc serve shows at /docs/mcp how to set clients up. stdout carries only the protocol, logs go\n' +
    'to stderr. Each call may name its device; --device is for calls that name none. When stdin ends or a signal comes,\n' +
    'running calls are cancelled, and their receipts say what became of them. svc serve has the same tools at /mcp. With\n' +
    'SVC_FLEET, the devices and receipts are those of all hosts.',
  flags: [{ ...FILES_ROOT_FLAG, summary: `${FILES_ROOT_FLAG.summary} (default: the working directory)` }],
  uses: ['device', 'lease', 'operator-package', 'policy'],
  hasNoResult: true,
  examples: ['svc mcp', 'svc mcp --device emulator-5554'],
  async run(call) {
    const { signal } = call
    const fileRoots = await fileRootsIn(call, [call.cwd])
    const services = await call.services()
    const serve = (service?: Service) =>
      services.serveMcp({
        stdin: call.io.stdin(),
        stdout: process.stdout,
        signal,
        version: __SVC_VERSION__,
        operatorPackage: namedOperator(call),
        deviceId: deviceOf(call),
        leaseId: leaseOf(call),
        skillRunId: skillRunIn(call.env),
        fileRoots,
        ...(service ? { service } : {}),
      })
    if (!isInFleet(call.env)) {
      await serve()
      return { ok: true, expectsSignal: true }
    }
    const { fleetUnreachable, inFleet, serviceWithFleet } = await import('../fleet/session.ts')
    const done = await inFleet(call, async client => serve(serviceWithFleet(await services.service(), client, call)))
    if (done.kind === 'done' || done.reason === 'interrupted') return { ok: true, expectsSignal: true }
    // stdout carries the protocol alone.
    call.log.error(fleetUnreachable(done.why).message)
    return { ok: false }
  },
}
