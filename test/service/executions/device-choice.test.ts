import { describe, expect, test } from 'vitest'
import type { ErrorObject } from '../../../src/contracts/failures/error.ts'
import { type Link, LinkError } from '../../../src/device/link/link.ts'
import type { LinkWays } from '../../../src/device/link/links.ts'
import { selectDevice } from '../../../src/device/link/select-device.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import { explainChoice } from '../../../src/service/executions/device-choice.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

type Deps = Parameters<typeof explainChoice>[1]

const WAYS: LinkWays = { program: true, server: 'localhost:5037', tcpDevices: [] }

const idle = { snapshot: undefined }
const busy = {
  snapshot: {
    hasTag: () => true,
    context: {
      current: { executionId: 'e1', commandId: 'c1', acceptedAt: 1_000 },
      queue: [{ executionId: 'e2' }, { executionId: 'e3' }],
    },
  },
}

interface Around {
  ways?: LinkWays
  /** The model of a device; undefined for one that never answers. */
  model?: (serial: string) => string | undefined
  look?: (id: string) => unknown
}

const around = ({ ways, model = () => 'Pixel', look = () => idle }: Around = {}) => {
  const clock = manualClock()
  const asked: string[] = []
  const linkOf = (serial: string) =>
    ({
      shell: () => {
        const said = model(serial)
        return said === undefined ? new Promise(() => {}) : Promise.resolve({ exitCode: 0, stdout: said, stderr: '' })
      },
    }) as unknown as Link
  const deps = {
    clock,
    host: { follow: ({ id }: { id: string }) => ({ look: () => look(id) }) },
    links: {
      ways: () => ways,
      get: async (serial: string) => {
        asked.push(serial)
        return linkOf(serial)
      },
    },
  } as unknown as Deps
  const call = { deadline: clock.now() + 20_000, signal: new AbortController().signal }
  return { clock, asked, explain: (error: ErrorObject) => explainChoice(error, deps, call) }
}

const refusalFor = (devices: { serial: string; state: string }[], problem?: LinkError): ErrorObject => {
  const selected = selectDevice(devices, undefined, problem)
  if (selected.ok) throw new Error('a device was chosen')
  return selected.error
}
const ready = (serial: string) => ({ serial, state: 'device' })

describe('several devices', () => {
  test('are named with model and work, beside the documented list', async () => {
    const { explain } = around({ look: id => (id === 'device:a' ? busy : idle), model: serial => `Model ${serial}\n` })
    const { details, hint } = await explain(refusalFor([ready('a'), ready('b')]))
    expect(details).toEqual({
      connected: ['a', 'b'],
      devices: [
        {
          deviceId: 'a',
          model: 'Model a',
          state: 'running',
          executionId: 'e1',
          commandId: 'c1',
          since: 1_000,
          waiting: 2,
        },
        { deviceId: 'b', model: 'Model b', state: 'idle', waiting: 0 },
      ],
    })
    expect(hint).toBe(
      'Name one with `deviceId`: a (Model a, running e1 since 1970-01-01T00:00:01.000Z, 2 waiting), b (Model b, idle).',
    )
  })

  test('are not waited for longer than a second', async () => {
    const { clock, explain } = around({ model: serial => (serial === 'a' ? undefined : 'Pixel') })
    let answer: ErrorObject | undefined
    void explain(refusalFor([ready('a'), ready('b')])).then(error => {
      answer = error
    })
    await settled()
    expect(answer).toBeUndefined()
    clock.advance(1_000)
    await settled()
    expect(answer?.details?.devices).toEqual([
      { deviceId: 'a', state: 'idle', waiting: 0 },
      { deviceId: 'b', model: 'Pixel', state: 'idle', waiting: 0 },
    ])
  })

  test('are all listed where they are many, and only some are asked and named', async () => {
    const { asked, explain } = around()
    const { details, hint } = await explain(refusalFor(Array.from({ length: 40 }, (_, index) => ready(`d${index}`))))
    expect(details?.devices).toHaveLength(40)
    expect(asked).toHaveLength(16)
    expect(hint).toMatch(/ and 32 more\.$/)
  })

  test('are named while the journal cannot be read', async () => {
    const { explain } = around({
      look: () => {
        throw new JournalError('failed', 'it fails')
      },
    })
    const { details } = await explain(refusalFor([ready('a'), ready('b')]))
    expect(details?.devices).toEqual([
      { deviceId: 'a', model: 'Pixel', state: 'unknown' },
      { deviceId: 'b', model: 'Pixel', state: 'unknown' },
    ])
  })
})

describe('no device', () => {
  const missing = new LinkError('ADB_NOT_FOUND', 'no adb program was found')
  test.each<[string, ErrorObject, LinkWays, RegExp]>([
    [
      'is listed',
      refusalFor([]),
      WAYS,
      /adb server at localhost:5037 lists no device, and SVC_TCP_DEVICES is empty\. Connect/,
    ],
    ['is authorized', refusalFor([{ serial: 'a', state: 'unauthorized' }]), WAYS, /^Unlock a and accept/],
    ['is online', refusalFor([{ serial: 'a', state: 'offline' }]), WAYS, /^Device a is offline: plug it in again/],
    [
      'of SVC_TCP_DEVICES is reached',
      refusalFor([{ serial: 'h:5555', state: 'offline' }]),
      { ...WAYS, tcpDevices: ['h:5555'] },
      /^Device h:5555 of SVC_TCP_DEVICES cannot be reached/,
    ],
    [
      'of SVC_TCP_DEVICES is reached, and there is no adb',
      refusalFor([{ serial: 'h:5555', state: 'offline' }], missing),
      { program: false, server: 'localhost:5037', tcpDevices: ['h:5555'] },
      /^Devices of the debug bridge are missing from the list\. Device h:5555 of SVC_TCP_DEVICES/,
    ],
  ])('%s', async (_, error, ways, hint) => {
    const explained = await around({ ways }).explain(error)
    expect(explained.hint).toMatch(hint)
    expect(explained.details).toMatchObject({ adb: ways })
    expect({ code: explained.code, message: explained.message }).toEqual({ code: error.code, message: error.message })
  })

  test('a failure of the debug bridge alone keeps the hint of its code', async () => {
    const explained = await around({ ways: WAYS }).explain(refusalFor([], missing))
    expect(explained).toMatchObject({ code: 'ADB_NOT_FOUND', details: { adb: WAYS } })
    expect(explained).not.toHaveProperty('hint')
  })

  test('another failure stays as it is', async () => {
    const error = { code: 'DEVICE_OFFLINE', message: 'It is offline.' }
    expect(await around({ ways: WAYS }).explain(error)).toBe(error)
  })
})
