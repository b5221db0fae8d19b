/**
 * The parts that scripts of skills share: one reads the inputs, the other runs the script and writes the terminal
 * frame.
 */

import { SKILL_RESULT_MARKER, SKILL_RESULT_VERSION } from '../../../contracts/skills/skill-result.ts'

/** Stands behind SKILL_ID, checkpoints, readInputs and run. */
export const SCRIPT_ENDING = `/** The last thing on stdout, once. */
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
)`

/** Stands behind SKILL_ID, INPUTS and args. */
export const SCRIPT_INPUTS = `/** How many letters differ. */
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

/** Reads them as svc does: \`--name value\` or \`--name=value\`, the last one counts; then words in the order of the names. */
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
}`
