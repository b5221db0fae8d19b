/** The exchanges that the operator protocol shows are those of the simulated phone. */
import { expect, test } from 'vitest'
import { broadcast, operatorLines, phoneOf, talkTo } from '../../support/simulator/simulated-phone.ts'
import { until } from '../../support/until.ts'
import { blocksOf, page } from './documents.ts'

interface Message {
  isSent: boolean
  prefix: string
  json: object
}

const messagesOf = (block: string): Message[] =>
  block
    .split(/^(?=(?:->|<-) )/m)
    .map(text => /^(->|<-) (\[Svc-Result\] )?([\s\S]*)$/.exec(text))
    .flatMap(found =>
      found ? [{ isSent: found[1] === '->', prefix: found[2] ?? '', json: JSON.parse(found[3] ?? '') }] : [],
    )

const exchanges = blocksOf(page('operator-protocol'), 'text')
  .map(messagesOf)
  .filter(({ length }) => length > 0)
const isBroadcast = (messages: readonly Message[]) => messages.some(({ prefix }) => prefix !== '')

test('by broadcast', async () => {
  const shown = exchanges.filter(isBroadcast)
  expect(shown.length).toBeGreaterThan(2)
  for (const [request, answer] of shown) {
    const phone = phoneOf()
    broadcast(phone, request?.json ?? {})
    await until(() => operatorLines(phone).length > 0, 'the answer')
    const [line = ''] = operatorLines(phone)
    expect(line.startsWith(answer?.prefix ?? '-')).toBe(true)
    expect(JSON.parse(line.slice(answer?.prefix.length))).toEqual(answer?.json)
    phone.close()
  }
})

test('over the session socket', async () => {
  const shown = exchanges.filter(messages => !isBroadcast(messages))
  expect(shown).toHaveLength(1)
  const phone = phoneOf()
  const talk = talkTo(phone.connect('com.svc.operator'))
  const [messages = []] = shown
  const answers = messages.filter(({ isSent }) => !isSent)
  for (const { json } of messages.filter(({ isSent }) => isSent)) talk.send(json)
  await until(() => talk.frames.length >= answers.length, 'all frames')
  expect(talk.frames.map(frame => JSON.parse(frame))).toEqual(answers.map(({ json }) => json))
  phone.close()
})
