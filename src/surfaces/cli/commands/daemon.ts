/** `svc daemon start|stop|status|restart|run`: the process behind the other commands, one for each `--device` value. */
import { DEFAULT_OPERATOR_PACKAGE } from '../../../contracts/json/literals.ts'
import { type Command, type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { namedOperator } from '../executions/execution-command.ts'

type Ask = 'start' | 'stop' | 'status' | 'restart'

const manage = async (ask: Ask, call: CommandContext): Promise<CommandResult> => {
  const flag = call.text('operator-package')
  const operatorPackage = flag === undefined ? undefined : namedOperator(call)
  const daemon = await import('../daemon/daemon.ts')
  const managed = await daemon.manage({ ask, device: call.text('device'), operatorPackage }, call)
  if (ask === 'stop' || (ask === 'status' && !call.text('device')?.trim())) daemon.tellOtherDaemons(call)
  return managed.ok ? { ok: true, output: managed } : { ok: false, output: managed.error }
}

/** Every one is tried; the first failure is the answer then. */
const stopAll = async (call: CommandContext): Promise<CommandResult> => {
  if (call.text('device')?.trim()) throw usage('--all cannot be combined with --device.')
  const daemon = await import('../daemon/daemon.ts')
  const stopped = await daemon.stopAllDaemons(call)
  const failed = stopped.find(({ ok }) => !ok)
  if (failed && !failed.ok) return { ok: false, output: failed.error }
  return { ok: true, output: { ok: true, daemons: stopped.flatMap(each => (each.ok ? [each.daemon] : [])) } }
}

const commandOf = (
  ask: Ask,
  rest: Pick<Command, 'summary' | 'details' | 'uses' | 'examples'> & Partial<Command>,
): Command => ({
  path: ['daemon', ask],
  text: async () => (await import('../daemon/daemon.ts')).daemonText,
  run: call => manage(ask, call),
  ...rest,
})

const start = commandOf('start', {
  summary: 'start the daemon, unless it is running',
  details:
    'Prints {ok, daemon: {status, socketPath}}, status is started or already_running. Commands start the daemon\n' +
    'when they need it; it exits after 30 idle minutes (SVC_DAEMON_IDLE_MS; 0 disables this). --device selects the daemon\n' +
    'of one device, --operator-package sets the app for requests that do not name one.',
  uses: ['device', 'operator-package', 'policy'],
  examples: ['svc daemon start', 'svc daemon start --device emulator-5554'],
})

const stop = commandOf('stop', {
  summary: 'stop the daemon',
  details:
    'Prints {ok, daemon: {status, socketPath}}, status is stopped, not_running, or unowned for a listener that svc did not\n' +
    'start, which is left alone. Running executions get two seconds to finish; the others are recorded as interrupted.\n' +
    'Other daemons that go on running are named on stderr; --all stops them too and prints {ok, daemons: [{status, socketPath}]}.',
  uses: ['device'],
  flags: [{ name: 'all', summary: 'every daemon of this home' }],
  examples: ['svc daemon stop', 'svc daemon stop --device emulator-5554', 'svc daemon stop --all'],
  run: call => (call.isOn('all') ? stopAll(call) : manage('stop', call)),
})

const status = commandOf('status', {
  summary: 'show whether the daemon is running, and which build',
  details:
    'Prints {ok, daemon: {status, socketPath}}, status is running, not_running, or unowned for a listener that svc\n' +
    'did not start. A running daemon also has pid, version, buildIdentity and uptimeSeconds.',
  uses: ['device'],
  examples: ['svc daemon status', 'svc daemon status --device emulator-5554 --output pretty'],
})

const restart = commandOf('restart', {
  summary: 'stop the daemon if it is running, and start it',
  details:
    'Prints {ok, daemon: {status, socketPath}}. A daemon keeps the environment it was started with: restart it after\n' +
    'changing SVC_TCP_DEVICES or the adb server.',
  uses: ['device', 'operator-package', 'policy'],
  examples: ['svc daemon restart', 'svc daemon restart --operator-package com.example.operator'],
})

const run: Command = {
  path: ['daemon', 'run'],
  text: 'unchanged',
  serves: true,
  internal: true,
  summary: 'run the daemon in the foreground',
  details: `What svc daemon start runs. The default operator app is ${DEFAULT_OPERATOR_PACKAGE}.`,
  uses: ['device', 'operator-package', 'policy'],
  hasNoResult: true,
  examples: ['svc daemon run'],
  async run(call) {
    const { runDaemonHere } = await import('../daemon/daemon.ts')
    const ran = await runDaemonHere(call)
    if (!ran.ok) throw new CommandError('DAEMON_START_FAILED', ran.error.message, ran.error)
    return { ok: true, expectsSignal: true }
  },
}

export const daemon: readonly Command[] = [start, stop, status, restart, run]
