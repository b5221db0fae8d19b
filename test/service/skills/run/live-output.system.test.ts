/** What a person sees while a skill runs: everything, as it comes, but for the frame. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LiveOutput } from '../../../../src/service/skills/run/request.ts'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { createSkillLab, MARKER, printFrame, whenSaid } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-live-')

const watch = async (script: string) => {
  const skills = createSkillLab(folder())
  const seen: LiveOutput[] = []
  const finished = await skills.sh(script, { onOutput: output => seen.push(output) })
  const of = (stream: string) =>
    seen
      .filter(output => output.stream === stream)
      .map(({ text }) => text)
      .join('')
  return { finished, stdout: of('stdout'), stderr: of('stderr') }
}

test('the frame is held back', async () => {
  const { finished, stdout, stderr } = await watch(`echo hello; echo oops >&2; printf 'tail'; echo; ${printFrame()}`)
  expect(finished.skillResult).toMatchObject({ status: 'success' })
  expect({ stdout, stderr }).toEqual({ stdout: 'hello\ntail\n', stderr: 'oops\n' })
  expect(finished.captured?.stdout).toContain(MARKER)
})

test('a frame that is none is shown after all', async () => {
  const { finished, stdout } = await watch(printFrame({ source: { kind: 'script' } }))
  expect(finished.error?.code).toBe('SKILL_RESULT_PARSE_FAILED')
  expect(stdout).toBe(finished.captured?.stdout)
})

test('what was held back at the timeout is shown too', async () => {
  const clock = jumpingClock()
  const skills = createSkillLab(folder(), { clock })
  const seen: string[] = []
  const jump = whenSaid('begun', () => clock.jump(60_000))
  const finished = await skills.sh(`echo '${MARKER}'; sleep 0.1; echo begun >&2; exec sleep 60`, {
    timeoutMs: 60_000,
    onOutput: output => {
      if (output.stream === 'stdout') seen.push(output.text)
      jump?.(output)
    },
  })
  expect(finished.error?.code).toBe('SKILL_EXECUTION_TIMEOUT')
  expect(seen.join('')).toBe(`${MARKER}\n`)
})

test('output is seen while the child still runs, a line that is not finished too', async () => {
  const skills = createSkillLab(folder())
  const go = join(skills.root, 'go')
  const seen: string[] = []
  const finished = await skills.sh(`printf 'working'; while [ ! -e ${go} ]; do sleep 0.05; done; echo ' done'`, {
    onOutput: ({ text }) => {
      seen.push(text)
      if (!existsSync(go)) writeFileSync(go, '')
    },
  })
  expect(finished.status).toBe('success')
  expect(seen).toEqual(['working', ' done\n'])
})

test('a listener that breaks does not break the run', async () => {
  const skills = createSkillLab(folder())
  let heard = 0
  const onOutput = () => {
    heard += 1
    throw new Error('the pipe is closed')
  }
  expect(await skills.sh('echo a; sleep 0.1; echo b', { onOutput })).toMatchObject({
    status: 'success',
    captured: { stdout: 'a\nb\n' },
  })
  expect(heard).toBe(1)
})
