/** One run of each outcome, through the command line and over HTTP alike; the run itself is asked for all of them. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { perTest } from '../../../support/per-test.ts'
import { createSkillLab, frameOf, MARKER, printFrame } from '../../../support/skills/skill-lab.ts'
import { failed, type Row, runRow, SKILL } from '../../../support/skills/skill-rows.ts'
import { startSurfaces } from '../../../support/skills/skill-surfaces.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-surfaces-')

/** A home with its skills, and both surfaces over it. */
const startPlace = async () => {
  const home = mkdtempSync(join(folder(), 'home-'))
  const lab = createSkillLab(home)
  const surfaces = await startSurfaces({ home, registry: lab.registryPath })
  return { lab, surfaces, close: surfaces.close }
}

let place: Awaited<ReturnType<typeof startPlace>>
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.close())

const SLOW_MS = 3_000

const contract = { inputs: { level: 'integer' }, verification: { kind: 'node_text_matches', matcher: 'Level {level}' } }
const declares = { entry: { contract }, skillJson: { contract } }
const verified = (text = 'Level 22') => ({
  inputs: { level: 22 },
  terminalVerification: { status: 'verified', observed: { kind: 'text', text } },
})

const ROWS: Row[] = [
  {
    name: 'exit 0, a valid frame, the declared verification proved',
    script: printFrame(verified()),
    skill: declares,
    asked: { args: ['--level', '22'] },
    says: { status: 'success' },
  },
  {
    name: 'exit 0, no frame',
    script: 'echo hello; echo there >&2',
    asked: { timeoutMs: 30_000, expectContains: 'hello' },
    says: {
      status: 'success',
      skillId: SKILL,
      output: 'hello\n',
      exitCode: 0,
      skillResult: null,
      timeoutMs: 30_000,
      expectedSubstring: 'hello',
    },
  },
  {
    name: 'exit 0, declared verification not proved',
    script: printFrame(verified('Level 21')),
    skill: declares,
    asked: { args: ['--level=22'] },
    says: { status: 'indeterminate', code: 'SKILL_VERIFICATION_INDETERMINATE', skillResult: { status: 'success' } },
    httpStatus: 200,
  },
  {
    name: 'a non-zero exit',
    script: `echo out; echo err >&2; ${printFrame({ status: 'failed' })}\nexit 3`,
    says: failed('SKILL_EXECUTION_FAILED', {
      skillId: SKILL,
      exitCode: 3,
      stdout: expect.stringMatching(/^out\n/),
      stderr: 'err\n',
      skillResult: { status: 'failed' },
    }),
  },
  {
    name: 'an expected text that is absent',
    script: `echo hello; echo wanted >&2; ${printFrame()}`,
    asked: { expectContains: 'wanted' },
    says: failed('SKILL_OUTPUT_ASSERTION_FAILED', {
      skillId: SKILL,
      output: expect.stringMatching(/^hello\n/),
      expectedSubstring: 'wanted',
      skillResult: { status: 'success' },
    }),
  },
]

const J = JSON.stringify(frameOf())
const HUNDRED_MB = 100 * 1_024 * 1_024
const HARD: Row[] = [
  {
    name: '100 MB of output before the frame',
    js: true,
    script: `
      const block = ('x'.repeat(1023) + '\\n').repeat(256)
      let left = ${HUNDRED_MB} / block.length
      const more = () => {
        while (left-- > 0) if (!process.stdout.write(block)) return process.stdout.once('drain', more)
        process.stdout.write('needle\\n' + ${JSON.stringify(`${MARKER}\n${J}\n`)})
      }
      more()`,
    asked: { expectContains: 'needle' },
    says: { status: 'success', skillResult: { status: 'success' } },
  },
  {
    name: 'a child and its child that ignore SIGTERM',
    script: `trap '' TERM; sh -c 'trap "" TERM; echo $$ >> PIDS; while :; do sleep 0.1; done' & while :; do sleep 0.1; done`,
    asked: { timeoutMs: SLOW_MS },
    says: failed('SKILL_EXECUTION_TIMEOUT', { exitCode: null, timeoutMs: SLOW_MS }),
  },
]

/** Waited out, so each has a place of its own and they wait together. */
const isSlow = ({ asked }: Row) => asked?.timeoutMs === SLOW_MS

describe.concurrent('what lasts', () => {
  const ownPlace = perTest(startPlace)
  test.each([...ROWS, ...HARD].filter(isSlow))('$name', async row => {
    const own = await ownPlace()
    await runRow(row, own.lab, own.surfaces)
  })
})

describe.each([
  ['the outcome table', ROWS],
  ['hard children', HARD],
])('%s', (_group, rows) => {
  test.each(rows.filter(row => !isSlow(row)))('$name', row => runRow(row, place.lab, place.surfaces))
})
