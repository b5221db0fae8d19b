/** `svc watch` on a terminal of 80 columns: kinds, names of actions and times are read whole. */
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveLines } from '../../../../src/surfaces/cli/viewer/live-view.ts'
import { startWebDriverLab, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

const SIZE = { columns: 80, rows: 40 }

let lab: WebDriverLab
beforeAll(async () => {
  lab = await startWebDriverLab()
})
afterAll(() => lab.close())

test('sessions and reservations by their kind, executions by what they did and how long it took', async () => {
  const session = await lab.session()
  await session.post(`/element/${await session.find('accessibility id', 'log in')}/click`)
  await lab.lab.execute([{ id: 'a', type: 'sleep', params: { durationMs: 1 } }])
  const [serial = ''] = lab.serials
  const lines = liveLines(lab.lab.services.journal(), Date.now(), SIZE).map(line =>
    stripVTControlCharacters(line).replace(/[\u2066-\u2069]/g, ''),
  )
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(SIZE.columns)
  const atWork = lines.slice(lines.indexOf('At work'), lines.indexOf('Last executions')).join('\n')
  expect(atWork).toMatch(new RegExp(`session:${session.id.slice(0, 8)}…\\w{4} .* on ${serial}`))
  expect(atWork).toMatch(/reservation:\w{8}…\w{4} /)
  const last = lines.slice(lines.indexOf('Last executions') + 1)
  expect(last).toContainEqual(
    expect.stringMatching(new RegExp(`^✓ [\\d:]{8} {2}${serial} +[\\d.]+ (ms|s) {2}Click`, 'i')),
  )
})
