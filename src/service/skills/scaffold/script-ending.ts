/** The part of a skill's script that runs it and writes the terminal frame; it stands behind SKILL_ID, checkpoints, readInputs and run. */
import { SKILL_RESULT_MARKER, SKILL_RESULT_VERSION } from '../../../contracts/skills/skill-result.ts'

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
