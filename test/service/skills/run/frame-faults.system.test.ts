/** Frames as real children print them: whole, damaged, cut anywhere, in any encoding. */
import { describe, expect, test } from 'vitest'
import { createSkillLab, frameOf, MARKER } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-frames-')
const lab = () => createSkillLab(folder())

const J = JSON.stringify(frameOf())
const printing = (stdout: string) => lab().js(`process.stdout.write(${JSON.stringify(stdout)})`)

describe('a child whose frame is at fault', () => {
  test.each([
    ['output after it', `${MARKER}\n${J}\nbye\n`, 'after the JSON object'],
    ['a NUL inside it', `${MARKER}\n${J.replace('done', 'd\0ne')}\n`, 'control character'],
    ['a source of its own', `${MARKER}\n${JSON.stringify(frameOf({ source: { kind: 'script' } }))}\n`, 'source'],
    ['the id of another skill', `${MARKER}\n${JSON.stringify(frameOf({ skillId: 'a.b' }))}\n`, '"a.b"'],
    [
      'a version of its own',
      `${MARKER}\n${JSON.stringify(frameOf({ contractVersion: '2.0.0' }))}\n`,
      'contractVersion',
    ],
    ['15,000 levels', `${MARKER}\n${J.replace('[]', `${'['.repeat(15_000)}${']'.repeat(15_000)}`)}\n`, 'nested'],
  ])('%s', async (_name, stdout, said) => {
    const finished = await printing(stdout)
    expect(finished.error).toMatchObject({
      code: 'SKILL_RESULT_PARSE_FAILED',
      message: expect.stringContaining(said),
    })
    expect(finished).toMatchObject({ skillResult: null, captured: { stdout } })
  })
})

test('a fault is named without repeating megabytes of it', async () => {
  const finished = await lab().js(`
    const frame = { ...${J}, status: 'x'.repeat(3_000_000) }
    console.log('${MARKER}\\n' + JSON.stringify(frame))
  `)
  expect(finished.error?.message).toMatch(/status: Invalid type.*"x+\.\.\.$/)
  expect(finished.error?.message.length).toBeLessThan(2_010)
  expect(finished.captured?.stdout.length).toBeGreaterThan(3_000_000)
})

test('UTF-8 that arrives split at every byte is whole', async () => {
  const text = 'é 漢字 \u{1f600} ñ'
  const stdout = `${text}\n${MARKER}\n${JSON.stringify(frameOf({ result: { kind: 'text', text } }))}\n`
  const finished = await lab().js(`
    const bytes = Buffer.from(${JSON.stringify(stdout)})
    let at = 0
    const next = () => {
      if (at >= bytes.length) return
      process.stderr.write(bytes.subarray(at, at + 1))
      process.stdout.write(bytes.subarray(at, ++at), () => setImmediate(next))
    }
    next()
  `)
  expect(finished).toMatchObject({ captured: { stdout, stderr: stdout }, skillResult: { result: { text } } })
})

test('bytes that are not UTF-8 are replaced, and nothing breaks', async () => {
  const finished = await lab().js('process.stdout.write(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xe6, 0xbc]))')
  expect(finished).toMatchObject({ status: 'success', captured: { stdout: 'a\ufffd\ufffdb\ufffd' } })
})
