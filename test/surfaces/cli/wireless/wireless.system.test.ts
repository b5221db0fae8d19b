/** `svc devices connect|disconnect|pair|discover` before an adb server that answers in fixed words. */
import { describe, expect, test } from 'vitest'
import { type StubAnswer, startAdbServerStub } from '../../../support/adb/adb-server-stub.ts'
import { runCliHere, startCliHere } from '../../../support/cli/cli-here.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const PHONE = '192.168.1.20:37099'
const SERVICES = `adb-S-x\t_adb-tls-connect._tcp\t${PHONE}\n`
const PAIRED = 'Successfully paired to 192.168.1.20:41235 [guid=adb-S-x]'

const home = temporary('svc-wireless-')

const calling = async (answers: Readonly<Record<string, StubAnswer>>) => {
  const { env, requests } = await startAdbServerStub({ 'host:devices': '', ...answers })
  const variables = { HOME: home(), ...env }
  const call = (...words: string[]) => runCliHere(['devices', ...words], { env: variables })
  return { call, requests, begin: (...words: string[]) => startCliHere(['devices', ...words], { env: variables }) }
}

describe('connect', () => {
  test('says the device and its state, with the port of adb where none was given', async () => {
    const { call, requests } = await calling({
      'host:connect:*': 'connected to pixel:5555',
      'host:devices': 'pixel:5555\tdevice\n',
    })
    const { code, json } = await call('connect', 'pixel')
    expect({ code, json: json() }).toEqual({
      code: 0,
      json: { device: { serial: 'pixel:5555', deviceId: 'pixel:5555', state: 'device' }, already: false },
    })
    expect(requests).toContain('host:connect:pixel:5555')
  })

  test.each([
    ['refused', `failed to connect to '${PHONE}': Connection refused`],
    ['timeout', `failed to connect to ${PHONE}`],
    ['unauthorized', `failed to authenticate to ${PHONE}`],
  ])('%s is CONNECT_FAILED, with what to do', async (reason, said) => {
    const { call } = await calling({ 'host:connect:*': said })
    const { code, json } = await call('connect', PHONE)
    expect({ code, json: json() }).toMatchObject({
      code: 1,
      json: { code: 'CONNECT_FAILED', details: { address: PHONE, reason, said }, hint: expect.stringMatching(/\.$/) },
    })
  })

  test('one that is connected and offline is said to be offline', async () => {
    const { call } = await calling({
      'host:connect:*': `already connected to ${PHONE}`,
      'host:devices': `${PHONE}\toffline\n`,
    })
    expect((await call('connect', PHONE)).json()).toMatchObject({
      code: 'DEVICE_OFFLINE',
      hint: `Run svc devices disconnect ${PHONE}, then connect it again.`,
    })
  })

  test.each(['a b', 'host:99999', '[::1', 'x:y'])('%j is no address, and nothing is sent', async address => {
    const { call, requests } = await calling({})
    expect((await call('connect', address)).json()).toMatchObject({ code: 'USAGE' })
    expect(requests).toEqual([])
  })
})

test('disconnect names what has left, and a device that was not there', async () => {
  const { call } = await calling({
    'host:devices': [`${PHONE}\tdevice\nUSB1\tdevice\n`, 'USB1\tdevice\n'],
    'host:disconnect:*': `disconnected ${PHONE}`,
  })
  expect((await call('disconnect', PHONE)).json()).toEqual({ disconnected: [PHONE] })
  expect((await call('disconnect', PHONE)).json()).toMatchObject({ code: 'DEVICE_NOT_FOUND' })
})

test('discover lists services with their kinds, and says why there are none', async () => {
  const { call } = await calling({ 'host:mdns:check': 'mdns daemon version [1]', 'host:mdns:services': SERVICES })
  expect((await call('discover')).json()).toEqual({
    services: [{ name: 'adb-S-x', kind: 'connect', address: PHONE }],
    count: 1,
  })
  const old = await calling({ 'host:mdns:check': { fail: 'unknown host service' } })
  expect((await old.call('discover')).json()).toMatchObject({
    code: 'DISCOVERY_UNAVAILABLE',
    details: { reason: 'unsupported' },
  })
})

describe('pair with a code', () => {
  test('says where the phone can be connected', async () => {
    const { call } = await calling({
      'host:pair:314159:*': PAIRED,
      'host:mdns:check': 'mdns daemon version [1]',
      'host:mdns:services': SERVICES,
    })
    expect((await call('pair', '192.168.1.20:41235', '314159')).json()).toEqual({
      paired: { address: '192.168.1.20:41235', guid: 'adb-S-x' },
      device: null,
      connectAt: PHONE,
    })
  })

  test('a wrong code is PAIRING_FAILED, and is not repeated', async () => {
    const said = 'Failed: Wrong password or connection was dropped (314159).'
    const { call } = await calling({ 'host:pair:*': said })
    const { code, stdout, json } = await call('pair', '192.168.1.20:41235', '314159')
    expect({ code, json: json() }).toMatchObject({
      code: 1,
      json: { code: 'PAIRING_FAILED', details: { reason: 'wrong_code' } },
    })
    expect(stdout).not.toContain('314159')
  })

  test.each([
    ['no code', ['1.2.3.4:5']],
    ['five digits', ['1.2.3.4:5', '12345']],
    ['letters', ['1.2.3.4:5', '12345a']],
    ['no port', ['1.2.3.4', '314159']],
    ['an address beside --qr', ['1.2.3.4:5', '314159', '--qr']],
    ['a time that is out of range', ['--qr', '--for', '4']],
  ])('%s is a usage error, and nothing is sent', async (_, words) => {
    const { call, requests } = await calling({})
    expect((await call('pair', ...words)).json()).toMatchObject({ code: 'USAGE' })
    expect(requests).toEqual([])
  })
})

test('a QR code is shown, and a phone of another name is not paired', async () => {
  const { begin, requests } = await calling({
    'host:mdns:check': 'mdns daemon version [1]',
    'host:mdns:services': 'svc-somebody\t_adb-tls-pairing._tcp\t192.168.1.66:1\n',
    'host:pair:*': PAIRED,
  })
  const pairing = begin('pair', '--qr')
  await until(() => requests.filter(request => request === 'host:mdns:services').length > 1, 'another look')
  pairing.interrupt()
  expect((await pairing.ended).code).toBe(130)
  expect(pairing.stderr()).toContain('Pair device with QR code')
  expect(requests.filter(request => request.startsWith('host:pair'))).toEqual([])
})
