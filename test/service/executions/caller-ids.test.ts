/** An id that a caller has chosen runs once, whichever keys come with it and on whichever phone. */
import { describe, expect, test } from 'vitest'
import { systemIds } from '../../../src/runtime/ids.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { ExecutedOnce } from '../../../src/service/executions/service.ts'
import { deeds, phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

const ask = { ...pressHome(), screenshots: { relativeTo: '/nowhere', newFilesIn: '/nowhere' } }
const TAP = 'shell input keyevent KEYCODE_HOME'

const setup = () => {
  const clock = manualClock(Date.now())
  const journal = memoryJournal({ alive: () => true, clock })
  const link = phone(clock, undefined, 'Awake')
  const here = svcProcess({ journal, clock, link })
  const otherLink = Object.assign(phone(clock, undefined, 'Awake'), { serial: 'd2' })
  const list = async () => ({ devices: [{ serial: 'd2', state: 'device' }] })
  const other = svcProcess({ journal, clock, link: otherLink, pid: 2, links: { list } })
  const taps = () => [...deeds(link), ...deeds(otherLink)].filter(deed => deed === TAP)
  const done = async (runs: Promise<ExecutedOnce>[]) => {
    for (let turn = 0; turn < 80; turn++) {
      await settled()
      clock.advance(100)
    }
    return Promise.all(runs)
  }
  return { clock, journal, here, other, taps, done }
}

const KEYS: [string, string | undefined, string | undefined][] = [
  ['two keys', 'k1', 'k2'],
  ['a key and none', 'k1', undefined],
  ['none and a key', undefined, 'k2'],
  ['one key', 'k1', 'k1'],
  ['none', undefined, undefined],
]

describe.each(KEYS)('with %s', (_, first, second) => {
  test('at once, for two phones', async () => {
    const { clock, journal, here, other, taps, done } = setup()
    const id = systemIds().at(clock.now())
    const answers = await done([
      here.executions.executeAs(id, ask, first),
      other.executions.executeAs(id, { ...ask, deviceId: 'd2' }, second),
    ])
    expect(taps()).toHaveLength(1)
    expect(journal.receipts()).toHaveLength(1)
    // A key is used for one payload, and the other device makes another one.
    expect(answers.map(({ kind }) => kind)).toContain('executed')
  })

  test('one after the other', async () => {
    const { clock, here, other, taps, done } = setup()
    const id = systemIds().at(clock.now())
    await done([here.executions.executeAs(id, ask, first)])
    await done([other.executions.executeAs(id, { ...ask, deviceId: 'd2' }, second)])
    expect(taps()).toHaveLength(1)
  })

  test('another payload is refused, while the first one runs and afterwards, in whichever process', async () => {
    const { clock, journal, here, other, taps, done } = setup()
    const id = systemIds().at(clock.now())
    const { execution } = ask
    const otherAsk = { ...ask, execution: { ...execution, taskId: 'another' } }
    const [ran, atOnce] = await done([
      here.executions.executeAs(id, ask, first),
      here.executions.executeAs(id, otherAsk, second),
    ])
    const refused = { kind: 'reused' }
    expect([ran, atOnce]).toMatchObject([{ kind: 'executed', executionId: id }, refused])
    for (const { executions } of [here, other]) {
      const [later] = await done([executions.executeAs(id, otherAsk, second)])
      expect(later).toEqual({ kind: 'reused', executionId: id })
      const [same] = await done([executions.executeAs(id, ask, second)])
      expect(same).toMatchObject({ kind: 'replayed', executionId: id, result: { ok: true } })
    }
    expect(taps()).toHaveLength(1)
    expect(journal.receipts()).toHaveLength(1)
  })
})
