/** The daemon as commands use it: started, stopped and queried for them, or run in this process by `svc daemon run`. */

import type { DaemonReport } from '../../../contracts/daemon.ts'
import { duration } from '../../../contracts/duration.ts'
import { DAEMON_IDLE_MS } from '../../../contracts/limits/limits.ts'
import { homeOf } from '../../../runtime/home.ts'
import { buildIdentityOf, environmentOf, runningDaemons } from '../../daemon/identity.ts'
import { type DaemonRequest, type DaemonRequestResult, manageDaemon } from '../../daemon/manage/manage.ts'
import { daemonKey, daemonPaths, rawDeviceId } from '../../daemon/paths.ts'
import { type DaemonRunResult, runDaemon } from '../../daemon/run/run.ts'
import type { CommandContext } from '../command.ts'
import { namedOperator } from '../executions/execution-command.ts'
import { fieldsText } from '../text/answer.ts'
import { headline, lines } from '../text/layout.ts'
import type { Page, SignName } from '../text/page.ts'

export const manage = async (
  request: Omit<DaemonRequest, 'signal'>,
  call: CommandContext,
): Promise<DaemonRequestResult> => {
  const { env, log, signal } = call
  const { home, clock, ids, journal } = await call.services()
  const program = { path: process.execPath, args: [process.argv[1] ?? ''], env }
  return manageDaemon({ ...request, signal }, { home, clock, ids, journal, program, note: log.warn })
}

const daemonsOf = ({ env }: CommandContext) => runningDaemons(daemonPaths(homeOf(env), undefined).directory)

/** Each `--device` value has a daemon of its own: said where one looks at one, or ends one. */
export const tellOtherDaemons = (call: CommandContext): void => {
  const wanted = rawDeviceId(call.text('device'))
  const others = daemonsOf(call).filter(each => each.rawDeviceId !== wanted)
  if (others.length === 0) return
  const named = others.map(each => `${each.rawDeviceId || 'the default one'} (process ${each.pid})`).join(', ')
  call.io.note(`Other daemons are running: ${named}. See: svc daemon status --device <serial>, svc daemon stop --all`)
}

export const stopAllDaemons = async (call: CommandContext): Promise<DaemonRequestResult[]> => {
  const results: DaemonRequestResult[] = []
  for (const each of daemonsOf(call)) {
    const device = each.rawDeviceId === '' ? undefined : each.rawDeviceId
    results.push(await manage({ ask: 'stop', device }, call))
  }
  return results
}

const idleMsOf = (text: string | undefined): number =>
  text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : DAEMON_IDLE_MS

export const runDaemonHere = async (call: CommandContext): Promise<DaemonRunResult> => {
  const { env, io, signal } = call
  const operatorPackage = namedOperator(call)
  const device = call.text('device')
  const entryPath = process.argv[1]
  const services = await call.services()
  const { home, clock, ids, journal } = services
  const note = (text: string) => io.note(`${new Date(clock.now()).toISOString()} ${text}`)
  // Not called as its actor is, whose history stands in the same journal.
  const facts = { version: __SVC_VERSION__, entryPath, operatorPackage, listener: `daemon-socket:${daemonKey(device)}` }
  const serial = rawDeviceId(device).trim()
  const isListed = async () =>
    (await services.listDevices(signal)).some(listed => serial === '' || listed.serial === serial)
  const parts = { home, clock, ids, journal, note, signal }
  return runDaemon({
    ...parts,
    device,
    cliEntryPath: entryPath ?? '',
    environment: environmentOf(env),
    version: { version: __SVC_VERSION__, buildIdentity: buildIdentityOf(entryPath) },
    isDeviceKnown: isListed,
    idleMs: idleMsOf(env.SVC_DAEMON_IDLE_MS),
    serve: where => services.serveSocket({ ...where, ...facts, note }),
    inFlight: () => services.host().inFlight().length,
    isHolding: () => services.forwards().held() > 0,
    stopExecutions: options => services.host().stop(options),
  })
}

const DAEMON: Record<DaemonReport['status'], readonly [sign: SignName, text: string]> = {
  running: ['ok', 'The daemon is running.'],
  started: ['ok', 'Started the daemon.'],
  already_running: ['ok', 'The daemon was running already.'],
  stopped: ['ok', 'Stopped the daemon.'],
  not_running: ['ok', 'The daemon is not running; the next command starts it.'],
  unowned: ['warning', 'A listener that svc did not start has the socket; commands run without a daemon.'],
}

const MS_PER_SECOND = 1_000

const reportText = (page: Page, daemon: DaemonReport): string => {
  const [kind, text] = DAEMON[daemon.status]
  const facts =
    daemon.status === 'running'
      ? {
          process: daemon.pid,
          version: daemon.version,
          runsFor: duration(daemon.uptimeSeconds * MS_PER_SECOND),
          program: daemon.buildIdentity.entryPath,
        }
      : {}
  return lines(headline(page, kind, text), fieldsText(page, { ...facts, socket: daemon.socketPath }))
}

/** `daemons` are those of `svc daemon stop --all`. */
export const daemonText = (page: Page, output: { daemon: DaemonReport } | { daemons: readonly DaemonReport[] }) => {
  if ('daemon' in output) return reportText(page, output.daemon)
  if (output.daemons.length === 0) return headline(page, 'ok', 'No daemon is running.')
  return lines(...output.daemons.map(daemon => reportText(page, daemon)))
}
