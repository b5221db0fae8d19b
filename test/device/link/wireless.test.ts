/** Requests about the network to an adb server: its words, its silence, and servers that are not there or too old. */
import { expect, test } from 'vitest'
import { serverAddress } from '../../../src/contracts/device/addresses.ts'
import { readConnectAnswer, readPairAnswer, readServices } from '../../../src/device/link/wireless.ts'
import { type StubAnswer, startAdbServerStub } from '../../support/adb/adb-server-stub.ts'
import { linksFor } from './links-for-tests.ts'

const soon = () => ({ deadline: Date.now() + 5_000 })

const asking = async (answers: Readonly<Record<string, StubAnswer>>) => {
  const stub = await startAdbServerStub(answers)
  const server = linksFor({ server: serverAddress(stub.env) }).server?.()
  if (!server) throw new Error('no adb server can be asked')
  return { ...stub, server }
}

test.each([
  ['connected to 192.168.1.20:37099', { ok: true, already: false }],
  ['already connected to 192.168.1.20:37099', { ok: true, already: true }],
  ["failed to connect to '192.168.1.20:37099': Connection refused", { ok: false, reason: 'refused' }],
  ['cannot connect to 192.168.1.20:37099: No route to host', { ok: false, reason: 'unreachable' }],
  ['failed to connect to 192.168.1.20:37099', { ok: false, reason: 'timeout' }],
  ["failed to connect to '192.168.1.20:37099': Operation timed out", { ok: false, reason: 'timeout' }],
  ["failed to resolve host: 'pixel': Name or service not known", { ok: false, reason: 'unknown_host' }],
  ['failed to authenticate to 192.168.1.20:37099', { ok: false, reason: 'unauthorized' }],
  ['cannot connect to 192.168.1.20:37099: Forbindelse afvist', { ok: false, reason: 'failed' }],
  ['', { ok: false, reason: 'failed' }],
])('host:connect answers %j', (answer, expected) => {
  expect(readConnectAnswer(answer)).toMatchObject(expected)
})

test.each([
  ['Successfully paired to 192.168.1.20:41235 [guid=adb-SERIAL-a1b2c3]', { ok: true, guid: 'adb-SERIAL-a1b2c3' }],
  ['Successfully paired to 192.168.1.20:41235', { ok: true }],
  ['Failed: Wrong password or connection was dropped.', { ok: false, reason: 'wrong_code' }],
  ["error: protocol fault (couldn't read status message): Success", { ok: false, reason: 'wrong_code' }],
  ['Failed: Unable to start pairing client: Connection refused', { ok: false, reason: 'refused' }],
  ['Failed: nothing of the kind', { ok: false, reason: 'failed' }],
])('host:pair answers %j', (answer, expected) => {
  expect(readPairAnswer(answer)).toMatchObject(expected)
})

test('services that are none of adb, or have no address, are left out', () => {
  const text = [
    'adb-S-x\t_adb-tls-connect._tcp.\t192.168.1.20:37099',
    'svc-abc\t_adb-tls-pairing._tcp\t192.168.1.20:41235',
    'old\t_adb._tcp\t[fe80::1]:5555',
    'printer\t_ipp._tcp\t192.168.1.9:631',
    'broken\t_adb._tcp\tnowhere',
    '\t_adb._tcp\t1.2.3.4:5',
    'line',
  ].join('\n')
  expect(readServices(text)).toEqual([
    { name: 'adb-S-x', kind: 'connect', address: '192.168.1.20:37099' },
    { name: 'svc-abc', kind: 'pairing', address: '192.168.1.20:41235' },
    { name: 'old', kind: 'classic', address: '[fe80::1]:5555' },
  ])
})

test('a pairing sends code and address, and says the guid', async () => {
  const { server, requests } = await asking({ 'host:pair:*': 'Successfully paired to 1.2.3.4:5 [guid=adb-S-x]' })
  expect(await server.pair('1.2.3.4:5', '314159', soon())).toEqual({ ok: true, guid: 'adb-S-x' })
  expect(requests).toEqual(['host:pair:314159:1.2.3.4:5'])
})

test.each<[string, StubAnswer, object]>([
  ['is too old to pair', { fail: 'unknown host service' }, { reason: 'unsupported' }],
  ['ends the connection, as for a wrong code', { raw: 'OKAY' }, { reason: 'wrong_code' }],
  ['refuses in its own words', { fail: 'Failed: Wrong password or connection was dropped.' }, { reason: 'wrong_code' }],
])('a server that %s', async (_, answer, expected) => {
  const { server } = await asking({ 'host:pair:*': answer })
  expect(await server.pair('1.2.3.4:5', '314159', soon())).toMatchObject({ ok: false, ...expected })
})

test('services are listed where the server has mDNS, and it says when it has none', async () => {
  const line = 'adb-S-x\t_adb-tls-connect._tcp\t192.168.1.20:37099\n'
  const { server } = await asking({
    'host:mdns:check': ['mdns daemon version [Openscreen discovery 0.0.0]', 'ERROR: mdns daemon unavailable'],
    'host:mdns:services': line,
  })
  expect(await server.discover(soon())).toMatchObject({ ok: true, services: [{ name: 'adb-S-x' }] })
  expect(await server.discover(soon())).toMatchObject({ ok: false, reason: 'off' })
  const old = await asking({ 'host:mdns:check': { fail: 'unknown host service' } })
  expect(await old.server.discover(soon())).toMatchObject({ ok: false, reason: 'unsupported' })
})

test('a disconnection names what has left, and asks nothing about a device that is not there', async () => {
  const { server, requests } = await asking({
    'host:devices': ['1.2.3.4:5\tdevice\nUSB1\tdevice\n', 'USB1\tdevice\n'],
    'host:disconnect:*': 'disconnected everything',
  })
  expect(await server.disconnect(undefined, soon())).toEqual(['1.2.3.4:5'])
  expect(await server.disconnect('9.9.9.9:9', soon())).toEqual([])
  expect(requests.filter(request => request.startsWith('host:disconnect'))).toEqual(['host:disconnect:'])
})

test('a server that says nothing is not waited for without end', async () => {
  const { server } = await asking({})
  const brief = () => ({ deadline: Date.now() + 50 })
  expect(await server.connect('1.2.3.4:5', brief())).toMatchObject({ ok: false, reason: 'timeout' })
  expect(await server.pair('1.2.3.4:5', '314159', brief())).toMatchObject({ ok: false, reason: 'timeout' })
  await expect(server.discover(brief())).rejects.toMatchObject({ code: 'ADB_SERVER_FAILED' })
})

test('without a server, nothing is connected, and one is needed for the rest', async () => {
  const server = linksFor({}).server?.()
  expect(await server?.disconnect(undefined, soon())).toEqual([])
  await expect(server?.connect('1.2.3.4:5', soon())).rejects.toMatchObject({ code: 'ADB_NOT_FOUND' })
  await expect(server?.pair('1.2.3.4:5', '314159', soon())).rejects.toMatchObject({ code: 'ADB_NOT_FOUND' })
})
