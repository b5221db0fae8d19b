/** scripts/run.js of a recorded skill: its recipes in order, a checkpoint for each step, and the verification. */
import { SKILL_RESULT_MARKER, SKILL_RESULT_VERSION } from '../../../contracts/skill-result.ts'

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

/** How many letters differ. */
const distance = (a, b) => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]
}

const meant = (word, known) => {
  if (word.length > 100) return ''
  const [nearest] = known.map(flag => ({ flag, far: distance(word, flag) })).sort((a, b) => a.far - b.far)
  return nearest && nearest.far <= Math.max(1, Math.floor(word.length / 3)) ? \` Did you mean \${nearest.flag}?\` : ''
}

/** As svc reads them: \`--name value\` or \`--name=value\`, the last one counts; then words in the order of the names. */
const readInputs = () => {
  const flagOf = name => \`--\${name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/[_\\s]+/g, '-').toLowerCase()}\`
  const names = INPUTS.map(({ name }) => name).sort()
  const known = names.map(flagOf)
  const flags = new Map(names.map(name => [flagOf(name), name]))
  const takes = known.length === 0 ? 'It takes no inputs.' : \`Its inputs are \${known.join(', ')}.\`
  const values = {}
  const words = []
  for (let at = 0; at < args.length; at++) {
    const token = args[at]
    if (token === '--') {
      words.push(...args.slice(at + 1))
      break
    }
    if (!token.startsWith('--')) {
      words.push(token)
      continue
    }
    const equals = token.indexOf('=')
    const flag = equals < 0 ? token : token.slice(0, equals)
    const name = flags.get(flag)
    if (name === undefined) throw new Error(\`\${SKILL_ID} has no input \${flag}.\${meant(flag, known)} \${takes}\`)
    if (equals >= 0) values[name] = token.slice(equals + 1)
    else if (args[at + 1] !== undefined && !args[at + 1].startsWith('--')) values[name] = args[++at]
    else throw new Error(\`\${flag} has no value. Write \${flag}=<value> for a value that begins with two dashes.\`)
  }
  const unnamed = names.filter(name => values[name] === undefined)
  if (words.length < unnamed.length) throw new Error(\`a value is missing: \${unnamed.map(flagOf).join(', ')}\`)
  // The words are not repeated: one of them may be a secret.
  if (words.length > unnamed.length) {
    throw new Error(\`\${SKILL_ID} was given \${words.length - unnamed.length} more values than it has inputs. \${takes}\`)
  }
  unnamed.forEach((name, index) => {
    values[name] = words[index]
  })
  return values
}

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

/** The last thing on stdout, once. */
const finish = conclusion => {
  const frame = { contractVersion: '${SKILL_RESULT_VERSION}', skillId: SKILL_ID, ...conclusion, checkpoints }
  stdout.write(\`${SKILL_RESULT_MARKER}\\n\${JSON.stringify(frame)}\\n\`)
}

let inputs = {}
const main = async () => {
  inputs = readInputs()
  return run(inputs)
}
main().then(
  conclusion => finish({ inputs, ...conclusion }),
  error => {
    process.exitCode = 1
    const warnings = [String(error.message || error)]
    stderr.write(\`\${warnings[0]}\\n\`)
    finish({ inputs, result: null, status: 'failed', diagnostics: { warnings } })
  },
)
`
