/** What commands and daemons of builds of svc have said to each other: today's client reads it, and asks in the same way. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INSTANCE_HEADER } from '../../src/contracts/headers.ts'
import { postHead } from '../../src/daemon/client/connection.ts'
import { createReader } from '../../src/daemon/client/response.ts'
import { readMetadata } from '../../src/daemon/identity.ts'
import { bytesFrom, type CapturedConnection, captured, capturesOf } from '../support/captured.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-captured-')
/** The headers that every request of a command to a daemon has, which `postHead` writes by itself. */
const COMMON = ['host', 'content-type', 'content-length', 'connection', 'expect']

interface Captured {
  connections: CapturedConnection[]
  files: Record<string, string>
}

const builds = capturesOf('daemon')
test('there are captures', () => expect(builds.length).toBeGreaterThan(0))

describe.each(builds)('a daemon of %s', build => {
  const { connections, files } = captured<Captured>(build, 'daemon')
  const [name = '', text = ''] = Object.entries(files).find(([, content]) => content.includes('instanceId')) ?? []
  const path = () => {
    const file = join(folder(), build, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }

  test('names its process, build and instance in its metadata', () => {
    expect(readMetadata(path())).toMatchObject({
      pid: expect.any(Number),
      instanceId: expect.stringMatching(/^[\w-]{8,}$/),
      cliEntryPath: expect.stringMatching(/svc\.cjs$/),
    })
  })

  test.each(connections.map((_, index) => index))('takes request %d before its body, and answers it', index => {
    const bytes = bytesFrom(connections[index] ?? [], 'server')
    const whole = createReader()
    expect(whole.feed(bytes)).toBe('complete')
    const apart = createReader()
    for (const byte of bytes.subarray(0, -1)) expect(apart.feed(Buffer.of(byte))).toBe('more')
    expect(apart.feed(bytes.subarray(-1))).toBe('complete')
    expect(apart.answer()).toEqual(whole.answer())
    expect(whole.interim()).toMatchObject({
      status: 100,
      headers: { [INSTANCE_HEADER]: readMetadata(path())?.instanceId },
    })
    const { status, body = '' } = whole.answer() ?? {}
    expect(status).toBe(200)
    expect(JSON.parse(body.toString())).toMatchObject({ ok: true, envelope: { status: 'success' } })
  })

  test.each(connections.map((_, index) => index))('is asked by request %d as today’s command asks', index => {
    const asked = bytesFrom(connections[index] ?? [], 'client').toString()
    const [head = '', body = ''] = asked.split('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    const headers = lines.map(line => line.split(': ') as [string, string])
    const own = Object.fromEntries(headers.filter(([name]) => !COMMON.includes(name.toLowerCase())))
    const [, target = ''] = first.split(' ')
    expect(postHead(target, Buffer.byteLength(body), own)).toBe(`${head}\r\n\r\n`)
    expect(JSON.parse(body)).toMatchObject({ execution: { expectedFormat: 'android-ui-automator' } })
  })
})
