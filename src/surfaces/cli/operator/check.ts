/** `svc operator check`: asks for every rule of the protocol of an operator app, and prints which it keeps. */

import { isBuiltInOperator } from '../../../contracts/device/operator.ts'
import { isPackageName } from '../../../contracts/device/package-name.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { blocks, bullets, counted, headline, lines } from '../text/layout.ts'
import { type Page, sign } from '../text/page.ts'
import { safe, visible } from '../text/visible.ts'
import { operatorCall } from './operator.ts'

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

export const check = async (call: CommandContext): Promise<CommandResult> => {
  const operatorPackage = packageOf(call)
  const operators = await (await call.services()).operators()
  const result = await operators.check({ ...operatorCall(call), operatorPackage })
  if (!result.ok) return { ok: false, output: result.error }
  return { ok: true, output: result.value, ...(result.value.ok ? {} : { exits: 1 as const }) }
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
