/** What commands and daemons of builds of svc have said to each other: today's client reads it, and asks in the same way. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INSTANCE_HEADER } from '../../../src/contracts/doors/headers.ts'
import { getRequest, postHead } from '../../../src/surfaces/daemon/client/connection.ts'
import { createReader } from '../../../src/surfaces/daemon/client/response.ts'
import { parseVersion, readMetadata } from '../../../src/surfaces/daemon/identity.ts'
import { type CapturedConnection, captured, capturesOf } from '../../support/runtime/captured.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-captured-')
/** The headers that every request of a command to a daemon has, which `postHead` writes by itself. */
const COMMON = ['host', 'content-type', 'content-length', 'connection', 'expect']

interface Captured {
  connections: CapturedConnection[]
  files: Record<string, string>
}

interface Turn {
  head: string
  asked: string
  said: Buffer
}

/** Each request of a connection with what was said to it; the body of a request may come after `100 Continue`. */
const turnsOf = (connection: CapturedConnection): Turn[] => {
  const turns: Turn[] = []
  for (const { from, text } of connection) {
    const bytes = Buffer.from(text, 'base64')
    const [head = ''] = bytes.toString('latin1').split(' HTTP/1.1')
    if (from === 'client' && /^(?:GET|POST) \//.test(head)) turns.push({ head, asked: '', said: Buffer.alloc(0) })
    const turn = turns.at(-1)
    if (!turn) continue
    if (from === 'client') turn.asked += bytes.toString()
    else turn.said = Buffer.concat([turn.said, bytes])
  }
  return turns
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

  const turns = connections.flatMap(turnsOf)
  const instance = () => readMetadata(path())?.instanceId

  test.each(turns)('answers $head, which is read in whatever pieces it comes', ({ asked, said }) => {
    const whole = createReader()
    expect(whole.feed(said)).toBe('complete')
    const apart = createReader()
    for (const byte of said.subarray(0, -1)) expect(apart.feed(Buffer.of(byte))).toBe('more')
    expect(apart.feed(said.subarray(-1))).toBe('complete')
    expect(apart.answer()).toEqual(whole.answer())
    const { status, headers, body = '' } = whole.answer() ?? {}
    expect([status, headers?.[INSTANCE_HEADER]]).toEqual([200, instance()])
    if (asked.startsWith('GET')) expect(parseVersion(body.toString())).toMatchObject({ version: '0.1.0' })
    else expect(JSON.parse(body.toString())).toMatchObject({ ok: true, envelope: { status: 'success' } })
    const isOffered = asked.includes('Expect: 100-continue')
    expect(whole.interim()).toMatchObject(isOffered ? { status: 100, headers: { [INSTANCE_HEADER]: instance() } } : {})
  })

  test.each(turns)('is asked by $head in a form that commands have today', ({ asked }) => {
    const [head = '', body = ''] = asked.split('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    const headers = lines.map(line => line.split(': ') as [string, string])
    const [, target = ''] = first.split(' ')
    if (first.startsWith('GET')) return expect(getRequest('/version')).toBe(asked)
    expect(JSON.parse(body)).toMatchObject({ execution: { expectedFormat: 'android-ui-automator' } })
    // The first builds asked for the version on the same connection, before they sent all at once.
    if (!head.includes('Expect')) return expect(turns[0]?.asked).toBe(getRequest('/version'))
    const own = Object.fromEntries(headers.filter(([name]) => !COMMON.includes(name.toLowerCase())))
    return expect(postHead(target, Buffer.byteLength(body), own)).toBe(`${head}\r\n\r\n`)
  })
})
