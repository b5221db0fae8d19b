import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Recording } from '../../../../src/contracts/recording.ts'
import { runCliHere, startCliHere } from '../../../support/cli/cli-here.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { until } from '../../../support/until.ts'

let lab: Lab
let home: string
let env: Record<string, string>

beforeAll(async () => {
  lab = await startLab()
  home = mkdtempSync(join(tmpdir(), 'svc-record-'))
  env = { HOME: home, SVC_HOME: join(home, '.svc'), SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '' }
})
afterAll(async () => {
  await lab.close()
  rmSync(home, { recursive: true, force: true })
})

const recordingIn = (line: string): Recording => (JSON.parse(line) as { recording: Recording }).recording
const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''

test('records until it is interrupted, and ends well', async () => {
  const recorder = startCliHere(['record', 'start'], { env })
  await until(() => recorder.stdout() !== '', 'the recording')
  const begun = recordingIn(recorder.stdout())
  expect(begun.state).toBe('recording')
  const status = await runCliHere(['record', 'status'], { env })
  expect(recordingIn(status.stdout).recordingId).toBe(begun.recordingId)
  const away = { ...env, SVC_TCP_DEVICES: '127.0.0.1:1' }
  for (const verb of ['status', 'stop']) {
    const { stdout } = await runCliHere(['record', verb], { env: away })
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'NO_DEVICES',
      message: expect.stringContaining(`A recording is open here of ${begun.deviceId}`),
      details: { openRecordings: [begun.deviceId] },
    })
  }
  recorder.interrupt()
  const { code, stdout } = await recorder.ended
  expect(code).toBe(0)
  expect(recordingIn(lastLine(stdout))).toMatchObject({
    recordingId: begun.recordingId,
    state: 'saved',
    reason: 'stopped',
    segments: [{ playable: true }],
  })
})

test('is stopped by another command, which prints the same recording', async () => {
  const recorder = startCliHere(['record', 'start'], { env })
  await until(() => recorder.stdout() !== '', 'the recording')
  const stopped = await runCliHere(['record', 'stop'], { env })
  expect(stopped.code).toBe(0)
  const { code, stdout } = await recorder.ended
  expect(code).toBe(0)
  expect(recordingIn(lastLine(stdout))).toEqual(recordingIn(stopped.stdout))
  const again = await runCliHere(['record', 'stop'], { env })
  expect({ code: again.code, error: JSON.parse(again.stdout).code }).toEqual({
    code: 1,
    error: 'RECORDING_NOT_RUNNING',
  })
})

test('as text it is a table of segments', async () => {
  const { stdout } = await runCliHere(['record', 'status', '--output', 'text'], { env })
  expect(stdout).toMatch(/State +saved\n(?:.*\n)* +Reason +stopped/)
  expect(stdout).toMatch(/SEGMENT +BYTES +ENDED BY +LENGTH +STATE\n +1 +\d+\.\d kB +stopped +\S+ \S+ +✓ saved/)
})

describe('a value that is none', () => {
  test.each([
    [['--for', '0'], '--for must be a number of seconds'],
    [['--for', '1h'], '--for must be a number of seconds'],
    [['--bit-rate', 'fast'], '--bit-rate must be a number of bits'],
    [['--size', '721x1280'], '--size must be width x height'],
  ])('%j is refused before anything is asked', async (flags, said) => {
    const { code, stdout } = await runCliHere(['record', 'start', ...flags], { env: { ...env, SVC_TCP_DEVICES: '' } })
    expect({ code, error: JSON.parse(stdout) }).toMatchObject({
      code: 1,
      error: { code: 'USAGE', message: expect.stringContaining(said) },
    })
  })
})
