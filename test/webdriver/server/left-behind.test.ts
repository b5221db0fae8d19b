/** What a session began on its phone ends with it: recordings and settings. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWebDriverLab, type TestSession, type WebDriverLab } from '../../support/webdriver-lab.ts'

let wire: WebDriverLab
beforeEach(async () => {
  wire = await startWebDriverLab()
})
afterEach(() => wire.close())

const run = (session: TestSession, script: string, args: unknown[] = []) =>
  session.post('/execute/sync', { script, args })
const phone = () => {
  const [first] = wire.lab.fleet.devices
  if (!first) throw new Error('there is no phone')
  return first.phone
}
const nightMode = () => phone().settings.get('secure/ui_night_mode') ?? '1'
const begin = async (session: TestSession) => {
  expect((await run(session, 'mobile: startMediaProjectionRecording')).value).toBe(true)
  const before = nightMode()
  await run(session, 'mobile: setUiMode', [{ mode: 'night', value: 'yes' }])
  expect(nightMode()).not.toBe(before)
  return before
}

test.each(['DELETE', 'idleness'])('a session that ends by %s leaves no recording and no setting', async how => {
  const session = await wire.session(how === 'DELETE' ? {} : { 'appium:newCommandTimeout': 2 })
  const before = await begin(session)
  if (how === 'DELETE') expect((await session.end()).status).toBe(200)
  else await expect.poll(() => wire.lab.services.reservations().list(), { timeout: 30_000 }).toEqual([])
  expect(nightMode()).toBe(before)
  const next = await wire.session()
  expect((await run(next, 'mobile: isMediaProjectionRecordingRunning')).value).toBe(false)
  expect((await run(next, 'mobile: stopMediaProjectionRecording')).value).toMatchObject({
    error: 'unknown error',
    data: { code: 'RECORDING_NOT_FOUND' },
  })
  expect((await run(next, 'mobile: startMediaProjectionRecording')).value).toBe(true)
  expect((await run(next, 'mobile: isMediaProjectionRecordingRunning')).value).toBe(true)
})
