/** Conversations of builds of svc with phones and operator apps, byte by byte as they were: today's code reads them all. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  CHUNK_PREFIX,
  HostFrame,
  OperatorRequest,
  RESULT_PREFIX,
  type WireEnvelope,
} from '../../../../../src/contracts/device/operator.ts'
import { COMMAND, packetReader } from '../../../../../src/device/link/packet.ts'
import { shellReader } from '../../../../../src/device/link/run-command.ts'
import { createAssembler } from '../../../../../src/device/operators/app/wire/assembler.ts'
import { readAmAnswer } from '../../../../../src/device/operators/app/wire/broadcast.ts'
import { frameCutter, readFrame } from '../../../../../src/device/operators/app/wire/messages.ts'
import {
  bytesFrom,
  type CapturedConnection,
  type CapturedStream,
  captured,
  capturesOf,
  readLink,
} from '../../../../support/runtime/captured.ts'

const OPERATOR = 'com.svc.operator'
const linksOf = (build: string, wire: string) => captured<CapturedConnection[]>(build, wire).map(readLink)

const shellOf = ({ service, received }: CapturedStream) => {
  const said = { service, stdout: [] as Buffer[], stderr: '', exitCode: undefined as number | undefined }
  const read = shellReader({
    stdout: bytes => void said.stdout.push(Buffer.from(bytes)),
    stderr: bytes => {
      said.stderr += Buffer.from(bytes).toString()
    },
    exit: code => {
      said.exitCode = code
    },
  })
  for (const chunk of received) read(chunk)
  return said
}
const shellsOf = (streams: readonly CapturedStream[], word: string) =>
  streams.filter(({ service }) => service.startsWith('shell,v2') && service.includes(word)).map(shellOf)

const builds = capturesOf('adb-socket')

test('there are captures', () => expect(builds.length).toBeGreaterThan(0))

describe.each(builds)('the debug bridge of %s', build => {
  test.each(['adb-socket', 'adb-broadcast'])('%s: packets are the same in whatever pieces they come', wire => {
    for (const connection of captured<CapturedConnection[]>(build, wire)) {
      for (const side of ['client', 'server'] as const) {
        const bytes = bytesFrom(connection, side)
        const whole = packetReader()(bytes)
        const one = packetReader()
        const apart = Array.from(bytes, byte => one(Uint8Array.of(byte))).flat()
        expect(apart).toEqual(whole)
        expect(whole[0]?.command).toBe(COMMAND.CNXN)
      }
    }
  })

  test.each(['adb-socket', 'adb-broadcast'])(
    '%s: a phone says who it is, and commands end with their exit codes',
    wire => {
      for (const { packets, streams } of linksOf(build, wire)) {
        const banner = packets.find(({ from, packet }) => from === 'server' && packet.command === COMMAND.CNXN)
        expect(Buffer.from(banner?.packet.payload ?? []).toString()).toMatch(/^device::.*features=.*shell_v2/)
        const looks = shellsOf(streams, 'dumpsys power')
        expect(looks.length).toBeGreaterThan(0)
        for (const { stdout, exitCode } of looks) {
          expect(exitCode).toBe(0)
          expect(Buffer.concat(stdout).toString()).toMatch(/Awake/)
        }
      }
    },
  )
})

const succeeded = (envelope: WireEnvelope | undefined, request: OperatorRequest) => {
  expect(envelope?.commandId).toBe(request.commandId)
  expect(envelope?.stepResults.map(({ id }) => id)).toEqual(
    request.actions.slice(0, envelope?.stepResults.length).map(({ id }) => id),
  )
}

describe.each(builds)('the operator protocol of %s', build => {
  test('session socket: hello, requests, and each result in a frame', () => {
    let results = 0
    for (const { streams } of linksOf(build, 'adb-socket')) {
      for (const { sent, received } of streams.filter(({ service }) => service.startsWith('localabstract:'))) {
        const toApp = frameCutter()
        const requests = sent
          .flatMap(bytes => toApp.push(bytes))
          .map(text => v.parse(HostFrame, JSON.parse(text)))
          .flatMap(frame => (frame.type === 'execute' ? [frame.payload] : []))
        const waiting = requests.map(({ commandId: wireId, nonce }) => ({ wireId, nonce }))
        const toHost = frameCutter()
        const frames = received.flatMap(bytes => toHost.push(bytes)).map(text => readFrame(text, waiting))
        expect(frames[0]).toEqual({ kind: 'hello', protocol: 1, package: OPERATOR, capabilities: [] })
        for (const frame of frames.slice(1)) {
          if (frame?.kind !== 'result' || frame.result.kind !== 'done') throw new Error(JSON.stringify(frame))
          const { wireId, result } = frame
          const request = requests.find(({ commandId }) => commandId === wireId)
          if (!request) throw new Error(`nobody asked for ${wireId}`)
          succeeded(result.envelope, request)
          expect(result.envelope.status).toBe('success')
          results += 1
        }
      }
    }
    expect(results).toBeGreaterThan(1)
  })

  test('broadcast: the payload in the command or in a file, and results in the log, whole and in chunks', () => {
    const forms = { payload: 0, payloadFile: 0, [RESULT_PREFIX]: 0, [CHUNK_PREFIX]: 0 }
    for (const { streams } of linksOf(build, 'adb-broadcast')) {
      const broadcasts = shellsOf(streams, 'am broadcast')
      const pushed = streams.filter(({ service }) => service === 'sync:').map(({ sent }) => Buffer.concat(sent))
      const requests = broadcasts.map(({ service, stdout, stderr, exitCode = -1 }) => {
        expect(readAmAnswer({ stdout: Buffer.concat(stdout).toString(), stderr, exitCode }, OPERATOR)).toEqual({
          kind: 'done',
        })
        const [, extra, value = ''] = /--es '?(payload|payloadFile)'? (.*?) '?--receiver/.exec(service) ?? []
        forms[extra as 'payload' | 'payloadFile'] += 1
        if (extra === 'payload')
          return v.parse(OperatorRequest, JSON.parse(value.replace(/^'|'$/g, '').replaceAll("'\\''", "'")))
        const bytes = pushed.find(each => each.includes('"protocol":1')) ?? Buffer.alloc(0)
        // The sync protocol puts a header of eight bytes before each 64 KiB of the file.
        const text = bytes.toString('latin1').replaceAll(/DATA[\s\S]{4}/g, '')
        const json = /\{"commandId"[\s\S]*\}(?=DONE)/.exec(text)?.[0] ?? ''
        return v.parse(OperatorRequest, JSON.parse(json))
      })
      const assembler = createAssembler()
      for (const { commandId: wireId, nonce } of requests) assembler.expect({ wireId, nonce })
      const envelopes = new Map<string, WireEnvelope>()
      for (const { stdout } of shellsOf(streams, 'logcat')) {
        const feed = assembler.feed(line => {
          for (const prefix of [RESULT_PREFIX, CHUNK_PREFIX] as const) if (line.startsWith(prefix)) forms[prefix] += 1
        })
        for (const { wireId, step } of [...stdout.flatMap(bytes => feed.push(bytes)), ...feed.end()]) {
          if (step.kind === 'done') envelopes.set(wireId, step.envelope)
        }
      }
      for (const request of requests) succeeded(envelopes.get(request.commandId), request)
    }
    for (const [form, count] of Object.entries(forms)) expect(count, form).toBeGreaterThan(0)
  })
})
