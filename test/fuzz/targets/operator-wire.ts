/** What an operator app answers: envelopes in the log, whole and in chunks, and the frames of its socket. */
import { createHash } from 'node:crypto'
import type { WireEnvelope } from '../../../src/contracts/device/operator.ts'
import { createAssembler, isWireResult } from '../../../src/device/operators/app/wire/assembler.ts'
import { readAmAnswer } from '../../../src/device/operators/app/wire/broadcast.ts'
import {
  encodeFrame,
  frameCutter,
  readFrame,
  type WireResult,
} from '../../../src/device/operators/app/wire/messages.ts'
import { inOrder, type StepEnd } from '../../../src/device/operators/app/wire/progress.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { behindLengths, mutateLines, mutatePieces } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSame, expectSameInPieces, expectThat, refusedBy, stateless, type Target } from '../target.ts'

const AWAITED = { wireId: 'w-1', nonce: 'ab'.repeat(16) }

const ENVELOPE = {
  commandId: AWAITED.wireId,
  taskId: 't',
  nonce: AWAITED.nonce,
  status: 'success',
  stepResults: [{ id: 's1', actionType: 'snapshot', success: true, data: { text: '<hierarchy rotation="0"/>' } }],
  error: null,
}
const FAILED = {
  ...ENVELOPE,
  status: 'failed',
  stepResults: [{ id: 's1', actionType: 'click', success: false, data: {}, errorCode: 'NODE_NOT_FOUND' }],
  error: { code: 'NODE_NOT_FOUND', message: 'No node.' },
  errorCode: 'NODE_NOT_FOUND',
}

const STEPS = 3
const PROGRESS = { commandId: AWAITED.wireId, nonce: AWAITED.nonce, step: 0, success: true }

const chunksOf = (envelope: object, size: number): string[] => {
  const whole = Buffer.from(JSON.stringify(envelope))
  const count = Math.ceil(whole.length / size)
  const facts = { count, byteLength: whole.length, sha256: createHash('sha256').update(whole).digest('hex') }
  return Array.from({ length: count }, (_, index) => {
    const data = whole.subarray(index * size, (index + 1) * size).toString('base64')
    const chunk = { commandId: AWAITED.wireId, nonce: AWAITED.nonce, index, ...facts, data }
    return `[Svc-Result-Chunk] ${JSON.stringify(chunk)}`
  })
}

/** An envelope that was taken can be written and taken again. */
const expectAgain = (result: WireResult): void => {
  if (result.kind !== 'done') {
    expectThat(result.reason !== '', 'a refusal without a reason')
    return
  }
  const sent: WireEnvelope = result.envelope
  expectThat(sent.commandId === AWAITED.wireId, 'an envelope of another request')
  const [frame] = frameCutter().push(encodeFrame({ type: 'result', envelope: sent }))
  expectSame('the envelope', readFrame(frame ?? '', [AWAITED]), { kind: 'result', wireId: AWAITED.wireId, result })
}

const PREFIX = /^\[Svc-[\w-]+\] /

/** The JSON behind the prefix of a line. */
const mutateLogLine = mutateLines((line, tools) => {
  const [prefix = ''] = PREFIX.exec(line.toString('utf8')) ?? []
  return Buffer.concat([Buffer.from(prefix), mutateJson(line.subarray(Buffer.byteLength(prefix)), tools)])
})

export const operatorLog: Target = {
  name: 'operator-log',
  seeds: [
    `noise\n[Svc-Result] ${JSON.stringify(ENVELOPE)}\n`,
    `[Svc-Result] ${JSON.stringify(FAILED)}\nmore`,
    `${chunksOf(ENVELOPE, 100).join('\n')}\n`,
    `${chunksOf(FAILED, 60).reverse().join('\nother words\n')}\n`,
    `[Svc-Progress] ${JSON.stringify(PROGRESS)}\n[Svc-Progress] ${JSON.stringify({ ...PROGRESS, step: 1, success: false })}\n`,
  ],
  mutate: oneOf(mutateLogLine, mutateLogLine, mutateBytes),
  open: stateless(input => {
    const read = expectSameInPieces(input, pieces => {
      const ends: StepEnd[] = []
      const assembler = createAssembler()
      assembler.expect(
        AWAITED,
        inOrder(STEPS, end => ends.push(end)),
      )
      const feed = assembler.feed()
      const found = [...pieces.flatMap(piece => feed.push(piece)), ...feed.end()]
      return { found, ends, left: assembler.conclude(AWAITED.wireId) }
    })
    expectThat(read.ends.length <= STEPS, 'more steps have ended than there are')
    for (const [index, { step }] of read.ends.entries())
      expectThat(step < STEPS && step > (read.ends[index - 1]?.step ?? -1), 'a step of no list, or out of order')
    const results = [...read.found.map(({ step }) => step), ...(read.left ? [read.left] : [])].filter(isWireResult)
    expectThat(results.length <= 1, 'a request with two results')
    for (const result of results) expectAgain(result)
    return read.ends.length > 0 || results.some(({ kind }) => kind === 'done') ? 'accepted' : 'refused'
  }),
}

const HELLO = { type: 'hello', protocol: 1, package: 'com.svc.operator', version: '1', capabilities: ['progress'] }

export const operatorFrames: Target = {
  name: 'operator-frames',
  seeds: [
    Buffer.concat([encodeFrame(HELLO), encodeFrame({ type: 'result', envelope: ENVELOPE })]),
    Buffer.from(encodeFrame({ type: 'result', envelope: FAILED })),
    Buffer.concat([encodeFrame({ type: 'progress', ...PROGRESS }), encodeFrame({ type: 'progress', ...PROGRESS })]),
    Buffer.concat([
      encodeFrame({ type: 'running', commandId: AWAITED.wireId, step: 1 }),
      encodeFrame({ type: 'unknown', commandId: AWAITED.wireId }),
    ]),
  ],
  mutate: oneOf(mutatePieces(behindLengths('BE', mutateJson)), mutateBytes),
  open: stateless(input => {
    const frames = expectSameInPieces(input, pieces => {
      const cutter = frameCutter()
      return refusedBy(RangeError, () => pieces.flatMap(piece => cutter.push(piece)))
    })
    const read = (frames ?? []).flatMap(text => readFrame(text, [AWAITED]) ?? [])
    for (const frame of read) if (frame.kind === 'result') expectAgain(frame.result)
    return read.length > 0 ? 'accepted' : 'refused'
  }),
}

export const broadcastAnswers: Target = {
  name: 'broadcast-answers',
  seeds: [
    'Broadcasting: Intent { act=x }\nBroadcast completed: result=0\n',
    'Error: java.lang.SecurityException: not allowed',
    'Broadcast completed: result=-2',
  ],
  mutate: mutateText(['Broadcast completed: result=', 'Error', 'Exception', '-1', '-2', '0', '\n', 'does not exist']),
  open: stateless(input => {
    const stdout = input.toString('utf8')
    for (const exitCode of [0, 1, 137]) readAmAnswer({ exitCode, stdout, stderr: '' }, 'com.svc.operator')
    return readAmAnswer({ exitCode: 0, stdout, stderr: '' }, 'com.svc.operator').kind === 'done'
      ? 'accepted'
      : 'refused'
  }),
}
