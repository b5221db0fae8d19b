/** Defects of runs of flows that the profile of flows must find, one replaced line each. */
import type { Planted } from '../planted.ts'

export const PLANTED_IN_FLOWS: readonly Planted[] = [
  {
    profile: 'flows',
    law: 1,
    name: 'the executions of a dead process are forgotten',
    file: 'src/flows/run/turns.ts',
    from: 'recorded: recorded?.executionIds ?? [], read: 0',
    to: 'recorded: [], read: 0',
    seed: 9,
  },
  {
    profile: 'flows',
    law: 1,
    name: 'a flow begins anew by itself though a tap of it is in doubt',
    file: 'src/flows/runner-port.ts',
    from: 'const inDoubt = await executionInDoubt(recorded, phones)',
    to: 'const inDoubt = recorded.commands.length < 0 ? await executionInDoubt(recorded, phones) : undefined',
    seed: 3,
  },
  {
    profile: 'flows',
    law: 1,
    name: 'a request that was begun is sent again',
    file: 'src/flows/run/script-calls.ts',
    from: '    if (open && !isOther) throw requestInDoubt(open)\n',
    to: '',
    seed: 17,
  },
  {
    profile: 'flows',
    law: 2,
    name: 'a command that was never sent counts as done',
    file: 'src/flows/run/call-phone.ts',
    from: "  if (lastDone === -1) return { kind: 'open', steps }\n",
    to: '',
    seed: 6,
  },
  {
    profile: 'flows',
    law: 3,
    name: 'the next process does not perform what ran when the last one died',
    file: 'src/flows/runner-port.ts',
    from: '    for (const assignment of running) begin(assignment)\n',
    to: '',
    seed: 1,
  },
]
