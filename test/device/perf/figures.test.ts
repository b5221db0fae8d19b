/** Frames and memory in the words of several versions of Android; null where the device says no figure. */
import { describe, expect, test } from 'vitest'
import { askFrames, askMemory, framesIn, memoryIn } from '../../../src/device/perf/figures.ts'
import { scriptedLink } from '../../support/device/scripted-link.ts'

const NAME = 'com.example.notes'
const NONE = { applicationId: NAME, running: false }
const NO_FRAMES = { total: null, janky: null, p50: null, p90: null, p95: null, p99: null }
const NO_MEMORY = { totalPss: null, java: null, native: null, graphics: null }

const block = (name: string, total: number, p99 = 48) =>
  [
    `** Graphics info for pid 4711 [${name}] **`,
    '',
    'Stats since: 527ns',
    `Total frames rendered: ${total}`,
    'Janky frames: 31 (12.50%)',
    'Janky frames (legacy): 44 (17.74%)',
    '50th percentile: 9ms',
    '90th percentile: 17ms',
    '95th percentile: 24ms',
    `99th percentile: ${p99}ms`,
    '',
  ].join('\n')

describe('frames', () => {
  test('are those of the process, not of its windows', () => {
    const said = `Uptime: 1\n\n${block(NAME, 248)}\nView hierarchy:\nTotal frames rendered: 3\n99th percentile: 1ms\n`
    expect(framesIn(said, NAME)).toEqual({
      ...{ applicationId: NAME, running: true, total: 248, janky: 31 },
      ...{ p50: 9, p90: 17, p95: 24, p99: 48 },
    })
  })

  test('are those of the main process, wherever it stands', () => {
    const said = `${block(`${NAME}:remote`, 1)}\n${block(NAME, 248)}`
    expect(framesIn(said, NAME).total).toBe(248)
    expect(framesIn(block(`${NAME}:remote`, 7), NAME).total).toBe(7)
  })

  test('an application that drew nothing has no percentiles', () => {
    expect(framesIn(block(NAME, 0, 4_950), NAME)).toMatchObject({ running: true, total: 0, p50: null, p99: null })
  })

  test.each([
    ['no process', `No process found for: ${NAME}\n`, { ...NONE, ...NO_FRAMES }],
    ['nothing', '', { ...NONE, ...NO_FRAMES }],
    ['a head alone', `** Graphics info for pid 1 [${NAME}] **\n\n`, { ...NONE, running: true, ...NO_FRAMES }],
    [
      'a figure that is none',
      `${block(NAME, 1)}`.replace(': 1\n', ': many\n'),
      { running: true, total: null, p50: null },
    ],
  ])('a device that says %s', (_, said, expected) => {
    expect(framesIn(said, NAME)).toMatchObject(expected)
  })
})

const summary = (total: string, name = NAME) =>
  [
    `** MEMINFO in pid 4711 [${name}] **`,
    '  Native Heap    10232    10204        0       72    12532',
    '        TOTAL    51236    34120     9020       90   134068',
    ' App Summary',
    '           Java Heap:     7628                          25204',
    '         Native Heap:    10233                          12532',
    '            Graphics:     4416                           4416',
    total,
    '',
  ].join('\n')

describe('memory', () => {
  test.each([
    ['from Android 11 on', '           TOTAL PSS:    51236            TOTAL RSS:   134068       TOTAL SWAP PSS:   90'],
    ['up to Android 10', '               TOTAL:    51236       TOTAL SWAP PSS:       90'],
  ])('%s', (_, total) => {
    expect(memoryIn(summary(total), NAME)).toEqual({
      ...{ applicationId: NAME, running: true },
      ...{ totalPss: 51_236, java: 7_628, native: 10_233, graphics: 4_416 },
    })
  })

  test.each([
    ['no process', `No process found for: ${NAME}\n`, { ...NONE, ...NO_MEMORY }],
    ['a head alone: it died meanwhile', `** MEMINFO in pid 1 [${NAME}] **\n`, { ...NONE, running: true, ...NO_MEMORY }],
  ])('a device that says %s', (_, said, expected) => {
    expect(memoryIn(said, NAME)).toEqual(expected)
  })
})

test('a name that is none, or not installed, is not asked for', async () => {
  const link = scriptedLink(command => (command.startsWith('pm path') ? { exitCode: 1 } : '0\n'))
  expect(await askFrames(link, { deadline: 1 }, "x'; reboot #")).toBeUndefined()
  expect(link.commands).toEqual([])
  expect(await askMemory(link, { deadline: 1 }, NAME)).toBeUndefined()
  expect(link.commands).toEqual(['am get-current-user', `pm path --user 0 ${NAME}`])
})
