/** Files of one machine for a phone of another: they are sent along, and what is pulled comes back, through every door. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporary } from '../support/temporary.ts'
import { type Asked, execute, executionOf, rawOf, throughAll } from './doors.ts'
import { fleetOfTests } from './doors-fleet.ts'

const fleet = fleetOfTests()
const folder = temporary('svc-fleet-files-')
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const CONTENT = randomBytes(700_000)

/** The tools name files of the host only where it was told so. */
const OPEN_DOORS = ['HTTP', 'CLI']

const through = (doors: readonly string[], ask: () => Asked) =>
  throughAll(Object.fromEntries(Object.entries(fleet().doors).filter(([name]) => doors.includes(name))), ask)

const there = (...actions: object[]) => execute(executionOf(actions), fleet().there)
const push = (from: string, to: string) => ({ id: 'push', type: 'push_file', params: { from, to } })
const pull = (from: string, to: string) => ({ id: 'pull', type: 'pull_file', params: { from, to, overwrite: true } })

const stepsOf = (raw: Record<string, unknown>) => {
  if (raw.envelope === undefined) throw new Error(JSON.stringify(raw))
  return (raw.envelope as { stepResults: { success: boolean; data: Record<string, string> }[] }).stepResults
}

describe('a file', () => {
  test.each(OPEN_DOORS)('goes there and comes back by %s', async door => {
    const from = join(folder(), `${door} of ours.bin`)
    const to = join(folder(), `${door} back.bin`)
    writeFileSync(from, CONTENT)
    const answers = await through([door], () =>
      there(push(from, `/sdcard/${door}.bin`), pull(`/sdcard/${door}.bin`, to)),
    )
    const [pushed, pulled] = stepsOf(rawOf(answers, door))
    expect(pushed).toMatchObject({ success: true, data: { path: `/sdcard/${door}.bin`, sha256: digestOf(CONTENT) } })
    expect(pulled).toMatchObject({ success: true, data: { path: to, sha256: digestOf(CONTENT) } })
    expect(readFileSync(to).equals(CONTENT)).toBe(true)
  })

  test('that is not there is told before anything reaches the phone', async () => {
    const answers = await through(OPEN_DOORS, () => there(push(join(folder(), 'nothing'), '/sdcard/x')))
    for (const door of OPEN_DOORS)
      expect(answers[door]).toMatchObject({ code: 'FILE_NOT_FOUND', dispatched: false, sent: 0 })
  })

  test('that cannot be written here is told before anything reaches the phone', async () => {
    const to = join(folder(), 'no folder', 'x')
    const answers = await through(OPEN_DOORS, () => there(pull('/sdcard/x', to)))
    for (const door of OPEN_DOORS)
      expect(answers[door]).toMatchObject({ code: 'FILE_NOT_FOUND', dispatched: false, sent: 0 })
  })

  test('is not named by the tools of another machine', async () => {
    const answers = await through(['MCP'], () => there(push('/etc/hostname', '/sdcard/x')))
    expect(answers.MCP).toMatchObject({ code: 'FILE_REFUSED', dispatched: false, sent: 0 })
  })
})

describe('a folder', () => {
  test.each(OPEN_DOORS)('goes there and comes back by %s', async door => {
    const from = join(folder(), `${door} album`)
    mkdirSync(join(from, 'summer', 'empty'), { recursive: true })
    writeFileSync(join(from, 'a.txt'), 'A')
    writeFileSync(join(from, 'summer', "it's.txt"), 'B')
    const to = join(folder(), `${door} copy`)
    const answers = await through([door], () => there(push(from, `/sdcard/${door}`), pull(`/sdcard/${door}`, to)))
    const [pushed, pulled] = stepsOf(rawOf(answers, door))
    expect(pushed).toMatchObject({ success: true, data: { files: '2' } })
    expect(pulled).toMatchObject({ success: true, data: { path: to, files: '2', sha256: pushed?.data.sha256 } })
    expect(readFileSync(join(to, 'summer', "it's.txt"), 'utf8')).toBe('B')
    expect(existsSync(join(to, 'summer', 'empty'))).toBe(true)
  })
})
