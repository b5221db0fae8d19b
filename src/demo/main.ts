/** `npm run demo`: the main job on a simulated device, with no adb installed, each transition printed as it is recorded. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validateExecution } from '../executions/validate.ts'
import { pause } from '../runtime/clock.ts'
import { watchTransitions } from '../runtime/transitions.ts'
import { createServices } from '../services.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** The folder of the demo's journal goes when it ends; the screenshot is for you to look at. */
const home = mkdtempSync(join(tmpdir(), 'svc-demo-'))
const screenshot = join(tmpdir(), 'svc-demo-about-phone.png')
const environment = { HOME: home, PATH: '' }
const note = (text: string) => process.stderr.write(`${text}\n`)

const payload = {
  commandId: 'demo',
  taskId: 'demo',
  source: 'demo',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [
    { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
    {
      id: 'find',
      type: 'scroll_until',
      params: { matcher: { textEquals: 'About phone' }, clickAfter: true, maxDurationMs: 20_000 },
    },
    { id: 'there', type: 'wait_for_node', params: { matcher: { textEquals: 'Android version' } } },
    { id: 'version', type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Android version' } } },
    { id: 'shot', type: 'take_screenshot', params: { path: screenshot } },
  ],
}

const lab = createServices({ env: environment, cwd: home, note })
const fleet = await lab.simulate({ count: 1 })
const serial = fleet.devices[0]?.serial ?? ''
const services = createServices({ env: { ...environment, SVC_TCP_DEVICES: serial }, cwd: home, note })

try {
  say(`A simulated phone listens on ${serial}. Every line below is a transition, recorded before it took effect:\n`)
  const watch = watchTransitions(services.journal(), {}, ({ seq, actor, event, from, to }) =>
    say(`  ${String(seq).padStart(3)}  ${actor}  ${event.padEnd(22)} ${from || '(new)'} -> ${to}`),
  )
  const validation = validateExecution(payload)
  if (!validation.ok) throw new Error(validation.error.message)
  const { result, executionId } = await services.execute({
    execution: validation.execution,
    operatorPackage: 'com.svc.operator',
  })
  await pause(services.clock, 50)
  watch.close()
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)

  say('\nWhat the phone answered:\n')
  for (const { id, actionType, success, data } of result.envelope.stepResults) {
    const facts = Object.entries(data).map(([key, value]) => `${key}=${value}`)
    say(`  ${success ? 'ok ' : 'NOT'}  ${id.padEnd(8)} ${actionType.padEnd(20)} ${facts.join('  ')}`)
  }
  if (result.envelope.status !== 'success') throw new Error(result.envelope.error?.message ?? 'the execution failed')
  say(`\nThe screenshot: ${screenshot} (${statSync(screenshot).size} bytes)`)

  const receipt = services.journal().receipt(executionId ?? '')
  const since = (at: number | undefined) => (at ?? 0) - (receipt?.acceptedAt ?? 0)
  say(
    `Did my tap happen? The receipt says: ${receipt?.state}, dispatched after ${since(receipt?.dispatchedAt)} ms, settled after ${since(receipt?.settledAt)} ms.`,
  )
} finally {
  await services.close()
  await fleet.close()
  await lab.close()
  rmSync(home, { recursive: true, force: true })
}
