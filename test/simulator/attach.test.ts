/** The console and the registration against a stand-in for the server and the client, for machines without adb. */
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { connectThroughServer, disconnectFromServer, registerEmulator } from '../../src/simulator/attach.ts'
import { startEmulatorConsole } from '../support/emulators/emulator-console.ts'

const clock = systemClock()
let server: Server | undefined

afterEach(() => {
  server?.close()
})

const fakeServer = async (answer: string | undefined) => {
  const asked: string[] = []
  server = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', data => {
      asked.push(data.toString())
      if (answer !== undefined) socket.end(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { asked, options: { server: { host: '127.0.0.1', port }, clock, timeoutMs: 100 } }
}

const sentence = (text: string) => `OKAY${text.length.toString(16).padStart(4, '0')}${text}`

describe('registration', () => {
  test('an emulator: the server says nothing', async () => {
    const { asked, options } = await fakeServer('')
    expect(await registerEmulator(options, 15_701)).toEqual({ ok: true })
    expect(asked).toEqual(['0013host:emulator:15701'])
  })

  test.each([
    ['connected to 127.0.0.1:4000', true],
    ['already connected to 127.0.0.1:4000', true],
    ['failed to connect to 127.0.0.1:4000', false],
    ['failed to authenticate to 127.0.0.1:4000', false],
  ])('a TCP device: only the sentence tells: %s', async (text, ok) => {
    const { options } = await fakeServer(sentence(text))
    expect(await connectThroughServer(options, '127.0.0.1:4000')).toEqual(ok ? { ok } : { ok, reason: text })
  })

  test('a server that refuses, is silent, or is not there', async () => {
    const refusing = await fakeServer('FAIL0004nope')
    expect(await registerEmulator(refusing.options, 1)).toEqual({ ok: false, reason: 'nope' })
    const silent = await fakeServer(undefined)
    expect(await disconnectFromServer(silent.options, 'x:1')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('100 ms'),
    })
    const nobody = { server: { path: '/nonexistent/socket' }, clock }
    expect(await connectThroughServer(nobody, 'x:1')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('ENOENT'),
    })
  })
})

describe('the emulator console', () => {
  const talk = async (port: number, text: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.write(text)
    await once(socket, 'close')
    // What adb does: drop everything up to the second OK.
    return heard.split('OK\r\n').slice(2).join('OK\r\n')
  }

  test('answers so that adb prints what it should, with a token and without one', async () => {
    let kills = 0
    const emulator = await startEmulatorConsole({ name: 'sim', onKill: () => kills++ })
    expect(await talk(emulator.port, 'avd name\nquit\n')).toBe('sim\r\nOK\r\n')
    expect(await talk(emulator.port, 'auth secret\navd name\nquit\n')).toBe('sim\r\nOK\r\n')
    expect(await talk(emulator.port, 'quit\n')).toBe('')
    expect(await talk(emulator.port, 'dance\nquit\n')).toContain('KO: unknown command')
    expect(await talk(emulator.port, 'kill\n')).toContain('bye bye')
    expect(kills).toBe(1)
    const endless = connect(emulator.port, '127.0.0.1')
    endless.on('error', () => {})
    const closed = new Promise(resolve => endless.on('close', resolve))
    endless.write('x'.repeat(100_000))
    await closed
    await emulator.close()
  })
})
