/** What an attempt changes on its phone before its first command is put back when it has ended. */
import { expect, test } from 'vitest'
import { createSecrets } from '../../../../src/runtime/secrets.ts'
import type { PhoneStep } from '../../../../src/service/flows/phones.ts'
import { openAttempt } from '../../../../src/service/flows/run/open-attempt.ts'
import type { UndoNote } from '../../../../src/service/reservations/undo-notes.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const attemptOn = async ({
  disablesAnimations = true,
  isResumed = false,
  error = undefined as object | undefined,
} = {}) => {
  const steps: unknown[] = []
  const notes: string[] = []
  const undone: string[] = []
  const undoNotes = {
    remember: async ({ work }: UndoNote) => void undone.push(`noted ${work.kind} before ${steps.length} steps`),
    settled: async ({ work }: UndoNote) => void undone.push(`settled ${work.kind}`),
  }
  const phones = {
    async perform({ steps: [step] }: { steps: readonly PhoneStep[] }) {
      steps.push(step)
      return { kind: 'performed', error }
    },
  }
  const opened = await openAttempt({
    phones,
    deps: {
      clock: manualClock(),
      ids: { at: () => 'e1' },
      note: (text: string) => void notes.push(text),
      secrets: createSecrets(),
      undoNotes,
      openScripts: () => ({ end: async () => {} }),
    },
    run: { request: { folder: '/nowhere', cwd: '/nowhere' }, env: {} },
    ...{ testRunId: 't1', flow: 0, attempt: 1, deviceId: 'd1', flowRunId: 'f1' },
    files: { flow: { file: 'a.yaml' }, read: async () => ({ file: 'a.yaml' }), disablesAnimations },
    before: { commands: [], readings: [], ...(isResumed ? { requested: { at: 1 } } : {}) },
  } as never)
  return { steps, notes, opened, undone }
}

const OFF = { type: 'change_setting', params: { setting: 'animations', value: false } }
const BACK = { type: 'restore_settings', params: { settings: ['animations'] } }

test('animations are switched off, and put back at the end', async () => {
  const { steps, opened, undone } = await attemptOn()
  expect(steps).toEqual([OFF])
  await opened.close()
  expect(steps).toEqual([OFF, BACK])
  expect(undone).toEqual(['noted settings before 0 steps', 'settled settings'])
})

test('a resumed attempt switches animations off again: another process may have put them back', async () => {
  const { steps, opened } = await attemptOn({ isResumed: true })
  await opened.close()
  expect(steps).toEqual([OFF, BACK])
})

test('an attempt that leaves animations alone asks nothing of its phone', async () => {
  const { steps, opened } = await attemptOn({ disablesAnimations: false })
  await opened.close()
  expect(steps).toEqual([])
})

test('a phone that keeps its change is named, with the command that puts it back', async () => {
  const { notes, opened } = await attemptOn({ error: { message: 'It is gone.' } })
  await opened.close()
  expect(notes).toContain('d1 is left without animations: It is gone. `svc device restore` puts them back.')
})

test('a flow that is not as it was checked leaves its phone alone', async () => {
  const asked: unknown[] = []
  const opened = openAttempt({
    phones: { perform: async (call: unknown) => asked.push(call) },
    deps: { clock: manualClock(), openScripts: () => asked.push('scripts') },
    run: { request: { folder: '/nowhere', cwd: '/nowhere' }, env: {} },
    files: {
      flow: { file: 'a.yaml' },
      read: () => Promise.reject(new Error('a.yaml has changed')),
      disablesAnimations: true,
    },
    before: { commands: [], readings: [] },
  } as never)
  await expect(opened).rejects.toThrow('a.yaml has changed')
  expect(asked).toEqual([])
})
