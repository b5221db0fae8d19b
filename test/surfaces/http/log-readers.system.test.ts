import { expect, test } from 'vitest'
import { createLogReaders } from '../../../src/surfaces/http/routes/logs.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'

const enter = (readers: ReturnType<typeof createLogReaders>, deviceId: string) => {
  const place = readers.enter(deviceId)
  if (!place.ok) throw new Error(place.error.message)
  return place.leave
}

test('a device has so many readers, and a place that is left is free for another', () => {
  const readers = createLogReaders({ perDevice: 2, perServer: 10 })
  const leave = enter(readers, 'a')
  enter(readers, 'a')
  expect(readers.enter('a')).toMatchObject({
    ok: false,
    error: {
      code: DEVICE_CONFLICT,
      message: '2 readers follow the log of a already: no more are taken.',
      hint: expect.stringContaining('/logs/lines'),
    },
  })
  enter(readers, 'b')
  leave()
  leave()
  enter(readers, 'a')
  expect(readers.enter('a').ok).toBe(false)
})

test('all devices of a server together have so many', () => {
  const readers = createLogReaders({ perDevice: 2, perServer: 3 })
  const leaves = ['a', 'b', 'c'].map(deviceId => enter(readers, deviceId))
  expect(readers.enter('d')).toMatchObject({ ok: false, error: { details: { limit: 3 } } })
  leaves[0]?.()
  expect(readers.enter('d').ok).toBe(true)
})
