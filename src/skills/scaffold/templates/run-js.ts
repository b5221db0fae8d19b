/** scripts/run.js of a new skill: works as it is against any device, and shows where the steps go. */
import type { RegistryEntry } from '../../../contracts/registry.ts'
import { SKILL_RESULT_MARKER, SKILL_RESULT_VERSION } from '../../../contracts/skill-result.ts'

/** An id holds letters, digits, dots, dashes and underscores only; it is quoted all the same. */
export const runJs = ({ id, applicationId }: RegistryEntry): string => `#!/usr/bin/env node
// Runs ${id}: does its steps on the device through SVC_BIN, and ends with one terminal frame.
// Imports are dynamic so that this file loads whether or not a package.json around it says "type": "module".

const SKILL_ID = ${JSON.stringify(id)}
const APPLICATION_ID = ${JSON.stringify(applicationId)}
const TIMEOUT_MS = 30000 // of one execution
const CALL_MS = TIMEOUT_MS + 15000 // until a call that does not come back is ended
const OUTPUT_BYTES = 64 * 1024 * 1024

const { argv, env, execPath, stdout } = process
const { SVC_BIN = 'svc', SVC_DEVICE_ID, SVC_OPERATOR_PACKAGE } = env

// With --device the device is the first argument, and the caller's own follow.
const args = argv.slice(2)
const inputs = SVC_DEVICE_ID && args[0] === SVC_DEVICE_ID ? args.slice(1) : args

const checkpoints = []

/** Calls svc and resolves to the JSON it prints; SVC_BIN is a program, or a script for this Node. */
const svc = async (words, stdin = '') => {
  const { execFile } = await import('node:child_process')
  const target = [
    ...(SVC_DEVICE_ID ? ['--device', SVC_DEVICE_ID] : []),
    ...(SVC_OPERATOR_PACKAGE ? ['--operator-package', SVC_OPERATOR_PACKAGE] : []),
  ]
  const script = /\\.[cm]?js$/.test(SVC_BIN) ? [SVC_BIN] : []
  const program = script.length > 0 ? execPath : SVC_BIN
  const options = { timeout: CALL_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES }
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...script, ...words, ...target], options, (error, answer) => {
      try {
        resolve(JSON.parse(answer))
      } catch {
        reject(new Error(\`\${SVC_BIN} \${words[0]} printed no result: \${error ? error.message : 'no JSON'}\`))
      }
    })
    child.stdin.on('error', () => {}) // a program that could not be started reads nothing
    child.stdin.end(stdin)
  })
}

/** One execution: its actions in order. Resolves to the data of each step by its id; the first failed step throws. */
const exec = async actions => {
  const execution = {
    commandId: SKILL_ID,
    taskId: SKILL_ID,
    source: 'skill',
    expectedFormat: 'android-ui-automator',
    timeoutMs: TIMEOUT_MS,
    actions,
  }
  const { envelope, code, message } = await svc(['exec', '-'], JSON.stringify(execution))
  if (!envelope) throw new Error(\`\${code}: \${message}\`)
  if (envelope.status !== 'success') {
    throw new Error(\`\${envelope.errorCode}: \${envelope.error ? envelope.error.message : 'the execution failed'}\`)
  }
  return Object.fromEntries(envelope.stepResults.map(step => [step.id, step.data]))
}

/** The steps of the skill. Returns its result; every step worth knowing about leaves a checkpoint. */
const run = async () => {
  // A usual beginning: open the application, then wait for something that only its loaded screen shows.
  //
  //   await exec([
  //     { id: 'open', type: 'open_app', params: { applicationId: APPLICATION_ID } },
  //     { id: 'ready', type: 'wait_for_node', params: { matcher: { textContains: '...' }, timeoutMs: 15000 } },
  //   ])
  //   checkpoints.push({ id: 'opened', status: 'ok' })

  const { screen } = await exec([{ id: 'screen', type: 'snapshot' }])
  checkpoints.push({ id: 'screen', status: 'ok' })
  const foreground = screen.foreground_package || null
  const nodes = (screen.text.match(/<node /g) || []).length
  return { kind: 'json', value: { foreground, isInFront: foreground === APPLICATION_ID, nodes, inputs } }
}

/** The last thing on stdout, once. */
const finish = conclusion => {
  const frame = { contractVersion: '${SKILL_RESULT_VERSION}', skillId: SKILL_ID, ...conclusion, checkpoints }
  stdout.write(\`${SKILL_RESULT_MARKER}\\n\${JSON.stringify(frame)}\\n\`)
}

run().then(
  result => finish({ result, status: 'success' }),
  error => {
    process.exitCode = 1
    finish({ result: null, status: 'failed', diagnostics: { warnings: [String(error.message || error)] } })
  },
)
`
