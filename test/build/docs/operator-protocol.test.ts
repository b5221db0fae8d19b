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
    .map(text => /^(->|<-) (\[Svc-\w+\] )?([\s\S]*)$/.exec(text))
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
  for (const [request, ...answers] of shown) {
    const phone = phoneOf()
    broadcast(phone, request?.json ?? {})
    await until(() => operatorLines(phone).length >= answers.length, 'the answers')
    for (const [index, line] of operatorLines(phone).entries()) {
      const { prefix, json } = answers[index] ?? { prefix: '-', json: {} }
      expect(line.startsWith(prefix)).toBe(true)
      expect(JSON.parse(line.slice(prefix.length))).toEqual(json)
    }
    phone.close()
  }
})

test('over the session socket', async () => {
  const shown = exchanges.filter(messages => !isBroadcast(messages))
  expect(shown).toHaveLength(2)
  for (const messages of shown) {
    const phone = phoneOf()
    const talk = talkTo(phone.connect('com.svc.operator'))
    let answered = 0
    for (const { isSent, json } of messages) {
      if (isSent) {
        talk.send(json)
        continue
      }
      await until(() => talk.frames.length > answered, 'the next frame')
      expect(JSON.parse(talk.frames[answered++] ?? '')).toEqual(json)
    }
    expect(talk.frames).toHaveLength(answered)
    phone.close()
  }
})
