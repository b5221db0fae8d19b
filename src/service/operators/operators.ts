/** Requests about the operators of a device: the helpers of svc.uiautomator, and the check of an operator app. */
import { failure } from '../../contracts/failures/failures.ts'
import { OPERATOR_ASK_MS } from '../../contracts/limits/limits.ts'
import type { Links } from '../../device/link/links.ts'
import { runChecks, VECTORS } from '../../device/operators/check/run-checks.ts'
import { traitsOf } from '../../device/operators/traits.ts'
import type { Ids } from '../../runtime/ids.ts'
import { failed, success } from '../service.ts'
import { type HelperDeps, helperRequests } from './helpers.ts'
import { notInteractive, type OperatorCall, onOwnedDevice } from './owned-device.ts'

interface RequestDeps extends HelperDeps {
  ids: Ids
  links(): Pick<Links, 'get'>
}

export type OperatorRequests = ReturnType<typeof createOperatorRequests>

export const createOperatorRequests = (deps: RequestDeps) => ({
  helpers: helperRequests(deps),
  /** An operator app is asked every rule of its protocol. */
  check: (call: OperatorCall & { operatorPackage: string }) =>
    onOwnedDevice(deps, { ...call, commandId: 'operator-check' }, async device => {
      const { clock, ids, links, note } = deps
      const { operatorPackage, signal } = call
      const { deviceId, link, within } = device
      if (!(await traitsOf(operatorPackage).isInstalled(link, within(OPERATOR_ASK_MS)))) {
        return failed(
          failure('OPERATOR_NOT_INSTALLED', `${operatorPackage} is not installed on ${deviceId}.`, {
            details: { deviceId, operatorPackage },
            hint: 'Install the APK of your operator app with `svc apps install <apk>`; svc itself has none.',
          }),
        )
      }
      const asleep = await notInteractive(clock, device)
      if (asleep) return failed(asleep)
      note(`${deviceId}: ${VECTORS.length} checks of ${operatorPackage}, which take about a minute`)
      const openLink = (options: Parameters<Links['get']>[1]) => links().get(deviceId, options)
      const report = await runChecks({ clock, ids, operatorPackage, signal, openLink })
      return success({ ok: report.held === report.all, deviceId, operatorPackage, ...report })
    }),
})
