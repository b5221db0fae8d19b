/** `svc serve` killed with -9 at random moments of lists of gestures and looks: what the receipt knows then, and that it is true. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { UiNode } from '../../../../src/contracts/device/ui-tree.ts'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { parseScenario } from '../../../../src/simulator/scenario/scenario.ts'
import { startSimulatedPhones } from '../../../../src/simulator/simulated-phones.ts'
import { counterScenario } from '../../../long/trial/phone-scenario.ts'
import { type Random, randomOf } from '../../../long/trial/random.ts'
import { setting } from '../../../long/trial/setting.ts'
import { freePort } from '../../../support/adb/free-ports.ts'
import { startCli } from '../../../support/cli/run-cli.ts'
import { keyboardApk, snapshotApk } from '../../../support/device/helper-apks.ts'
import { until, wait } from '../../../support/until.ts'

const SEED = setting('SVC_SEED', 1)
const KILLS = Math.max(3, Math.round(setting('SVC_TRIALS', 100)))
const LONGEST_MS = 120_000
const START_MS = 30_000
/** The end of a list on a phone is to be known so long after the next contact. */
const KNOWN_WITHIN_MS = 5_000
const KNOWN_SHARE = 0.95
const TAPS = 4
/** A list of a caller may run so long. */
const TIMEOUT_MS = 20_000
/** A host needs several commands of the phone for a step. */
const OWN_STEP_MS = 100
const FIELD = 'com.example.counter:id/field'

interface Way {
  name: string
  operatorPackage: 'com.svc.operator' | 'svc.shell' | 'svc.uiautomator'
  operator: 'socket' | 'broadcast' | 'none'
}

const WAYS: readonly Way[] = [
  { name: 'operator app by socket', operatorPackage: 'com.svc.operator', operator: 'socket' },
  { name: 'operator app by broadcast', operatorPackage: 'com.svc.operator', operator: 'broadcast' },
  { name: 'svc.shell', operatorPackage: 'svc.shell', operator: 'none' },
  { name: 'svc.uiautomator', operatorPackage: 'svc.uiautomator', operator: 'none' },
]

const isByApp = ({ operatorPackage }: Way): boolean => operatorPackage === 'com.svc.operator'

interface Figures {
  kills: number
  /** Of them, those in the middle of a list. */
  interrupted: number
  /** Taps and texts that the phone had when a receipt was looked at first, and those that it proved then. */
  deedsAtFirst: number
  provenAtFirst: number
  /** The same when the list had ended. */
  deeds: number
  proven: number
  /** Lists that have run to their end on the phone, and those of which the outcome was known in time. */
  ended: number
  inTime: number
  slowestMs: number
  reasons: Map<string, number>
  /** Words of receipts that the phone does not confirm. */
  wrong: string[]
}

const figuresOf = new Map(
  WAYS.map(({ name }): [string, Figures] => [
    name,
    {
      ...{
        kills: 0,
        interrupted: 0,
        deedsAtFirst: 0,
        provenAtFirst: 0,
        deeds: 0,
        proven: 0,
        ended: 0,
        inTime: 0,
        slowestMs: 0,
      },
      ...{ reasons: new Map(), wrong: [] },
    },
  ]),
)

const everyNode = (nodes: readonly UiNode[]): UiNode[] => nodes.flatMap(node => [node, ...everyNode(node.children)])

/** The rows, and above them a field that keeps what is typed. */
const scenarioWithField = () => {
  const { apps = [], ...rest } = counterScenario()
  const field = { id: 'field', class: 'EditText', text: '', bounds: [0, 80, 1_080, 150] }
  const [app] = apps
  const main = app?.screens?.main
  return { ...rest, apps: [{ ...app, screens: { main: { ...main, nodes: [...(main?.nodes ?? []), field] } } }] }
}

const startPhone = async ({ operator }: Way) => {
  const parsed = parseScenario(scenarioWithField())
  if (!parsed.ok) throw new Error(parsed.error)
  const apks = operator === 'none' ? { apks: [snapshotApk(), keyboardApk()] } : {}
  const fleet = await startSimulatedPhones({ clock: systemClock(), scenario: parsed.scenario, operator, ...apks })
  const [device] = fleet.devices
  if (!device) throw new Error('there is no phone')
  const { phone, serial } = device
  return {
    serial,
    close: fleet.close,
    /** The steps that the phone itself shows to be done. */
    deeds: (): string[] =>
      everyNode(phone.tree()?.roots ?? []).flatMap(({ text, contentDesc, resourceId }) =>
        resourceId === FIELD ? (text.match(/type-\d/g) ?? []) : Number(contentDesc) > 0 ? [text] : [],
      ),
    isAtWork: () => phone.executions().some(({ finishedAt }) => finishedAt === undefined),
  }
}

