/** `svc operator check` at work: an operator app on a device is asked every rule of its protocol, as the owner of the device. */

import { isBuiltInOperator } from '../../../contracts/device/operator.ts'
import { OPERATOR_ASK_MS } from '../../../contracts/limits/limits.ts'
import { isPackageName } from '../../../device/apps/package-name.ts'
import { createInteractiveCheck } from '../../../device/link/interactive.ts'
import { runChecks, VECTORS } from '../../../device/operators/check/run-checks.ts'
import { traitsOf } from '../../../device/operators/traits.ts'
import { systemIds } from '../../../runtime/ids.ts'
import { type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { blocks, bullets, counted, headline, lines } from '../text/layout.ts'
import { type Page, sign } from '../text/page.ts'
import { safe, visible } from '../text/visible.ts'
import { asCommandError, type OnDevice, onDevice } from './on-device.ts'

const packageOf = (call: CommandContext): string => {
  const [operatorPackage = ''] = call.args
  if (isBuiltInOperator(operatorPackage)) {
    throw usage(
      `${operatorPackage} is built into svc and does not speak the protocol: name the package of an operator app.`,
    )
  }
  if (isPackageName(operatorPackage)) return operatorPackage
  throw usage(`${JSON.stringify(operatorPackage)} is not the name of a package such as com.svc.operator.`)
}

const demandInstalled = async ({ link, within, deviceId }: OnDevice, operatorPackage: string) => {
  if (await traitsOf(operatorPackage).isInstalled(link, within(OPERATOR_ASK_MS))) return
  throw new CommandError('OPERATOR_NOT_INSTALLED', `${operatorPackage} is not installed on ${deviceId}.`, {
    details: { deviceId, operatorPackage },
    hint: 'Install the APK of your operator app with `svc apps install <apk>`; svc itself has none.',
  })
}

const demandInteractive = async (call: CommandContext, { link, within }: OnDevice) => {
  const interactive = await createInteractiveCheck(call.clock)(link, within(OPERATOR_ASK_MS))
  if (interactive.ok) return
  const { message, details, hint } = interactive.error
  throw new CommandError('DEVICE_NOT_INTERACTIVE', message, { details, hint })
}

const checkOwned = async (call: CommandContext, on: OnDevice, operatorPackage: string): Promise<CommandResult> => {
  await demandInstalled(on, operatorPackage)
  await demandInteractive(call, on)
  const { deviceId } = on
  const links = (await call.services()).links()
  call.io.note(`${deviceId}: ${VECTORS.length} checks of ${operatorPackage}, which take about a minute`)
  const report = await runChecks({
    clock: call.clock,
    ids: systemIds(),
    operatorPackage,
    signal: call.signal,
    openLink: options => links.get(deviceId, options),
  })
  const isKept = report.held === report.all
  const output = { ok: isKept, deviceId, operatorPackage, ...report }
  return { ok: true, output, ...(isKept ? {} : { exits: 1 as const }) }
}

export const check = async (call: CommandContext): Promise<CommandResult> => {
  const operatorPackage = packageOf(call)
  try {
    const on = await onDevice(call)
    return await on.owned('operator-check', () => checkOwned(call, on, operatorPackage))
  } catch (error) {
    throw asCommandError(error)
  }
}

interface CheckedOperator {
  ok: boolean
  deviceId: string
  operatorPackage: string
  checks: readonly { id: string; held: boolean; detail: string }[]
  held: number
  all: number
  leftOut: readonly { id: string; reason: string }[]
}

const checkText = (page: Page, { id, held, detail }: CheckedOperator['checks'][number]): string =>
  lines(`${sign(page, held ? 'ok' : 'failed')} ${visible(id)}`, held ? undefined : bullets(page, [detail], 4))

/** One line for each reason: a missing socket leaves many checks out. */
const leftOutText = (page: Page, leftOut: CheckedOperator['leftOut']): string => {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))]
  return lines(
    ...reasons.map(reason => {
      const ids = leftOut.filter(one => one.reason === reason).map(({ id }) => id)
      return lines(headline(page, 'warning', safe`Left out: ${ids.join(', ')}.`), bullets(page, [reason], 4))
    }),
  )
}

export const operatorCheckedText = (page: Page, output: CheckedOperator): string => {
  const { ok, deviceId, operatorPackage, checks, held, all, leftOut } = output
  const end = ok
    ? safe`${operatorPackage} on ${deviceId} keeps all ${counted(all, 'rule')} that were checked.`
    : safe`${operatorPackage} on ${deviceId} breaks ${all - held} of ${counted(all, 'rule')} that were checked.`
  return blocks(
    lines(...checks.map(check => checkText(page, check))),
    leftOutText(page, leftOut),
    headline(page, ok ? 'ok' : 'failed', end),
  )
}
