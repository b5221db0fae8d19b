// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** Requests of scripts, wherever a flow may hold a script: none reaches its server twice, and one in doubt is named. */
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../../../src/contracts/records/journal.ts'
import { readAttempt } from '../../../../src/service/flows/run/command-log.ts'
import { effectsOf } from '../../../../src/service/flows/run/script-record.ts'
import { flowBench } from '../../../support/flows/flow-bench.ts'

const ORDER = "${http.get('order').body}"
const FILES = {
  '/flows/order.js': "http.get('order')",
  '/flows/sub.yaml': `appId: a\nenv:\n  ORDER: "${ORDER}"\n---\n- tapOn: sub\n`,
}

const PLACES: Readonly<Record<string, string>> = {
  'the header': `appId: a\nenv:\n  ORDER: "${ORDER}"\n---\n- tapOn: one\n`,
  'a hook': `appId: a\nonFlowStart:\n  - evalScript: ${ORDER}\n---\n- tapOn: one\n`,
  evalScript: `appId: a\n---\n- tapOn: one\n- evalScript: ${ORDER}\n- tapOn: two\n`,
  runScript: `appId: a\n---\n- tapOn: one\n- runScript: order.js\n- tapOn: two\n`,
  'the text of a command': `appId: a\n---\n- tapOn: one\n- inputText: ${ORDER}\n- tapOn: two\n`,
  'a label': `appId: a\n---\n- tapOn: one\n- tapOn: { text: two, label: "Order ${ORDER}" }\n- tapOn: three\n`,
  'the label of a script': `appId: a\n---\n- evalScript: { script: "\${1}", label: "${ORDER}" }\n- tapOn: three\n`,
  'a condition': `appId: a\n---\n- runFlow: { when: { true: "${ORDER}" }, commands: [tapOn: one] }\n`,
  'the condition of a loop': `appId: a\n---\n- repeat: { times: 1, while: { true: "${ORDER}" }, commands: [tapOn: one] }\n`,
  'an assertion': `appId: a\n---\n- assertTrue: "${ORDER}"\n- tapOn: one\n`,
  'a subflow': 'appId: a\n---\n- runFlow: sub.yaml\n- tapOn: one\n',
  'what is tried again': 'appId: a\n---\n- retry: { maxRetries: 2, file: sub.yaml }\n- tapOn: one\n',
  'an optional command': `appId: a\n---\n- tapOn: { text: "${ORDER}", optional: true }\n- tapOn: one\n`,
}

const writeOf = async (yaml: string, type: 'request.begun' | 'script.answered') => {
  const whole = flowBench(yaml, { files: FILES })
  expect(await whole.perform()).toMatchObject({ emitted: { verdict: 'passed' } })
  expect(whole.server).toEqual(['order'])
  // The first write also says that the actor was created.
  const write = whole.events().findIndex(event => event.type === type)
  expect(write).toBeGreaterThan(0)
  return { write, touches: whole.touches() }
}

const DOUBT = { code: 'COMMAND_IN_DOUBT', details: { request: { method: 'GET', url: 'order' } } }

test.each(Object.keys(PLACES))(
  '%s: a request without an answer on record is in doubt, and not sent again',
  async place => {
    const yaml = PLACES[place] ?? ''
    for (const [type, as, sent] of [
      ['request.begun', 'stored', 0],
      ['script.answered', 'lost', 1],
    ] as const) {
      const { write } = await writeOf(yaml, type)
      const bench = flowBench(yaml, { files: FILES })
      expect(await bench.perform({ cut: { write, as } })).toEqual({ kind: 'died' })
      expect(bench.server).toHaveLength(sent)
      const before = bench.phone.touches.length
      expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'indeterminate' } })
      expect(bench.server, 'the next process sends nothing').toHaveLength(sent)
      expect(bench.phone.touches, 'and touches nothing').toHaveLength(before)
      expect(bench.recorded().stages.find(({ body }) => body.error)?.body.error).toMatchObject(DOUBT)
    }
  },
)

test.each(Object.keys(PLACES))('%s: a request with an answer on record is answered from it', async place => {
  const yaml = PLACES[place] ?? ''
  const { write, touches } = await writeOf(yaml, 'script.answered')
  for (let later = 0; ; later += 1) {
    const bench = flowBench(yaml, { files: FILES })
    const { kind } = await bench.perform({ cut: { write: write + later, as: 'stored' } })
    if (kind === 'ended') break
    await bench.perform()
    expect({ later, state: bench.state(), server: bench.server }).toEqual({ later, state: 'passed', server: ['order'] })
    expect(bench.touches()).toEqual(touches)
  }
})

test('nothing is sent that the journal does not take', async () => {
  const yaml = PLACES.evalScript ?? ''
  const { write } = await writeOf(yaml, 'request.begun')
  const bench = flowBench(yaml, { files: FILES })
  expect(await bench.perform({ cut: { write, as: 'refused' } })).toEqual({ kind: 'stopped' })
  expect(bench.server).toEqual([])
})

test('a script that asks for something else than before sends nothing', async () => {
  const yaml = 'appId: a\n---\n- evalScript: "${http.get(\'order\')}"\n- tapOn: one\n'
  const { write } = await writeOf(yaml, 'script.answered')
  const bench = flowBench(yaml)
  await bench.perform({ cut: { write, as: 'stored' } })
  const changed = flowBench(yaml.replace('order', 'other'), { journal: bench.journal })
  expect(await changed.perform()).toMatchObject({ emitted: { verdict: 'indeterminate' } })
  expect(changed.server).toEqual([])
  expect(changed.recorded().stages.flatMap(({ body }) => body.error ?? [])).toMatchObject([
    { code: 'TEST_RUN_NOT_RESUMABLE', details: { request: { method: 'GET', url: 'other' } } },
  ])
})

test('the record of an earlier version is read: all effects of an evaluation at once, headers with commands', () => {
  const http = (digest: string) => ({ kind: 'http', digest, response: { problem: digest } })
  const record = (n: number, event: object, body?: object) =>
    ({
      actor: 'flow-run:r',
      n,
      at: n,
      version: 1,
      machine: 'flow-run',
      from: '',
      to: '',
      tags: [],
      event,
      body,
    }) as never
  const records: (JournalRecord & { body?: unknown })[] = [
    record(0, { type: 'flow.requested', digest: 'd' }),
    record(1, { type: 'script.answered', index: 0 }, { evaluation: 0, effects: [http('header')] }),
    record(2, { type: 'command.begun', index: 0, name: 'evalScript' }),
    record(3, { type: 'script.answered', index: 0 }, { evaluation: 1, effects: [http('first')] }),
    record(4, { type: 'script.answered', index: 0 }, { evaluation: 1, effects: [http('first'), http('second')] }),
  ]
  const attempt = readAttempt(
    { records: () => records, body: (each: (typeof records)[number]) => each.body } as never,
    'r',
  )
  expect(attempt.requested?.files).toBeUndefined()
  expect(effectsOf(attempt.header.answers, 0)).toEqual([http('header')])
  expect(effectsOf(attempt.commands[0]?.scripts.answers ?? [], 0)).toEqual([])
  expect(effectsOf(attempt.commands[0]?.scripts.answers ?? [], 1)).toEqual([http('first'), http('second')])
})
