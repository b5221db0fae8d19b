/** The runner of flows for a host that may never run one: loaded when the first is asked for. */
import { once } from '../runtime/once.ts'
import { deadlinePort, type Ports } from '../runtime/port.ts'
import type { FlowParts, FlowRunner } from './flows.ts'

export const lateFlows = (parts: FlowParts) => {
  const runner = once(async (): Promise<FlowRunner> => (await import('./flows.ts')).createFlowParts(parts))
  const port =
    (name: keyof FlowRunner['ports']): Ports[string] =>
    async (input, tools) =>
      (await runner()).ports[name](input, tools)
  return {
    ports: {
      'flow-run': { stage: port('stage') },
      'test-run': { plan: port('plan'), runner: port('runner'), deadline: deadlinePort(parts.clock) },
    },
    testRuns: async () => (await runner()).testRuns,
  }
}
