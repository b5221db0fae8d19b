// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** A process that ends at any moment of an attempt, and the next one that goes on with it: nothing is sent twice. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Cut, type Ending, type FlowBench, flowBench, MAIN } from '../../../support/flows/flow-bench.ts'
import { type Death, isLook } from '../../../support/flows/flow-phone.ts'
import { propertyCases, propertyRuns } from '../../../support/property-runs.ts'

const FLOW = `appId: com.example
env:
  USER: "user \${Math.floor(random() * 1e6)} \${http.get('header').body}"
onFlowStart:
  - launchApp:
      label: Start \${http.get('label').body}
  - evalScript: \${output.started = now()}
onFlowComplete:
  - stopApp
  - inputText: \${(output.add && output.add(1, 2)) || 'nothing'}
---
- tapOn: first
- runScript: tools.js
- inputText: \${USER}
- evalScript: \${output.token = http.get('token').body + random()}
- inputText: \${output.token}
- inputRandomText:
    length: 12
- inputText: \${random()}
- copyTextFrom: copied
- pasteText
- inputText: \${maestro.copiedText + output.add(2, 3)}
- setClipboard: kept \${random()}
- pasteText
- repeat:
    times: 2
    commands:
      - tapOn: again \${output.count = (output.count || 0) + 1}
      - inputText: \${output.count}
- repeat:
    while:
      visible: until 16
    commands:
      - tapOn: loop
- tapOn:
    text: missing one
    optional: true
- runFlow:
    when:
      visible: after 5
    file: sub.yaml
    env:
      NAME: \${output.token}
- runFlow:
    when:
      visible: missing two
    commands:
      - tapOn: never
- retry:
    maxRetries: 5
    commands:
      - tapOn: tried
      - assertVisible: after 21
- retry:
    maxRetries: 3
    commands:
      - evalScript: \${output.tries = (output.tries || 0) + 1; if (output.tries < 3) throw new Error('no ' + output.tries)}
- swipe:
    direction: LEFT
- scroll
- back
- pressKey: Home
- longPressOn: long
- doubleTapOn: double
- eraseText: 3
- hideKeyboard
- setAirplaneMode: enabled
- toggleAirplaneMode
- setLocation:
    latitude: 1.5
    longitude: 2.5
- setPermissions:
    permissions:
      camera: allow
      location: deny
      microphone: unset
- travel:
    points: ["0.0,0.0", "0.0,0.0001", "0.0,0.0002"]
    speed: 5
- openLink: example://page
- assertTrue: \${output.tries === 3}
- inputText: \${http.get('last').body}
`

const FILES = {
  '/flows/sub.yaml': `appId: com.example
env:
  INNER: \${NAME} \${random()}
onFlowComplete:
  - tapOn: end of the subflow
---
- inputText: \${INNER}
- runScript:
    file: tools.js
    env:
      X: y
- copyTextFrom: inner
`,
  '/flows/tools.js': 'output.add = (a, b) => `sum ${a + b} ${random()}`',
}

const bench = (yaml = FLOW) => flowBench(yaml, { files: FILES })

const undisturbed = async (yaml = FLOW) => {
  const whole = bench(yaml)
  const ending = await whole.perform()
  return { whole, ending }
}

/** The events of the attempt that say what its commands were and how each ended. */
const outline = ({ recorded }: FlowBench) =>
  recorded().commands.map(({ begun, ended }) => [begun.index, begun.depth, begun.name, begun.line, ended?.verdict])

const verdict = (ending: Ending) => (ending.kind === 'ended' ? ending.emitted.verdict : ending.kind)

const expectTheSame = (disturbed: FlowBench, whole: FlowBench) => {
  expect(disturbed.touches()).toEqual(whole.touches())
  expect(outline(disturbed)).toEqual(outline(whole))
}

