/** Ends the processes of scripts that a dead runner of flows has left at work. */
import { FLOW_RUN_ENV } from '../../../contracts/records/ids.ts'
import { markedPids } from '../../../runtime/processes/process-list.ts'
import type { LeftProcessEnders } from '../../../runtime/registry.ts'

const PREFIX = 'flow-run:'

export const leftScriptProcesses: LeftProcessEnders = {
  'flow-run': actor => {
    for (const pid of markedPids({ name: FLOW_RUN_ENV, value: actor.slice(PREFIX.length) })) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
  },
}