interface ListedStep {
  id: string
  type: string
  params?: object
}

const isShown = ({ id }: { id: string }): boolean => /^(?:tap|type)-\d$/.test(id)

/** The steps before a tap: looks, waits and other gestures, in any order. */
const between = (random: Random, row: number, types: ReadonlySet<string>): ListedStep[] => {
  const matcher = { textEquals: `tap-${random.int(0, TAPS - 1)}` }
  const sleep = { id: `wait-${row}`, type: 'sleep', params: { durationMs: random.int(50, 600) } }
  const kinds: ListedStep[] = [
    { id: `look-${row}`, type: 'snapshot' },
    { id: `read-${row}`, type: 'read_text', params: { matcher } },
    { id: `find-${row}`, type: 'wait_for_node', params: { matcher } },
    {
      ...{ id: `swipe-${row}`, type: 'swipe' },
      params: { start: { x: 100, y: 2_200 }, end: { x: 900, y: 2_200 }, durationMs: 100 },
    },
    {
      ...{ id: `type-${row}`, type: 'enter_text' },
      params: { matcher: { resourceId: FIELD }, text: ` type-${row}`, append: true },
    },
  ]
  const chosen = kinds.filter(({ type }) => types.has(type) && random.chance(0.7))
  const turn = random.int(0, chosen.length)
  return [...chosen.slice(turn), ...(row > 0 ? [sleep] : []), ...chosen.slice(0, turn)]
}

const TYPES = ['snapshot', 'read_text', 'wait_for_node', 'swipe', 'enter_text'] as const

const listOf = (random: Random) => {
  // Some of them the host performs between the steps of the app, which cuts the list.
  const types = new Set<string>(TYPES.filter(() => random.chance(0.5)))
  const actions = Array.from({ length: TAPS }, (_, row): ListedStep[] => [
    ...between(random, row, types),
    { id: `tap-${row}`, type: 'click', params: { matcher: { textEquals: `tap-${row}` } } },
  ]).flat()
  const waits = actions.map(({ params }) => (params as { durationMs?: number } | undefined)?.durationMs ?? 0)
  return { actions, longMs: waits.reduce((sum, ms) => sum + ms, 0) }
}

const serve = async (port: number, env: Record<string, string>) => {
  const running = startCli(['serve', '--port', String(port)], { env, longestMs: LONGEST_MS })
  await until(() => running.stderr().includes(`:${port}`), 'the server to listen', START_MS).catch(error => {
    throw new Error(`${error}: ${running.stderr()}`)
  })
  return {
    async kill() {
      running.child.kill('SIGKILL')
      if (running.child.exitCode === null && running.child.signalCode === null) await once(running.child, 'exit')
    },
  }
}

const doneOf = ({ steps = [] }: Receipt): string[] =>
  steps.flatMap(step => (isShown(step) && step.outcome === 'done' ? [step.id] : []))

/** The wrong words of a receipt: `before` and `after` it was read, the phone showed these steps. */
const wrongIn = ({ executionId, outcome, steps = [] }: Receipt, before: string[], after: string[]): string[] => {
  const last = steps.findLastIndex(({ id }) => before.includes(id))
  const shown = steps.filter(isShown)
  return [
    ...shown.filter(({ id, outcome: of }) => of === 'done' && !after.includes(id)).map(({ id }) => `${id} is not done`),
    // The steps run in order: all up to the last that the phone shows have run.
    ...steps
      .filter(({ outcome: of }, place) => (of === 'not_run' || of === 'failed') && place <= last)
      .map(({ id, outcome: of }) => `${id} is not ${of}`),
    ...(outcome === 'done' && after.length < shown.length ? ['it is not done'] : []),
    ...(outcome === 'not_sent' && before.length > 0 ? ['it was sent'] : []),
    ...(new Set(after).size < after.length ? ['a text was typed twice'] : []),
  ].map(says => `${executionId}: ${says}`)
}

