/** Every row of the contract's outcome table and every fault of a frame, through the command line and over HTTP alike. */
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
    name: 'exit 0, a valid frame',
    script: `echo hello; ${printFrame()}`,
    says: { status: 'success', skillResult: { ...frameOf(), source: { kind: 'script' } } },
  },
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
    name: 'exit 0 without any frame, though a verification is declared',
    script: 'echo hello',
    skill: declares,
    asked: { args: ['22'] },
    says: { status: 'indeterminate', code: 'SKILL_VERIFICATION_INDETERMINATE', skillResult: null },
    httpStatus: 200,
  },
  {
    name: 'an untrusted frame',
    script: printFrame({ source: { kind: 'script' } }),
    says: failed('SKILL_RESULT_PARSE_FAILED', { skillResult: null, exitCode: 0 }),
  },
  {
    name: 'a domain failure with a declared verification',
    script: printFrame({ status: 'failed' }),
    skill: declares,
    asked: { args: ['22'] },
    says: failed('SKILL_EXECUTION_FAILED', { exitCode: 0, skillResult: { status: 'failed' } }),
  },
  {
    name: 'a domain failure without one stays visible',
    script: printFrame({ status: 'failed' }),
    says: { status: 'success', skillResult: { status: 'failed' } },
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
    name: 'a signal',
    script: 'kill -SEGV $$',
    says: failed('SKILL_EXECUTION_FAILED', { exitCode: null, message: expect.stringContaining('SIGSEGV') }),
  },
  {
    name: 'a child that cannot be spawned',
    script: '',
    skill: { files: { 'scripts/run.sh': '#!/no/such/interpreter\n' } },
    says: failed('SKILL_EXECUTION_FAILED', { message: expect.stringContaining('could not be started') }),
  },
  {
    name: 'a timeout, its partial output kept',
    script: 'echo partial; exec sleep 60',
    asked: { timeoutMs: SLOW_MS },
    says: failed('SKILL_EXECUTION_TIMEOUT', {
      message: expect.stringContaining(`${SLOW_MS} ms`),
      stdout: 'partial\n',
      timeoutMs: SLOW_MS,
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
const printed = (name: string, stdout: string, says: Record<string, unknown>): Row => ({
  name,
  js: true,
  script: `process.stdout.write(${JSON.stringify(stdout)})`,
  says,
})
const malformed = (name: string, stdout: string): Row =>
  printed(`a frame with ${name}`, stdout, failed('SKILL_RESULT_PARSE_FAILED', { stdout, skillResult: null }))
const whole = (name: string, stdout: string): Row =>
  printed(`a frame ${name}`, stdout, { status: 'success', skillResult: { status: 'success' } })

const FRAMES: Row[] = [
  whole('without a final newline', `hi\n${MARKER}\n${J}`),
  whole('with CRLF', `hi\r\n${MARKER}\r\n${J}\r\n`),
  whole('after NUL bytes', `\0\0\n${MARKER}\n${J}\n`),
  malformed('a NUL byte inside', `${MARKER}\n${J.replace('done', 'd\0ne')}\n`),
  malformed('output after it', `${MARKER}\n${J}\nbye\n`),
  malformed('a second one', `${MARKER}\n${J}\n${MARKER}\n${J}\n`),
  malformed('its marker behind other text', `hi ${MARKER}\n${J}\n`),
  malformed('a marker alone', `hi\n${MARKER}\n`),
  malformed('malformed JSON', `${MARKER}\n${J.slice(0, -1)}\n`),
  malformed('text that is no object before the JSON', `${MARKER}\nDone:\n${J}\n`),
  malformed('the id of another skill', `${MARKER}\n${JSON.stringify(frameOf({ skillId: 'a.b' }))}\n`),
  malformed('a version of its own', `${MARKER}\n${JSON.stringify(frameOf({ contractVersion: '2.0.0' }))}\n`),
]

const utf8 = 'é 漢字 \u{1f600} ñ'
const HUNDRED_MB = 100 * 1_024 * 1_024
const HARD: Row[] = [
  {
    name: 'UTF-8 that is split at every byte',
    js: true,
    script: `
      const bytes = Buffer.from(${JSON.stringify(`${utf8}\n${MARKER}\n${JSON.stringify(frameOf({ result: { kind: 'text', text: utf8 } }))}\n`)})
      let at = 0
      const next = () => { if (at < bytes.length) process.stdout.write(bytes.subarray(at, ++at), () => setImmediate(next)) }
      next()`,
    says: { status: 'success', skillResult: { result: { kind: 'text', text: utf8 } } },
  },
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
  {
    name: 'a grandchild that was sent away and keeps stdout open',
    js: true,
    script: `
      const away = require('node:child_process').spawn('sleep', ['20'], { detached: true, stdio: ['ignore', 1, 2] })
      away.unref()
      console.log('begun')
      setInterval(() => {}, 1000)`,
    asked: { timeoutMs: SLOW_MS },
    says: failed('SKILL_EXECUTION_TIMEOUT', { stdout: 'begun\n' }),
  },
  {
    name: 'a timeout of 2^31 ms, which is not now',
    script: 'sleep 0.2; echo done',
    asked: { timeoutMs: 2 ** 31 },
    says: { status: 'success', output: 'done\n', timeoutMs: 2 ** 31 },
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
  ['frames', FRAMES],
  ['hard children', HARD],
])('%s', (_group, rows) => {
  test.each(rows.filter(row => !isSlow(row)))('$name', row => runRow(row, place.lab, place.surfaces))
})
