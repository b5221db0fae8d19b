/** A host with the device machine and an operator port that a test scripts; its provisioning says nothing by itself. */
import { CATALOGUE } from '../../../machines/catalogue.ts'
import type { Definition } from '../../../machines/definition.ts'
import type { DeviceEmitted, OperatorInput } from '../../../machines/device/device-setup.ts'
import { NO_TROUBLES, type Troubles } from '../../../src/runtime/background-failures.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { createHost, type Host } from '../../../src/runtime/host.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { deadlinePort, type Port, type PortTools } from '../../../src/runtime/port.ts'
import { reservationPorts } from '../../../src/service/reservations/ports.ts'
import { silentPorts } from '../adb/silent-ports.ts'

export interface DeviceHostOptions {
  journal: Journal
  clock: Clock
  operator: Port<OperatorInput>
  instance?: string
  pid?: number
  started?: string
  troubles?: Pick<Troubles, 'tell'>
  /** Those of this build unless told. */
  definitions?: Readonly<Record<string, Definition>>
}

export const deviceHost = ({
  journal,
  clock,
  operator,
  instance = 'i1',
  pid = 1,
  started,
  troubles = NO_TROUBLES,
  definitions = CATALOGUE,
}: DeviceHostOptions): Host => {
  const host: Host = createHost({
    journal,
    clock,
    definitions,
    ports: {
      device: { operator, deadline: deadlinePort(clock) },
      provision: silentPorts(CATALOGUE.provision.logic),
      ...reservationPorts({ clock, host: () => host, journal: () => journal }),
    },
    holder: { pid, started: started ?? `start-${pid}`, instance },
    troubles,
  })
  return host
}

export const target = (serial = 'd1', ownershipKey?: string) => ({
  id: `device:${serial}`,
  machine: 'device',
  input: { serial },
  note: { executionId: 'noted' },
  ...(ownershipKey === undefined ? {} : { ownershipKey }),
})

export const request = (executionId: string, clock: Clock, more: Record<string, unknown> = {}) => ({
  type: 'execution.requested',
  executionId,
  commandId: `c-${executionId}`,
  taskId: 't1',
  deviceId: 'd1',
  timeoutMs: 30_000,
  acceptUntil: clock.now() + 10_000,
  body: { execution: { commandId: `c-${executionId}` } },
  ...more,
})

/** The emitted event that answers that execution, whether it ran or was refused. */
export const answerFor = (executionId: string) => (emitted: DeviceEmitted) =>
  (emitted.type === 'execution.answered' || emitted.type === 'execution.refused') && emitted.executionId === executionId

/** Dispatches at once and settles at once. */
export const promptOperator: Port<OperatorInput> = async ({ executionId }, { send }) => {
  if (!(await send({ type: 'execution.dispatched', executionId, segment: 0 }))) return
  await send({ type: 'execution.settled', executionId, ok: true, body: { ok: true, executionId } })
}

/** Hands each execution to the test, which decides what the device does. */
export const heldOperator = () => {
  const held: Array<OperatorInput & PortTools> = []
  const operator: Port<OperatorInput> = (input, tools) => {
    held.push({ ...input, ...tools })
  }
  return { held, operator }
}