const afterLine = (name: string, one: Figures): string => {
  const reasons = [...one.reasons].map(([why, count]) => `  ${count}x in doubt: ${why}`)
  return [
    `${name}: ${one.kills} kills, ${one.interrupted} in the middle of a list; ${one.deedsAtFirst} taps and texts at the first look, ${one.provenAtFirst} proven; ` +
      `${one.deeds} in the end, ${one.proven} proven; ${one.ended} lists ended, ${one.inTime} known in time, ` +
      `the slowest after ${one.slowestMs} ms`,
    ...reasons,
  ].join('\n')
}

afterAll(() => {
  for (const [name, one] of figuresOf) if (one.kills > 0) console.log(afterLine(name, one))
})

const trial = async (way: Way, random: Random, figures: Figures): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-random-kills-'))
  const phone = await startPhone(way)
  const env = { HOME: home, SVC_TCP_DEVICES: phone.serial }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let server = await serve(port, env)
  try {
    const { actions, longMs } = listOf(random)
    const execution = {
      ...{ commandId: 'gestures', taskId: 'killed', source: 'test', expectedFormat: 'android-ui-automator' },
      ...{ timeoutMs: TIMEOUT_MS, actions },
    }
    const answer = fetch(`${url}/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'gestures' },
      body: JSON.stringify({ execution, operatorPackage: way.operatorPackage }),
    }).catch(() => undefined)
    const spanMs = longMs + (isByApp(way) ? 300 : actions.length * OWN_STEP_MS)
    await wait(random.int(0, spanMs))
    await server.kill()
    await answer
    server = await serve(port, env)
    figures.kills += 1
    const contact = performance.now()
    const listed = (await (await fetch(`${url}/executions`)).json()) as { executions?: Receipt[] }
    const executionId = listed.executions?.[0]?.executionId
    if (executionId === undefined) {
      if (phone.deeds().length > 0) figures.wrong.push('nothing was accepted, and the phone did something')
      return
    }
    const look = async (waitMs?: number) => {
      const before = phone.deeds()
      const response = await fetch(`${url}/executions/${executionId}${waitMs === undefined ? '' : `?waitMs=${waitMs}`}`)
      const { execution: receipt } = (await response.json()) as { execution: Receipt & { undecided?: string } }
      figures.wrong.push(...wrongIn(receipt, before, phone.deeds()))
      return { before, receipt }
    }
    const first = await look()
    if (first.receipt.state === 'interrupted') figures.interrupted += 1
    figures.deedsAtFirst += first.before.length
    figures.provenAtFirst += doneOf(first.receipt).filter(id => first.before.includes(id)).length
    await until(() => !phone.isAtWork(), 'the list to end on the phone', TIMEOUT_MS)
    const over = Math.max(contact, performance.now())
    const isEnded = isByApp(way) && first.receipt.dispatchedAt !== undefined
    const later = await look(isEnded ? KNOWN_WITHIN_MS : undefined)
    const deeds = phone.deeds()
    figures.deeds += deeds.length
    figures.proven += doneOf(later.receipt).length
    if (later.receipt.outcome === 'unknown') {
      const why = later.receipt.undecided ?? 'nothing was said'
      figures.reasons.set(why, (figures.reasons.get(why) ?? 0) + 1)
    }
    // Where the host performs a step between others, the rest of the list has died with it.
    if (isEnded && deeds.length === actions.filter(isShown).length) {
      const tookMs = Math.round(performance.now() - over)
      figures.ended += 1
      if (later.receipt.outcome !== 'unknown' && tookMs <= KNOWN_WITHIN_MS) figures.inTime += 1
      figures.slowestMs = Math.max(figures.slowestMs, tookMs)
    }
    if (!isByApp(way)) {
      const proven = doneOf(later.receipt)
      const inOrder = actions.flatMap(({ id }) => (deeds.includes(id) ? [id] : []))
      const unproven = inOrder.slice(0, -1).filter(id => !proven.includes(id))
      for (const id of unproven)
        figures.wrong.push(`${executionId}: ${id} ended before the next gesture, and is not proven`)
    }
  } finally {
    await server.kill()
    await phone.close()
    rmSync(home, { recursive: true, force: true })
  }
}

test.each(WAYS)(
  '$name',
  async way => {
    const figures = figuresOf.get(way.name) as Figures
    for (let kill = 0; kill < KILLS; kill++) await trial(way, randomOf(SEED, kill), figures)
    expect(figures.wrong).toEqual([])
    expect(figures.deeds).toBeGreaterThan(0)
    if (isByApp(way)) expect(figures.inTime).toBeGreaterThanOrEqual(KNOWN_SHARE * figures.ended)
  },
  KILLS * LONGEST_MS,
)
