/** Execution payloads, as commands, routes and tools take them. */
import { findJsonProblem, parseJsonText } from '../../../src/service/executions/parse-json.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { actsOf } from '../../../src/service/policy/evaluate-policy.ts'
import { mutateJson } from '../mutate/json.ts'
import { expectSame, expectThat, stateless, type Target } from '../target.ts'

const payload = (...actions: readonly object[]) =>
  JSON.stringify({
    commandId: 'c',
    taskId: 't',
    source: 'fuzz',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 30_000,
    actions: actions.map((action, at) => ({ id: `s${at}`, ...action })),
  })

const DEPTH_MAX = 64

export const payloads: Target = {
  name: 'payloads',
  seeds: [
    payload(
      { type: 'open_app', params: { applicationId: 'a.b' } },
      { type: 'click', params: { matcher: { textEquals: 'Save' }, clickType: 'default' } },
      { type: 'enter_text', params: { matcher: { resourceId: 'a.b:id/x' }, text: 'hi', submit: true } },
      { type: 'scroll', params: { direction: 'down', distanceRatio: 0.5 } },
    ),
    payload(
      { type: 'wait_for_node', params: { matcher: { textContains: 'Done' }, timeoutMs: 1_000 } },
      { type: 'snapshot' },
      { type: 'sleep', params: { durationMs: 10 } },
      { type: 'take_screenshot', params: { path: 'x.png' } },
      { type: 'shell', params: { command: 'ls -l' } },
      { type: 'press_key', params: { key: 'back' } },
      { type: 'push_file', params: { from: 'a', to: '/sdcard/a' } },
      { type: 'change_setting', params: { setting: 'orientation', value: 'landscape' } },
    ),
    payload({ type: 'double_tap', params: { coordinate: { x: 1, y: 2 } } }),
  ],
  mutate: mutateJson,
  open: stateless(input => {
    const text = input.toString('utf8')
    const problem = findJsonProblem(text, DEPTH_MAX)
    const isJson = (() => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    })()
    if (!isJson) expectThat(problem !== undefined, 'text that is not JSON has no problem')
    if (isJson && problem) expectThat(problem.reason.startsWith('nested'), `JSON has the problem ${problem.reason}`)
    const read = parseJsonText(text, { what: 'payload' })
    if (!read.ok) {
      expectThat(read.error.message !== '', 'a refusal without a message')
      return 'refused'
    }
    const validated = validateExecution(read.value)
    if (!validated.ok) {
      expectThat(validated.error.message !== '', 'a refusal without a message')
      JSON.stringify(validated.error)
      return 'refused'
    }
    for (const action of validated.execution.actions) expectThat(actsOf(action).length > 0, 'an action no policy sees')
    const again = validateExecution(JSON.parse(JSON.stringify(validated.execution)))
    expectThat(again.ok, 'an execution that was accepted, written and then refused')
    if (again.ok) expectSame('the execution', again.execution, validated.execution)
    return 'accepted'
  }),
}
