/** The URLs of NATS servers and of their monitors: what they mean, and that no message repeats a secret in one. */
import { describe, expect, test } from 'vitest'
import { FleetConfigurationError, readMonitorUrl, readUrls } from '../../../src/fleet/servers/server-urls.ts'
import { readMonitor } from '../../../src/fleet/servers/servers.ts'

const SECRET = 's3cret'

describe('a URL that cannot be read', () => {
  test.each([
    `nats://user:${SECRET}@host:port`,
    `nats://user:${SECRET}@`,
    `nats://user:${SECRET}`,
    `user:${SECRET}`,
    `nats://user:${SECRET}@ho st:4222`,
    `nats://user:${SECRET}/x@host:4222`,
    `nats://user:1${SECRET}?x@host`,
    `nats://user:4222/${SECRET}@host`,
    `nats://user:4222#${SECRET}@host`,
    `nats://user:${SECRET}%zz@host`,
    `nats://${SECRET}%@host`,
    `http://user:${SECRET}@host`,
    `${SECRET}://user:password@host`,
    `nats://[${SECRET}]:4222`,
    `nats://user:${SECRET}@host:99999`,
  ])('%s is refused without repeating it', url => {
    const read = () => readUrls(['nats://fine:4222', url])
    expect(read).toThrow(FleetConfigurationError)
    expect(read).toThrow(/^URL 2 of 2 of the NATS servers /)
    expect(read).not.toThrow(new RegExp(SECRET))
  })
})

test('a password with percent codes is taken as it was meant', () => {
  expect(readUrls(['tls://user:a%2Cb%40c@one', 'two:4333', 'nats://three/'])).toEqual({
    servers: ['one:4222', 'two:4333', 'three:4222'],
    user: 'user',
    pass: 'a,b@c',
    tls: true,
  })
})

test('the address of a monitor is shown without its user and password, which are sent as a header', async () => {
  const address = readMonitorUrl(`http://user:${SECRET}@127.0.0.1:9/x`)
  expect(address).toEqual({
    url: 'http://127.0.0.1:9',
    authorization: `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`,
  })
  if (address) expect(await readMonitor(address)).not.toContain(SECRET)
  expect(readMonitorUrl(`user:${SECRET}@host`)).toBeUndefined()
})
