/** `npm run mutation -- machines wire`: plants faults in these areas, one after the other, and reports which no test noticed. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { AREAS } from './areas.js'

const FLAGS = /** @type {const} */ ({
  allowPositionals: true,
  options: {
    /** One fault in so many is planted. */
    'one-in': { type: 'string', default: '1' },
    /** Files or lines in the place of those of the area: machines/session/session.ts:10-40. */
    mutate: { type: 'string' },
    /** Tests in the place of those of the area. */
    tests: { type: 'string' },
  },
})

/** The last versions for Node 20, as in CONTRIBUTING.md. */
const INSTALL = 'npm install --no-save @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1'

/** @type {(message: string) => never} */
const refuse = message => {
  console.error(message)
  process.exit(2)
}

const given = () => {
  try {
    return parseArgs(FLAGS)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const { values, positionals } = given()

if (!/^[1-9]\d*$/.test(values['one-in']))
  refuse(`--one-in takes a whole number from 1 on, not ${JSON.stringify(values['one-in'])}.`)
if (positionals.length === 0 || positionals.some(name => !(name in AREAS)))
  refuse(`Name one or more areas: ${Object.keys(AREAS).join(', ')}.`)

/** @type {(name: string) => boolean} */
const isPlanted = name => {
  const { mutate = [], tests = [] } = AREAS[name] ?? {}
  const oneIn = values['one-in']
  const env = {
    ...process.env,
    SVC_MUTATION_AREA: oneIn === '1' ? name : `${name}-one-in-${oneIn}`,
    SVC_MUTATION_ONE_IN: oneIn,
    SVC_MUTATION_TESTS: values.tests ?? tests.join(' '),
  }
  const { status, error } = spawnSync(
    'stryker',
    ['run', 'test/mutation/stryker.config.js', '--mutate', values.mutate ?? mutate.join(',')],
    {
      stdio: 'inherit',
      env,
    },
  )
  if (error) console.error(`Cannot start StrykerJS: ${error.message}. Install it: ${INSTALL}`)
  return status === 0
}

process.exit(positionals.filter(name => !isPlanted(name)).length === 0 ? 0 : 1)