/** A command in doubt is named, and what it asked for reached the phone at most once. */
const expectInDoubt = (disturbed: FlowBench, whole: FlowBench) => {
  const failed = disturbed.recorded().commands.find(({ ended }) => ended?.body.error?.code === 'COMMAND_IN_DOUBT')
  const { executionId, request } = failed?.ended?.body.error?.details ?? {}
  if (request !== undefined) {
    // A request without a response is not sent again, and asks nothing of the phone.
    expect(disturbed.server.length).toBeLessThanOrEqual(whole.server.length)
    return
  }
  const sent = disturbed.phone.touches.filter(touch => touch.executionId === executionId).length
  const upTo = disturbed.phone.touches.findLastIndex(touch => touch.executionId === executionId) + 1
  const calls = disturbed.phone.calls.filter(call => call.executionId === executionId)
  expect(calls).toHaveLength(1)
  if (sent > 0) expect(disturbed.touches().slice(0, upTo)).toEqual(whole.touches().slice(0, upTo))
}

const doubtOf = ({ recorded }: FlowBench) =>
  recorded()
    .commands.map(({ ended }) => ended?.body.error)
    .concat(recorded().stages.map(({ body }) => body.error))
    .find(error => error?.code === 'COMMAND_IN_DOUBT')

const isInDoubt = ({ recorded }: FlowBench) =>
  recorded().commands.some(({ ended }) => ended?.code === 'COMMAND_IN_DOUBT')

/** A process that dies after the last record tells nobody: then the record has the verdict. */
const law = (disturbed: FlowBench, whole: FlowBench, ending: Ending, expected: Ending) => {
  const reached = ending.kind === 'ended' ? ending.emitted.verdict : disturbed.state()
  if (isInDoubt(disturbed)) {
    // The first failure decides: the doubt may be that of a hook behind a failed flow.
    expect(verdict(expected) === 'failed' ? ['failed', 'indeterminate'] : ['indeterminate']).toContain(reached)
    expectInDoubt(disturbed, whole)
    return
  }
  expect(reached).toBe(verdict(expected))
  expectTheSame(disturbed, whole)
}

test('the flow passes as it stands', async () => {
  const { whole, ending } = await undisturbed()
  expect(whole.recorded().stages.map(({ body }) => body.error)).toEqual([undefined, undefined, undefined])
  expect(verdict(ending)).toBe('passed')
  expect(whole.touches().length).toBeGreaterThan(40)
  expect(whole.server).toEqual(['header', 'label', 'token', 'last'])
})

test('at every record of the journal, which is stored or lost with the process', async () => {
  const { whole, ending: expected } = await undisturbed()
  // The first write also says that the actor was created.
  const events = whole.events().slice(1)
  const cuts = events.flatMap((event, at) => (['stored', 'lost'] as const).map(as => ({ write: at + 1, as, event })))
  // After the last record there is nothing to go on with.
  for (const { write, as, event } of propertyCases(
    cuts.filter(cut => cut.write < events.length || cut.as === 'lost'),
  )) {
    const disturbed = bench()
    expect(await disturbed.perform({ cut: { write, as } })).toEqual({ kind: 'died' })
    const ending = await disturbed.perform()
    expect(new Set(disturbed.server).size, 'no request reaches the server twice').toBe(disturbed.server.length)
    const isUnanswered = event.type === (as === 'stored' ? 'request.begun' : 'script.answered')
    if (isUnanswered) {
      expect({ write, as, verdict: verdict(ending) }).toEqual({ write, as, verdict: 'indeterminate' })
      expect(doubtOf(disturbed)?.details).toEqual({ request: { method: 'GET', url: expect.any(String) } })
      continue
    }
    expect({ write, as, verdict: verdict(ending) }).toEqual({ write, as, verdict: verdict(expected) })
    expectTheSame(disturbed, whole)
    expect(disturbed.server).toEqual(whole.server)
  }
})

test('in every step of every execution, which may have been carried out or not', async () => {
  const { whole, ending: expected } = await undisturbed()
  const deaths = whole.phone.calls.flatMap(({ steps }, call) =>
    steps.flatMap(({ type }, step) => [true, false].map(isDone => ({ call, step, isDone, isLook: isLook(type) }))),
  )
  for (const death of propertyCases(deaths)) {
    const disturbed = bench()
    await disturbed.perform({ death })
    law(disturbed, whole, await disturbed.perform(), expected)
    if (death.isLook) expect(isInDoubt(disturbed)).toBe(false)
  }
})

