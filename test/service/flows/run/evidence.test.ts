/** The files that show a failure: whatever of the phone can still be had, and a warning for the rest. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FlowError } from '../../../../src/contracts/flows/test-run.ts'
import { createSecrets } from '../../../../src/runtime/secrets.ts'
import type { PhoneAnswer, PhoneCall, Phones } from '../../../../src/service/flows/phones.ts'
import type { LiveAttempt } from '../../../../src/service/flows/run/attempt.ts'
import { gatherEvidence } from '../../../../src/service/flows/run/evidence.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { temporary } from '../../../support/temporary.ts'

const root = temporary('svc-evidence-')
const FAILED: FlowError = { code: 'ASSERTION_FAILED', message: 'It is not visible.' }

const snapshotStep = { id: '0', actionType: 'snapshot', success: true, data: { text: '<node text="hunter2"/>' } }
const pictureStep = { id: '1', actionType: 'take_screenshot', success: true, data: {} }

interface Phone {
  answer?: PhoneAnswer
  lines?: () => Promise<readonly string[]>
}

const failing = (phone: Phone = {}) => {
  const runFolder = mkdtempSync(join(root(), 'run-'))
  const clock = manualClock()
  const calls: PhoneCall[] = []
  const since: number[] = []
  const notes: string[] = []
  const secrets = createSecrets()
  secrets.add('run', 'PW', 'hunter2')
  const {
    answer = { kind: 'performed', steps: [snapshotStep, pictureStep] },
    lines = async () => ['a', 'typed hunter2'],
  } = phone
  const phones: Pick<Phones, 'perform' | 'logLines'> = {
    async perform(call) {
      calls.push(call)
      return answer
    },
    logLines(_, from) {
      since.push(from)
      return lines()
    },
  }
  const attempt = {
    ...{ phones, deviceId: 'd1', flowRunId: 'f1', runFolder, folder: join(runFolder, '1-1'), clock, secrets },
    ids: { at: () => 'e1', instance: () => 'i1' },
    note: (text: string) => void notes.push(text),
    startedAt: 77,
  } as unknown as LiveAttempt
  const evidence = (error = FAILED, signal = new AbortController().signal) => gatherEvidence(attempt, error, signal)
  const gather = async (...failure: Parameters<typeof evidence>) => (await evidence(...failure)).files
  return {
    attempt,
    calls,
    since,
    notes,
    evidence,
    gather,
    read: (file: string) => readFileSync(join(runFolder, file), 'utf8'),
  }
}

test('the screen as a picture and as text, and the log since the attempt began, without secrets', async () => {
  const { calls, since, notes, gather, read, attempt } = failing()
  expect(await gather()).toEqual(['1-1/failure.png', '1-1/failure.xml', '1-1/log.txt'])
  expect(calls).toMatchObject([
    {
      ...{ deviceId: 'd1', flowRunId: 'f1', executionId: 'e1', observe: false },
      steps: [{ type: 'snapshot' }, { type: 'take_screenshot', params: { path: join(attempt.folder, 'failure.png') } }],
    },
  ])
  expect(read('1-1/failure.xml')).toMatch(/^<node text="\[secret PW \w+\]"\/>$/)
  expect(read('1-1/log.txt')).toMatch(/^a\ntyped \[secret PW \w+\]\n$/)
  expect([since, notes]).toEqual([[77], []])
})

test.each(['DEVICE_LINK_LOST', 'DEVICE_OFFLINE', 'FLEET_HOST_GONE'])(
  'a phone that is gone (%s) is not asked',
  async code => {
    const { calls, since, gather } = failing()
    expect(await gather({ code, message: 'gone' })).toEqual([])
    expect([calls, since]).toEqual([[], []])
  },
)

test('a flow that is cancelled asks the phone for nothing more', async () => {
  const { calls, gather } = failing()
  expect(await gather(FAILED, AbortSignal.abort())).toEqual([])
  expect(calls).toEqual([])
})

test('a picture that the phone refuses leaves the text of the screen and the log', async () => {
  const answer = {
    kind: 'performed',
    steps: [snapshotStep],
    error: { code: 'X', message: 'It is protected.' },
  } as const
  const { gather, notes } = failing({ answer })
  expect(await gather()).toEqual(['1-1/failure.xml', '1-1/log.txt'])
  expect(notes).toEqual(['the screen of the failure: It is protected.'])
})

test('a screen that cannot be read at all leaves the log', async () => {
  const error = { code: 'DEVICE_BUSY', message: 'It is busy.', retriable: true } as never
  const { gather, notes } = failing({ answer: { kind: 'unperformed', error } })
  expect(await gather()).toEqual(['1-1/log.txt'])
  expect(notes).toEqual(['the screen of the failure: It is busy.'])
})

test('names the execution that looked at the screen, unless none did', async () => {
  expect((await failing().evidence()).executionId).toBe('e1')
  const error = { code: 'DEVICE_BUSY', message: 'It is busy.', retriable: true } as never
  expect(await failing({ answer: { kind: 'unperformed', error } }).evidence()).not.toHaveProperty('executionId')
})

test('a log without lines is no file', async () => {
  const { gather, attempt } = failing({ lines: async () => [] })
  expect(await gather()).toEqual(['1-1/failure.png', '1-1/failure.xml'])
  expect(readdirSync(attempt.folder)).not.toContain('log.txt')
})

test('a log that cannot be read, or a folder that cannot be made, is a warning', async () => {
  const { gather, notes } = failing({ lines: () => Promise.reject(new Error('no log')) })
  expect(await gather()).toEqual(['1-1/failure.png', '1-1/failure.xml'])
  expect(notes).toEqual(['evidence of the failure: no log'])
  const blocked = failing()
  writeFileSync(blocked.attempt.folder, '')
  expect(await blocked.gather()).toEqual([])
  expect([blocked.calls, blocked.notes]).toEqual([[], [expect.stringContaining('EEXIST')]])
})
