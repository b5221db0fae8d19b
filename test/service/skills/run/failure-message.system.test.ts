/** The message of a failed run: what failed first, then the skill's own reason, for the CLI and for HTTP alike. */
import { describe, expect, test } from 'vitest'
import { SKILL_REASON_CHARS_MAX } from '../../../../src/contracts/limits/limits.ts'
import { runAnswer, runOutcome } from '../../../../src/service/skills/run/run-answer.ts'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { createSkillLab, type LabRun, MARKER, printFrame, whenSaid } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-messages-')
const lab = () => createSkillLab(folder())

const contract = { inputs: { level: 'integer' }, verification: { kind: 'node_text_matches', matcher: 'Level {level}' } }
const declares = { skillJson: { contract } }
const failedAt = (note: string) => ({ status: 'failed', checkpoints: [{ id: 'row', status: 'failed', note }] })
const SAYS_NOTE = 'The skill says: no row Battery'

const messageOf = async (script: string, more: LabRun = {}, skill = {}): Promise<string> => {
  const finished = await lab().sh(script, more, skill)
  const { body } = runAnswer(finished)
  const message = finished.error?.message ?? ''
  expect(runOutcome(finished)).toMatchObject({ message })
  expect(body).toMatchObject(body.ok === false ? { error: { message } } : { message })
  return message
}

describe('a frame explains', () => {
  const frame = printFrame(failedAt('no row Battery'))
  test.each([
    [
      'a script that exits non-zero',
      `echo noise >&2; ${frame}\nexit 4`,
      {},
      {},
      `The script of com.lab.do exited with 4. ${SAYS_NOTE}`,
    ],
    ['a domain failure', frame, { args: ['22'] }, declares, `Skill com.lab.do reports that it failed. ${SAYS_NOTE}`],
    [
      'an assertion',
      frame,
      { expectContains: 'none' },
      {},
      `The output of com.lab.do does not contain "none". ${SAYS_NOTE}`,
    ],
  ])('%s', async (_name, script, more, skill, message) => {
    expect(await messageOf(script, more, skill)).toBe(message)
  })

  test('what was not proved', async () => {
    const frame = { terminalVerification: { status: 'failed', note: 'still 21' }, inputs: { level: 22 } }
    expect(await messageOf(printFrame(frame), { args: ['22'] }, declares)).toMatch(
      /^Declared verification was not proved: .*not verified\. The skill says: still 21$/,
    )
  })
})

describe('without a note, the last line of stderr explains', () => {
  test('a script that exits non-zero, with and without a frame', async () => {
    const said = 'The script of com.lab.do exited with 3. Last line of stderr: no phone'
    expect(await messageOf('echo first >&2; echo "no phone" >&2; exit 3')).toBe(said)
    expect(await messageOf(`echo "no phone" >&2; ${printFrame({ status: 'failed' })}\nexit 3`)).toBe(said)
  })

  test('a script that a signal ended', async () => {
    expect(await messageOf('echo "no phone" >&2; kill -SEGV $$')).toBe(
      'The script of com.lab.do was ended by SIGSEGV. Last line of stderr: no phone',
    )
  })

  test('a malformed frame', async () => {
    expect(await messageOf(`echo "no phone" >&2; echo '${MARKER}'; echo '{'`)).toMatch(
      /^The terminal frame of com\.lab\.do is malformed or untrusted: .*\. Last line of stderr: no phone$/,
    )
  })

  test('a timeout', async () => {
    const clock = jumpingClock()
    const finished = await createSkillLab(folder(), { clock }).sh('echo "waits for the row" >&2; exec sleep 60', {
      timeoutMs: 60_000,
      onOutput: whenSaid('row', () => clock.jump(60_000)),
    })
    expect(finished.error?.message).toBe(
      'Skill com.lab.do did not end within its timeout of 60000 ms. Last line of stderr: waits for the row',
    )
  })

  test('an error that a script of Node did not catch', async () => {
    const finished = await lab().js("console.error('warming up'); throw new Error('no row Battery')")
    expect(finished.error?.message).toBe(
      'The script of com.lab.do exited with 1. Last line of stderr: Error: no row Battery',
    )
  })
})

test('a reason is short, and harmless where it is shown', async () => {
  const message = await messageOf(`printf '\\033[31mx%02000d\\033[0m\\n' 0 >&2; exit 1`)
  const [start, reason = ''] = message.split('Last line of stderr: ')
  expect(start).toBe('The script of com.lab.do exited with 1. ')
  expect(reason).toMatch(/^x0+…$/)
  expect(reason).toHaveLength(SKILL_REASON_CHARS_MAX)
})

test('a script that says nothing has no reason, and neither has one that the caller cancelled', async () => {
  expect(await messageOf('exit 3')).toBe('The script of com.lab.do exited with 3.')
  const cancel = new AbortController()
  const finished = await lab().sh('echo working >&2; exec sleep 60', {
    cancel: cancel.signal,
    onOutput: whenSaid('working', () => cancel.abort('SIGINT')),
  })
  expect(finished.error?.message).toBe('Skill com.lab.do was cancelled by SIGINT.')
})