test('several processes die one after the other', async () => {
  const { whole, ending: expected } = await undisturbed()
  const disturbed = bench()
  let ending: Ending = { kind: 'died' }
  for (let lives = 0; ending.kind === 'died'; lives += 1) {
    expect(lives).toBeLessThan(200)
    // The first write of the next process says that the last one is gone, and the second that the attempt goes on.
    ending = await disturbed.perform({ cut: { write: 12, as: lives % 2 === 0 ? 'stored' : 'lost' } })
  }
  expect(verdict(ending)).toBe(verdict(expected))
  expectTheSame(disturbed, whole)
})

const PIECES = [
  '- tapOn: one',
  '- inputText: ${random()}',
  '- inputRandomNumber',
  '- evalScript: ${output.x = (output.x || 0) + random()}',
  '- inputText: ${output.x}',
  "- inputText: ${http.get('page').body}",
  '- copyTextFrom: something',
  '- pasteText',
  '- tapOn: { text: missing, optional: true }',
  '- assertVisible: after 3',
  '- evalScript: ${undefined.x}',
  '- repeat: { times: 3, commands: [tapOn: r, evalScript: "${output.x = random()}"] }',
  '- repeat: { times: 3, while: { notVisible: after 6 }, commands: [tapOn: w] }',
  '- runFlow: { when: { visible: after 2 }, commands: [tapOn: s, inputRandomText: { length: 3 }] }',
  '- runFlow: { when: { true: "${random() > 0.5}" }, commands: [tapOn: maybe] }',
  '- runFlow: sub.yaml',
  '- retry: { maxRetries: 2, commands: [tapOn: t, assertVisible: after 8] }',
  '- setPermissions: { permissions: { camera: allow, location: deny } }',
  '- toggleDarkMode',
] as const

test('any flow, any deaths', { timeout: 120_000 }, async () => {
  const random = fc.record({
    hook: fc.constantFrom('', 'onFlowStart:\n  - tapOn: hook\n', 'onFlowStart:\n  - assertVisible: missing\n'),
    pieces: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }),
    ends: fc.array(
      fc.oneof(
        fc.record({ write: fc.integer({ min: 3, max: 25 }), as: fc.constantFrom('stored', 'lost') }),
        fc.record({ call: fc.nat(12), step: fc.nat(2), isDone: fc.boolean() }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(random, async ({ hook, pieces, ends }) => {
      const yaml = `appId: com.example\n${hook}onFlowComplete:\n  - inputText: \${random()}\n---\n${pieces.join('\n')}\n`
      const { whole, ending: expected } = await undisturbed(yaml)
      const disturbed = bench(yaml)
      let ending: Ending = { kind: 'died' }
      for (const each of ends) {
        const how = 'write' in each ? { cut: each as Cut } : { death: each as Death }
        ending = await disturbed.perform(how)
        if (ending.kind === 'ended') break
      }
      if (ending.kind !== 'ended' && !isOver(disturbed)) ending = await disturbed.perform()
      law(disturbed, whole, ending, expected)
    }),
    { numRuns: propertyRuns(500, 60) },
  )
})

const isOver = ({ state }: FlowBench) => ['passed', 'failed', 'indeterminate'].includes(state() ?? '')

test('the clock of a script is that of its command, whichever process evaluates it', async () => {
  const yaml = 'appId: a\n---\n- tapOn: one\n- inputText: ${now()}\n- tapOn: two\n'
  for (const write of [6, 7, 8]) {
    const disturbed = bench(yaml)
    await disturbed.perform({ cut: { write, as: 'stored' } })
    disturbed.clock.advance(500_000)
    await disturbed.perform()
    const typed = disturbed.touches().find(({ type }) => type === 'enter_text')
    const begun = disturbed.recorded().commands.find(({ begun: { name } }) => name === 'inputText')?.begun
    expect(begun?.file).toBe(MAIN)
    expect(typed?.params).toMatchObject({ text: String(begun?.now) })
  }
})
