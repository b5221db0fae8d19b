/** Makes skills one after the other in a registry that others change at the same time, stating each answer on a line. */
import { writeSync } from 'node:fs'
import { pause, systemClock } from '../../src/runtime/clock.ts'
import { withRegistryLock } from '../../src/service/skills/registry/change.ts'
import { newSkill } from '../../src/service/skills/scaffold/new-skill.ts'

const [registry = '', prefix = 'a.b', count = '1', mode = 'make'] = process.argv.slice(2)
const STDOUT = 1
const HOLD_MS = 60_000
const clock = systemClock()
/** At once and whole, so that what was said before a kill is known. */
const say = (fact: unknown) => writeSync(STDOUT, `${JSON.stringify(fact)}\n`)

writeSync(STDOUT, 'ready\n')
if (mode === 'hold') {
  await withRegistryLock({ path: registry, clock }, async () => {
    say({ holding: process.pid })
    await pause(clock, HOLD_MS)
  })
} else {
  for (let index = 0; index < Number(count); index++) {
    const result = await newSkill({ registry, cwd: '/', home: '/', clock, skillId: `${prefix}-${index}` })
    say(result.ok ? { made: result.output.skillId } : { refused: result.error.code, message: result.error.message })
  }
}
