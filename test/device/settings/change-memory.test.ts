/** The changes of a device that wait to be put back: every process of the home knows them, and retention leaves them. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OPEN_CHANGES_MAX } from '../../../src/contracts/device/setting-names.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { createChangeMemory } from '../../../src/device/settings/changes/change-memory.ts'
import { type DeviceChange, type SettingChange, withRemembered } from '../../../src/device/settings/changes/ledger.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-changes-')
const clock = systemClock()
const DEVICE = 'device:R5'
const at = (step: string, executionId = 'e1') => ({ device: DEVICE, executionId, step })
const setting = (previous: string | null, value: string, more: Partial<SettingChange> = {}): SettingChange => ({
  kind: 'setting',
  setting: 'font_scale',
  previous,
  value,
  ...more,
})
const camera: DeviceChange = {
  kind: 'permission',
  applicationId: 'com.example',
  permission: 'android.permission.CAMERA',
  previous: 'deny',
  value: 'allow',
}

const memory = () => {
  const journal = memoryJournal({ alive: () => true, clock })
  return { journal, changes: createChangeMemory({ journal, clock }) }
}
const shown = (changes: ReturnType<typeof createChangeMemory>) =>
  changes.open(DEVICE).map(({ previous, values }) => ({ previous, values }))

test('a change is in doubt until its step has succeeded', async () => {
  const { changes, journal } = memory()
  await changes.remember(setting(null, '1.3'), at('a'))
  expect(shown(changes)).toEqual([{ previous: null, values: [null, '1.3'] }])
  await changes.made(at('b'))
  await changes.made(at('a'))
  expect(shown(changes)).toEqual([{ previous: null, values: ['1.3'] }])
  expect(journal.records({ actor: 'changes:R5' }).map(({ event }) => event)).toMatchObject([
    { type: 'change.remembered', executionId: 'e1', step: 'a', setting: 'font_scale', previous: null, value: '1.3' },
    { type: 'change.made', executionId: 'e1', step: 'a' },
  ])
})

test('a change of what svc has set keeps the oldest value; one of what somebody else has set is another change', async () => {
  const { changes } = memory()
  await changes.remember(setting('1.0', '1.3'), at('a'))
  await changes.remember(setting('1.3', '2.0'), at('b'))
  expect(shown(changes)).toEqual([{ previous: '1.0', values: ['1.3', '2.0'] }])
  await changes.made(at('b'))
  await changes.remember(setting('0.85', '1.5'), at('c'))
  expect(shown(changes)).toEqual([
    { previous: '1.0', values: ['2.0'] },
    { previous: '0.85', values: ['0.85', '1.5'] },
  ])
})

test('a setting that svc itself sets back to the first value is over once that has succeeded, and not before', async () => {
  const { changes } = memory()
  await changes.remember(setting('1.0', '1.3'), at('a'))
  await changes.made(at('a'))
  await changes.remember(setting('1.3', '1.0'), at('b'))
  expect(shown(changes)).toEqual([{ previous: '1.0', values: ['1.3', '1.0'] }])
  await changes.made(at('b'))
  expect(shown(changes)).toEqual([])
})

test('settings of two users and two applications, and permissions, stand side by side', async () => {
  const { changes } = memory()
  const all = [
    setting('a', 'b', { user: '0' }),
    setting('a', 'b', { user: '10' }),
    setting('a', 'b', { setting: 'locale', applicationId: 'com.one' }),
    setting('a', 'b', { setting: 'locale', applicationId: 'com.two' }),
    camera,
    { ...camera, applicationId: 'com.two' },
  ]
  for (const [index, change] of all.entries()) await changes.remember(change, at(`s${index}`))
  expect(changes.open(DEVICE)).toHaveLength(all.length)
  const [, second] = changes.open(DEVICE)
  if (second) await changes.settled(second, 'restored', at('r', 'e2'))
  expect(changes.open(DEVICE).map(({ step }) => step)).toEqual(['s0', 's2', 's3', 's4', 's5'])
})

test('another device has changes of its own', async () => {
  const { changes } = memory()
  await changes.remember(camera, at('a'))
  expect(changes.open('device:other')).toEqual([])
})

test('more changes than a device may have open are refused before they are made', async () => {
  const { changes, journal } = memory()
  const body = Array.from({ length: OPEN_CHANGES_MAX }, (_, index) =>
    withRemembered([], { ...camera, applicationId: `com.app${index}` }, at(`s${index}`)),
  ).flat()
  const place = { actor: 'changes:R5', n: 0, machine: 'changes', version: 1, at: clock.now(), from: '', to: 'known' }
  await journal.append({ ...place, event: { type: 'change.remembered' }, tags: [], body })
  await expect(changes.remember(setting('1.0', '1.3'), at('x'))).rejects.toThrow(StepFailure)
  await changes.remember({ ...camera, applicationId: 'com.app7', previous: 'allow', value: 'deny' }, at('again'))
  expect(changes.open(DEVICE)).toHaveLength(OPEN_CHANGES_MAX)
})

test('a later process finds them in the file, and retention leaves them there until they are settled', async () => {
  const path = join(folder(), 'journal.db')
  const open = () => openJournal({ path, alive: isAlive, clock })
  const first = open()
  await createChangeMemory({ journal: first, clock }).remember(setting('1.0', '1.3'), at('a'))
  first.close()

  const second = open()
  const changes = createChangeMemory({ journal: second, clock })
  // The newest record of a journal stays in any case, so another one is newer.
  const newer = (actor: string) =>
    createChangeMemory({ journal: second, clock }).remember(camera, { ...at('z'), device: actor })
  await newer('other1')
  const everything = { maxAgeMs: 0, maxBytes: 0, now: clock.now() + 86_400_000 }
  await second.prune(everything)
  expect(shown(changes)).toEqual([{ previous: '1.0', values: ['1.0', '1.3'] }])

  const [change] = changes.open(DEVICE)
  if (change) await changes.settled(change, 'restored', at('r', 'e2'))
  await newer('other2')
  await second.prune(everything)
  expect(second.last('changes:R5')).toBeUndefined()
  expect(changes.open('other1')).toHaveLength(1)
  second.close()
})
