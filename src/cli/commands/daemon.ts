/** `svc daemon start|stop|status|restart|run`: the process behind the other commands, one for each `--device` value. */
import { DEFAULT_OPERATOR_PACKAGE } from '../../contracts/literals.ts'
import { type Call, type Command, CommandError, type Outcome } from '../command.ts'
import { operatorPackageOf } from '../operator-package.ts'

type Ask = 'start' | 'stop' | 'status' | 'restart'

const manage = async (ask: Ask, call: Call): Promise<Outcome> => {
  const given = call.text('operator-package')
  const operatorPackage = given === undefined ? undefined : operatorPackageOf(call)
  const daemon = await (await call.heavy()).daemon()
  const managed = await daemon.manage({ ask, device: call.text('device'), operatorPackage }, call)
  return managed.ok ? { ok: true, output: managed } : { ok: false, output: managed.error }
}

const commandOf = (ask: Ask, rest: Pick<Command, 'summary' | 'details' | 'examples'>): Command => ({
  path: ['daemon', ask],
  ...rest,
  run: call => manage(ask, call),
})

const start = commandOf('start', {
  summary: 'start the daemon, unless it runs',
  details:
    'Prints {ok, daemon: {status, socketPath}}, the status being started or already_running. Commands start it by\n' +
    'themselves when they need it; it ends itself after 30 idle minutes (SVC_DAEMON_IDLE_MS, 0 for never). --device\n' +
    'names the daemon of one device, --operator-package the app for requests that name none.',
  examples: ['svc daemon start', 'svc daemon start --device emulator-5554'],
})

const stop = commandOf('stop', {
  summary: 'end the daemon',
  details:
    'Prints {ok, daemon: {status, socketPath}}, the status being stopped or not_running. What runs gets two seconds to\n' +
    'finish, and is recorded as interrupted otherwise. A listener that svc did not start is left alone.',
  examples: ['svc daemon stop', 'svc daemon stop --device emulator-5554'],
})

const status = commandOf('status', {
  summary: 'say whether the daemon runs, and which build it is',
  details:
    'Prints {ok, daemon: {status, socketPath}}, the status being running, not_running, or unowned for a listener that\n' +
    'svc did not start. Of one that runs, also pid, version, buildIdentity and uptimeSeconds.',
  examples: ['svc daemon status', 'svc daemon status --device emulator-5554 --output pretty'],
})

const restart = commandOf('restart', {
  summary: 'end the daemon if it runs, and start it',
  details:
    'Prints {ok, daemon: {status, socketPath}}. A daemon keeps the environment that it was started with: after a change\n' +
    'of SVC_TCP_DEVICES or of the adb server, this takes yours.',
  examples: ['svc daemon restart', 'svc daemon restart --operator-package com.example.operator'],
})

const run: Command = {
  path: ['daemon', 'run'],
  internal: true,
  summary: 'be the daemon, in the foreground',
  details: `What svc daemon start runs. The operator app is ${DEFAULT_OPERATOR_PACKAGE} for requests that name none.`,
  examples: ['svc daemon run'],
  async run(call) {
    const { runDaemonHere } = await (await call.heavy()).daemonRun()
    const ran = await runDaemonHere(call)
    if (!ran.ok) throw new CommandError('DAEMON_START_FAILED', ran.error.message, ran.error)
    return { ok: true, expectsSignal: true }
  },
}

export const daemon: readonly Command[] = [start, stop, status, restart, run]
