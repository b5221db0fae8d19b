/** Vectors of what an app does beyond answering requests; each is left out for an app that does not announce it. */

import { isDeepStrictEqual } from 'node:util'
import type { OperatorRequest } from '../../../../contracts/device/operator.ts'
import type { Answer } from '../bench.ts'
import { demand, quoted } from '../breach.ts'
import { judgeEnvelope } from '../judge-envelope.ts'
import { judgeProgress } from '../judge-progress.ts'
import { type Judge, success } from '../judges.ts'
import { lookAt } from '../settings-screen.ts'
import { executeFrame, inSession, questionFrame, type SocketSession } from '../socket-session.ts'
import type { Vector } from '../vector.ts'
import { pressBackOnSecondScreen } from './effects.ts'
import { NOTHING } from './messages.ts'

const MISSING = { type: 'read_text', params: { matcher: { textEquals: 'svc check: no screen has this text' } } }
const failureOfSecond: Judge = ({ envelope }) => {
  const [first, second] = envelope.stepResults
  demand(
    first?.success === true && second?.success === false && envelope.stepResults.length === 2,
    'A list with a second step that finds nothing did not end there.',
    'End the list at the first step that fails, and report it.',
  )
  return undefined
}
/** The third step of the second list never begins. */
const LISTS = [
  { actions: [NOTHING, NOTHING, NOTHING], judge: success({}) },
  { actions: [NOTHING, MISSING, NOTHING], judge: failureOfSecond },
  { actions: [NOTHING], judge: success({}) },
]
/** Asked about at once, it is still under way. */
const LONG = { type: 'sleep', params: { durationMs: 3_000 } }
const KEEP = 'Keep the results of the last 64 requests for ten minutes, by wire id and nonce.'

const demandUnknown = async (session: SocketSession, name: { commandId: string; nonce: string }, which: string) => {
  const { type } = await session.ask(name)
  demand(type === 'unknown', `A question about ${which} was answered with ${quoted(String(type))}.`, 'Answer unknown.')
}

/** The app answers the result as it came. */
const demandResult = async (session: SocketSession, request: OperatorRequest, answer: Answer) => {
  const frame = await session.ask(request)
  const came = `A question about a request that has ended was answered with ${quoted(String(frame.type))}.`
  demand(frame.type === 'result', came, KEEP)
  const isSame = isDeepStrictEqual(judgeEnvelope(frame.envelope, request), answer.envelope)
  demand(isSame, 'The result that was asked for differs from the one that came.', 'Answer the same bytes.')
}

export const CAPABILITY_VECTORS: readonly Vector[] = [
  {
    id: 'tells-progress',
    rule: 'An app with the capability `progress` tells each step but the last once, in order, after it has ended and before the result.',
    asks: 'three steps, a list whose second step fails, and one step, in one session',
    needs: 'progress',
    async talk(session, bench) {
      const words: string[] = []
      for (const { actions, judge } of LISTS) {
        const sent = await session.send(bench.request(actions))
        const answer = await session.answerTo(sent)
        judge(answer)
        words.push(judgeProgress(session.progressOf(sent), sent.expected, answer.envelope))
      }
      return words.join(' ')
    },
  },
  {
    id: 'tells-progress-in-log',
    rule: 'The progress of a broadcast is in the log, a line `[Svc-Progress]` for each step but the last.',
    asks: 'a list whose second step fails, by broadcast',
    needs: 'progress',
    async run(bench) {
      const sent = await bench.send(bench.request([NOTHING, MISSING, NOTHING]))
      const answer = await bench.answerTo(sent)
      failureOfSecond(answer)
      return judgeProgress((await bench.log()).progressOf(sent.expected.commandId), sent.expected, answer.envelope)
    },
  },
  {
    id: 'answers-questions',
    rule: 'An app with the capability `results` answers `result?` with `running`, `result` or `unknown`; to a wrong nonce it is `unknown`.',
    asks: 'about a `sleep` of 3 s while it is under way, after its end, with another nonce, and about a request that never was',
    needs: 'results',
    async talk(session, bench) {
      const request = bench.request([LONG])
      const { commandId, nonce } = request
      const other = bench.request([NOTHING])
      const sent = session.expect(request)
      const [{ type, step }] = await Promise.all([
        session.question(commandId),
        session.write(Buffer.concat([executeFrame(request), questionFrame(request)])),
      ])
      demand(
        type === 'running' && step === 0,
        `A question about a request at its first step was answered with ${quoted(String(type))}${typeof step === 'number' ? ` of step ${step}` : ''}.`,
        'Answer running, with the index of the step under way.',
      )
      await demandUnknown(session, { commandId, nonce: other.nonce }, 'a request under way, with another nonce,')
      const answer = await session.answerTo(sent)
      success({})(answer)
      await demandResult(session, request, answer)
      await demandUnknown(session, { commandId, nonce: other.nonce }, 'a request that has ended, with another nonce,')
      await demandUnknown(session, { commandId: other.commandId, nonce }, 'a request that never was')
      // An app that performs it again answers it again.
      await session.answerTo(sent)
      return 'Answered running, the result, and unknown.'
    },
  },
  {
    id: 'keeps-results-of-closed-sessions',
    rule: 'A request goes on when its session is closed, and its result can be asked for over the next one.',
    asks: 'a `sleep` of 3 s whose session is closed at once, then about it',
    needs: 'results',
    async run(bench) {
      const request = bench.request([LONG])
      const sent = await bench.awaitInLog(request)
      await inSession(bench, session => session.write(executeFrame(request)))
      const answer = await bench.answerTo(sent)
      success({})(answer)
      await inSession(bench, session => demandResult(session, request, answer))
      return 'The result was answered over another session.'
    },
  },
  {
    id: 'asking-performs-nothing',
    rule: 'A question performs nothing.',
    asks: '`press_key` back on the second screen of the settings, by broadcast, then about it: the first screen must stay',
    needs: 'results',
    async run(bench) {
      const { request, isFirstScreen } = await pressBackOnSecondScreen(bench)
      await inSession(bench, session => session.ask(request))
      // Performed again in its turn, it comes before this.
      success({})(await bench.ask([{ type: 'sleep', params: { durationMs: 1_000 } }]))
      const remedy = 'Answer what became of the request, and do nothing else.'
      demand(
        isFirstScreen(await lookAt(bench)),
        'The request was performed again when the app was asked about it.',
        remedy,
      )
      return 'Nothing was performed.'
    },
  },
]
