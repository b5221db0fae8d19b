/** How a TCP device is opened: its word, its silence, and the person who has to allow it. */
import { publicDecrypt } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { SHA1_DIGEST_INFO } from '@yume-chan/adb'
import { afterEach, describe, expect, test } from 'vitest'
import { createKeyring } from '../../../src/device/link/adb-key.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'
import { type FakeAdbdOptions, startFakeAdbd, TOKEN } from './fake-adbd.ts'
import { fakeDevice } from './fake-services.ts'
import { codeOf, within } from './link-suite.ts'
import { linksFor } from './links-for-tests.ts'

const folder = temporary('svc-key-')
const keyPath = (name: string) => `${folder()}/${name}/.android/adbkey`
const soon = () => within(20_000)

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const start = async (name: string, options: FakeAdbdOptions, limits = {}) => {
  const adbd = await startFakeAdbd(fakeDevice(), options)
  const links = linksFor({ tcp: adbd.serial, keyPath: keyPath(name), limits })
  ends.push(
    () => adbd.stop(),
    () => links.close(),
  )
  return { adbd, links }
}

describe('a device that wants to know who asks', () => {
  test('gets a signature, then the key, and is open once a person has allowed it', async () => {
    const { adbd, links } = await start('asked', { auth: 'ask' }, { authorizingGraceMs: 10 })
    const opening = links.get(adbd.serial, soon())
    await until(() => adbd.asked.length === 2, 'the key to be offered')
    expect(await links.list(soon())).toEqual({ devices: [{ serial: adbd.serial, state: 'unauthorized' }] })
    adbd.allow()
    expect((await (await opening).shell('echo in', soon())).stdout).toBe('in\n')
    expect((await links.list(soon())).devices).toEqual([{ serial: adbd.serial, state: 'device' }])

    const [signature, offer] = adbd.asked
    const pem = readFileSync(keyPath('asked'), 'utf8')
    const signed = publicDecrypt(pem, signature?.payload ?? Buffer.alloc(0))
    expect([signature?.type, offer?.type]).toEqual([2, 3])
    expect(signed.equals(Buffer.concat([SHA1_DIGEST_INFO, TOKEN]))).toBe(true)
    const line = offer?.payload.toString() ?? ''
    expect(line).toBe(`${readFileSync(`${keyPath('asked')}.pub`, 'utf8')}\0`)
    expect(line).toMatch(/^[A-Za-z0-9+/]{690,}=* \S+@\S+\0$/)
  })

  test('and that stays silent is unauthorized, for a caller and for all who wait', async () => {
    const { adbd, links } = await start('asked', { auth: 'ask' }, { authorizeMs: 150 })
    expect(await codeOf(links.get(adbd.serial, soon()))).toBe('DEVICE_UNAUTHORIZED')
  })

  test('a caller with less time than the person is told so', async () => {
    const { adbd, links } = await start('asked', { auth: 'ask' })
    const call = codeOf(links.get(adbd.serial, within(500)))
    await until(() => adbd.asked.length === 2, 'the key to be offered')
    expect(await call).toBe('DEVICE_UNAUTHORIZED')
  })

  test('a key that cannot be used is not silence', async () => {
    const path = `${folder()}/broken`
    writeFileSync(path, 'no key')
    const adbd = await startFakeAdbd(fakeDevice(), { auth: 'ask' })
    const links = linksFor({ tcp: adbd.serial, keyPath: path })
    await expect(links.get(adbd.serial, soon())).rejects.toMatchObject({
      code: 'DEVICE_UNAUTHORIZED',
      message: expect.stringContaining('the key of this host'),
    })
    await links.close()
    await adbd.stop()
  })
})

describe('a device that is not there', () => {
  test('nobody listens', async () => {
    const { adbd, links } = await start('gone', {})
    await adbd.stop()
    expect(await codeOf(links.get(adbd.serial, soon()))).toBe('DEVICE_OFFLINE')
    expect((await links.list(soon())).devices).toEqual([{ serial: adbd.serial, state: 'offline' }])
  })

  test('one that accepts and says nothing', async () => {
    const { adbd, links } = await start('mute', { auth: 'silent' }, { handshakeMs: 100, probeMs: 50 })
    expect((await links.list(soon())).devices).toEqual([{ serial: adbd.serial, state: 'offline' }])
    expect(await codeOf(links.get(adbd.serial, soon()))).toBe('DEVICE_OFFLINE')
    await until(() => adbd.connections.size === 0, 'the connection to be given up')
  })

  test('something else that listens', async () => {
    const web = createServer(socket => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
    const serial = `127.0.0.1:${(web.address() as AddressInfo).port}`
    const links = linksFor({ tcp: serial })
    await expect(links.get(serial, soon())).rejects.toMatchObject({
      code: 'DEVICE_OFFLINE',
      message: expect.stringContaining('does not speak the adb protocol'),
    })
    await links.close()
    web.close()
  })

  test('an entry that is not an address', async () => {
    const links = linksFor({ tcp: 'phone:99999' })
    expect((await links.list(soon())).devices).toEqual([{ serial: 'phone:99999', state: 'offline' }])
    expect(await codeOf(links.get('phone:99999', soon()))).toBe('DEVICE_OFFLINE')
    await links.close()
  })
})

describe('a device of another kind', () => {
  test('recovery is listed as what it is', async () => {
    const { adbd, links } = await start('recovery', { kind: 'recovery' })
    expect((await links.list(soon())).devices).toEqual([{ serial: adbd.serial, state: 'recovery' }])
  })

  test('one too old to report exit codes', async () => {
    const { adbd, links } = await start('old', { features: 'cmd' })
    const link = await links.get(adbd.serial, soon())
    expect(await codeOf(link.shell('true', soon()))).toBe('DEVICE_SHELL_UNAVAILABLE')
  })

  test('one that takes little at a time', async () => {
    const { adbd, links } = await start('small', { payloadMax: 4_096 })
    const link = await links.get(adbd.serial, soon())
    const stdin = Buffer.alloc(100_000, 'x')
    expect(Number((await link.shell('wc -c', { ...soon(), stdin })).stdout)).toBe(100_000)
    expect(await codeOf(link.shell(`echo ${'x'.repeat(5_000)}`, soon()))).toBe('LINK_COMMAND_TOO_LONG')
  })
})

describe('the key', () => {
  test('is made once, for its owner alone, however many want it at once', async () => {
    const path = keyPath('many')
    const keyrings = Array.from({ length: 3 }, () => createKeyring(path))
    const keys = await Promise.all(keyrings.map(keyring => keyring.load()))
    expect(new Set(keys.map(key => key.publicKey())).size).toBe(1)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
    await until(() => readFileSync(`${path}.pub`, 'utf8') === keys[0]?.publicKey(), 'the public half')
  })
})
