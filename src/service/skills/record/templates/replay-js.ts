/** scripts/run.js of a recorded skill: its recipes in order, a checkpoint for each step, and the verification. */
import { SCRIPT_ENDING, SCRIPT_INPUTS } from '../../scaffold/script-parts.ts'

interface ReplayFacts {
  skillId: string
  /** The name of the registry file, which is in the folder above that of the skill. */
  registryFile: string
  recipes: readonly string[]
  inputs: readonly { name: string; variable: string }[]
  /** The recipe that reads the text, and what it is to be. */
  verification: { recipe: string; expected: string } | null
}

const json = (value: unknown) => JSON.stringify(value)

export const replayJs = ({
  skillId,
  registryFile,
  recipes,
  inputs,
  verification,
}: ReplayFacts): string => `#!/usr/bin/env node
// Replays ${skillId}: compiles its recipes with the inputs, runs them through SVC_BIN, and ends with one terminal frame.
// Imports are dynamic so that this file loads whether or not a package.json around it says "type": "module".

const SKILL_ID = ${json(skillId)}
const REGISTRY = ${json(`../../${registryFile}`)} // from this folder
const RECIPES = ${json(recipes)}
const INPUTS = ${json(inputs)}
const VERIFICATION = ${json(verification)}
const CALL_MS = 150000 // until a call that does not come back is ended
const OUTPUT_BYTES = 64 * 1024 * 1024

const { argv, env, execPath, stderr, stdout } = process
const { SVC_BIN = 'svc', SVC_DEVICE_ID, SVC_OPERATOR_PACKAGE } = env

// With --device the device is the first argument, and the caller's own follow.
const all = argv.slice(2)
const args = SVC_DEVICE_ID && all[0] === SVC_DEVICE_ID ? all.slice(1) : all

const checkpoints = []
const reads = {}

${SCRIPT_INPUTS}

/** Calls svc and resolves to the JSON it prints; SVC_BIN is a program, or a script for this Node. */
const svc = async (words, stdin = '') => {
  const { execFile } = await import('node:child_process')
  const script = /\\.[cm]?js$/.test(SVC_BIN) ? [SVC_BIN] : []
  const program = script.length > 0 ? execPath : SVC_BIN
  const options = { timeout: CALL_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES }
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...script, ...words], options, (error, answer) => {
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

/** The recipe with the values in it: svc puts them in, once, and validates what comes of it. */
const compile = async (name, inputs) => {
  const { dirname, resolve } = await import('node:path')
  const registry = resolve(dirname(argv[1]), REGISTRY)
  const vars = Object.fromEntries(INPUTS.map(({ name, variable }) => [variable, inputs[name]]))
  const words = ['skills', 'compile-artifact', SKILL_ID, '--artifact', name, '--vars', JSON.stringify(vars)]
  const { execution, code, message } = await svc([...words, '--registry', registry])
  if (!execution) throw new Error(\`\${code}: \${message}\`)
  return execution
}

/** Resolves to the results of the steps. A failed step is a failed checkpoint, those after it are skipped, and it throws. */
const runRecipe = async (name, inputs) => {
  const target = [
    ...(SVC_DEVICE_ID ? ['--device', SVC_DEVICE_ID] : []),
    ...(SVC_OPERATOR_PACKAGE ? ['--operator-package', SVC_OPERATOR_PACKAGE] : []),
  ]
  const execution = await compile(name, inputs)
  const { envelope, code, message } = await svc(['exec', '-', ...target], JSON.stringify(execution))
  const results = envelope ? envelope.stepResults : []
  execution.actions.forEach(({ id, type }, index) => {
    const result = results[index]
    const status = result ? (result.success ? 'ok' : 'failed') : 'skipped'
    checkpoints.push({ id: \`\${name}/\${id}\`, status, note: status === 'failed' ? result.data.message : type })
    if (status === 'ok' && type === 'read_text') reads[id] = result.data.text
    if (status === 'ok' && type === 'read_key_value_pair') reads[id] = result.data.value
  })
  if (!envelope) throw new Error(\`\${code}: \${message}\`)
  if (envelope.status === 'success') return results
  throw new Error(\`\${envelope.errorCode}: \${envelope.error ? envelope.error.message : 'the execution failed'}\`)
}

/** Reads the text again from the screen, and compares it with what these inputs should have led to. */
const verify = async inputs => {
  const text = VERIFICATION.expected.replace(/\\{([^{}]+)\\}/g, (_, name) => inputs[name])
  const expected = { kind: 'text', text }
  try {
    const results = await runRecipe(VERIFICATION.recipe, inputs)
    const observed = { kind: 'text', text: results[results.length - 1].data.text }
    delete reads.verify
    return { status: observed.text === text ? 'verified' : 'failed', expected, observed }
  } catch (error) {
    return { status: 'failed', expected, note: String(error.message || error) }
  }
}

const run = async inputs => {
  for (const name of RECIPES) await runRecipe(name, inputs)
  const terminalVerification = VERIFICATION ? await verify(inputs) : null
  const result = Object.keys(reads).length > 0 ? { kind: 'json', value: reads } : (terminalVerification?.observed ?? null)
  const isVerified = terminalVerification === null || terminalVerification.status === 'verified'
  return { status: isVerified ? 'success' : 'failed', result, terminalVerification }
}

${SCRIPT_ENDING}
`
