/** The script of a recorded skill and its arguments: what it does not know, it refuses before it touches a phone. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { SKILL_RESULT_MARKER } from '../../../../src/contracts/skills/skill-result.ts'
import { replayJs } from '../../../../src/service/skills/record/templates/replay-js.ts'
import { plainEnv } from '../../../support/run-program.ts'
import { temporary } from '../../../support/temporary.ts'

const ID = 'com.example.shop.buy'
const folder = temporary('svc-replay-')
let script = ''
beforeAll(() => {
  script = join(folder(), 'run.js')
  const inputs = ['what', 'shipTo'].map(name => ({ name, variable: name.toUpperCase() }))
  writeFileSync(script, replayJs({ skillId: ID, registryFile: 'r.json', recipes: ['buy'], inputs, verification: null }))
})

/** No svc is there: a run whose arguments fit ends with that, and its frame has the inputs. */
const ran = (args: readonly string[]) => {
  const env = { ...plainEnv(), SVC_BIN: '/nowhere/svc', SVC_DEVICE_ID: 'phone' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'phone', ...args], { env, encoding: 'utf8' })
  const frame = JSON.parse(stdout.split(`${SKILL_RESULT_MARKER}\n`)[1] ?? '') as { inputs: Record<string, string> }
  return { status, stderr, inputs: frame.inputs }
}

test.each([
  ['an unknown flag', ['--bogus', '1', 'tea', 'home'], '--bogus'],
  ['a mistyped flag', ['--waht', 'coffee', 'tea', 'home'], 'Did you mean --what?'],
  ['a mistyped flag with =', ['--ship_to=home', 'tea'], 'Did you mean --ship-to?'],
  ['a word too many', ['tea', 'home', 'Hunter2'], '1 more'],
  ['a word beside flags for all inputs', ['--what', 'tea', '--ship-to', 'home', 'Hunter2'], '1 more'],
  ['a flag without a value', ['tea', 'home', '--what'], '--what has no value'],
  ['too few words', ['tea'], 'a value is missing'],
])('refuses %s', (_name, args, said) => {
  const { status, stderr, inputs } = ran(args)
  expect([status, inputs]).toEqual([1, {}])
  expect(stderr).toContain(said)
  expect(stderr).not.toMatch(/Hunter2|\/nowhere/)
})

test.each([
  ['words in the order of the names', ['home', 'tea']],
  ['flags', ['--what', 'tea', '--ship-to=home']],
  ['the last of a repeated flag', ['--what=coffee', 'home', '--what', 'tea']],
  ['words after --', ['--what=tea', '--', 'home']],
])('reads %s', (_name, args) => {
  const { stderr, inputs } = ran(args)
  expect(inputs).toEqual({ what: 'tea', shipTo: 'home' })
  expect(stderr).toContain('/nowhere/svc')
})
