/** `svc doctor` at work: everything that has to be right before a device can be driven. */
import { DEFAULT_OPERATOR_PACKAGE } from '../../../contracts/json/literals.ts'
import { type Check, fine, warning } from '../../../service/doctor/check.ts'
import { daemonDifference } from '../../daemon/client/other-environment.ts'
import { environmentOf } from '../../daemon/identity.ts'
import { daemonPaths, homeProblem, socketPathProblem } from '../../daemon/paths.ts'
import { probeDaemon } from '../../daemon/probe.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { namedOperator } from '../executions/execution-command.ts'
import { counted, lines, paragraph } from '../text/layout.ts'
import { type Page, SIGNS, type SignName, sign } from '../text/page.ts'
import { displayWidth, isolated, padded, safe, visible } from '../text/visible.ts'
import { checkEmulators } from './emulators.ts'
import { checkDisk, checkHome, checkJournal, checkNode, checkPolicy, checkSetup } from './host.ts'

const checkDaemon = async ({ env, clock, text }: CommandContext, home: string): Promise<Check> => {
  const paths = daemonPaths(home, text('device'))
  if (env.SVC_NO_DAEMON === '1') return fine('daemon', 'not used: SVC_NO_DAEMON is 1')
  const unusable = socketPathProblem(paths.socket) ?? homeProblem(paths)
  if (unusable) {
    return warning('daemon', `commands run without a daemon, more slowly: ${unusable}`, {
      hint: 'Set SVC_HOME to another directory.',
    })
  }
  const { found, owner } = await probeDaemon(paths, clock)
  const environment = environmentOf(env)
  if (found === 'managed' && owner && (owner.environment ?? environment) !== environment) {
    const { problem, command } = daemonDifference(owner.environment ?? '', environment, owner.rawDeviceId)
    const message = `process ${owner.pid} answers, but commands run without it, more slowly: ${problem}`
    return warning('daemon', message, { hint: `To give it your values: ${command}`, details: { pid: owner.pid } })
  }
  if (found === 'managed') return fine('daemon', `process ${owner?.pid} answers`, { details: { pid: owner?.pid } })
  if (found === 'foreign') {
    return warning(
      'daemon',
      `${paths.socket} belongs to a listener that svc did not start; commands run without a daemon`,
      {
        hint: 'End that listener and remove the file.',
      },
    )
  }
  if (owner) {
    return warning('daemon', `process ${owner.pid} does not answer`, { hint: 'Restart it: svc daemon restart' })
  }
  return fine('daemon', 'not running; the next command starts it')
}

/** Loads what speaks to NATS only where there is a fleet. */
const checkFleetOf = async (call: CommandContext): Promise<Check[]> => {
  const { env, clock } = call
  if (call.text('fleet') === undefined && !env.SVC_FLEET?.trim()) return []
  const { fleetAddressOf, listOf } = await import('../fleet/fleet-address.ts')
  const address = fleetAddressOf(call, env)
  if (!address) return []
  const { checkFleet } = await import('./fleet.ts')
  return checkFleet({ address, monitors: listOf(env.SVC_FLEET_MONITOR), clock })
}

export const runDoctor = async (call: CommandContext): Promise<CommandResult> => {
  const { env, clock, signal } = call
  const operatorPackage = namedOperator(call)
  const fleet = await checkFleetOf(call)
  const services = await call.services()
  const { home } = services
  const host = [checkNode(process.versions.node), checkHome(home), checkDisk(home), checkJournal({ home, clock, env })]
  const daemon = await checkDaemon(call, home)
  const connected = await services.checkConnected(operatorPackage, signal)
  const { platform, arch } = process
  const emulators = checkEmulators({ env, platform, arch, kvm: '/dev/kvm' }, call.isOn('emulators'))
  const checks = [
    ...host,
    checkPolicy({ env, home }),
    checkSetup(call),
    daemon,
    ...connected.checks,
    ...emulators,
    ...fleet,
  ]
  const ok = checks.every(({ status }) => status !== 'failed')
  return {
    ok,
    output: {
      ok,
      version: __SVC_VERSION__,
      operatorPackage: operatorPackage ?? DEFAULT_OPERATOR_PACKAGE,
      checks,
      devices: connected.devices,
    },
  }
}

interface DoctorReport {
  ok: boolean
  version: string
  checks: readonly Check[]
}

const checkText = (page: Page, { name, status, message, hint }: Check, width: number): string => {
  const indent = 2 + width + 2
  const word = status === 'ok' ? '' : `${status}: `
  const text = paragraph(page, isolated(visible(`${word}${message}`)), indent)
  const advice =
    hint === undefined
      ? undefined
      : `${' '.repeat(indent)}${paragraph(page, `-> ${isolated(visible(hint))}`, indent + 3)}`
  return lines(`${sign(page, status)} ${padded(visible(name), width)}  ${text}`, advice)
}

const countOf = (checks: readonly Check[], status: SignName): number =>
  checks.filter(check => check.status === status).length

/** Long names of devices do not push all others to the right. */
const NAME_WIDTH_MAX = 24

export const doctorText = (page: Page, { ok, version, checks }: DoctorReport): string => {
  const width = Math.min(NAME_WIDTH_MAX, Math.max(0, ...checks.map(({ name }) => displayWidth(visible(name)))))
  const [failed, warnings] = [countOf(checks, 'failed'), countOf(checks, 'warning')]
  const found = [
    ...(failed > 0 ? [counted(failed, 'check failed', 'checks failed')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]
  const summary =
    found.length === 0 ? 'Everything is in order.' : `${found.join(', ')} of ${counted(checks.length, 'check')}.`
  return lines(
    ...checks.map(check => checkText(page, check, width)),
    `${ok ? SIGNS.ok : SIGNS.failed} ${safe`svc ${version}: ${summary}`}`,
  )
}
