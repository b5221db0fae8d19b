/** The ports of the skill-run machine, for the host. */
import { deadlinePort } from '../../runtime/deadline.ts'
import type { Ports } from '../../runtime/port.ts'
import { childPort } from './child-port.ts'
import { type GatePortDeps, gatePort } from './gate.ts'

export const skillRunPorts = (deps: GatePortDeps): Ports => ({
  gate: gatePort(deps),
  child: childPort(deps),
  deadline: deadlinePort(deps.clock),
})
