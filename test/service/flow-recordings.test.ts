/** A flow ends the recording that it began, and none of another caller. */
import { expect, test } from 'vitest'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { once } from '../../src/runtime/once.ts'
import { createSecrets } from '../../src/runtime/secrets.ts'
import { createFlowPhones } from '../../src/service/flow-phones.ts'
import { createUndoNotes } from '../../src/service/reservations/undo-notes.ts'
import type { Service } from '../../src/service/service.ts'
import { createUndo } from '../../src/service/undo-left.ts'
import { manualClock } from '../support/manual-clock.ts'

test('a recording that another caller began meanwhile goes on', async () => {
  let running: string | undefined
  let count = 0
  const stopped: (string | undefined)[] = []
  const recording = () => ({ recordingId: running, folder: '/w', segments: [{ file: 'one.mp4' }] })
  const begin = async () => {
    running = `r${++count}`
    return { ok: true, value: { recording: recording() } }
  }
  const service = {
    'recording.start': begin,
    'recording.status': async () => ({ ok: true, value: { recording: recording() } }),
    'recording.stop': async () => {
      stopped.push(running)
      return { ok: true, value: { recording: recording() } }
    },
  } as unknown as Service
  const clock = manualClock()
  const phones = createFlowPhones({
    service: async () => service,
    context: () => ({ caller: 'flow' }),
    secrets: createSecrets({ key: () => Buffer.alloc(32) } as never),
    undo: once(() =>
      createUndo({
        notes: createUndoNotes({ journal: memoryJournal({ alive: () => true, clock }), clock }),
        clock,
        service: async () => service,
      } as never),
    ),
  } as never)
  const { signal } = new AbortController()
  await phones.startRecording('d1', 'run.0.1', signal)
  await begin()
  expect(await phones.stopRecording('d1', 'run.0.1')).toMatchObject({
    ok: false,
    error: { code: 'RECORDING_NOT_FOUND', details: { deviceId: 'd1' } },
  })
  expect(stopped).toEqual([])
  await phones.startRecording('d1', 'run.0.2', signal)
  expect(await phones.stopRecording('d1', 'run.0.2')).toMatchObject({ ok: true, recordingId: 'r3' })
  expect(stopped).toEqual(['r3'])
})
