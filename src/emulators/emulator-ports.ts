/** The ports of the machine `emulator`: each does one phase with the tools of the SDK and says what came of it. */
import type { ObserveInput } from '../../machines/emulator-context.ts'
import { deadlinePort } from '../runtime/deadline.ts'
import type { Port, Ports } from '../runtime/port.ts'
import { avdPorts } from './avd-ports.ts'
import type { EmulatorDeps } from './deps.ts'
import { failedWith } from './failure.ts'
import { observeAvd } from './observe.ts'
import { repairLeftovers } from './repair.ts'
import { startPorts } from './start-ports.ts'

export const emulatorPorts = (deps: EmulatorDeps): Ports => {
  const observe: Port<ObserveInput> = async (input, tools) => {
    const { avdName, cut, requestId } = input
    if (cut) await tools.send({ type: 'leftovers.repaired', ...(await repairLeftovers(input, cut, deps)) })
    const seen = await observeAvd(avdName, deps, { signal: tools.signal, requestId })
    if (!seen.ok) return failedWith(tools, seen.failure)
    await tools.send({ type: 'avd.observed', finding: seen.finding, serial: seen.serial })
  }

  return { observe, ...avdPorts(deps), ...startPorts(deps), deadline: deadlinePort(deps.clock) as Port }
}
