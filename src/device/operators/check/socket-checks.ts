/** The checks of the session socket; all are left out for an app that does not listen. */
import { encodeFrame } from '../app/wire/messages.ts'
import { Breach, quoted } from './breach.ts'
import type { Check } from './check.ts'
import { codeOf, type StrictEnvelope } from './judge-envelope.ts'
import { largeResult } from './message-checks.ts'
import { askSession, executeFrame, inSession, openSession } from './socket-session.ts'

const NOTHING = { type: 'sleep', params: { durationMs: 0 } }

const demandSuccess = ({ status, error }: StrictEnvelope) => {
  if (status === 'success') return
  throw new Breach(`The answer is a failure: ${error?.message}`, 'Perform over the socket what a broadcast would ask.')
}

const hello: Check = {
  id: 'socket-hello',
  rule: 'The app greets each session with its protocol, package and version before anything else.',
  asks: 'a session, and nothing in it',
  run: bench => inSession(bench, async ({ version }) => `Version ${quoted(version)} greeted.`),
}

const executes: Check = {
  id: 'socket-executes',
  rule: 'A request over the socket is answered once, over the socket.',
  asks: 'two requests after each other in one session',
  run: bench =>
    inSession(bench, async session => {
      for (const taskId of ['one', 'two'])
        demandSuccess(await askSession(session, bench.request([NOTHING], { taskId })))
      return 'Both were answered.'
    }),
}

const large: Check = {
  id: 'socket-large-result',
  rule: 'A result of any size up to 64 MiB is one frame.',
  asks: '50 steps whose ids hold characters of several bytes',
  run: bench =>
    inSession(bench, async session => {
      demandSuccess(await askSession(session, bench.request(largeResult)))
      return 'The result came in one frame.'
    }),
}

const SPLIT_AT = [1, 3, 4, 5, 50]

const split: Check = {
  id: 'socket-split-frames',
  rule: 'Frames are read from the stream whatever pieces they come in, and several may come in one piece.',
  asks: 'a request in pieces, cut within its length and its JSON, then two requests in one piece',
  run: bench =>
    inSession(bench, async session => {
      const [first, second, third] = [bench.request([NOTHING]), bench.request([NOTHING]), bench.request([NOTHING])]
      for (const request of [first, second, third]) session.expect(request)
      const bytes = executeFrame(first)
      const cuts = [0, ...SPLIT_AT, bytes.length]
      for (const [at, start] of cuts.slice(0, -1).entries()) await session.write(bytes.subarray(start, cuts[at + 1]))
      demandSuccess(await session.answerTo(first, first.timeoutMs))
      await session.write(Buffer.concat([executeFrame(second), executeFrame(third)]))
      for (const request of [second, third]) demandSuccess(await session.answerTo(request, request.timeoutMs))
      return 'All three were answered.'
    }),
}

const unknownFrame: Check = {
  id: 'socket-unknown-frame',
  rule: 'A frame of a type that the app does not know is passed over.',
  asks: 'a frame of the type `svc_check_unknown`, then a request',
  run: bench =>
    inSession(bench, async session => {
      await session.write(encodeFrame({ type: 'svc_check_unknown' }))
      demandSuccess(await askSession(session, bench.request([NOTHING])))
      return 'The request after it was answered.'
    }),
}

const invalid: Check = {
  id: 'socket-refuses-invalid',
  rule: 'A request over the socket that is not valid is answered with EXECUTION_VALIDATION_FAILED, and the session stays open.',
  asks: '`actions: []`, then a valid request',
  run: bench =>
    inSession(bench, async session => {
      const valid = bench.request([NOTHING])
      const { commandId, taskId, nonce, timeoutMs } = valid
      const expected = { commandId, taskId, nonce }
      session.expect(expected)
      await session.write(executeFrame({ ...valid, actions: [] }))
      const refusal = await session.answerTo(expected, timeoutMs)
      if (codeOf(refusal) !== 'EXECUTION_VALIDATION_FAILED') {
        throw new Breach(
          `It was answered with ${codeOf(refusal) ?? refusal.status}.`,
          'Answer EXECUTION_VALIDATION_FAILED.',
        )
      }
      demandSuccess(await askSession(session, bench.request([NOTHING])))
      return 'Refused, and the next request was answered.'
    }),
}

const reconnect: Check = {
  id: 'socket-reconnects',
  rule: 'A host may come back at any time: a session that was closed makes room for the next, and two may be open.',
  asks: 'three sessions after each other, then two at once, with a request in each',
  async run(bench) {
    for (let round = 0; round < 3; round++) {
      await inSession(bench, async session => demandSuccess(await askSession(session, bench.request([NOTHING]))))
    }
    await inSession(bench, outer =>
      inSession(bench, async inner => {
        for (const session of [inner, outer]) demandSuccess(await askSession(session, bench.request([NOTHING])))
      }),
    )
    return 'Every session was answered.'
  },
}

const SLEEP_MS = 3_000

const closed: Check = {
  id: 'socket-closed-answers-in-log',
  rule: 'A host that closes the socket cancels nothing: the app finishes the request and writes its result to the log.',
  asks: 'a `sleep` of 3 s, and the socket is closed at once',
  async run(bench) {
    const request = bench.request([{ type: 'sleep', params: { durationMs: SLEEP_MS } }])
    const sent = await bench.awaitInLog(request)
    const session = await openSession(bench)
    try {
      await session.write(executeFrame(request))
    } finally {
      session.close()
    }
    demandSuccess((await bench.answerTo(sent)).envelope)
    return 'The result came in the log.'
  },
}

export const socketChecks: readonly Check[] = [hello, executes, large, split, unknownFrame, invalid, reconnect, closed]
