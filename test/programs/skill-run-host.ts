/** A host on a real journal: `run` starts a skill that goes on for ever, `recover` settles what a dead one left. */
import { systemClock } from '../../src/runtime/clock.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive, startOf, thisProcess } from '../../src/runtime/processes/processes.ts'
import { endOrphans } from '../../src/service/skills/run/child-processes.ts'
import { createSkillLab } from '../support/skills/skill-lab.ts'

const [mode = '', path = '', folder = '', pidFile = ''] = process.argv.slice(2)
const clock = systemClock()
const journal = openJournal({ path, alive: isAlive, clock })
const ended: string[] = []
const end = endOrphans(journal, isAlive)
const lab = createSkillLab(folder, {
  clock,
  journal,
  holder: { ...thisProcess(), instance: `host-${process.pid}` },
  endLeftOvers: {
    'skill-run': actor => {
      if (end(actor)) ended.push(actor)
    },
  },
})

if (mode === 'run') {
  // Ignores the loss of its stdout, as a skill that prints nothing does.
  const sentAway = `sh -c 'echo $$ > ${pidFile}.away; exec sleep 60'`
  await lab.sh(
    `setsid ${sentAway} >/dev/null 2>&1 & echo $$ > ${pidFile}; trap '' TERM HUP PIPE; while :; do sleep 0.05; done`,
    { system: { startOf } },
  )
} else {
  const recovered = await lab.host.recover()
  process.stdout.write(JSON.stringify({ recovered, ended }))
}
await lab.host.stop({ graceMs: 1_000 })
journal.close()
