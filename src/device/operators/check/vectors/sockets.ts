/** Vectors of the session socket; all are left out for an app that does not listen. */
import { encodeFrame } from '../../app/wire/messages.ts'
import { quoted } from '../breach.ts'
import { refusal, success } from '../judges.ts'
import { executeFrame, inSession, type SocketSession } from '../socket-session.ts'
import type { Ask, Vector } from '../vector.ts'
import { LARGE_RESULT, NOTHING, withMembers } from './messages.ts'

const judge = success(undefined, 'Perform over the socket what a broadcast would ask.')
const NAP: Ask = { actions: [NOTHING], judge }
const SPLIT_AT = [1, 3, 4, 5, 50]

export const SOCKET_VECTORS: readonly Vector[] = [
  {
    id: 'socket-hello',
    rule: 'The app greets each session with its protocol, package and version before anything else.',
    asks: 'a session, and nothing in it',
    talk: async ({ version }) => `Version ${quoted(version)} greeted.`,
  },
  {
    id: 'socket-executes',
    rule: 'A request over the socket is answered once, over the socket.',
    asks: 'two requests after each other in one session',
    over: 'socket',
    requests: ['one', 'two'].map(taskId => ({ ...NAP, taskId })),
    held: 'Both were answered.',
  },
  {
    id: 'socket-large-result',
    rule: 'A result of any size up to 64 MiB is one frame.',
    asks: '50 steps whose ids hold characters of several bytes',
    over: 'socket',
    requests: [{ actions: LARGE_RESULT, judge }],
    held: 'The result came in one frame.',
  },
  {
    id: 'socket-split-frames',
    rule: 'Frames are read from the stream whatever pieces they come in, and several may come in one piece.',
    asks: 'a request in pieces, cut within its length and its JSON, then two requests in one piece',
    async talk(session, bench) {
      const requests = Array.from({ length: 3 }, () => bench.request([NOTHING]))
      const sent = requests.map(request => session.expect(request))
      const [first = new Uint8Array(), ...others] = requests.map(executeFrame)
      const cuts = [0, ...SPLIT_AT, first.length]
      for (const [at, start] of cuts.slice(0, -1).entries()) await session.write(first.subarray(start, cuts[at + 1]))
      await session.write(Buffer.concat(others))
      for (const one of sent) judge(await session.answerTo(one))
      return 'All three were answered.'
    },
  },
  {
    id: 'socket-unknown-frame',
    rule: 'A frame of a type that the app does not know is passed over.',
    asks: 'a frame of the type `svc_check_unknown`, then a request',
    async talk(session, bench) {
      await session.write(encodeFrame({ type: 'svc_check_unknown' }))
      judge(await session.answerTo(await session.send(bench.request([NOTHING]))))
      return 'The request after it was answered.'
    },
  },
  {
    id: 'socket-refuses-invalid',
    rule: 'A request over the socket that is not valid is answered with EXECUTION_VALIDATION_FAILED, and the session stays open.',
    asks: '`actions: []`, then a valid request',
    over: 'socket',
    requests: [{ ...NAP, payload: withMembers({ actions: [] }), judge: refusal('EXECUTION_VALIDATION_FAILED') }, NAP],
    held: 'Refused, and the next request was answered.',
  },
  {
    id: 'socket-reconnects',
    rule: 'A host may come back at any time: a session that was closed makes room for the next, and two may be open.',
    asks: 'three sessions after each other, then two at once, with a request in each',
    async run(bench) {
      const ask = async (session: SocketSession) =>
        void judge(await session.answerTo(await session.send(bench.request([NOTHING]))))
      for (let round = 0; round < 3; round++) await inSession(bench, ask)
      await inSession(bench, outer =>
        inSession(bench, async inner => {
          await ask(inner)
          await ask(outer)
        }),
      )
      return 'Every session was answered.'
    },
  },
  {
    id: 'socket-closed-answers-in-log',
    rule: 'A host that closes the socket cancels nothing: the app finishes the request and writes its result to the log.',
    asks: 'a `sleep` of 3 s, and the socket is closed at once',
    async run(bench) {
      const request = bench.request([{ type: 'sleep', params: { durationMs: 3_000 } }])
      const sent = await bench.awaitInLog(request)
      await inSession(bench, session => session.write(executeFrame(request)))
      judge(await bench.answerTo(sent))
      return 'The result came in the log.'
    },
  },
]
