import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../src/device/link/link.ts'
import { runHostStep } from '../../../src/device/steps/run-host-step.ts'
import { type Answer, scriptedLink } from '../../support/device/scripted-link.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { smallPng } from '../../support/pictures/small-png.ts'
import { temporary } from '../../support/temporary.ts'

const root = temporary('svc-host-steps-')

const setup = ({ answer, exec = () => smallPng }: { answer?: Answer; exec?: () => Uint8Array | Error } = {}) => {
  const link = scriptedLink(() => answer, exec)
  const clock = manualClock()
  const named: (string | undefined)[] = []
  const options = {
    link,
    clock,
    deadline: clock.now() + 30_000,
    signal: new AbortController().signal,
    screenshotPath: (path: string | undefined) => {
      named.push(path)
      return join(root(), path ?? 'default.png')
    },
  }
  return { link, named, options }
}
const close = (applicationId: string) => ({ id: 'c', type: 'close_app', params: { applicationId } }) as const
const shot = (path?: string) => ({ id: 's', type: 'take_screenshot', ...(path ? { params: { path } } : {}) }) as const

describe('close_app', () => {
  test.each([
    ['com.example', 'am force-stop com.example'],
    ['x; reboot #', `am force-stop 'x; reboot #'`],
  ])('%s', async (applicationId, command) => {
    const { link, options } = setup()
    expect(await runHostStep(close(applicationId), options)).toEqual({
      stepResults: [{ id: 'c', actionType: 'close_app', success: true, data: { application_id: applicationId } }],
      error: null,
    })
    expect(link.commands).toEqual([command])
  })

  test('that the device refuses', async () => {
    const { options } = setup({ answer: { exitCode: 255, stderr: 'java.lang.SecurityException: no' } })
    expect(await runHostStep(close('com.example'), options)).toEqual({
      stepResults: [
        {
          id: 'c',
          actionType: 'close_app',
          success: false,
          data: { error: 'ACTION_FAILED', message: 'the device refused: java.lang.SecurityException: no' },
        },
      ],
      error: {
        code: 'ACTION_FAILED',
        message: 'Step "c" (close_app) failed: the device refused: java.lang.SecurityException: no.',
        details: { actionId: 'c', actionType: 'close_app' },
      },
    })
  })
})

describe('take_screenshot', () => {
  test.each([undefined, 'named.png'])('to %s', async name => {
    const { link, named, options } = setup()
    const path = join(root(), name ?? 'default.png')
    const { stepResults, error } = await runHostStep(shot(name), options)
    expect(error).toBeNull()
    expect(stepResults).toEqual([{ id: 's', actionType: 'take_screenshot', success: true, data: { path } }])
    expect(named).toEqual([name])
    expect(link.commands).toEqual(['screencap -p'])
    expect(readFileSync(path).equals(Buffer.from(smallPng))).toBe(true)
  })

  test('is not taken when it could not be written', async () => {
    const { link, options } = setup()
    writeFileSync(join(root(), 'notes'), 'notes')
    const { error } = await runHostStep(shot('notes'), options)
    expect(error).toMatchObject({
      code: 'EVIDENCE_CAPTURE_FAILED',
      message: expect.stringContaining('is not an image'),
    })
    expect(link.commands).toEqual([])
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['half a picture', smallPng.subarray(0, 40)],
    ['a message', new Uint8Array(Buffer.from('screencap: not found'))],
  ])('that is %s is not evidence', async (_name, bytes) => {
    const { options } = setup({ exec: () => bytes })
    const { stepResults } = await runHostStep(shot('broken.png'), options)
    expect(stepResults[0]?.data.error).toBe('EVIDENCE_CAPTURE_FAILED')
    expect(() => readFileSync(join(root(), 'broken.png'))).toThrow('ENOENT')
  })
})

test('a picture that has no end is EVIDENCE_CAPTURE_FAILED, with the reason', async () => {
  const { options } = setup({ exec: () => new LinkError('DEVICE_OUTPUT_TOO_LARGE', 'the command printed more') })
  const { error } = await runHostStep(shot(), options)
  expect(error).toMatchObject({ code: 'EVIDENCE_CAPTURE_FAILED', message: expect.stringContaining('printed more') })
})

describe('a link that fails', () => {
  test.each([close('com.example'), shot()])('ends the execution at $type', async action => {
    const lost = new LinkError('DEVICE_LINK_LOST', 'gone')
    const { options } = setup({ answer: lost, exec: () => lost })
    await expect(runHostStep(action, options)).rejects.toBe(lost)
  })
})

test('nothing is done after an abort', async () => {
  const { link, options } = setup()
  const reason = new Error('over')
  const signal = AbortSignal.abort(reason)
  await expect(runHostStep(close('com.example'), { ...options, signal })).rejects.toBe(reason)
  expect(link.commands).toEqual([])
})
